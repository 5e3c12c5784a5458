using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using Upcall.Abi;

namespace Upcall;

/// <summary>
/// The frame's output as a buffer: a value whose length is not known before is written where it will stay.
/// It is copied once more only when a chunk is full. What is not ended is forgotten.
/// </summary>
/// <remarks>
/// It is handed to a packer, which may keep it: it is of use on the handler's thread only, until the packer returns.
/// </remarks>
internal sealed unsafe class OutputWriter(Session session, Lent lent) : IBufferWriter<byte>
{
    private FlowFrame* frame;

    // The value so far is from start to at; the chunk ends at end, which may lie before them when it is full.
    private byte* start;
    private byte* at;
    private byte* end;

    /// <summary>Writes the record of a value.</summary>
    internal void Write<T>(FlowFrame* frame, uint pool, ReadOnlySpan<byte> key, in T value)
    {
        this.frame = frame;
        Look(0);
        try
        {
            Form<T>.Write(value, this);
            End(pool, key);
        }
        finally
        {
            this.frame = null;
            start = at = end = null;
        }
    }

    private void End(uint pool, ReadOnlySpan<byte> key)
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
        // Behind the head, so that whoever finds it after a death finds no stale record.
        Volatile.Write(ref frame->Out.At, frame->Out.At + bytes);
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
        // Not in Advance too, as it costs 2.5 ns: without a span of its own a thread that is a stranger can only spoil
        // the value, and Grow refuses a position beyond the chunk.
        if (Environment.CurrentManagedThreadId != lent.Thread)
        {
            ThrowThread();
        }
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
            throw new InvalidOperationException("write a value: its Pack has returned, and must not keep the writer");
        }
        if (at > end && at != start)
        {
            ThrowThread();
        }
        byte* from = start;
        ulong length = (ulong)(at - start);
        ulong used = (ulong)sizeof(Record) + length;
        session.Grow(frame, (Math.Max(used + need, 2 * used) + 7) & ~7UL);
        Look(length);
        // The chunk before still holds what was written there: chunks never move.
        Buffer.MemoryCopy(from, start, length, length);
    }

    private static void ThrowThread() => throw new InvalidOperationException(
        "write a value from another thread than the handler's own: Pack must not hand its writer to another thread");

    private void ThrowAdvance(int count) => throw new ArgumentOutOfRangeException(
        nameof(count), $"advance by {count} bytes: the span has {Math.Max(end - at, 0)}");
}
