using System;
using System.Buffers;
using System.Runtime.InteropServices;
using System.Threading;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// Elements on huge pages of 2 MiB, which MPIs move faster than the runtime's arrays: between processes of one machine 1.8 times at
/// 64 KiB and 3 times at 1 MiB. Zero at first, of fixed length, and not moved by the garbage collector. For few large buffers that
/// are used often; MPI need not have been started.
/// </summary>
/// <remarks>
/// It goes where spans and <see cref="Memory{T}"/> go, and requests take it as it is, without pinning. Disposed while a request uses
/// it, it lives until that has ended. A span that was taken before is not to be used afterwards: what it reads then are zeroes, or
/// another buffer.
/// </remarks>
public sealed unsafe class MpiBuffer<T> : MemoryManager<T>
    where T : unmanaged
{
    private readonly T* data;
    private UpcallMpiBuffer* native;
    /// <summary>The program's own, until it is disposed, and those of requests.</summary>
    private int uses = 1;
    private int disposed;

    /// <summary>One of so many elements.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative.</exception>
    /// <exception cref="MpiException">There is no room for as many.</exception>
    public MpiBuffer(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        Library.Find();
        Native.Failure* failed = null;
        native = upcall_mpi_buffer_new((nuint)length * (nuint)sizeof(T), &failed);
        MpiException.Check(failed);
        UpcallMpiMemory memory;
        upcall_mpi_buffer_memory(native, &memory, null);
        data = (T*)memory.Address;
        Length = length;
    }

    /// <summary>Frees it.</summary>
    ~MpiBuffer() => Dispose(false);

    /// <summary>How many elements it has.</summary>
    public int Length { get; }

    /// <summary>The elements.</summary>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    public Span<T> Span => GetSpan();

    /// <summary>An element.</summary>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    public ref T this[int index] => ref GetSpan()[index];

    /// <summary>
    /// Whether what was written lies on huge pages: where the system has none to give it lies on ordinary ones. For a look, not for
    /// a loop.
    /// </summary>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    public bool HasHugePages
    {
        get
        {
            Alive();
            byte huge = upcall_mpi_buffer_has_huge_pages(native, null);
            GC.KeepAlive(this);
            return huge != 0;
        }
    }

    /// <inheritdoc/>
    public override Span<T> GetSpan()
    {
        Alive();
        return new Span<T>(data, Length);
    }

    /// <summary>An element's address, which stays until what is returned is disposed.</summary>
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(elementIndex);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(elementIndex, Length);
        Alive();
        Interlocked.Increment(ref uses);
        // That something keeps this from being collected is the handle's affair.
        return new MemoryHandle(data + elementIndex, GCHandle.Alloc(this), this);
    }

    /// <summary>The end of what <see cref="Pin"/> has begun.</summary>
    public override void Unpin() => Leave();

    /// <summary>Frees it.</summary>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (Interlocked.Exchange(ref disposed, 1) == 0)
        {
            Leave();
        }
    }

    private void Alive() => ObjectDisposedException.ThrowIf(Volatile.Read(ref disposed) != 0, this);

    private void Leave()
    {
        if (Interlocked.Decrement(ref uses) == 0 && native != null)
        {
            upcall_mpi_buffer_release(native);
            native = null;
        }
    }
}
