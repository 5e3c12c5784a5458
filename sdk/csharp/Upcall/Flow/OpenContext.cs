using System.Collections.Generic;
using Upcall.Abi;

namespace Upcall;

/// <summary>What a handler of a flow learns when it is opened. May be kept.</summary>
public sealed class OpenContext : Context
{
    private readonly Session session;

    internal unsafe OpenContext(OpenFrame* frame, Log log, Session session)
        : base(frame, log) => this.session = session;

    /// <summary>The pools that the handler watches, may emit to or may read.</summary>
    public IReadOnlyList<Pool> Pools => session.Pools;

    /// <summary>Names by <see cref="FlowObject.Sender"/>: 0 is who puts from outside, the rest are handlers.</summary>
    public IReadOnlyList<string> Senders => session.Senders;

    /// <summary>The pool with this path.</summary>
    /// <exception cref="PoolNotDeclaredException">The handler does not declare it.</exception>
    public PoolId Pool(string path) => session.Find(path);
}
