using System.Collections.Generic;

namespace Upcall;

/// <summary>What a handler learns when it is opened. May be kept.</summary>
public sealed class OpenContext
{
    private readonly Session session;
    private readonly Dictionary<string, string> settings;

    internal OpenContext(string name, Dictionary<string, string> settings, Session session, int worker, int workers)
    {
        Name = name;
        this.settings = settings;
        this.session = session;
        Worker = worker;
        Workers = workers;
    }

    /// <summary>The handler's name in the flow.</summary>
    public string Name { get; }

    /// <summary>Index of this worker among those that run the handler.</summary>
    public int Worker { get; }

    /// <summary>How many workers run the handler.</summary>
    public int Workers { get; }

    /// <summary>The flow's log.</summary>
    public Log Log => session.Log;

    /// <summary>The pools that the handler watches, may emit to or may read.</summary>
    public IReadOnlyList<Pool> Pools => session.Pools;

    /// <summary>Names by <see cref="FlowObject.Sender"/>: 0 is who puts from outside, the rest are handlers.</summary>
    public IReadOnlyList<string> Senders => session.Senders;

    /// <summary>The value of a setting; JSON text where it is not a plain value; null when it is not set.</summary>
    public string? Setting(string name) => settings.GetValueOrDefault(name);

    /// <summary>The pool with this path.</summary>
    /// <exception cref="PoolNotDeclaredException">The handler does not declare it.</exception>
    public PoolId Pool(string path) => session.Find(path);
}
