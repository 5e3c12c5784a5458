using System;
using System.Collections.Generic;

namespace Upcall;

/// <summary>How a handler is called; what is not said is as in docs/flow.md.</summary>
public sealed record HandlerOptions
{
    /// <summary>Its name, for messages and the report; <c>WATCHED to TO</c> if it is not said.</summary>
    public string? Name { get; init; }

    /// <summary>Pools that it may emit to, beside the first.</summary>
    public IReadOnlyList<string> AlsoTo { get; init; } = [];

    /// <summary>Pools that it may read.</summary>
    public IReadOnlyList<string> Reads { get; init; } = [];

    /// <summary>In which order objects reach it.</summary>
    public HandlerOrder Order { get; init; }

    /// <summary>Objects in a batch at most.</summary>
    public int? Batch { get; init; }

    /// <summary>Tries after a failure, before the object is buried.</summary>
    public int Retry { get; init; }

    /// <summary>How long a retry waits.</summary>
    public TimeSpan? RetryDelay { get; init; }

    /// <summary>Of a handler that answers later: objects that are open at a time.</summary>
    public int? InFlight { get; init; }

    /// <summary>Of a handler that answers later: how long it may take for an object.</summary>
    public TimeSpan? Deadline { get; init; }

    /// <summary>Objects a second at most.</summary>
    public int? PerSecond { get; init; }

    /// <summary>Whether it is meant to be part of a cycle.</summary>
    public bool Cycle { get; init; }

    /// <summary>What it is told when it is opened: text, numbers and truth values.</summary>
    public IReadOnlyDictionary<string, object> Settings { get; init; } = new Dictionary<string, object>();
}

/// <summary>In which order objects reach a handler.</summary>
public enum HandlerOrder
{
    /// <summary>Those of one key in the order of their versions.</summary>
    Key,

    /// <summary>None.</summary>
    Any,

    /// <summary>All of them, one after the other: one instance, on one worker.</summary>
    Single,
}

/// <summary>What a pool keeps.</summary>
public enum PoolKind
{
    /// <summary>The newest versions of each key, in memory.</summary>
    Volatile,

    /// <summary>Nothing: it only runs its handlers.</summary>
    Trigger,
}
