using System;
using System.Threading;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>Waits that end, inside a handler and outside.</summary>
public sealed class EmbeddedWaitsTests
{
    private static readonly TimeSpan Long = TimeSpan.FromSeconds(20);

    [Test]
    public async Task A_handler_may_wait_for_the_task_of_its_own_flows_end()
    {
        Flow? flow = null;
        var ended = new TaskCompletionSource<bool>();
        flow = await Flow.Describe()
            .Workers(1)
            .Pool("/in")
            .On("/in", (_, _) => ended.SetResult(flow!.DisposeAsync().AsTask().Wait(Long)))
            .StartAsync();
        flow.Pool("/in").Put("k", "v");
        Expect.Equal(true, await ended.Task);
        await flow.DisposeAsync();
    }

    [Test]
    public void Every_wait_of_a_thread_has_a_limit()
    {
        TimeSpan limit = TimeSpan.FromMilliseconds(20);
        using var hold = new ManualResetEventSlim();
        using var closed = new ManualResetEventSlim();
        FlowBuilder starts = Flow.Describe().Workers(1).Pool("/in").On("/in", () => new Slow(hold, closed));
        TimeoutException late = Expect.Throws<TimeoutException>(() => starts.Start(limit));
        Expect.Holds("start a flow: it has not ended after 00:00:00.02", late.Message);
        hold.Set();
        // Nobody has it, so it is stopped as soon as it has started.
        Expect.Equal(true, closed.Wait(Long));

        hold.Reset();
        using var called = new AutoResetEvent(false);
        using Flow flow = Flow.Describe()
            .Workers(1)
            .Pool("/in")
            .On("/in", (_, _) =>
            {
                called.Set();
                hold.Wait();
            })
            .Start(Long);
        flow.Pool("/in").Put("k", "v");
        late = Expect.Throws<TimeoutException>(() => flow.Settle(limit));
        Expect.Holds("wait for a flow: it has not ended", late.Message);
        hold.Set();
        flow.Settle(Long);
        Expect.Equal(0UL, flow.InFlight);

        hold.Reset();
        called.Reset();
        flow.Pool("/in").Put("k", "v");
        // A stop waits for a handler only that has been called.
        Expect.Equal(true, called.WaitOne(Long));
        late = Expect.Throws<TimeoutException>(() => flow.Stop(limit));
        Expect.Holds("stop a flow: it has not ended", late.Message);
        hold.Set();
        flow.Stop(Long);
        Expect.Equal(FlowError.Stopped, Expect.Throws<FlowException>(() => flow.Settle()).Error);
    }

    private sealed class Slow(ManualResetEventSlim hold, ManualResetEventSlim closed) : IObjectHandler, IOpen, IDisposable
    {
        public void OnOpen(OpenContext open) => hold.Wait();

        public void OnObject(FlowObject obj, Emitter emit)
        {
        }

        public void Dispose() => closed.Set();
    }
}
