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
}
