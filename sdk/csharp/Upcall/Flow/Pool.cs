using System;
using Upcall.Abi;

namespace Upcall;

/// <summary>A pool's id, from <see cref="OpenContext.Pool"/> or <see cref="FlowObject.Pool"/>.</summary>
public readonly record struct PoolId
{
    internal PoolId(uint value) => Value = value;

    internal uint Value { get; }
}

/// <summary>What a handler may do with a pool.</summary>
[Flags]
public enum PoolAccess : uint
{
    /// <summary>Objects of the pool reach the handler.</summary>
    Watch = Access.Watch,

    /// <summary>The handler may emit into the pool.</summary>
    Emit = Access.Emit,

    /// <summary>The handler may read the pool.</summary>
    Read = Access.Read,
}

/// <summary>A pool that the handler has to do with.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Path">Its path.</param>
/// <param name="ValueType">The name of its declared value type, empty for plain bytes.</param>
/// <param name="ValueSize">Bytes of a value when its type is blittable, else 0.</param>
/// <param name="Access">What the handler may do with it.</param>
public sealed record Pool(PoolId Id, string Path, string ValueType, int ValueSize, PoolAccess Access);
