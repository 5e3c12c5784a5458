using System;

namespace Upcall;

/// <summary>Writes values of one type for an object of a handler that answers later, and reads pools; as <see cref="AsyncEmitter"/>.</summary>
/// <typeparam name="T">What is emitted; see <see cref="FlowHandler{TIn, TOut}"/>.</typeparam>
public readonly struct AsyncEmitter<T>
    where T : notnull
{
    private readonly AsyncEmitter emit;

    internal AsyncEmitter(AsyncCall call) => emit = new AsyncEmitter(call);

    internal AsyncEmitter(AsyncEmitter emit) => this.emit = emit;

    /// <summary>The same emitter for bytes and other types.</summary>
    public AsyncEmitter Bytes => emit;

    /// <summary>Emits an object into the handler's first pool.</summary>
    public void Put(ReadOnlySpan<byte> key, in T value) => emit.Encode(null, key, in value);

    /// <summary>Emits an object into a pool that the handler declares.</summary>
    public void Put(PoolId pool, ReadOnlySpan<byte> key, in T value) => emit.Encode(pool, key, in value);

    /// <summary>Emits an object into the pool with this path; slower than by its id.</summary>
    public void Put(string path, ReadOnlySpan<byte> key, in T value) => Put(emit.Find(path), key, in value);

    /// <summary>
    /// Emits an object into the handler's first pool if the newest version of its key is <paramref name="previous"/> when
    /// it arrives there, 0 for none; see <see cref="Emitter.PutIf(ReadOnlySpan{byte}, ReadOnlySpan{byte}, ulong)"/>.
    /// </summary>
    public void PutIf(ReadOnlySpan<byte> key, in T value, ulong previous) => emit.EncodeIf(null, key, in value, previous);

    /// <summary>The same, into a pool that the handler declares.</summary>
    public void PutIf(PoolId pool, ReadOnlySpan<byte> key, in T value, ulong previous) =>
        emit.EncodeIf(pool, key, in value, previous);

    /// <summary>The same, into the pool with this path; slower than by its id.</summary>
    public void PutIf(string path, ReadOnlySpan<byte> key, in T value, ulong previous) =>
        PutIf(emit.Find(path), key, in value, previous);

    /// <inheritdoc cref="AsyncEmitter.TryRead{TValue}"/>
    public bool TryRead<TValue>(PoolId pool, ReadOnlySpan<byte> key, out Found<TValue> found)
        where TValue : notnull => emit.TryRead(pool, key, out found);

    /// <inheritdoc cref="AsyncEmitter.TryReadAt{TValue}"/>
    public bool TryReadAt<TValue>(PoolId pool, ReadOnlySpan<byte> key, ulong version, out Found<TValue> found)
        where TValue : notnull => emit.TryReadAt(pool, key, version, out found);

    /// <inheritdoc cref="AsyncEmitter.TryReadByTime{TValue}"/>
    public bool TryReadByTime<TValue>(PoolId pool, ReadOnlySpan<byte> key, ulong time, out Found<TValue> found)
        where TValue : notnull => emit.TryReadByTime(pool, key, time, out found);

    /// <inheritdoc cref="AsyncEmitter.List"/>
    public byte[][] List(PoolId pool, ReadOnlySpan<byte> prefix) => emit.List(pool, prefix);
}
