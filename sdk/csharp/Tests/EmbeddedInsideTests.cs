using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>What a handler that answers later may do with its own flow, on the threads where it goes on.</summary>
public sealed class EmbeddedInsideTests
{
    // Long enough for a failure to be told and not to hang.
    private static readonly TimeSpan Long = TimeSpan.FromSeconds(20);

    [Test]
    public async Task Waiting_for_its_own_flow_is_refused_where_a_handler_goes_on_after_an_await()
    {
        Flow? flow = null;
        (string What, Action<Flow> Wait)[] waits =
        [
            ("drain a flow", own => own.Drain(Long)),
            ("wait for a flow", own => own.Settle(Long)),
            ("put into pool /other", own => own.Pool("/other").Put("k", "v")),
            ("put into pool /other", own => own.Pool<string>("/other").Put("k", "v")),
            ("put into pool /other", own => own.Pool("/other").PutMany(Batch())),
            ("put into pool /other", own => own.Pool("/other").PutIf("k", "v", 0)),
            ("put into pool /other", own => own.Pool("/other").Trigger("k", "v")),
            ("put into pool /other", own => own.Pool("/other").Remove("k")),
            ("drain a flow", own => Task.Run(() => own.Drain(Long)).GetAwaiter().GetResult()),
        ];
        await using Flow own = flow = await Flow.Describe()
            .Pool("/in", PoolKind.Trigger)
            .Pool<string>("/other")
            .OnAsync("/in", async (obj, _) =>
            {
                int way = int.Parse(obj.KeyText);
                await Task.Yield();
                waits[way].Wait(flow!);
            }, new() { InFlight = 4 })
            .StartAsync();
        for (int way = 0; way < waits.Length; way++)
        {
            await flow.Pool("/in").PutAsync($"{way}", "");
        }
        await flow.DrainAsync();
        DeadLetter[] letters = [.. flow.DeadLetters("/in").OrderBy(letter => int.Parse(letter.Key))];
        Expect.Equal(waits.Length, letters.Length);
        for (int way = 0; way < waits.Length; way++)
        {
            Expect.Holds($"{waits[way].What} from inside a handler of the same flow: it would wait for itself", letters[way].Message);
        }
        Expect.Equal(0, flow.Pool("/other").List().Count);

        static PutBatch Batch()
        {
            var batch = new PutBatch();
            batch.Add("k"u8, "v"u8);
            return batch;
        }
    }

    [Test]
    public async Task What_does_not_wait_for_its_own_flow_is_not_refused()
    {
        Flow? flow = null;
        var background = new TaskCompletionSource();
        await using Flow other = await Flow.Describe().Pool("/in").StartAsync();
        await using Flow own = flow = await Flow.Describe()
            .Pool("/in", PoolKind.Trigger)
            .Pool("/other")
            .OnAsync("/in", async (obj, emit) =>
            {
                await Task.Yield();
                Expect.Equal(true, flow!.Pool("/other").TryPut("tried", ""));
                await flow.Pool("/other").PutAsync("awaited", "");
                other.Pool("/in").Put("k", "v");
                other.Drain();
                using (ExecutionContext.SuppressFlow())
                {
                    _ = Task.Run(Outlives);
                }
            })
            .On("/in", (_, _) => Task.Run(() => flow!.Pool("/other").Put("elsewhere", "")).Wait())
            .StartAsync();
        await flow.Pool("/in").PutAsync("k", "");
        await background.Task.WaitAsync(Long);
        Expect.Equal(0, flow.DeadLetters("/in").Count);
        Expect.Equal("awaited,elsewhere,outlived,tried", string.Join(',', flow.Pool("/other").List()));
        Expect.Equal(1, other.Pool("/in").List().Count);

        void Outlives()
        {
            flow!.Pool("/other").Put("outlived", "");
            flow.Drain();
            background.SetResult();
        }
    }

    [Test]
    public async Task A_handler_may_stop_its_own_flow_where_it_goes_on_after_an_await()
    {
        Flow? flow = null;
        var stopped = new TaskCompletionSource<Exception?>();
        await using Flow own = flow = await Flow.Describe()
            .Workers(1)
            .Pool("/in")
            .OnAsync("/in", async (_, _) =>
            {
                await Task.Yield();
                stopped.SetResult(Thrown(() => flow!.Stop(Long)));
            })
            .StartAsync();
        flow.Pool("/in").Put("k", "v");
        Expect.Equal(null, await stopped.Task);
    }

    [Test]
    public async Task What_a_worker_waits_for_does_not_wait_for_its_own_flow()
    {
        Flow? flow = null;
        using var drained = new ManualResetEventSlim();
        var outcomes = new ConcurrentQueue<string>();
        flow = await Flow.Describe()
            .Workers(1)
            .Pool("/in")
            .On("/in", () => new Awaits(() => flow!, outcomes, drained))
            .StartAsync();
        await flow.DrainAsync();
        drained.Set();
        await flow.Pool("/in").PutAsync("k", "");
        await flow.SettleAsync();
        await flow.DisposeAsync();
        Expect.Equal("flush: FlowException, after it: none, dispose: none", string.Join(", ", outcomes));
    }

    private static Exception? Thrown(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }

    private sealed class Awaits(Func<Flow> flow, ConcurrentQueue<string> outcomes, ManualResetEventSlim drained)
        : IAsyncObjectHandler, IAsyncFlush, IAsyncDisposable
    {
        private Task started = Task.CompletedTask;

        public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit) => await started;

        public async ValueTask OnFlush(AsyncEmitter emit)
        {
            await Task.Yield();
            Tell("flush", () => flow().Drain(Long));
            // It is inside until the flush has ended, and no longer.
            started = Task.Run(() =>
            {
                drained.Wait();
                Tell("after it", () => flow().Pool("/in").Put("after", ""));
            });
        }

        public async ValueTask DisposeAsync()
        {
            await Task.Yield();
            Tell("dispose", () => flow().Stop(Long));
        }

        private void Tell(string what, Action action) =>
            outcomes.Enqueue($"{what}: {Thrown(action)?.GetType().Name ?? "none"}");
    }
}
