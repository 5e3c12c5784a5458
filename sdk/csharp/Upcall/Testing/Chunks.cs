using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Upcall.Abi;

namespace Upcall.Testing;

/// <summary>The chunks that a call writes its records into.</summary>
internal sealed unsafe class Chunks : IDisposable
{
    private const int ChunkBytes = 64 * 1024;

    // Those of the call on this thread, as for an engine.
    [ThreadStatic]
    private static Chunks? current;

    private readonly Chunks? outer = current;
    private readonly Memory memory = new();
    private readonly List<(nint Start, ulong Used)> chunks = [];
    private readonly Output* output;

    internal Chunks(Output* output)
    {
        this.output = output;
        current = this;
        output->Grow = &Grow;
        Open(ChunkBytes);
    }

    internal delegate void See(Record record, byte[] key, byte[] value);

    /// <summary>Shows each record, in order.</summary>
    internal void Collect(See see)
    {
        for (int index = 0; index <= (int)output->Chunk; index++)
        {
            (nint start, ulong used) = chunks[index];
            byte* at = (byte*)start;
            byte* end = index == (int)output->Chunk ? (byte*)output->At : at + used;
            while (at < end)
            {
                var record = (Record*)at;
                var value = new ReadOnlySpan<byte>(at + sizeof(Record), (int)record->ValueLen);
                var key = new ReadOnlySpan<byte>(at + sizeof(Record) + value.Length, (int)record->KeyLen);
                see(*record, key.ToArray(), value.ToArray());
                at += Records.Bytes(key.Length, value.Length);
            }
        }
    }

    public void Dispose()
    {
        current = outer;
        memory.Dispose();
    }

    private void Open(ulong need)
    {
        if (chunks.Count > 0)
        {
            int last = (int)output->Chunk;
            chunks[last] = (chunks[last].Start, output->At - (ulong)chunks[last].Start);
            chunks.RemoveRange(last + 1, chunks.Count - last - 1);
        }
        ulong bytes = Math.Max(need, ChunkBytes);
        byte* start = memory.Block((nuint)bytes);
        output->At = (ulong)start;
        output->End = (ulong)start + bytes;
        output->Chunk = (uint)chunks.Count;
        chunks.Add(((nint)start, 0));
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Grow(FrameHead* frame, ulong need)
    {
        current!.Open(need);
        return Status.Ok;
    }
}
