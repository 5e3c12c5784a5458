using System;

namespace Upcall;

/// <summary>An object of a handler that answers later has taken longer than its deadline: what it emits does not count any more.</summary>
/// <remarks>Thrown by everything that belongs to the object, from then on.</remarks>
public sealed class ItemTimedOutException : TimeoutException
{
    internal ItemTimedOutException()
        : base("the object has taken longer than the handler's deadline")
    {
    }
}

/// <summary>
/// An object of a handler that answers later was cancelled from outside, as its flow is being stopped: what it emits does not
/// count any more.
/// </summary>
/// <remarks>Thrown by everything that belongs to the object, from then on.</remarks>
public sealed class ItemCanceledException : OperationCanceledException
{
    internal ItemCanceledException()
        : base("the object was cancelled from outside: its flow is being stopped")
    {
    }
}

/// <summary>
/// An object of a handler that answers later, or what belongs to it, is used after its method has ended or after the handler was
/// closed.
/// </summary>
public sealed class ItemClosedException : ObjectDisposedException
{
    internal ItemClosedException(string message)
        : base(null, message)
    {
    }
}

/// <summary>Why an object is no longer waited for.</summary>
internal enum Over
{
    /// <summary>It has been answered.</summary>
    Answered = 0,

    /// <summary>It took longer than its deadline.</summary>
    TimedOut = (int)Abi.Cancelled.TimedOut,

    /// <summary>The flow is being stopped.</summary>
    FromOutside = (int)Abi.Cancelled.FromOutside,

    /// <summary>The handler was closed.</summary>
    Closed,
}

/// <summary>What is thrown for each of the reasons.</summary>
internal static class Overs
{
    internal static Exception Exception(this Over why) => why switch
    {
        Over.TimedOut => new ItemTimedOutException(),
        Over.FromOutside => new ItemCanceledException(),
        Over.Closed => new ItemClosedException("the handler was closed before the object was answered"),
        _ => new ItemClosedException(
            "the object was answered already: its method has ended; await everything that uses it before that"),
    };
}
