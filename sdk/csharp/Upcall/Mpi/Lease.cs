using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Upcall.Mpi;

/// <summary>Memory that stays where it is until MPI needs it no more.</summary>
internal sealed unsafe class Lease
{
    private readonly GCHandle self;
    private MemoryHandle handle;

    private Lease(MemoryHandle handle)
    {
        this.handle = handle;
        self = GCHandle.Alloc(this);
    }

    /// <summary>Where the memory is; the library is given <see cref="Context"/> with it, and <see cref="Release"/>.</summary>
    internal void* At => handle.Pointer;

    internal void* Context => (void*)GCHandle.ToIntPtr(self);

    internal static Lease Of<T>(ReadOnlyMemory<T> memory, string what)
    {
        if (!Plain<T>.Is)
        {
            throw new MpiException(MpiError.Usage, $"{what}: a {typeof(T)} is not plain memory");
        }
        try
        {
            return new Lease(memory.Pin());
        }
        catch (ArgumentException)
        {
            throw new MpiException(
                MpiError.Usage, $"{what}: the runtime pins no array of {typeof(T)}; use an MpiBuffer<{typeof(T).Name}>");
        }
    }

    /// <summary>Nobody calls it: it is there for its context.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static void Called(void* context)
    {
    }

    /// <summary>The end, on whichever thread.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static void Release(void* context)
    {
        GCHandle self = GCHandle.FromIntPtr((nint)context);
        var lease = (Lease)self.Target!;
        self.Free();
        lease.handle.Dispose();
    }
}
