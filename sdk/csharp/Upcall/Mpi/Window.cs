using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// Memory of each rank's of a communicator, which all of them read and write: so many elements at each, from 0 on. What is done lies
/// in an epoch.
/// <code>
/// using Window&lt;long&gt; window = Window&lt;long&gt;.Allocate(world, 10);
/// using (Epoch&lt;long&gt; epoch = window.Fence())
/// {
///     epoch.Put([world.Rank], next, 0);
/// }
/// using (PassiveEpoch&lt;long&gt; epoch = window.LockAll())
/// {
///     long ticket = epoch.FetchAndOp(1, 0, 9, Operation&lt;long&gt;.Add);
/// }
/// </code>
/// </summary>
/// <remarks>
/// Within one epoch, what is put and what is fetched or combined must not overlap, but for what is accumulated with one operation.
/// An epoch is the whole process's; which threads may call is as of the communicator.
/// <para>
/// Disposing it is collective: all ranks do, in one order. One that is forgotten stays until MPI is finalized; so does memory that
/// it was made over.
/// </para>
/// </remarks>
public sealed unsafe class Window<T> : WindowOf<T>
    where T : unmanaged
{
    private Window(UpcallMpiWindow* native)
        : base(native)
    {
    }

    /// <summary>One over memory of MPI's, which is faster for others to reach: so many elements here, which are zero. Collective;
    /// each rank has its own number.</summary>
    /// <exception cref="MpiException">The ranks' elements differ in size, there is no memory, another rank's number is negative, or
    /// MPI refuses.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    public static Window<T> Allocate(Communicator communicator, int count)
    {
        ArgumentNullException.ThrowIfNull(communicator);
        Native.Failure* failed = null;
        UpcallMpiWindow* made =
            upcall_mpi_communicator_window(communicator.Handle, Told(count), (nuint)sizeof(T), &failed);
        GC.KeepAlive(communicator);
        Check(failed, count);
        return new Window<T>(made);
    }

    /// <summary>
    /// One over memory of the program's: an array, or an <see cref="MpiBuffer{T}"/>'s <c>Memory</c>, which stays where it is and is
    /// the window's until that is disposed, and has its elements then. Collective; each rank has its own number.
    /// </summary>
    /// <remarks>
    /// Where MPI does not take it where it lies, as Open MPI 4 does among the ranks of one machine, it is copied, and back in the
    /// end: read and write it by <see cref="WindowOf{T}.Local"/> meanwhile.
    /// </remarks>
    /// <exception cref="MpiException">The ranks' elements differ in size, or MPI refuses.</exception>
    public static Window<T> Create(Communicator communicator, Memory<T> memory)
    {
        ArgumentNullException.ThrowIfNull(communicator);
        Lease lease = Lease.Of((ReadOnlyMemory<T>)memory, "make a window");
        nuint bytes = (nuint)memory.Length * (nuint)sizeof(T);
        Plain<T>.Clean((byte*)lease.At, bytes);
        Native.Failure* failed = null;
        UpcallMpiWindow* made = upcall_mpi_communicator_window_over(
            communicator.Handle, lease.At, bytes, (nuint)sizeof(T), &Lease.Called, lease.Context, &Lease.Release, &failed);
        GC.KeepAlive(communicator);
        MpiException.Check(failed);
        return new Window<T>(made);
    }

    /// <summary>
    /// An epoch of all ranks: each may access each other's memory until it is disposed, and then all that was begun by any rank is
    /// done. Collective, at both ends.
    /// </summary>
    /// <exception cref="MpiException">Another epoch is open, or MPI refuses.</exception>
    public Epoch<T> Fence()
    {
        Native.Failure* failed = null;
        return new Epoch<T>(this, Began(upcall_mpi_window_fence(Handle, &failed), failed));
    }

    /// <summary>An epoch with some ranks, which <see cref="Expose"/> their memory to this one meanwhile: it may wait for that.
    /// </summary>
    /// <exception cref="MpiException">There is no such rank, another epoch is open, or MPI refuses.</exception>
    public Epoch<T> Access(params int[] ranks)
    {
        ArgumentNullException.ThrowIfNull(ranks);
        Native.Failure* failed = null;
        fixed (int* first = ranks)
        {
            Slice_i32 some = new() { data = first, len = (nuint)ranks.Length };
            return new Epoch<T>(this, Began(upcall_mpi_window_access(Handle, some, &failed), failed));
        }
    }

    /// <summary>Lets some ranks <see cref="Access"/> this rank's memory, each once, until it is waited for.</summary>
    /// <exception cref="MpiException">There is no such rank, this rank's memory is locked or exposed already, or MPI refuses.
    /// </exception>
    public Exposure Expose(params int[] ranks)
    {
        ArgumentNullException.ThrowIfNull(ranks);
        Native.Failure* failed = null;
        UpcallMpiExposure* made;
        fixed (int* first = ranks)
        {
            Slice_i32 some = new() { data = first, len = (nuint)ranks.Length };
            made = upcall_mpi_window_expose(Handle, some, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Exposure(made, this);
    }

    /// <summary>Writes elements at a rank, in an epoch of its own, and returns when they are there.</summary>
    /// <exception cref="MpiException">There is no such rank or place, the rank is locked already, or MPI refuses.</exception>
    public void Put(ReadOnlySpan<T> values, int rank, int at)
    {
        using PassiveEpoch<T> epoch = Lock(LockMode.Shared, rank);
        epoch.Put(values, rank, at);
    }

    /// <summary>Reads elements of a rank's, in an epoch of its own.</summary>
    /// <inheritdoc cref="Put"/>
    public T[] Get(int rank, int at, int count)
    {
        using PassiveEpoch<T> epoch = Lock(LockMode.Shared, rank);
        return epoch.Fetch(rank, at, count);
    }
}
