using System;
using System.Runtime.CompilerServices;
using Upcall.Abi;

namespace Upcall;

public readonly unsafe ref partial struct Emitter
{
    /// <summary>
    /// Emits an object into the handler's first pool if the newest version of its key is <paramref name="previous"/> when
    /// it arrives there, 0 for none. If it is not, the object that is being handled fails, and nothing counts of what it
    /// has emitted; with <c>retry</c> it is handled again, and may read the key again. For each object one such emission.
    /// </summary>
    public void PutIf(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous) =>
        WriteIf(session.First(), key, value, previous);

    /// <summary>The same, into a pool that the handler declares.</summary>
    public void PutIf(PoolId pool, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous) =>
        WriteIf(session.Checked(pool), key, value, previous);

    /// <summary>The same, into the pool with this path; slower than by its id.</summary>
    public void PutIf(string path, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous) =>
        PutIf(session.Find(path), key, value, previous);

    /// <summary>The same, for the memory of a value, of which all has to belong to its fields.</summary>
    public void PutIf<T>(ReadOnlySpan<byte> key, in T value, ulong previous)
        where T : unmanaged => WriteIf(session.First(), key, in value, previous);

    /// <summary>The same, into a pool that the handler declares.</summary>
    public void PutIf<T>(PoolId pool, ReadOnlySpan<byte> key, in T value, ulong previous)
        where T : unmanaged => WriteIf(session.Checked(pool), key, in value, previous);

    /// <summary>The same, into the pool with this path; slower than by its id.</summary>
    public void PutIf<T>(string path, ReadOnlySpan<byte> key, in T value, ulong previous)
        where T : unmanaged => PutIf(session.Find(path), key, in value, previous);

    /// <summary>Writes a value of any type that values may have, on condition.</summary>
    internal void EncodeIf<T>(uint pool, ReadOnlySpan<byte> key, in T value, ulong previous)
    {
        var before = new Place(frame);
        Condition(previous);
        try
        {
            Encode(pool, key, in value);
        }
        catch
        {
            before.Restore(frame);
            throw;
        }
    }

    private void WriteIf<T>(uint pool, ReadOnlySpan<byte> key, in T value, ulong previous)
    {
        var before = new Place(frame);
        Condition(previous);
        try
        {
            WriteWhole(pool, key, in value);
        }
        catch
        {
            before.Restore(frame);
            throw;
        }
    }

    private void WriteIf(uint pool, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous)
    {
        var before = new Place(frame);
        Condition(previous);
        try
        {
            Write(pool, key, value);
        }
        catch
        {
            before.Restore(frame);
            throw;
        }
    }

    /// <summary>Says under which version the next record is to be put.</summary>
    private void Condition(ulong previous) =>
        Unsafe.WriteUnaligned(Room(Record.Condition, 0, sizeof(ulong)), previous);

    /// <summary>Where the output stood: a condition does not stay behind alone.</summary>
    private readonly struct Place(FlowFrame* frame)
    {
        private readonly ulong at = frame->Out.At;
        private readonly uint chunk = frame->Out.Chunk;

        internal void Restore(FlowFrame* frame)
        {
            if (frame->Out.Chunk != chunk)
            {
                frame->Out.End = at;
            }
            frame->Out.At = at;
            frame->Out.Chunk = chunk;
        }
    }
}
