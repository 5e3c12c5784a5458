using System;

namespace Upcall;

/// <summary>
/// Writes what a handler that answers later emits for one object, and reads pools, until the object's method has ended. It may be
/// used on any thread; what is emitted on one comes out in that order.
/// </summary>
/// <remarks>
/// When the object is over, each member throws one of three exceptions: <see cref="ItemTimedOutException"/>,
/// <see cref="ItemCanceledException"/>, <see cref="ItemClosedException"/>. It has no <see cref="Emitter.Reserve(int, int)"/>:
/// the room might be the engine's again before it is written.
/// </remarks>
public readonly partial struct AsyncEmitter
{
    private readonly AsyncCall call;
    private readonly long stamp;

    internal AsyncEmitter(AsyncCall call)
    {
        this.call = call;
        stamp = call.Stamp;
    }

    /// <summary>Emits an object into the handler's first pool.</summary>
    public void Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        lock (call)
        {
            call.Emit(stamp).Put(key, value);
        }
    }

    /// <summary>Emits an object into a pool that the handler declares.</summary>
    public void Put(PoolId pool, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        lock (call)
        {
            call.Emit(stamp).Put(pool, key, value);
        }
    }

    /// <summary>Emits an object into the pool with this path; slower than by its id.</summary>
    public void Put(string path, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) => Put(Find(path), key, value);

    /// <summary>
    /// Emits the memory of a value, of which all has to belong to its fields, into the handler's first pool.
    /// </summary>
    public void Put<T>(ReadOnlySpan<byte> key, in T value)
        where T : unmanaged
    {
        lock (call)
        {
            call.Emit(stamp).Put(key, in value);
        }
    }

    /// <summary>Emits the memory of a value into a pool that the handler declares.</summary>
    public void Put<T>(PoolId pool, ReadOnlySpan<byte> key, in T value)
        where T : unmanaged
    {
        lock (call)
        {
            call.Emit(stamp).Put(pool, key, in value);
        }
    }

    /// <summary>Emits the memory of a value into the pool with this path; slower than by its id.</summary>
    public void Put<T>(string path, ReadOnlySpan<byte> key, in T value)
        where T : unmanaged => Put(Find(path), key, in value);

    /// <summary>
    /// Emits an object into the handler's first pool if the newest version of its key is <paramref name="previous"/> when
    /// it arrives there, 0 for none; see <see cref="Emitter.PutIf(ReadOnlySpan{byte}, ReadOnlySpan{byte}, ulong)"/>.
    /// </summary>
    /// <exception cref="InvalidOperationException">It is the second one of the object, or is made at the flush.</exception>
    public void PutIf(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous)
    {
        lock (call)
        {
            call.Emit(stamp).PutIf(key, value, previous);
        }
    }

    /// <summary>The same, into a pool that the handler declares.</summary>
    public void PutIf(PoolId pool, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous)
    {
        lock (call)
        {
            call.Emit(stamp).PutIf(pool, key, value, previous);
        }
    }

    /// <summary>The same, into the pool with this path; slower than by its id.</summary>
    public void PutIf(string path, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous) =>
        PutIf(Find(path), key, value, previous);

    /// <summary>The same, for the memory of a value, of which all has to belong to its fields.</summary>
    public void PutIf<T>(ReadOnlySpan<byte> key, in T value, ulong previous)
        where T : unmanaged
    {
        lock (call)
        {
            call.Emit(stamp).PutIf(key, in value, previous);
        }
    }

    /// <summary>The same, into a pool that the handler declares.</summary>
    public void PutIf<T>(PoolId pool, ReadOnlySpan<byte> key, in T value, ulong previous)
        where T : unmanaged
    {
        lock (call)
        {
            call.Emit(stamp).PutIf(pool, key, in value, previous);
        }
    }

    /// <summary>The same, into the pool with this path; slower than by its id.</summary>
    public void PutIf<T>(string path, ReadOnlySpan<byte> key, in T value, ulong previous)
        where T : unmanaged => PutIf(Find(path), key, in value, previous);

    /// <summary>The same emitter for values of one type.</summary>
    public AsyncEmitter<T> Of<T>()
        where T : notnull => new(this);

    /// <summary>The pool with this path.</summary>
    internal PoolId Find(string path)
    {
        call.Check(stamp);
        return call.Session.Find(path);
    }

    /// <summary>Emits a value of any type that values may have; into the first pool where none is named.</summary>
    internal void Encode<T>(PoolId? pool, ReadOnlySpan<byte> key, in T value)
        where T : notnull => Encode(pool, key, in value, null);

    /// <summary>The same, on condition.</summary>
    internal void EncodeIf<T>(PoolId? pool, ReadOnlySpan<byte> key, in T value, ulong previous)
        where T : notnull => Encode(pool, key, in value, previous);

    // Packed first and copied then: nobody's code runs under the lock, which CANCEL and CLOSE take too.
    private void Encode<T>(PoolId? pool, ReadOnlySpan<byte> key, in T value, ulong? previous)
        where T : notnull
    {
        PoolId into = Agreed<T>(pool);
        PackBuffer buffer = PackBuffer.Take();
        try
        {
            buffer.Pack(in value);
            lock (call)
            {
                Emitter emit = call.Emit(stamp);
                if (previous is ulong version)
                {
                    emit.PutIf(into, key, buffer.Written, version);
                }
                else
                {
                    emit.Put(into, key, buffer.Written);
                }
            }
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>The pool, to which values of this type may be emitted.</summary>
    private PoolId Agreed<T>(PoolId? pool)
    {
        call.Check(stamp);
        Session session = call.Session;
        uint id = pool is PoolId given ? session.Checked(given) : session.First();
        session.Agree<T>(id);
        return new PoolId(id);
    }
}
