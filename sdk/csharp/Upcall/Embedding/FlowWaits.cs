using System;
using System.Threading;
using System.Threading.Tasks;

namespace Upcall;

// What takes a while.
public sealed partial class Flow
{
    private const string Elsewhere = "let another thread wait";

    /// <summary>
    /// Waits until nothing is in flight, tells every handler that its input has ended, and waits for what that leads to. The
    /// flow goes on: more may be put afterwards. Cancelled, the wait ends and the flow goes on.
    /// </summary>
    /// <exception cref="FlowException">The flow has stopped, or a handler failed in its flush.</exception>
    public async Task DrainAsync(CancellationToken cancellation = default)
    {
        cancellation.ThrowIfCancellationRequested();
        using FlowTask drain = BeginDrain();
        await drain.WaitAsync(cancellation).ConfigureAwait(false);
        drain.Check();
    }

    /// <summary>As <see cref="DrainAsync"/>, and waits; not inside a handler of this flow.</summary>
    /// <exception cref="TimeoutException">It takes longer.</exception>
    public void Drain(TimeSpan? timeout = null)
    {
        Inside.MayWait("drain a flow", Elsewhere);
        using FlowTask drain = BeginDrain();
        drain.Wait(timeout, "drain a flow");
        drain.Check();
    }

    /// <summary>Waits until nothing is in flight; cancelled, the wait ends and the flow goes on.</summary>
    /// <exception cref="FlowException">The flow has stopped.</exception>
    public async Task SettleAsync(CancellationToken cancellation = default)
    {
        cancellation.ThrowIfCancellationRequested();
        using FlowTask settle = BeginSettle();
        await settle.WaitAsync(cancellation).ConfigureAwait(false);
        settle.Check();
    }

    /// <summary>As <see cref="SettleAsync"/>, and waits; not inside a handler of this flow.</summary>
    /// <exception cref="TimeoutException">It takes longer.</exception>
    public void Settle(TimeSpan? timeout = null)
    {
        Inside.MayWait("wait for a flow", Elsewhere);
        using FlowTask settle = BeginSettle();
        settle.Wait(timeout, "wait for a flow");
        settle.Check();
    }

    /// <summary>Stops it and closes every handler. Returns when they are closed; inside one of them, at once.</summary>
    /// <exception cref="FlowException">What had stopped the flow before.</exception>
    public async ValueTask DisposeAsync()
    {
        using FlowTask stop = BeginStop();
        if (MayWait(stop))
        {
            await stop.WaitAsync(CancellationToken.None).ConfigureAwait(false);
            stop.Check();
        }
    }

    /// <inheritdoc cref="DisposeAsync"/>
    public void Dispose() => Stop();

    /// <summary>As <see cref="Dispose"/>, for so long at most; it goes on stopping.</summary>
    /// <exception cref="TimeoutException">It takes longer.</exception>
    public void Stop(TimeSpan? timeout = null)
    {
        using FlowTask stop = BeginStop();
        if (MayWait(stop))
        {
            stop.Wait(timeout, "stop a flow");
            stop.Check();
        }
    }

    /// <summary>Whether to wait for the stop: inside a handler it comes when the handler has returned.</summary>
    private bool MayWait(FlowTask stop)
    {
        if (Inside.HoldsWorker)
        {
            return false;
        }
        try
        {
            stop.Ends(TimeSpan.Zero);
            return true;
        }
        catch (FlowException exception) when (exception.Error == FlowError.InHandler)
        {
            return false;
        }
    }
}
