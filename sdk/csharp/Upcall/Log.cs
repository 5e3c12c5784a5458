using System;
using Upcall.Abi;

namespace Upcall;

/// <summary>Logs under the handler's name, into the engine's log.</summary>
/// <remarks>
/// For the handler's own thread, of one that answers later for any thread, from <c>OnOpen</c> to
/// <see cref="IDisposable.Dispose"/>. A finalizer must not log: it has a thread of its own, and an exception that leaves it ends the process. Used otherwise, each
/// method throws an <see cref="InvalidOperationException"/>.
/// </remarks>
public sealed class Log
{
    private readonly Lent lent;

    internal Log(Lent lent) => this.lent = lent;

    /// <summary>Something failed.</summary>
    public void Error(string text) => lent.Log(Level.Error, text);

    /// <summary>Something looks wrong.</summary>
    public void Warn(string text) => lent.Log(Level.Warn, text);

    /// <summary>Something worth telling.</summary>
    public void Info(string text) => lent.Log(Level.Info, text);

    /// <summary>For whoever debugs the handler.</summary>
    public void Debug(string text) => lent.Log(Level.Debug, text);
}
