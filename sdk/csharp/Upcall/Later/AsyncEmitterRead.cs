using System;
using Upcall.Abi;

namespace Upcall;

// What a handler that answers later reads from pools: copies, as the engine's memory may be gone at the next await.
public readonly partial struct AsyncEmitter
{
    /// <summary>
    /// The newest version of a key in a pool that the handler may read, as a value that may be kept: any type that a
    /// <see cref="FlowHandler{TIn, TOut}"/> takes, <c>byte[]</c> for the bytes as they are.
    /// </summary>
    /// <exception cref="PoolNotDeclaredException">The pool is not in the handler's <c>read</c>.</exception>
    /// <exception cref="PoolTypeException">The pool declares another type.</exception>
    /// <exception cref="System.IO.InvalidDataException">The bytes are not a value of the type.</exception>
    public bool TryRead<TValue>(PoolId pool, ReadOnlySpan<byte> key, out Found<TValue> found)
        where TValue : notnull => Read(pool, key, AsOf.Now, 0, out found);

    /// <summary>The same, as it was at a version of the pool: its newest version that is not after it.</summary>
    /// <inheritdoc cref="TryRead{TValue}" path="/exception"/>
    /// <exception cref="VersionNotKeptException">What the key was then is no longer kept.</exception>
    public bool TryReadAt<TValue>(PoolId pool, ReadOnlySpan<byte> key, ulong version, out Found<TValue> found)
        where TValue : notnull => Read(pool, key, AsOf.Version, version, out found);

    /// <summary>The same, as it was at a time, in nanoseconds since the Unix epoch.</summary>
    /// <inheritdoc cref="TryRead{TValue}" path="/exception"/>
    /// <exception cref="VersionNotKeptException">What the key was then is no longer kept.</exception>
    public bool TryReadByTime<TValue>(PoolId pool, ReadOnlySpan<byte> key, ulong time, out Found<TValue> found)
        where TValue : notnull => Read(pool, key, AsOf.Time, time, out found);

    /// <summary>
    /// The keys of such a pool that begin with <paramref name="prefix"/>, sorted, as they are now. Walks the whole pool.
    /// </summary>
    /// <exception cref="PoolNotDeclaredException">The pool is not in the handler's <c>read</c>.</exception>
    public byte[][] List(PoolId pool, ReadOnlySpan<byte> prefix)
    {
        lock (call)
        {
            KeyList keys = call.Emit(stamp).List(pool, prefix);
            var copies = new byte[keys.Count][];
            for (int index = 0; index < copies.Length; index++)
            {
                copies[index] = keys[index].ToArray();
            }
            return copies;
        }
    }
    // Copied first and unpacked then: nobody's code runs under the lock, which CANCEL and CLOSE take too, and what the engine
    // lends ends when the thread reads again, which an Unpack may do.
    private bool Read<TValue>(PoolId pool, ReadOnlySpan<byte> key, uint asOf, ulong at, out Found<TValue> found)
        where TValue : notnull
    {
        if (!Form<TValue>.Unpacks)
        {
            lock (call)
            {
                return call.Reader(stamp).Read(pool, key, asOf, at, out found);
            }
        }
        found = default;
        Found bytes;
        BytesCopy copy;
        lock (call)
        {
            if (!call.Reader(stamp).Read<TValue>(pool, key, asOf, at, out bytes))
            {
                return false;
            }
            copy = new BytesCopy(bytes.Value);
        }
        using (copy)
        {
            found = new Found<TValue>(Form<TValue>.Read(key, copy.Bytes), bytes.Version, bytes.Time);
        }
        return true;
    }
}
