using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using Upcall.Abi;

namespace Upcall;

/// <summary>Writes what a handler emits into the frame's output, and reads pools. Ends with the call.</summary>
public readonly unsafe ref partial struct Emitter
{
    // Two words, so that it is passed in registers.
    private readonly FlowFrame* frame;
    private readonly Session session;

    internal Emitter(FlowFrame* frame, Session session)
    {
        this.frame = frame;
        this.session = session;
    }

    /// <summary>Emits an object into the handler's first pool.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) => Write(session.First(), key, value);

    /// <summary>Emits an object into a pool that the handler declares.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Put(PoolId pool, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) =>
        Write(session.Checked(pool), key, value);

    /// <summary>Emits an object into the pool with this path; slower than by its id.</summary>
    public void Put(string path, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) =>
        Put(session.Find(path), key, value);

    /// <summary>
    /// Emits the memory of a value, of which all has to belong to its fields, into the handler's first pool.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Put<T>(ReadOnlySpan<byte> key, in T value)
        where T : unmanaged => WriteWhole(session.First(), key, in value);

    /// <summary>Emits the memory of a value into a pool that the handler declares.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Put<T>(PoolId pool, ReadOnlySpan<byte> key, in T value)
        where T : unmanaged => WriteWhole(session.Checked(pool), key, in value);

    /// <summary>Emits the memory of a value into the pool with this path; slower than by its id.</summary>
    public void Put<T>(string path, ReadOnlySpan<byte> key, in T value)
        where T : unmanaged => Put(session.Find(path), key, in value);

    /// <summary>
    /// Emits an object into the handler's first pool and returns its key and value to be written in place.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Reserved Reserve(int keyLength, int valueLength) => Reserve(session.First(), keyLength, valueLength);

    /// <summary>Emits an object into a pool and returns its key and value to be written in place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Reserved Reserve(PoolId pool, int keyLength, int valueLength) =>
        Reserve(session.Checked(pool), keyLength, valueLength);

    /// <summary>The same emitter for values of one type.</summary>
    public Emitter<T> Of<T>()
        where T : notnull => new(this);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Write(uint pool, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        byte* room = Room(pool, key.Length, value.Length);
        Copy.To(room, value);
        Copy.To(room + value.Length, key);
    }

    /// <summary>The handler's first pool.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint First() => session.First();

    /// <summary>A pool, which must be the handler's to emit to.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint Checked(PoolId pool) => session.Checked(pool);

    /// <summary>The pool with this path.</summary>
    internal PoolId Find(string path) => session.Find(path);

    /// <summary>Writes a value of any type that values may have.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Encode<T>(uint pool, ReadOnlySpan<byte> key, in T value)
    {
        session.Agree<T>(pool);
        if (Form<T>.Raw)
        {
            Write(pool, key, in value);
            return;
        }
        session.Output.Write(frame, pool, key, in value);
    }

    /// <summary>The same, if all of its memory is fields.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteWhole<T>(uint pool, ReadOnlySpan<byte> key, in T value)
    {
        if (Form<T>.Padded)
        {
            throw new PoolTypeException(Form<T>.Unwritable!);
        }
        Write(pool, key, in value);
    }

    /// <summary>Writes a value of a type without references.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Write<T>(uint pool, ReadOnlySpan<byte> key, in T value)
    {
        byte* room = Room(pool, key.Length, Unsafe.SizeOf<T>());
        Unsafe.WriteUnaligned(room, value);
        Copy.To(room + Unsafe.SizeOf<T>(), key);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Reserved Reserve(uint pool, int keyLength, int valueLength)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(keyLength);
        ArgumentOutOfRangeException.ThrowIfNegative(valueLength);
        byte* room = Room(pool, keyLength, valueLength);
        return new Reserved(
            MemoryMarshal.CreateSpan(ref *(room + valueLength), keyLength),
            MemoryMarshal.CreateSpan(ref *room, valueLength));
    }

    /// <summary>Writes the head of a record; the room behind it is for the value and then the key.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private byte* Room(uint pool, int keyLength, int valueLength)
    {
        ulong bytes = ((ulong)sizeof(Record) + (uint)valueLength + (uint)keyLength + 7) & ~7UL;
        if (frame->Out.End - frame->Out.At < bytes)
        {
            session.Grow(frame, bytes);
        }
        byte* at = (byte*)(frame->Head.Base[Base.Output] + frame->Out.At);
        var record = (Record*)at;
        record->Pool = pool;
        record->Item = session.Item;
        record->ValueLen = (uint)valueLength;
        record->KeyLen = (uint)keyLength;
        // Behind the head, so that whoever finds it after a death finds no stale record.
        Volatile.Write(ref frame->Out.At, frame->Out.At + bytes);
        return at + sizeof(Record);
    }
}
