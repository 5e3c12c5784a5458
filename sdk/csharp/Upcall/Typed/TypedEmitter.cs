using System;
using System.Runtime.CompilerServices;

namespace Upcall;

/// <summary>Writes values of one type into the frame's output, and reads pools. Ends with the call.</summary>
/// <typeparam name="T">What is emitted; see <see cref="FlowHandler{TIn, TOut}"/>.</typeparam>
public readonly ref partial struct Emitter<T>
    where T : notnull
{
    private readonly Emitter emit;

    internal Emitter(Emitter emit) => this.emit = emit;

    /// <summary>The same emitter for bytes and other types.</summary>
    public Emitter Bytes => emit;

    /// <summary>The same emitter for values of another type.</summary>
    public Emitter<TOther> Of<TOther>()
        where TOther : notnull => emit.Of<TOther>();

    /// <summary>Emits an object into the handler's first pool.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Put(ReadOnlySpan<byte> key, in T value) => emit.Encode(emit.First(), key, in value);

    /// <summary>Emits an object into a pool that the handler declares.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Put(PoolId pool, ReadOnlySpan<byte> key, in T value) =>
        emit.Encode(emit.Checked(pool), key, in value);

    /// <summary>Emits an object into the pool with this path; slower than by its id.</summary>
    public void Put(string path, ReadOnlySpan<byte> key, in T value) => Put(emit.Find(path), key, in value);

    /// <summary>
    /// Emits an object into the handler's first pool if the newest version of its key is <paramref name="previous"/> when
    /// it arrives there, 0 for none; see <see cref="Emitter.PutIf(ReadOnlySpan{byte}, ReadOnlySpan{byte}, ulong)"/>.
    /// </summary>
    public void PutIf(ReadOnlySpan<byte> key, in T value, ulong previous) =>
        emit.EncodeIf(emit.First(), key, in value, previous);

    /// <summary>The same, into a pool that the handler declares.</summary>
    public void PutIf(PoolId pool, ReadOnlySpan<byte> key, in T value, ulong previous) =>
        emit.EncodeIf(emit.Checked(pool), key, in value, previous);

    /// <summary>The same, into the pool with this path; slower than by its id.</summary>
    public void PutIf(string path, ReadOnlySpan<byte> key, in T value, ulong previous) =>
        PutIf(emit.Find(path), key, in value, previous);
}
