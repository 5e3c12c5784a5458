using System;
using System.Threading;
using System.Threading.Tasks;

namespace Upcall;

// The start, which takes a while.
public sealed partial class FlowBuilder
{
    /// <summary>
    /// Checks the description, starts what it needs and opens every handler. Cancelled while it does, it starts all the same and
    /// is stopped then.
    /// </summary>
    /// <exception cref="FlowException">The description makes no sense, or a handler could not be loaded or opened.</exception>
    public async Task<Flow> StartAsync(CancellationToken cancellation = default)
    {
        cancellation.ThrowIfCancellationRequested();
        var inside = new InsideFlow();
        using FlowTask start = Begin(inside);
        await start.WaitAsync(cancellation).ConfigureAwait(false);
        return Started(start, inside);
    }

    /// <summary>As <see cref="StartAsync"/>, and waits; where it takes longer, it is as if it was cancelled.</summary>
    /// <exception cref="TimeoutException">It takes longer.</exception>
    public Flow Start(TimeSpan? timeout = null)
    {
        var inside = new InsideFlow();
        using FlowTask start = Begin(inside);
        start.Wait(timeout, "start a flow");
        return Started(start, inside);
    }
}
