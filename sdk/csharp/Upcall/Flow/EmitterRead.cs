using System;
using Upcall.Abi;

namespace Upcall;

// What a handler reads from pools, as bytes and as values.
public readonly unsafe ref partial struct Emitter
{
    /// <summary>The newest version of a key in a pool that the handler may read; its view ends with the call.</summary>
    /// <exception cref="PoolNotDeclaredException">The pool is not in the handler's <c>read</c>.</exception>
    public bool TryRead(PoolId pool, scoped ReadOnlySpan<byte> key, out Found found) =>
        session.Reader.Read(pool, key, AsOf.Now, 0, out found);

    /// <summary>
    /// A key of such a pool as it was at a version of the pool: its newest version that is not after it.
    /// </summary>
    /// <exception cref="PoolNotDeclaredException">The pool is not in the handler's <c>read</c>.</exception>
    /// <exception cref="VersionNotKeptException">What the key was then is no longer kept.</exception>
    public bool TryReadAt(PoolId pool, scoped ReadOnlySpan<byte> key, ulong version, out Found found) =>
        session.Reader.Read(pool, key, AsOf.Version, version, out found);

    /// <summary>A key of such a pool as it was at a time, in nanoseconds since the Unix epoch.</summary>
    /// <exception cref="PoolNotDeclaredException">The pool is not in the handler's <c>read</c>.</exception>
    /// <exception cref="VersionNotKeptException">What the key was then is no longer kept.</exception>
    public bool TryReadByTime(PoolId pool, scoped ReadOnlySpan<byte> key, ulong time, out Found found) =>
        session.Reader.Read(pool, key, AsOf.Time, time, out found);

    /// <summary>
    /// The newest version of a key as a value, which may be what a <see cref="FlowHandler{TIn, TOut}"/> takes.
    /// </summary>
    /// <exception cref="PoolNotDeclaredException">The pool is not in the handler's <c>read</c>.</exception>
    /// <exception cref="PoolTypeException">The pool declares another type.</exception>
    /// <exception cref="System.IO.InvalidDataException">The bytes are not a value of the type.</exception>
    public bool TryRead<TValue>(PoolId pool, scoped ReadOnlySpan<byte> key, out Found<TValue> found)
        where TValue : notnull => session.Reader.Read(pool, key, AsOf.Now, 0, out found);

    /// <summary>The same, as it was at a version of the pool.</summary>
    /// <exception cref="PoolNotDeclaredException">The pool is not in the handler's <c>read</c>.</exception>
    /// <exception cref="VersionNotKeptException">What the key was then is no longer kept.</exception>
    /// <exception cref="PoolTypeException">The pool declares another type.</exception>
    /// <exception cref="System.IO.InvalidDataException">The bytes are not a value of the type.</exception>
    public bool TryReadAt<TValue>(PoolId pool, scoped ReadOnlySpan<byte> key, ulong version, out Found<TValue> found)
        where TValue : notnull => session.Reader.Read(pool, key, AsOf.Version, version, out found);

    /// <summary>The same, as it was at a time, in nanoseconds since the Unix epoch.</summary>
    /// <exception cref="PoolNotDeclaredException">The pool is not in the handler's <c>read</c>.</exception>
    /// <exception cref="VersionNotKeptException">What the key was then is no longer kept.</exception>
    /// <exception cref="PoolTypeException">The pool declares another type.</exception>
    /// <exception cref="System.IO.InvalidDataException">The bytes are not a value of the type.</exception>
    public bool TryReadByTime<TValue>(PoolId pool, scoped ReadOnlySpan<byte> key, ulong time, out Found<TValue> found)
        where TValue : notnull => session.Reader.Read(pool, key, AsOf.Time, time, out found);

    /// <summary>
    /// The keys of such a pool that begin with <paramref name="prefix"/>, sorted, as they are now. Walks the whole pool.
    /// </summary>
    /// <exception cref="PoolNotDeclaredException">The pool is not in the handler's <c>read</c>.</exception>
    public KeyList List(PoolId pool, scoped ReadOnlySpan<byte> prefix) => session.Reader.List(pool, prefix);
}
