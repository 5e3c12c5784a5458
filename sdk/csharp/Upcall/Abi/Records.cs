using System;

namespace Upcall.Abi;

/// <summary>Writes records into a frame's output where it does not matter how fast.</summary>
internal static unsafe class Records
{
    /// <summary>Bytes that a whole record takes, padding included.</summary>
    internal static ulong Bytes(int keyLength, int valueLength) =>
        ((ulong)sizeof(Record) + (uint)valueLength + (uint)keyLength + 7) & ~7UL;

    /// <summary>Opens the next chunk; false when the engine gives no more memory.</summary>
    internal static bool Grow(FrameHead* frame, Output* output, ulong need) =>
        output->Grow != null && output->Grow(frame, need) == Status.Ok;

    /// <summary>Writes one record into the output of a frame; false when the engine gives no more memory.</summary>
    internal static bool Put(
        FrameHead* frame, Output* output, uint pool, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        ulong bytes = Bytes(key.Length, value.Length);
        if (output->End - output->At < bytes && !Grow(frame, output, bytes))
        {
            return false;
        }
        byte* at = (byte*)(frame->Base[Base.Output] + output->At);
        *(Record*)at = new Record { Pool = pool, ValueLen = (uint)value.Length, KeyLen = (uint)key.Length };
        Copy.To(at + sizeof(Record), value);
        Copy.To(at + sizeof(Record) + value.Length, key);
        output->At += bytes;
        return true;
    }
}
