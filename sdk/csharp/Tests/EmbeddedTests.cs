using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>A flow inside this program: described by code or by a file, with handlers of its own.</summary>
public sealed class EmbeddedTests
{
    [Test]
    public async Task Words_are_counted_by_functions_a_class_and_a_typed_function()
    {
        await using Flow flow = await Flow.Describe()
            .Name("words")
            .Workers(2)
            .Pool<string>("/lines", PoolKind.Trigger)
            .Pool("/words", PoolKind.Trigger)
            .Pool<ulong>("/counts")
            .On("/lines", "/words", (FlowObject line, Emitter emit) =>
            {
                foreach (string word in line.ValueText.Split(' '))
                {
                    emit.Put(System.Text.Encoding.UTF8.GetBytes(word), ""u8);
                }
            })
            .On<CountWords>("/words", "/counts")
            .StartAsync();
        FlowPool<string> lines = flow.Pool<string>("/lines");
        lines.Put("1", "the quick the lazy");
        await lines.PutAsync("2", "the end");
        await flow.DrainAsync();
        FlowPool<ulong> counts = flow.Pool<ulong>("/counts");
        Expect.Equal(3UL, counts.Get("the")!.Value.Value);
        Expect.Equal("end,lazy,quick,the", string.Join(',', counts.Bytes.List()));
        Expect.Equal("words", flow.Report().GetProperty("flow").GetString());
        Expect.Equal("/lines,/words,/counts", string.Join(',', flow.Pools));
    }

    [Test]
    public async Task A_file_names_handlers_of_this_assembly_and_leaves_others_to_the_program()
    {
        string here = typeof(EmbeddedTests).Assembly.Location;
        string text = $"""
            [pool."/in"]
            [pool."/loud"]
            [pool."/seen"]
            [[handler]]
            name = "shout"
            on = "/in"
            to = "/loud"
            csharp = "{here}"
            class = "Upcall.Tests.Shout"
            [[handler]]
            name = "see"
            on = "/loud"
            to = "/seen"
            """;
        await using Flow flow = await Flow.FromToml(text)
            .Give("see", (FlowObject obj, Emitter emit) => emit.Put(obj.Key, obj.Value))
            .StartAsync();
        await flow.Pool("/in").PutAsync("key", "value");
        await flow.DrainAsync();
        Expect.Equal("value", flow.Pool("/seen").Get("KEY")!.Value.ValueText);
    }

    [Test]
    public void A_handler_that_emits_nothing_names_no_pool_and_keys_may_be_text()
    {
        var heard = new ConcurrentQueue<string>();
        using Flow flow = Flow.Describe().Pool("/in", keep: 3).Pool<int>("/lengths").Pool<string>("/texts")
            .On("/in", (obj, emit) => heard.Enqueue(System.Text.Encoding.UTF8.GetString(obj.Value)))
            .On<Silent>("/in", new() { Retry = 1 })
            .On("/in", "/lengths", () => new Both(), new HandlerOptions { AlsoTo = ["/texts"] })
            .Start();
        FlowPool pool = flow.Pool("/in");
        ulong first = pool.PutIf("k", "one", 0);
        ulong second = pool.PutIfAsync("k", "two", first).Result;
        flow.Drain();
        Expect.Equal("one,two", string.Join(',', heard.Order()));
        Expect.Equal("one", pool.GetAt("k", first)!.Value.ValueText);
        Expect.Equal("two", pool.GetByTime("k", pool.Get("k")!.Value.Time)!.Value.ValueText);
        Expect.Equal($"{first},{second}", string.Join(',', pool.Versions("k").Select(version => version.Version)));
        Expect.Equal(second + 1, pool.Remove("k"));
        Expect.Equal(second + 2, pool.RemoveAsync("k").Result);
        pool.Trigger("k", "three");
        pool.TriggerAsync("k", "four").Wait();
        flow.Drain();
        Expect.Equal(4, heard.Count);
        Expect.Equal(4, flow.Pool<int>("/lengths").Get("k")!.Value.Value);
        Expect.Equal("four", flow.Pool<string>("/texts").Get("k")!.Value.Value);
    }

    [Test]
    public void Versions_are_put_on_condition_kept_and_removed()
    {
        using Flow flow = Flow.Describe().Pool("/p", keep: 3).Start();
        FlowPool pool = flow.Pool("/p");
        ulong first = pool.PutAsync("k", "one").Result;
        ulong second = pool.PutIf("k"u8, "two"u8, first);
        FlowException conflict = Expect.Throws<FlowException>(() => pool.PutIf("k"u8, "three"u8, first));
        Expect.Equal(FlowError.Conflict, conflict.Error);
        Expect.Equal("one", pool.GetAt("k"u8, first)!.Value.ValueText);
        Expect.Equal("two", pool.GetByTime("k"u8, pool.Get("k")!.Value.Time)!.Value.ValueText);
        ulong removed = pool.Remove("k"u8);
        Expect.Equal(null, pool.Get("k"));
        var seen = pool.Versions("k"u8);
        Expect.Equal($"{first},{second},{removed}", string.Join(',', seen.Select(version => version.Version)));
        Expect.Equal(true, seen[2].Removed);
        byte[] large = new byte[100_000];
        new Random(1).NextBytes(large);
        pool.Put("large"u8, large);
        flow.Drain();
        Expect.Equal(true, pool.Get("large")!.Value.Value.SequenceEqual(large));
        Expect.Equal(false, pool.TryGet("large"u8, new byte[10], out int length, out _));
        Expect.Equal(100_000, length);
    }

    [Test]
    public async Task A_watch_is_an_async_enumerable_that_ends_with_the_flow()
    {
        Flow flow = await Flow.Describe().Pool("/p").StartAsync();
        using FlowWatch watch = flow.Watch("/p");
        FlowPool pool = flow.Pool("/p");
        Task<List<string>> keys = Task.Run(async () =>
        {
            var found = new List<string>();
            await foreach (FlowEvent seen in watch)
            {
                found.Add(seen switch
                {
                    FlowEvent.Put put => $"{put.Key}={put.ValueText}",
                    FlowEvent.Removed removed => $"{removed.Key} removed",
                    _ => "missed",
                });
            }
            return found;
        });
        for (int n = 0; n < 3; n++)
        {
            pool.Put($"k{n}", $"{n}");
            await Task.Delay(5);
        }
        await pool.RemoveAsync("k1"u8.ToArray());
        await flow.DisposeAsync();
        Expect.Equal("k0=0,k1=1,k2=2,k1 removed", string.Join(',', await keys));
    }

    [Test]
    public async Task Timed_out_cancelled_and_stopped_are_told_apart()
    {
        using var hold = new ManualResetEventSlim();
        Flow flow = await Flow.Describe()
            .Workers(1)
            .Pool("/in", PoolKind.Trigger)
            .Pool("/out")
            .On("/in", "/out", (FlowObject _, Emitter _) => hold.Wait())
            .StartAsync();
        flow.Pool("/in").Put("k", "v");
        Expect.Throws<TimeoutException>(() => flow.Drain(TimeSpan.FromMilliseconds(20)));
        using var cancellation = new CancellationTokenSource(20);
        await Expect.Throws<OperationCanceledException>(flow.DrainAsync(cancellation.Token));
        Task drain = flow.DrainAsync();
        ValueTask stop = flow.DisposeAsync();
        FlowException stopped = await Expect.Throws<FlowException>(drain);
        Expect.Equal(FlowError.Stopped, stopped.Error);
        hold.Set();
        await stop;
        Expect.Equal(FlowError.Stopped, Expect.Throws<FlowException>(() => flow.Pool("/in")).Error);
        await flow.DisposeAsync();
    }

    [Test]
    public async Task An_exception_makes_a_dead_letter_that_says_where()
    {
        await using Flow flow = await Flow.Describe()
            .Pool("/in", PoolKind.Trigger)
            .Pool("/out")
            .On("/in", "/out", (FlowObject obj, Emitter _) => throw new InvalidDataException($"not {obj.KeyText}"), new()
            {
                Retry = 2,
            })
            .StartAsync();
        flow.Pool("/in").Put("that", "value");
        await flow.DrainAsync();
        DeadLetter letter = flow.DeadLetters("/in").Single();
        Expect.Equal("System.IO.InvalidDataException: not that", $"{letter.TypeName}: {letter.Message}");
        Expect.Equal(3, letter.Attempts);
        Expect.Equal("value", System.Text.Encoding.UTF8.GetString(letter.Value));
        Expect.Holds("An_exception_makes_a_dead_letter", letter.Stack);
    }

    [Test]
    public async Task A_null_reference_on_the_engines_threads_is_an_exception()
    {
        string? nothing = null;
        await using Flow flow = await Flow.Describe()
            .Pool("/in", PoolKind.Trigger)
            .Pool("/out")
            .On("/in", "/out", (FlowObject _, Emitter _) => _ = nothing!.Length)
            .StartAsync();
        for (int n = 0; n < 100; n++)
        {
            flow.Pool("/in").Put($"k{n}", "");
        }
        await flow.DrainAsync();
        Expect.Equal(100, flow.DeadLetters("/in").Count(letter => letter.TypeName == "System.NullReferenceException"));
    }

    [Test]
    public async Task A_function_may_answer_later_and_other_threads_go_on()
    {
        await using Flow flow = await Flow.Describe()
            .Pool("/in", PoolKind.Trigger)
            .Pool("/out")
            .OnAsync("/in", "/out", async (obj, emit) =>
            {
                await Task.Delay(10, obj.Cancellation);
                emit.Put(obj.Key, "late"u8);
            }, new() { InFlight = 100 })
            .StartAsync();
        for (int n = 0; n < 50; n++)
        {
            flow.Pool("/in").Put($"k{n}", "");
        }
        await flow.DrainAsync();
        Expect.Equal(50, flow.Pool("/out").List().Count);
    }

    [Test]
    public async Task Puts_wait_for_credit_without_a_thread()
    {
        using var hold = new ManualResetEventSlim();
        await using Flow flow = await Flow.Describe()
            .Workers(1)
            .Credit(1 << 20, 2)
            .Pool("/in")
            .Pool("/out")
            .On("/in", "/out", (FlowObject obj, Emitter emit) =>
            {
                hold.Wait();
                emit.Put(obj.Key, ""u8);
            })
            .StartAsync();
        FlowPool pool = flow.Pool("/in");
        Task<ulong>[] puts = [.. Enumerable.Range(0, 100).Select(n => pool.PutAsync($"k{n}", "v"))];
        Expect.Equal(false, pool.TryPut("refused", ""));
        Expect.Equal(false, Task.WhenAll(puts).Wait(20));
        hold.Set();
        ulong[] versions = await Task.WhenAll(puts);
        Expect.Equal(100, versions.Distinct().Count());
        await flow.DrainAsync();
        Expect.Equal(100, flow.Pool("/out").List().Count);
    }

    [Test]
    public async Task A_handler_may_dispose_its_own_flow()
    {
        Flow? flow = null;
        var disposed = new TaskCompletionSource();
        flow = await Flow.Describe()
            .Pool("/in")
            .Pool("/out")
            .On("/in", "/out", (FlowObject _, Emitter _) =>
            {
                flow!.Dispose();
                disposed.SetResult();
            })
            .StartAsync();
        flow.Pool("/in").Put("k", "v");
        await disposed.Task;
        await flow.DisposeAsync();
    }

    [Test]
    public async Task Blocking_inside_a_handler_is_refused()
    {
        Flow? flow = null;
        await using Flow own = flow = await Flow.Describe()
            .Pool("/in", PoolKind.Trigger)
            .Pool("/out")
            .On("/in", "/out", (FlowObject _, Emitter _) => flow!.Drain())
            .StartAsync();
        flow.Pool("/in").Put("k", "v");
        await flow.DrainAsync();
        Expect.Holds("inside a handler of the same flow", flow.DeadLetters("/in").Single().Message);
    }

    [Test]
    public async Task What_may_wait_is_refused_inside_a_handler_though_there_is_credit_and_puts_nothing()
    {
        Flow? flow = null;
        Action<FlowPool>[] waits =
        [
            pool => pool.Put("k", "v"), pool => pool.PutMany(Batch()), pool => pool.PutIf("k"u8, "v"u8, 0),
            pool => pool.Trigger("k"u8, "v"u8), pool => pool.Remove("k"u8),
        ];
        await using Flow own = flow = await Flow.Describe()
            .Pool("/in", PoolKind.Trigger)
            .Pool("/out")
            .Pool("/other")
            .On("/in", "/out", (FlowObject obj, Emitter _) => waits[int.Parse(obj.KeyText)](flow!.Pool("/other")))
            .On("/in", "/out", (FlowObject _, Emitter _) => flow!.Pool("/other").TryPut("tried", ""))
            .StartAsync();
        for (int way = 0; way < waits.Length; way++)
        {
            await flow.Pool("/in").PutAsync($"{way}", "");
        }
        await flow.DrainAsync();
        IReadOnlyList<DeadLetter> letters = flow.DeadLetters("/in");
        Expect.Equal(waits.Length, letters.Count);
        foreach (DeadLetter letter in letters)
        {
            Expect.Holds("from inside a handler of the same flow", letter.Message);
        }
        Expect.Equal("tried", string.Join(',', flow.Pool("/other").List()));

        static PutBatch Batch()
        {
            var batch = new PutBatch();
            batch.Add("k"u8, "v"u8);
            return batch;
        }
    }

    [Test]
    public async Task Keys_of_the_flow_itself_are_added_to_the_text_of_a_file()
    {
        await using Flow flow = await Flow.FromToml("[pool.\"/in\"]\nkeep = 2").Name("named").Workers(1).StartAsync();
        Expect.Equal("named", flow.Report().GetProperty("flow").GetString());
    }

    [Test]
    public async Task What_a_disposed_flow_can_no_longer_say_is_to_be_read_before()
    {
        Flow flow = await Flow.Describe().Pool("/in").StartAsync();
        await flow.DisposeAsync();
        FlowException stopped = Expect.Throws<FlowException>(() => flow.Report());
        Expect.Equal(FlowError.Stopped, stopped.Error);
        Expect.Holds("; read it before the flow is closed", stopped.Message);
        stopped = Expect.Throws<FlowException>(() => flow.DeadLetters("/in"));
        Expect.Holds("; read them before the flow is closed", stopped.Message);
    }

    [Test]
    public async Task Half_a_surrogate_pair_is_refused_and_not_replaced()
    {
        await using Flow flow = await Flow.Describe().Pool("/in").Pool<string>("/texts").StartAsync();
        FlowPool pool = flow.Pool("/in");
        Action[] halves =
        [
            () => pool.Put("a\ud800", "v"), () => pool.TryPut("k", "b\udc00c"), () => pool.Get("a\ud800"),
            () => flow.Pool<string>("/texts").Put("k", "\ud800"), () => _ = pool.PutAsync("a\ud800", "v"),
        ];
        foreach (Action half in halves)
        {
            Expect.Holds("which is half of a surrogate pair", Expect.Throws<ArgumentException>(half).Message);
        }
        Expect.Holds(@"a text has \ud800 at 1, which", Expect.Throws<ArgumentException>(halves[0]).Message);
        pool.Put("\U0001f600", "v");
        flow.Drain();
        Expect.Equal("\U0001f600", string.Join(',', pool.List()));
    }

    [Test]
    public async Task Values_are_printed_as_text_or_in_hexadecimal()
    {
        await using Flow flow = await Flow.Describe()
            .Pool("/in")
            .Pool("/out")
            .On("/in", "/out", (FlowObject _, Emitter _) => throw new InvalidOperationException("no"))
            .StartAsync();
        FlowPool pool = flow.Pool("/in");
        using FlowWatch watch = flow.Watch("/in");
        pool.Put("text", "grüße");
        pool.Put("bytes"u8, [1, 0xff]);
        pool.Put("long", new string('x', 63) + "üx");
        flow.Drain();
        Expect.Holds("Stored { Value = \"grüße\", Version = ", pool.Get("text")!.Value.ToString());
        Expect.Holds("Value = 0x01ff, Version = ", pool.Get("bytes")!.Value.ToString());
        Expect.Holds($"Value = \"{new string('x', 63)}\"… (66 bytes), ", pool.Get("long")!.Value.ToString());
        string events = string.Join('\n', watch.Next(TimeSpan.FromSeconds(20)));
        Expect.Holds("Put { Pool = /in, Key = text, Value = \"grüße\", Version = ", events);
        string letter = flow.DeadLetters("/in").Single(letter => letter.Key == "text").ToString();
        Expect.Holds("Key = text, Value = \"grüße\", ", letter);
        Expect.Holds("Message = no, Stack = ", letter);
    }

    [Test]
    public async Task Mistakes_are_said_all_at_once()
    {
        FlowException wrong = await Expect.Throws<FlowException>(Flow.Describe()
            .Pool("/in")
            .On("/inn", "/out", (FlowObject _, Emitter _) => { })
            .StartAsync());
        Expect.Equal(FlowError.Invalid, wrong.Error);
        Expect.Holds("did you mean `/in`?", wrong.Message);
        wrong = await Expect.Throws<FlowException>(Flow.FromToml("[pool.\"/in\"]")
            .Give("nobody", (FlowObject _, Emitter _) => { })
            .StartAsync());
        Expect.Equal("give handler nobody: the flow has no such handler; it has none", wrong.Message);
        wrong = await Expect.Throws<FlowException>(
            Flow.FromToml("[pool.\"/in\"]\n[[handler]]\nname = \"greet\"\non = \"/in\"")
                .Give("gret", (FlowObject _, Emitter _) => { })
                .StartAsync());
        Expect.Holds("give handler gret: the flow has no such handler; it has greet; did you mean greet?", wrong.Message);
        wrong = await Expect.Throws<FlowException>(Flow.Describe().Pool("/in").Pool("/in", keep: 2).StartAsync());
        Expect.Holds("pool /in is described twice\n --> the flow's description:", wrong.Message);
        wrong = await Expect.Throws<FlowException>(Flow.Describe()
            .Pool("/in")
            .Pool("/out")
            .On("/in", "/out", () => "no handler")
            .StartAsync());
        Expect.Equal(FlowError.Load, wrong.Error);
        Expect.Holds("System.String cannot be a handler: implement IObjectHandler", wrong.Message);
    }

    [Test]
    public async Task What_is_collected_is_kept_by_the_engine_and_given_back_by_it()
    {
        WeakReference handler = await Used();
        for (int n = 0; handler.IsAlive && n < 100; n++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            await Task.Delay(10);
        }
        Expect.Equal(false, handler.IsAlive);

        static async Task<WeakReference> Used()
        {
            var seen = new ConcurrentBag<string>();
            ObjectFunction function = (obj, _) => seen.Add(obj.KeyText);
            Flow flow = await Flow.Describe()
                .Pool("/in", PoolKind.Trigger)
                .Pool("/out")
                .On("/in", "/out", function)
                .StartAsync();
            var weak = new WeakReference(function);
            function = null!;
            for (int n = 0; n < 10; n++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                flow.Pool("/in").Put($"{n}", "");
            }
            await flow.DrainAsync();
            Expect.Equal(10, seen.Count);
            await flow.DisposeAsync();
            return weak;
        }
    }

    [Test]
    public async Task Many_objects_are_put_in_one_call()
    {
        await using Flow flow = await Flow.Describe().Pool("/p").StartAsync();
        var batch = new PutBatch();
        for (int n = 0; n < 5000; n++)
        {
            batch.Add(System.Text.Encoding.UTF8.GetBytes($"k{n}"), "v"u8);
        }
        flow.Pool("/p").PutMany(batch);
        await flow.DrainAsync();
        Expect.Equal(5000, flow.Pool("/p").List().Count);
    }

    private sealed class CountWords : FlowHandler<byte[], ulong>
    {
        private readonly Dictionary<string, ulong> counts = [];

        public override void OnObject(in byte[] value, FlowObject word, Emitter<ulong> emit)
        {
            ulong count = counts.GetValueOrDefault(word.KeyText) + 1;
            counts[word.KeyText] = count;
            emit.Put(word.Key, count);
        }
    }

    private sealed class Silent : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit) => GC.KeepAlive(obj.KeyText);
    }

    private sealed class Both : FlowHandler<string, int>
    {
        public override void OnObject(in string value, FlowObject obj, Emitter<int> emit)
        {
            emit.Put(obj.Key, value.Length);
            emit.Of<string>().Put("/texts", obj.Key, value);
        }
    }
}
