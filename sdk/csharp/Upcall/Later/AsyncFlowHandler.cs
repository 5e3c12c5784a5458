using System.Threading.Tasks;

namespace Upcall;

/// <summary>What every typed handler that answers later is; derive from <see cref="AsyncFlowHandler{TIn, TOut}"/>.</summary>
public abstract class AsyncFlowHandler
{
    private protected AsyncFlowHandler()
    {
    }

    internal abstract Driver Drive();
}

/// <summary>
/// A handler that answers later, as <see cref="IAsyncObjectHandler"/>, and takes values of one type and emits values of one type,
/// as <see cref="FlowHandler{TIn, TOut}"/>.
/// </summary>
/// <typeparam name="TIn">What it takes.</typeparam>
/// <typeparam name="TOut">What it emits.</typeparam>
/// <example><code>
/// class Resolve : AsyncFlowHandler&lt;string, string&gt;
/// {
///     public override async ValueTask OnObject(string name, AsyncObject obj, AsyncEmitter&lt;string&gt; emit)
///     {
///         IPAddress[] found = await Dns.GetHostAddressesAsync(name, obj.Cancellation);
///         emit.Put(obj.Key, found[0].ToString());
///     }
/// }
/// </code></example>
public abstract class AsyncFlowHandler<TIn, TOut> : AsyncFlowHandler
    where TIn : notnull
    where TOut : notnull
{
    /// <summary>Handles one object. What it emits is kept if what it returns completes.</summary>
    /// <param name="value">Its value, which may be kept.</param>
    /// <param name="obj">The object itself: key, version, time, the value's bytes, and what cancels it.</param>
    /// <param name="emit">Where to emit.</param>
    public abstract ValueTask OnObject(TIn value, AsyncObject obj, AsyncEmitter<TOut> emit);

    /// <summary>Called when the input has ended, everything upstream is flushed and no object is open.</summary>
    public virtual ValueTask OnFlush(AsyncEmitter<TOut> emit) => default;

    internal sealed override Driver Drive() => new AsyncTypedDriver<TIn, TOut>(this);
}
