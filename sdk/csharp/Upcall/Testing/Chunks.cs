using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Upcall.Abi;

namespace Upcall.Testing;

/// <summary>The chunks that a call writes its records into.</summary>
internal sealed unsafe class Chunks : IDisposable
{
    private const int ChunkBytes = 64 * 1024;

    // By their frame: a callback gets that, on any thread.
    private static readonly ConcurrentDictionary<nint, Chunks> Calls = [];

    private readonly nint frame;
    private readonly Memory memory = new();
    private readonly List<(nint Start, ulong Used)> chunks = [];
    private readonly Output* output;

    internal Chunks(FrameHead* frame, Output* output)
    {
        this.frame = (nint)frame;
        this.output = output;
        Calls[this.frame] = this;
        output->Grow = &Grow;
        Begin(ChunkBytes);
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
        Calls.TryRemove(frame, out _);
        memory.Dispose();
    }

    private void Begin(ulong need)
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
        Calls[(nint)frame].Begin(need);
        return Status.Ok;
    }
}
