using System;

namespace Upcall.Hosting;

/// <summary>A handler that cannot be loaded: why, for the user, and which kind of refusal that is.</summary>
/// <param name="reason">One of <see cref="Abi.Refusal"/>.</param>
/// <param name="message">Why; the host says before it what was attempted.</param>
internal sealed class LoadException(uint reason, string message) : Exception(message)
{
    internal uint Reason { get; } = reason;
}
