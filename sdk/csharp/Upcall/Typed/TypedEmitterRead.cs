using System;

namespace Upcall;

// The same reads as an emitter for bytes has. A pool that is read may hold another type than the one that is emitted.
public readonly ref partial struct Emitter<T>
    where T : notnull
{
    /// <inheritdoc cref="Emitter.TryRead(PoolId, ReadOnlySpan{byte}, out Found)"/>
    public bool TryRead(PoolId pool, scoped ReadOnlySpan<byte> key, out Found found) =>
        emit.TryRead(pool, key, out found);

    /// <inheritdoc cref="Emitter.TryReadAt(PoolId, ReadOnlySpan{byte}, ulong, out Found)"/>
    public bool TryReadAt(PoolId pool, scoped ReadOnlySpan<byte> key, ulong version, out Found found) =>
        emit.TryReadAt(pool, key, version, out found);

    /// <inheritdoc cref="Emitter.TryReadByTime(PoolId, ReadOnlySpan{byte}, ulong, out Found)"/>
    public bool TryReadByTime(PoolId pool, scoped ReadOnlySpan<byte> key, ulong time, out Found found) =>
        emit.TryReadByTime(pool, key, time, out found);

    /// <inheritdoc cref="Emitter.TryRead{TValue}(PoolId, ReadOnlySpan{byte}, out Found{TValue})"/>
    public bool TryRead<TValue>(PoolId pool, scoped ReadOnlySpan<byte> key, out Found<TValue> found)
        where TValue : notnull => emit.TryRead(pool, key, out found);

    /// <inheritdoc cref="Emitter.TryReadAt{TValue}(PoolId, ReadOnlySpan{byte}, ulong, out Found{TValue})"/>
    public bool TryReadAt<TValue>(PoolId pool, scoped ReadOnlySpan<byte> key, ulong version, out Found<TValue> found)
        where TValue : notnull => emit.TryReadAt(pool, key, version, out found);

    /// <inheritdoc cref="Emitter.TryReadByTime{TValue}(PoolId, ReadOnlySpan{byte}, ulong, out Found{TValue})"/>
    public bool TryReadByTime<TValue>(PoolId pool, scoped ReadOnlySpan<byte> key, ulong time, out Found<TValue> found)
        where TValue : notnull => emit.TryReadByTime(pool, key, time, out found);

    /// <inheritdoc cref="Emitter.List"/>
    public KeyList List(PoolId pool, scoped ReadOnlySpan<byte> prefix) => emit.List(pool, prefix);
}
