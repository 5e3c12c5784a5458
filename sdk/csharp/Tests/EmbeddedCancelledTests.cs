using System;
using System.Threading;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>Tokens that are cancelled before they are given to a call.</summary>
public sealed class EmbeddedCancelledTests
{
    private static readonly CancellationToken Cancelled = new(canceled: true);

    [Test]
    public async Task Nothing_is_put_triggered_or_removed_with_a_token_that_is_cancelled_already()
    {
        int handled = 0;
        await using Flow flow = await Flow.Describe()
            .Pool("/p")
            .On("/p", (_, _) => Interlocked.Increment(ref handled))
            .StartAsync();
        FlowPool pool = flow.Pool("/p");
        await pool.PutAsync("kept", "v");
        foreach (Func<Task> call in (Func<Task>[])[
            () => pool.PutAsync("k", "v", Cancelled),
            () => pool.PutIfAsync("k", "v", 0, Cancelled),
            () => pool.TriggerAsync("k", "v", Cancelled),
            () => pool.RemoveAsync("kept", Cancelled),
            () => flow.Pool<string>("/p").PutAsync("k", "v", Cancelled),
        ])
        {
            await Expect.Throws<OperationCanceledException>(call());
        }
        await flow.DrainAsync();
        Expect.Equal("kept", string.Join(',', pool.List()));
        Expect.Equal(1, handled);
    }

    [Test]
    public async Task Nothing_is_started_drained_or_waited_for_with_a_token_that_is_cancelled_already()
    {
        int made = 0;
        FlowBuilder described = Flow.Describe().Workers(1).Pool("/p").On("/p", () =>
        {
            made++;
            return new Flushes(() => { });
        });
        await Expect.Throws<OperationCanceledException>(described.StartAsync(Cancelled));
        int flushed = 0;
        await using Flow flow = await Flow.Describe()
            .Workers(1)
            .Pool("/p")
            .On("/p", () => new Flushes(() => flushed++))
            .StartAsync();
        await Expect.Throws<OperationCanceledException>(flow.SettleAsync(Cancelled));
        await Expect.Throws<OperationCanceledException>(flow.DrainAsync(Cancelled));
        await flow.DrainAsync();
        Expect.Equal(1, flushed);
        Expect.Equal(0, made);
    }

    private sealed class Flushes(Action flushed) : IObjectHandler, IFlush
    {
        public void OnObject(FlowObject obj, Emitter emit)
        {
        }

        public void OnFlush(Emitter emit) => flushed();
    }
}
