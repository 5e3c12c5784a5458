using System;
using System.Buffers;
using System.Runtime.CompilerServices;
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

    // The value so far is from start to at; the chunk ends at end, which may lie before them when it is full.
    private byte* start;
    private byte* at;
    private byte* end;

    /// <summary>Begins a record.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Begin(FlowFrame* frame)
    {
        this.frame = frame;
        Look(0);
    }

    /// <summary>Ends the record with its pool and key.</summary>
    internal void End(uint pool, ReadOnlySpan<byte> key)
    {
        ulong length = (ulong)(at - start);
        ulong bytes = ((ulong)sizeof(Record) + length + (uint)key.Length + 7) & ~7UL;
        long rest = (long)(bytes - (ulong)sizeof(Record) - length);
        if (end - at < rest)
        {
            Grow((ulong)rest);
        }
        Copy.To(at, key);
        var record = (Record*)start - 1;
        record->Pool = pool;
        record->Item = session.Item;
        record->ValueLen = checked((uint)length);
        record->KeyLen = (uint)key.Length;
        frame->Out.At += bytes;
        frame = null;
        start = at = end = null;
    }

    public void Advance(int count)
    {
        if (count < 0 || count > end - at)
        {
            ThrowAdvance(count);
        }
        at += count;
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        if (end - at < Math.Max(sizeHint, 1))
        {
            Grow((uint)Math.Max(sizeHint, 1));
        }
        return MemoryMarshal.CreateSpan(ref *at, (int)Math.Min(end - at, int.MaxValue));
    }

    public Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException(
        "the output of a flow is native memory, of which there is no Memory<byte>: use GetSpan");

    /// <summary>Where the record is, of whose value so many bytes are written.</summary>
    private void Look(ulong length)
    {
        ulong origin = frame->Head.Base[Base.Output];
        start = (byte*)(origin + frame->Out.At) + sizeof(Record);
        at = start + length;
        end = (byte*)(origin + frame->Out.End);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(ulong need)
    {
        if (frame == null)
        {
            throw new InvalidOperationException("write a value: its record has ended, and Pack must not keep its writer");
        }
        byte* from = start;
        ulong length = (ulong)(at - start);
        ulong used = (ulong)sizeof(Record) + length;
        session.Grow(frame, (Math.Max(used + need, 2 * used) + 7) & ~7UL);
        Look(length);
        // The chunk before still holds what was written there: chunks never move.
        Buffer.MemoryCopy(from, start, length, length);
    }

    private void ThrowAdvance(int count) => throw new ArgumentOutOfRangeException(
        nameof(count), $"advance by {count} bytes: the span has {Math.Max(end - at, 0)}");
}
