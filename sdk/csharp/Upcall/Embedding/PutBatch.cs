using System;
using System.Buffers;

namespace Upcall;

/// <summary>Objects for <see cref="FlowPool.PutMany"/>, side by side. It may be cleared and used again.</summary>
public sealed class PutBatch
{
    private readonly ArrayBufferWriter<byte> bytes = new();

    /// <summary>How many objects it holds.</summary>
    public int Count { get; private set; }

    internal ReadOnlySpan<byte> Bytes => bytes.WrittenSpan;

    /// <summary>The key of the first object that was added as text; null where there is none.</summary>
    internal string? KeyOfText { get; private set; }

    /// <summary>Adds an object, whose bytes are copied.</summary>
    public void Add(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        Span<byte> head = bytes.GetSpan((2 * sizeof(uint)) + key.Length + value.Length);
        BitConverter.TryWriteBytes(head, (uint)key.Length);
        BitConverter.TryWriteBytes(head[sizeof(uint)..], (uint)value.Length);
        key.CopyTo(head[(2 * sizeof(uint))..]);
        value.CopyTo(head[((2 * sizeof(uint)) + key.Length)..]);
        bytes.Advance((2 * sizeof(uint)) + key.Length + value.Length);
        Count++;
    }

    /// <summary>Adds an object of text, for a pool of text or of plain bytes.</summary>
    public void Add(string key, string value)
    {
        Add(WellFormed.Bytes(key), WellFormed.Bytes(value));
        KeyOfText ??= key;
    }

    /// <summary>How many objects these bytes hold.</summary>
    internal static int CountIn(ReadOnlySpan<byte> bytes)
    {
        int count = 0;
        for (; !bytes.IsEmpty; count++)
        {
            uint length = BitConverter.ToUInt32(bytes) + BitConverter.ToUInt32(bytes[sizeof(uint)..]);
            bytes = bytes[((2 * sizeof(uint)) + (int)length)..];
        }
        return count;
    }

    /// <summary>Forgets the objects, and keeps the memory.</summary>
    public void Clear()
    {
        bytes.ResetWrittenCount();
        Count = 0;
        KeyOfText = null;
    }
}
