using System;
using System.Linq;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public abstract unsafe partial class TopologicalCommunicator
{
    /// <summary>
    /// Gives elements to each target, and gets those of each source, in their order; each rank may have another number, and there are
    /// none of a source that is nobody. One exchange more tells how many.
    /// </summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public T[][] NeighborAllgatherParts<T>(ReadOnlySpan<T> values)
        where T : unmanaged
    {
        var counts = new ulong[Sources.Length];
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First)
        fixed (ulong* told = counts)
        {
            SliceMut_u64 room = new() { data = told, len = (nuint)counts.Length };
            buffer = upcall_mpi_communicator_neighbor_all_gather_parts(Handle, From(at, bytes.Length), room, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return Parted<T>(buffer, counts);
    }

    /// <inheritdoc cref="NeighborAllgatherParts{T}(ReadOnlySpan{T})"/>
    public T[][] NeighborAllgatherParts<T>(T[] values)
        where T : unmanaged => NeighborAllgatherParts((ReadOnlySpan<T>)values.NotNull());

    /// <summary>
    /// Gives each target its part of some elements, all of them as large, and gets as many of each source. The room of a source that
    /// is nobody stays as it is.
    /// </summary>
    /// <exception cref="MpiException">The elements cannot be shared evenly, the room has another length, or MPI refuses.</exception>
    public void NeighborAlltoall<T>(ReadOnlySpan<T> values, Span<T> into)
        where T : unmanaged
    {
        int each = Targets.Length > 0 ? values.Length / Targets.Length : Sources.Length > 0 ? into.Length / Sources.Length : 0;
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_neighbor_all_to_all(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), BytesOf<T>(each), &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Gives each target an array of its own, of any length, and gets one of each source: an empty one of nobody.</summary>
    /// <exception cref="MpiException">There are not as many arrays as targets, or MPI refuses.</exception>
    public T[][] NeighborAlltoallParts<T>(T[][] parts)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(parts);
        ulong[] sent = Array.ConvertAll(parts, part => (ulong)BytesOf<T>(part.NotNull("parts").Length));
        var received = new ulong[Sources.Length];
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        var bytes = new Outgoing<T>(parts.SelectMany(part => part).ToArray());
        fixed (byte* at = &bytes.First)
        fixed (ulong* told = sent, to = received)
        {
            Slice_u64 shares = new() { data = told, len = (nuint)sent.Length };
            SliceMut_u64 room = new() { data = to, len = (nuint)received.Length };
            buffer = upcall_mpi_communicator_neighbor_all_to_all_parts(Handle, From(at, bytes.Length), shares, room, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return Parted<T>(buffer, received);
    }

    /// <summary>The elements of each source.</summary>
    private T[][] Parted<T>(Buffer_u8 buffer, ulong[] bytes)
    {
        T[] all = Taken<T[]>(buffer);
        int at = 0;
        return Array.ConvertAll(bytes, count => all[at..(at += (int)(count / (ulong)Plain<T>.Size))]);
    }
}
