using System;
using System.Linq;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public sealed unsafe partial class MpiFile
{
    /// <summary>
    /// Sees the file as elements, from a place in bytes on: offsets count these, and pointers are at the start. Collective, as all
    /// views are.
    /// </summary>
    /// <exception cref="MpiException">A type of another size on another rank, a place that no file has, or MPI refuses. What is wrong
    /// on one rank is an error on all.</exception>
    public void View<T>(long place = 0)
        where T : unmanaged => Do((file, failed) => upcall_mpi_file_view(file, SizeOf<T>(), Offset(place), failed));

    /// <summary>
    /// Shares the file out in blocks of so many elements, from a place in bytes on: the first is rank 0's, the next rank 1's, and
    /// behind that of the last rank comes rank 0's next. Each rank sees its own, side by side.
    /// </summary>
    /// <inheritdoc cref="View{T}"/>
    public void ViewBlocks<T>(long place, long block)
        where T : unmanaged =>
        Do((file, failed) => upcall_mpi_file_view_blocks(file, SizeOf<T>(), Offset(place), Offset(block), failed));

    /// <summary>
    /// Sees, from a place in bytes on, <paramref name="block"/> of each <paramref name="stride"/> elements, of which it skips
    /// <paramref name="first"/>: <c>(0, 2, 1, 10)</c> sees column 2 of a table with 10. Each rank says what it sees itself.
    /// </summary>
    /// <inheritdoc cref="View{T}"/>
    public void ViewStrided<T>(long place, long first, long block, long stride)
        where T : unmanaged => Do((file, failed) => upcall_mpi_file_view_strided(
            file, SizeOf<T>(), Offset(place), Offset(first), Offset(block), Offset(stride), failed));

    /// <summary>
    /// Sees a part of an array that lies in the file, from a place in bytes on, its last index next to each other: the sizes of the
    /// array, those of what this rank sees, and where that begins.
    /// </summary>
    /// <inheritdoc cref="View{T}"/>
    public void ViewSubarray<T>(long place, long[] sizes, long[] part, long[] starts)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(sizes);
        ArgumentNullException.ThrowIfNull(part);
        ArgumentNullException.ThrowIfNull(starts);
        ulong[] all = Offsets(sizes), some = Offsets(part), from = Offsets(starts);
        Native.Failure* failed = null;
        fixed (ulong* atAll = all, atSome = some, atFrom = from)
        {
            upcall_mpi_file_view_subarray(
                Handle,
                SizeOf<T>(),
                Offset(place),
                new Slice_u64 { data = atAll, len = (nuint)all.Length },
                new Slice_u64 { data = atSome, len = (nuint)some.Length },
                new Slice_u64 { data = atFrom, len = (nuint)from.Length },
                &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    private static ulong[] Offsets(long[] numbers) => numbers.Select(Offset).ToArray();

    private static nuint SizeOf<T>() => (nuint)Plain<T>.Size;
}
