using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using Upcall.Abi;

namespace Upcall.Testing;

/// <summary>Native memory for the frames of one call, as an engine's is: nothing in it moves.</summary>
internal sealed unsafe class Memory : IDisposable
{
    private readonly List<nint> blocks = [];

    internal T* New<T>(int count = 1)
        where T : unmanaged => (T*)Block((nuint)(sizeof(T) * count));

    internal byte* Block(nuint bytes)
    {
        // Aligned to a cache line, as an engine's batches are.
        void* block = NativeMemory.AlignedAlloc(Math.Max(bytes, 1), 64);
        NativeMemory.Clear(block, bytes);
        blocks.Add((nint)block);
        return (byte*)block;
    }

    internal Rel Bytes(ReadOnlySpan<byte> bytes)
    {
        byte* block = Block((nuint)bytes.Length);
        bytes.CopyTo(new Span<byte>(block, bytes.Length));
        return new Rel { Offset = (ulong)block, Len = (ulong)bytes.Length };
    }

    internal Rel Text(string text) => Bytes(Encoding.UTF8.GetBytes(text));

    public void Dispose()
    {
        foreach (nint block in blocks)
        {
            NativeMemory.AlignedFree((void*)block);
        }
        blocks.Clear();
    }
}
