using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Upcall.Mpi;

/// <summary>Memory that MPI uses until it says that it needs it no more, on whichever thread.</summary>
internal abstract class LentMemory
{
    internal abstract void Release();
}

/// <summary>The caller's own, where the runtime keeps it in its place; else a copy.</summary>
internal sealed unsafe class LentMemory<T> : LentMemory
    where T : unmanaged
{
    private readonly Memory<T> memory;
    private readonly T[]? room;
    private MemoryHandle pinned;

    /// <param name="memory">The caller's.</param>
    /// <param name="sends">Whether it is sent: then its padding is zeroed, in a copy.</param>
    internal LentMemory(Memory<T> memory, bool sends)
    {
        this.memory = memory;
        Bytes = (nuint)memory.Length * (nuint)sizeof(T);
        if (!Plain<T>.Pins || (sends && Plain<T>.Padded))
        {
            room = GC.AllocateArray<T>(memory.Length, pinned: true);
            Address = Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(room));
        }
        else
        {
            pinned = memory.Pin();
            Address = pinned.Pointer;
        }
    }

    /// <summary>Where it is.</summary>
    internal void* Address { get; }

    /// <summary>How many bytes there are.</summary>
    internal nuint Bytes { get; }

    /// <summary>What the caller has written is sent from now on.</summary>
    internal void Sends()
    {
        if (room != null)
        {
            memory.Span.CopyTo(room);
            Plain<T>.Clean((byte*)Address, Bytes);
        }
    }

    /// <summary>What has come is the caller's.</summary>
    internal void HasCome(long bytes = long.MaxValue)
    {
        if (room != null)
        {
            int count = (int)Math.Min(bytes / sizeof(T), room.Length);
            room.AsSpan(0, count).CopyTo(memory.Span);
        }
    }

    internal override void Release() => pinned.Dispose();
}

/// <summary>Memory that one call uses, and what else it needs: what the library keeps, and releases.</summary>
internal sealed unsafe class Loan(params LentMemory[] memories)
{
    /// <summary>Nobody calls it: it is there for its context.</summary>
    internal static delegate* unmanaged[Cdecl]<void*, void> Call => &Called;

    /// <summary>Ends the loan.</summary>
    internal static delegate* unmanaged[Cdecl]<void*, void> Release => &Released;

    /// <summary>What the library is given of it.</summary>
    internal void* Context() => (void*)GCHandle.ToIntPtr(GCHandle.Alloc(this));

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Called(void* context)
    {
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Released(void* context)
    {
        var handle = GCHandle.FromIntPtr((nint)context);
        ((Loan)handle.Target!).End();
        handle.Free();
    }

    private void End()
    {
        foreach (LentMemory memory in memories)
        {
            memory.Release();
        }
    }
}
