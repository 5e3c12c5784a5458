using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// A window among the ranks of one machine, whose memory each of them reaches in place: by <see cref="MemoryOf"/> one rank alone,
/// and by <see cref="Together"/> all ranks, to read.
/// <code>
/// using SharedWindow&lt;double&gt; table = SharedWindow&lt;double&gt;.Allocate(world, 1000);
/// using (LocalMemory&lt;double&gt; mine = table.Local())
/// {
///     mine.Span.Fill(1);
/// }
/// using (Neighbors&lt;double&gt; all = table.Together())
/// {
///     double first = all[0][0];
/// }
/// </code>
/// </summary>
/// <remarks>It has the epochs of locks, not those of fences. It is disposed as <see cref="Window{T}"/>.</remarks>
public sealed unsafe class SharedWindow<T> : WindowOf<T>
    where T : unmanaged
{
    private SharedWindow(UpcallMpiWindow* native)
        : base(native)
    {
    }

    /// <summary>Allocates memory among those ranks that run on this machine, which it numbers anew: so many elements here, which are
    /// zero. Collective; each rank has its own number.</summary>
    /// <exception cref="MpiException">The ranks' elements differ in size, there is no memory, another rank's number is negative, or
    /// MPI refuses.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    public static SharedWindow<T> Allocate(Communicator communicator, int count)
    {
        ArgumentNullException.ThrowIfNull(communicator);
        Native.Failure* failed = null;
        UpcallMpiWindow* made =
            upcall_mpi_communicator_shared_window(communicator.Handle, Told(count), (nuint)sizeof(T), &failed);
        GC.KeepAlive(communicator);
        Check(failed, count);
        return new SharedWindow<T>(made);
    }

    /// <summary>A rank's memory, in place, when nobody else has locked it: it is locked until it is disposed.</summary>
    /// <exception cref="MpiException">There is no such rank, it is locked by this rank already, another epoch is open, or MPI
    /// refuses.</exception>
    public LocalMemory<T> MemoryOf(int rank) => InPlace(rank);

    /// <summary>The memory of all ranks, to read. Collective: it begins when all ranks have called this, and disposing it returns
    /// when all have.</summary>
    /// <exception cref="MpiException">Another epoch is open, or MPI refuses.</exception>
    public Neighbors<T> Together()
    {
        Native.Failure* failed = null;
        return new Neighbors<T>(this, Began(upcall_mpi_window_together(Handle, &failed), failed));
    }
}
