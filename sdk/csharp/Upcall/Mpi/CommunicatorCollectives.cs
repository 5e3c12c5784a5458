using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public unsafe partial class Communicator
{
    /// <summary>Waits until all ranks have called it.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public void Barrier()
    {
        Native.Failure* failed = null;
        upcall_mpi_communicator_barrier(Handle, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Gives all ranks the value of one.</summary>
    /// <exception cref="MpiException">There is no such rank, the value has no form, or MPI refuses.</exception>
    public void Broadcast<T>(ref T value, int root)
    {
        if (Plain<T>.Is)
        {
            BroadcastInto(new Span<T>(ref value), root);
            return;
        }
        ReadOnlySpan<byte> data = default;
        Exception? failure = null;
        if (Rank == root)
        {
            data = WrittenOr(value, out failure);
        }
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        fixed (byte* at = data)
        {
            byte valid = failure == null ? (byte)1 : (byte)0;
            buffer = upcall_mpi_communicator_broadcast_any(Handle, From(at, (nuint)data.Length), valid, root, &failed);
        }
        GC.KeepAlive(this);
        Check(failed, failure);
        if (Rank == root)
        {
            Release(buffer);
        }
        else
        {
            value = Taken<T>(buffer);
        }
    }

    /// <summary>Gives all ranks the array of one: those of other lengths are replaced. One small exchange more.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public void Broadcast<T>(ref T[]? values, int root)
    {
        if (!Plain<T>.Is)
        {
            Broadcast<T[]?>(ref values, root);
            return;
        }
        int length = values?.Length ?? -1;
        Broadcast(ref length, root);
        if (length < 0)
        {
            values = null;
            return;
        }
        if (values?.Length != length)
        {
            values = new T[length];
        }
        BroadcastInto(values.AsSpan(), root);
    }

    /// <summary>Gives all ranks the elements of one, of which all have as many.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public void Broadcast<T>(Span<T> values, int root)
        where T : unmanaged => BroadcastInto(values, root);

    /// <summary>Gives one rank the values of all, in the order of the ranks; null for the others.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[]? Gather<T>(T value, int root)
    {
        if (!Plain<T>.Is)
        {
            return Objects(value, root);
        }
        T[]? all = Rank == root ? new T[Size] : null;
        GatherInto(new ReadOnlySpan<T>(ref value), all, root);
        return all;
    }

    /// <summary>
    /// Gives one rank the elements of all, of which all have as many. <paramref name="into"/> has room for those of all ranks at
    /// the root; the others' is not looked at.
    /// </summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public void Gather<T>(ReadOnlySpan<T> values, Span<T> into, int root)
        where T : unmanaged => GatherInto(values, into, root);

    /// <summary>Gives all ranks the values of all, in the order of the ranks.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[] Allgather<T>(T value)
    {
        if (!Plain<T>.Is)
        {
            return Objects(value, Everybody)!;
        }
        var all = new T[Size];
        AllgatherInto<T>(new ReadOnlySpan<T>(ref value), all);
        return all;
    }

    /// <summary>Gives all ranks the elements of all, of which all have as many.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public void Allgather<T>(ReadOnlySpan<T> values, Span<T> into)
        where T : unmanaged => AllgatherInto(values, into);

    /// <summary>Gives each rank one of the values of one rank, which has as many as there are ranks.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T Scatter<T>(T[]? values, int root)
    {
        if (!Plain<T>.Is)
        {
            return ScatterObjects(values, root);
        }
        // One exchange more tells all ranks where the root has another number.
        T[] mine = ScatterFromFlattened(values, 1, root);
        return mine[0];
    }

    /// <summary>Gets this rank's one of the values that the root has given to <see cref="Scatter{T}(T[], int)"/>.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T Scatter<T>(int root) => Scatter<T>(null, root);

    /// <summary>Gives each rank one of these values, of which there are as many as ranks; the others call
    /// <see cref="Scatter{T}(int)"/>.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T Scatter<T>(T[] values) => Scatter(values, Rank);

    /// <summary>Gives each rank its part of what one has, as long as <paramref name="into"/> on all ranks.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public void Scatter<T>(ReadOnlySpan<T> values, Span<T> into, int root)
        where T : unmanaged
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(Rank == root ? values : default);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_scatter_into(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), root, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Each rank has a value for each other: what comes back is what all had for this one.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[] Alltoall<T>(T[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        if (!Plain<T>.Is)
        {
            return AlltoallObjects(values);
        }
        var into = new T[values.Length];
        AlltoallInto<T>(values, into);
        return into;
    }

    /// <summary>Each rank has a part for each other, all of them as long.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public void Alltoall<T>(ReadOnlySpan<T> values, Span<T> into)
        where T : unmanaged => AlltoallInto(values, into);

    private void BroadcastInto<T>(Span<T> values, int root)
    {
        Native.Failure* failed = null;
        fixed (byte* at = &First(values))
        {
            nuint bytes = BytesOf<T>(values.Length);
            if (Rank == root)
            {
                Plain<T>.Clean(at, bytes);
            }
            upcall_mpi_communicator_broadcast(Handle, Into(at, bytes), root, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    private void GatherInto<T>(ReadOnlySpan<T> values, Span<T> into, int root)
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_gather(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), root, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    private void AllgatherInto<T>(ReadOnlySpan<T> values, Span<T> into)
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_all_gather(Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    private void AlltoallInto<T>(ReadOnlySpan<T> values, Span<T> into)
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_all_to_all(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), (nuint)Plain<T>.Size, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }
}
