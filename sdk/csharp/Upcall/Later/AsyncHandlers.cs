using System.Threading.Tasks;

namespace Upcall;

/// <summary>A handler that answers later: it is called once per object, and may await before it is done.</summary>
/// <remarks>
/// <para>The method begins on the worker's thread and goes on wherever what it awaits completes, on a thread of the pool as a
/// rule. Meanwhile it is called with other objects: what an instance keeps, several of them use at once. A flow has as many
/// open as its <c>in_flight</c> says; those of one key come one after the other.</para>
/// <para>An exception fails the object: what it emitted is forgotten, it is retried and then buried as its flow says. Where
/// the object has taken longer than its <c>deadline</c>, or the flow is stopped, <see cref="AsyncObject.Cancellation"/> is
/// cancelled, and what the method does from then on does not count.</para>
/// <para>A class needs a constructor without parameters; <see cref="IOpen"/>, <see cref="IFlush"/>,
/// <see cref="IAsyncOpen"/>, <see cref="IAsyncFlush"/>, <see cref="System.IDisposable"/> and
/// <see cref="System.IAsyncDisposable"/> are optional.</para>
/// </remarks>
/// <example><code>
/// class Resolve : IAsyncObjectHandler
/// {
///     public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
///     {
///         IPAddress[] found = await Dns.GetHostAddressesAsync(obj.KeyText, obj.Cancellation);
///         emit.Put(obj.Key, found[0].GetAddressBytes());
///     }
/// }
/// </code></example>
public interface IAsyncObjectHandler
{
    /// <summary>Handles one object. What it emits is kept if what it returns completes.</summary>
    ValueTask OnObject(AsyncObject obj, AsyncEmitter emit);
}

/// <summary>A handler that answers later, and has to await something before the first object.</summary>
public interface IAsyncOpen
{
    /// <summary>
    /// Called once, before anything else but <see cref="IOpen.OnOpen"/>; the worker waits for it. An exception stops the flow.
    /// </summary>
    ValueTask OnOpen(OpenContext open);
}

/// <summary>A handler that answers later, and has to await something when the input has ended.</summary>
public interface IAsyncFlush
{
    /// <summary>
    /// Called when the input has ended, everything upstream is flushed and no object is open; the worker waits for it.
    /// </summary>
    ValueTask OnFlush(AsyncEmitter emit);
}
