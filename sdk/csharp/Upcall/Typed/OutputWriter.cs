using System;
using System.Buffers;
using System.Runtime.InteropServices;
using Upcall.Abi;

namespace Upcall;

/// <summary>
/// The frame's output as a buffer: a value whose length is not known before is written where it will stay.
/// It is copied once more only when a chunk is full. What is not ended is forgotten.
/// </summary>
internal sealed unsafe class OutputWriter(Session session) : IBufferWriter<byte>
{
    private FlowFrame* frame;
    private ulong written;

    /// <summary>Begins a record.</summary>
    internal void Begin(FlowFrame* frame)
    {
        this.frame = frame;
        written = 0;
    }

    /// <summary>Ends the record with its pool and key.</summary>
    internal void End(uint pool, ReadOnlySpan<byte> key)
    {
        ulong bytes = ((ulong)sizeof(Record) + written + (uint)key.Length + 7) & ~7UL;
        Room(bytes - (ulong)sizeof(Record) - written);
        byte* place = Place;
        Copy.To(place + sizeof(Record) + written, key);
        var record = (Record*)place;
        record->Pool = pool;
        record->Item = session.Item;
        record->ValueLen = checked((uint)written);
        record->KeyLen = (uint)key.Length;
        frame->Out.At += bytes;
        frame = null;
    }

    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan((ulong)count, Free);
        written += (uint)count;
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        ulong free = Room((uint)Math.Max(sizeHint, 1));
        return MemoryMarshal.CreateSpan(
            ref *(Place + sizeof(Record) + written), (int)Math.Min(free, int.MaxValue));
    }

    public Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException(
        "the output of a flow is native memory, of which there is no Memory<byte>: use GetSpan");

    private byte* Place => (byte*)(frame->Head.Base[Base.Output] + frame->Out.At);

    /// <summary>Bytes that are left behind what is written.</summary>
    private ulong Free
    {
        get
        {
            if (frame == null)
            {
                throw new InvalidOperationException("write a value: its record has ended; Pack must not keep its writer");
            }
            ulong room = frame->Out.End - frame->Out.At;
            ulong used = (ulong)sizeof(Record) + written;
            return room < used ? 0 : room - used;
        }
    }

    /// <summary>Sees to it that so many bytes are left; returns how many are.</summary>
    private ulong Room(ulong need)
    {
        ulong free = Free;
        if (free >= need)
        {
            return free;
        }
        byte* from = Place;
        ulong used = (ulong)sizeof(Record) + written;
        session.Grow(frame, (Math.Max(used + need, 2 * used) + 7) & ~7UL);
        // The chunk before still holds what was written there: chunks never move.
        Buffer.MemoryCopy(from + sizeof(Record), Place + sizeof(Record), written, written);
        return Free;
    }
}
