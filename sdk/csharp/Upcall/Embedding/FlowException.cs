using System;
using static Upcall.Native.NativeMethods;

namespace Upcall;

/// <summary>Why a flow did not do what it was asked.</summary>
public enum FlowError
{
    /// <summary>The description makes no sense; the message shows every mistake.</summary>
    Invalid,

    /// <summary>A handler or its runtime could not be loaded or opened.</summary>
    Load,

    /// <summary>No pool has this path.</summary>
    NoPool,

    /// <summary>A key that is not UTF-8.</summary>
    BadKey,

    /// <summary>A value that the pool's type does not allow.</summary>
    BadValue,

    /// <summary>A put into a dead pool, which only the flow itself fills.</summary>
    DeadPool,

    /// <summary>The pool stores nothing.</summary>
    StoresNothing,

    /// <summary>The version or time that was asked for is no longer kept.</summary>
    Compacted,

    /// <summary>The key had another version than was expected.</summary>
    Conflict,

    /// <summary>A blocking call from inside a handler of the same flow.</summary>
    InHandler,

    /// <summary>The flow held more than its memory.</summary>
    OutOfMemory,

    /// <summary>A handler failed when it was told that its input has ended.</summary>
    Flush,

    /// <summary>The flow has been stopped.</summary>
    Stopped,

    /// <summary>A fault of the engine.</summary>
    Internal,
}

/// <summary>A flow did not do what it was asked. A wait that takes too long is a <see cref="TimeoutException"/>, one that is
/// cancelled an <see cref="OperationCanceledException"/>.</summary>
public sealed class FlowException : Exception
{
    internal FlowException(FlowError error, string message)
        : base(message) => Error = error;

    /// <summary>What kind of failure it is.</summary>
    public FlowError Error { get; }

    /// <summary>Of <see cref="FlowPool.PutMany"/>: how many objects were put before the one that was refused; else 0.</summary>
    public int ObjectsPut { get; private init; }

    internal static FlowException Of(int code, string message, int put = 0) => new(
        code switch
        {
            UpcallInvalid => FlowError.Invalid,
            UpcallLoad => FlowError.Load,
            UpcallNoPool => FlowError.NoPool,
            UpcallBadKey => FlowError.BadKey,
            UpcallBadValue => FlowError.BadValue,
            UpcallDeadPool => FlowError.DeadPool,
            UpcallStoresNothing => FlowError.StoresNothing,
            UpcallCompacted => FlowError.Compacted,
            UpcallConflict => FlowError.Conflict,
            UpcallInHandler => FlowError.InHandler,
            UpcallOutOfMemory => FlowError.OutOfMemory,
            UpcallFlush => FlowError.Flush,
            UpcallStopped => FlowError.Stopped,
            _ => FlowError.Internal,
        },
        message)
    {
        ObjectsPut = put,
    };
}
