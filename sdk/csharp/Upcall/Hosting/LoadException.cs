using System;

namespace Upcall.Hosting;

/// <summary>Why a handler was not loaded: the host knows these numbers.</summary>
internal enum LoadFailure
{
    FileMissing = 1,
    FileInvalid = 2,
    HandlerMissing = 3,
    AbiMismatch = 4,
    ConstructorFailed = 5,
}

/// <summary>A handler that cannot be loaded; its message is meant for the user as it is.</summary>
internal sealed class LoadException(LoadFailure reason, string message) : Exception(message)
{
    internal LoadFailure Reason { get; } = reason;
}
