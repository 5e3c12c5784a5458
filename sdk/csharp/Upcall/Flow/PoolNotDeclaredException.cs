using System;

namespace Upcall;

/// <summary>A handler named a pool that its flow does not give it.</summary>
public sealed class PoolNotDeclaredException : Exception
{
    internal PoolNotDeclaredException(string message)
        : base(message)
    {
    }
}
