using System;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>Handlers that answer later: what they emit, how they fail, how many are open.</summary>
public sealed class LaterTests
{
    [Test]
    public void A_handler_that_answers_later_says_so()
    {
        using var harness = new Harness<Waits>();
        Described described = harness.Describe();
        Expect.Equal(("FLOW", "object", true), (described.Kind, described.Form, described.AnswersLater));
        using var typed = new Harness<Halves>();
        described = typed.Describe();
        Expect.Equal(("object", true, new ValueShape("i64", 8)), (described.Form, described.AnswersLater, described.Takes!));
        Expect.Equal(new ValueShape("text", null), described.Gives.Single());
        using var now = new Harness<Shout>();
        Expect.Equal(false, now.Describe().AnswersLater);
    }

    [Test]
    public async Task An_object_is_answered_at_once_or_later()
    {
        using var harness = new Harness<Waits>().Emits("/out");
        Task now = harness.PutAsync("a", "at once");
        Expect.Equal(true, now.IsCompletedSuccessfully);
        await harness.PutAsync("b", "later");
        harness.Put("c", "later");
        Expect.Equal("a before a after b before b after c before c after", Emitted(harness));
    }

    [Test]
    public async Task Many_objects_are_open_at_a_time()
    {
        using var harness = new Harness<Sleeps>().Emits("/out");
        // Timers and threads are started.
        harness.Put("first", "");
        var clock = Stopwatch.StartNew();
        await Task.WhenAll(Enumerable.Range(0, 100).Select(n => harness.PutAsync($"{n}", $"value {n}")));
        Expect.Equal(true, clock.ElapsedMilliseconds < 500, $"{clock.ElapsedMilliseconds} ms");
        Expect.Equal(true, harness.Handler.Most > 50, $"{harness.Handler.Most} at a time");
        Expect.Equal(101, harness.Emitted.Count);
        Expect.Equal(true, harness.Emitted.Skip(1).All(e => e.ValueText == $"value {e.KeyText}"));
    }

    [Test]
    public async Task A_failure_is_that_of_its_object_with_the_stack()
    {
        using var harness = new Harness<Waits>().Emits("/out");
        Task fails = harness.PutAsync("a", "throw later");
        Task passes = harness.PutAsync("b", "later");
        var failure = await Expect.Throws<HandlerFailedException>(fails);
        Expect.Equal(("System.FormatException", "later", 0, 0), (failure.TypeName, failure.Message, failure.Done, failure.Item!.Value));
        Expect.Holds("Waits.Throws()", failure.HandlerStack);
        Expect.Holds("Waits.OnObject(", failure.HandlerStack);
        await passes;
        failure = await Expect.Throws<HandlerFailedException>(harness.PutAsync("c", "throw at once"));
        Expect.Equal("at once", failure.Message);
        failure = Expect.Throws<HandlerFailedException>(() => harness.Batch(("d", "later"), ("e", "throw later")));
        Expect.Equal("later", failure.Message);
        Expect.Equal("b before b after d before d after", Emitted(harness));
    }

    [Test]
    public async Task A_cancellation_of_the_handlers_own_is_an_ordinary_failure()
    {
        using var harness = new Harness<Waits>().Emits("/out").Deadline(TimeSpan.FromSeconds(30));
        var failure = await Expect.Throws<HandlerFailedException>(harness.PutAsync("a", "own token"));
        Expect.Equal("System.Threading.Tasks.TaskCanceledException", failure.TypeName);
        failure = await Expect.Throws<HandlerFailedException>(harness.PutAsync("b", "own exception"));
        Expect.Equal(("System.OperationCanceledException", "by itself"), (failure.TypeName, failure.Message));
    }

    [Test]
    public async Task A_handler_reads_logs_and_emits_on_condition_after_it_has_waited()
    {
        using var harness = new Harness<ReadsLater>().Emits("/accounts").Reads("/accounts", ("ada", "1"), ("bob", "2"), ("ada", "3"));
        await harness.PutAsync("ada", "4");
        await harness.PutAsync("eve", "5");
        Expect.Equal("True 3 1 1 [ada bob]", harness.Logged[0].Text);
        Expect.Equal("False   0 [ada bob]", harness.Logged[1].Text);
        Expect.Equal((3ul, 0ul), (harness.Emitted[0].Previous!.Value, harness.Emitted[1].Previous!.Value));
        var failure = await Expect.Throws<HandlerFailedException>(harness.PutAsync("bob", "twice"));
        Expect.Holds("emit on condition twice for one object", failure.Message);
        await harness.PutAsync("bob", "once");
        Expect.Equal(3, harness.Emitted.Count);
    }

    [Test]
    public async Task A_typed_handler_answers_later()
    {
        using var harness = new Harness<Halves>().Emits("/out");
        await harness.PutValueAsync("a", 10L);
        harness.Flush();
        Expect.Equal("5", harness.Emitted[0].ValueText);
        Expect.Equal(10, harness.Emitted[1].ValueAs<long>());
        Expect.Equal(("10", 3ul), (harness.Emitted[2].ValueText, harness.Emitted[2].Previous!.Value));
        Expect.Equal(("end", "flushed"), (harness.Emitted[3].KeyText, harness.Emitted[3].ValueText));
        var failure = await Expect.Throws<HandlerFailedException>(harness.PutAsync("k", "123"));
        Expect.Equal("read the value of k as Int64: it has 3 bytes, not 8", failure.Message);
        using var other = new Harness<Halves>().Emits("/out").Declares("/in", "f64", 8);
        failure = await Expect.Throws<HandlerFailedException>(Task.Run(() => other.PutAsync("k", "12345678")));
        Expect.Holds("pool /in has the type f64 of 8 bytes, and the handler takes i64", failure.Message);
    }

    [Test]
    public void A_handler_may_wait_when_it_is_opened_flushed_and_closed()
    {
        var harness = new Harness<Lives>().Emits("/out");
        harness.Put("a", "b");
        harness.Flush();
        Expect.Equal("a b flush 1 flush 2", Emitted(harness));
        harness.Put("fail", "b");
        var failure = Expect.Throws<HandlerFailedException>(harness.Flush);
        Expect.Equal(("not flushed", null), (failure.Message, failure.Item));
        Expect.Equal(4, harness.Emitted.Count, "what a failed flush emitted is forgotten");
        harness.Dispose();
        Expect.Equal("open True a fail closed", harness.Handler.Said);
    }

    [Test]
    public void A_sample_is_answered_in_the_call()
    {
        using var harness = new Harness<Waits>().Emits("/out");
        harness.Warm("a", "later");
        Expect.Equal(true, harness.Handler.End("a").IsCompletedSuccessfully);
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Warm("b", "throw later"));
        Expect.Equal("later", failure.Message);
        Expect.Throws<ItemClosedException>(harness.Handler.Kept["a"].Obj.ThrowIfOver);
        Expect.Equal(0, harness.Emitted.Count);
        harness.Put("c", "later");
        Expect.Equal(2, harness.Emitted.Count);
    }

    [Test]
    public async Task Values_of_every_length_are_there_after_an_await()
    {
        using var harness = new Harness<Sleeps>().Emits("/out");
        foreach (int length in (int[])[0, 1, 63, 64, 65, 16 * 1024, 16 * 1024 + 1, 1 << 20])
        {
            byte[] value = new byte[length];
            new Random(length).NextBytes(value);
            await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => harness.PutAsync("key"u8.ToArray(), value)));
            Expect.Equal(true, harness.Emitted.TakeLast(3).All(e => e.Value.SequenceEqual(value)), $"{length} bytes");
        }
    }

    [Test]
    public void A_class_is_one_kind_of_handler()
    {
        string message = Expect.Throws<ArgumentException>(() => new Harness<Both>()).Message;
        Expect.Holds("it handles objects in two ways, one of which answers later; make a class for each", message);
    }

    [Test]
    public async Task A_source_that_breaks_the_rules_fails_its_object()
    {
        using var harness = new Harness<Breaks>().Emits("/out");
        for (int round = 0; round < 2; round++)
        {
            var failure = await Expect.Throws<HandlerFailedException>(harness.PutAsync("a", ""));
            Expect.Equal(("System.NotSupportedException", "no continuations"), (failure.TypeName, failure.Message));
        }
        Expect.Throws<ItemClosedException>(harness.Handler.Kept.ThrowIfOver);
    }

    [Test]
    public async Task Whatever_happens_at_a_time_each_object_is_answered_once()
    {
        // The harness ends the process at an answer too many.
        using var harness = new Harness<Races>().Emits("/out").Deadline(TimeSpan.FromMilliseconds(1));
        var random = new Random(7);
        for (int round = 0; round < 100; round++)
        {
            Task[] open = Enumerable.Range(0, 20).Select(n => harness.PutAsync($"{n}", $"{random.Next(3)}")).ToArray();
            if (round % 10 == 9)
            {
                harness.Cancel();
            }
            await Task.WhenAll(open.Select(task => task.ContinueWith(_ => { })));
            foreach (Task task in open.Where(task => task.IsFaulted))
            {
                Exception why = task.Exception!.InnerException!;
                Expect.Equal(true, why is ItemTimedOutException or ItemCanceledException, $"{why}");
            }
        }
        Expect.Equal(true, harness.Emitted.Count > 0 && harness.Emitted.All(e => e.KeyText == e.ValueText));
    }

    private static string Emitted<T>(Harness<T> harness)
        where T : class, new() => string.Join(' ', harness.Emitted.Select(e => $"{e.KeyText} {e.ValueText}"));

    private sealed class Both : IObjectHandler, IAsyncObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit)
        {
        }

        public ValueTask OnObject(AsyncObject obj, AsyncEmitter emit) => default;
    }

    private sealed class Breaks : IAsyncObjectHandler, IValueTaskSource
    {
        internal AsyncObject Kept { get; private set; }

        public ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
        {
            Kept = obj;
            return new ValueTask(this, 0);
        }

        public void GetResult(short token)
        {
        }

        public ValueTaskSourceStatus GetStatus(short token) => ValueTaskSourceStatus.Pending;

        public void OnCompleted(Action<object?> next, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            throw new NotSupportedException("no continuations");
    }

    private sealed class Races : IAsyncObjectHandler
    {
        public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
        {
            await Task.Delay(obj.Value[0] - '0');
            emit.Put(obj.Key, obj.Key);
        }
    }
}
