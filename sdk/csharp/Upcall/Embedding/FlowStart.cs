using System.Threading;
using System.Threading.Tasks;

namespace Upcall;

// The start, which takes a while.
public sealed partial class FlowBuilder
{
    /// <summary>
    /// Checks the description, starts what it needs and opens every handler. Cancelled, it starts all the same and is stopped
    /// then.
    /// </summary>
    /// <exception cref="FlowException">The description makes no sense, or a handler could not be loaded or opened.</exception>
    public async Task<Flow> StartAsync(CancellationToken cancellation = default)
    {
        using FlowTask start = Begin();
        await start.WaitAsync(cancellation).ConfigureAwait(false);
        return Started(start);
    }

    /// <summary>As <see cref="StartAsync"/>, and waits.</summary>
    public Flow Start()
    {
        using FlowTask start = Begin();
        start.Wait(null, "start a flow");
        return Started(start);
    }
}
