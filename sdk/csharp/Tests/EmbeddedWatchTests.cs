using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>Watches that are walked in parts, or disposed while they are walked.</summary>
public sealed class EmbeddedWatchTests
{
    private static readonly TimeSpan Long = TimeSpan.FromSeconds(20);

    [Test]
    public async Task A_walk_goes_on_behind_the_event_at_which_the_last_one_was_left()
    {
        await using Flow flow = await Flow.Describe().Pool("/p").StartAsync();
        using FlowWatch watch = flow.Watch("/p");
        // All of them are there before the first is seen, so that one poll brings them.
        for (int n = 0; n < 5; n++)
        {
            await flow.Pool("/p").PutAsync($"k{n}", "v");
        }
        var seen = new List<string>();
        for (int walk = 0; walk < 2; walk++)
        {
            using var patience = new CancellationTokenSource(Long);
            await foreach (FlowEvent put in watch.WithCancellation(patience.Token))
            {
                seen.Add(Key(put));
                break;
            }
        }
        using var cancelled = new CancellationTokenSource();
        await Expect.Throws<OperationCanceledException>(CancelAtOnce());
        Expect.Equal("k0,k1,k2", string.Join(',', seen));
        Expect.Equal("k3,k4", string.Join(',', watch.Next(Long).Select(Key)));
        Expect.Equal(0, watch.Next(TimeSpan.Zero).Count);

        async Task CancelAtOnce()
        {
            await foreach (FlowEvent put in watch.WithCancellation(cancelled.Token))
            {
                seen.Add(Key(put));
                cancelled.Cancel();
            }
        }
    }

    [Test]
    public async Task A_walk_that_waits_ends_when_its_watch_is_disposed()
    {
        await using Flow flow = await Flow.Describe().Pool("/p").StartAsync();
        FlowWatch watch = flow.Watch("/p");
        await using IAsyncEnumerator<FlowEvent> walk = watch.GetAsyncEnumerator();
        // It has begun to wait when this returns.
        Task<bool> more = walk.MoveNextAsync().AsTask();
        Expect.Equal(false, more.IsCompleted);
        watch.Dispose();
        Expect.Equal(false, await more.WaitAsync(Long));
        watch.Dispose();
    }

    [Test]
    public async Task A_thread_that_waits_for_an_event_goes_on_when_the_watch_is_disposed()
    {
        await using Flow flow = await Flow.Describe().Pool("/p").StartAsync();
        // It may be disposed before the thread waits as well.
        for (int turn = 0; turn < 50; turn++)
        {
            FlowWatch watch = flow.Watch("/p");
            Task<int> seen = Task.Run(() => watch.Next(Timeout.InfiniteTimeSpan).Count);
            await Task.Yield();
            watch.Dispose();
            Expect.Equal(0, await seen.WaitAsync(Long));
        }
    }

    [Test]
    public async Task A_disposed_watch_has_ended_for_whoever_walks_it_then()
    {
        await using Flow flow = await Flow.Describe().Pool("/p").StartAsync();
        FlowWatch watch = flow.Watch("/p");
        await flow.Pool("/p").PutAsync("k1", "v");
        await flow.Pool("/p").PutAsync("k2", "v");
        var seen = new List<string>();
        await foreach (FlowEvent put in watch)
        {
            seen.Add(Key(put));
            watch.Dispose();
        }
        Expect.Equal("k1", string.Join(',', seen));
        Expect.Equal(0, watch.Next(Timeout.InfiniteTimeSpan).Count);
    }

    private static string Key(FlowEvent seen) => ((FlowEvent.Put)seen).Key;
}
