using System;
using System.Buffers;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <remarks>What both groups do together.</remarks>
public sealed unsafe partial class Intercommunicator
{
    /// <summary>Gives all ranks of the other group the root's value, which stays as it is in the root's own group.</summary>
    /// <exception cref="MpiException">There is no such rank, the value has no form, or MPI refuses.</exception>
    public void Broadcast<T>(ref T value, Root root)
    {
        if (Plain<T>.Is)
        {
            BroadcastInto(new Span<T>(ref value), root);
            return;
        }
        Exception? failure = null;
        ReadOnlySpan<byte> data = root.IsHere ? WrittenOr(value, out failure) : default;
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        fixed (byte* at = data)
        {
            byte valid = failure == null ? (byte)1 : (byte)0;
            buffer = upcall_mpi_communicator_inter_broadcast_any(Handle, From(at, (nuint)data.Length), valid, root.Number, &failed);
        }
        GC.KeepAlive(this);
        Check(failed, failure);
        if (root.IsRemote)
        {
            value = Taken<T>(buffer);
        }
        else
        {
            Release(buffer);
        }
    }

    /// <summary>Gives all ranks of the other group the root's elements, of which all have as many.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, Root)"/>
    public void Broadcast<T>(Span<T> values, Root root)
        where T : unmanaged => BroadcastInto(values, root);

    /// <summary>Gives the root the values of the other group's ranks, in their order; null elsewhere. What the root's own group
    /// gives does not count.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, Root)"/>
    public T[]? Gather<T>(T value, Root root)
    {
        Exception? failure = null;
        ReadOnlySpan<byte> data = root.IsRemote ? WrittenOr(value, out failure) : default;
        var counts = new ulong[root.IsHere ? RemoteSize : 0];
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        fixed (byte* at = data)
        fixed (ulong* to = counts)
        {
            SliceMut_u64 room = new() { data = to, len = (nuint)counts.Length };
            buffer = upcall_mpi_communicator_inter_gather_parts(Handle, From(at, (nuint)data.Length), room, root.Number, &failed);
        }
        return Got<T>(buffer, counts, failed, failure, root.IsHere);
    }

    /// <summary>Gives the root the elements of the other group's ranks, of which all have as many. <paramref name="into"/> counts
    /// at the root, and <paramref name="values"/> in the other group.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, Root)"/>
    public void Gather<T>(ReadOnlySpan<T> values, Span<T> into, Root root)
        where T : unmanaged
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(root.IsRemote ? values : default);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_inter_gather(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), root.Number, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Gives each rank of the other group one of the root's values, of which there are as many; the default in the root's
    /// own group.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, Root)"/>
    public T? Scatter<T>(T[]? values, Root root)
    {
        var all = new ArrayBufferWriter<byte>();
        ulong[] counts = [];
        Exception? failure = null;
        if (root.IsHere)
        {
            counts = SideBySide(values, all, out failure);
        }
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        ReadOnlySpan<byte> data = all.WrittenSpan;
        fixed (byte* at = data)
        fixed (ulong* each = counts)
        {
            Slice_u64 told = new() { data = each, len = (nuint)counts.Length };
            buffer = upcall_mpi_communicator_inter_scatter_parts(Handle, From(at, (nuint)data.Length), told, root.Number, &failed);
        }
        GC.KeepAlive(this);
        Check(failed, failure);
        if (root.IsRemote)
        {
            return Taken<T>(buffer);
        }
        Release(buffer);
        return default;
    }

    /// <summary>Gives each rank of the other group its part of what the root has, as long as <paramref name="into"/> there.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, Root)"/>
    public void Scatter<T>(ReadOnlySpan<T> values, Span<T> into, Root root)
        where T : unmanaged
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(root.IsHere ? values : default);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_inter_scatter_into(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), root.Number, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Gives each group the values of all ranks of the other, in their order.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, Root)"/>
    public new T[] Allgather<T>(T value)
    {
        ReadOnlySpan<byte> data = WrittenOr(value, out Exception? failure);
        var counts = new ulong[RemoteSize];
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        fixed (byte* at = data)
        fixed (ulong* to = counts)
        {
            SliceMut_u64 room = new() { data = to, len = (nuint)counts.Length };
            buffer = upcall_mpi_communicator_inter_all_gather_parts(Handle, From(at, (nuint)data.Length), room, &failed);
        }
        return Got<T>(buffer, counts, failed, failure, isWanted: true)!;
    }

    /// <summary>Gives each group the elements of all ranks of the other, of which all of a group have as many.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, Root)"/>
    public new void Allgather<T>(ReadOnlySpan<T> values, Span<T> into)
        where T : unmanaged
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_inter_all_gather(Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Each rank has a value for each of the other group: what comes is what those had for this one.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, Root)"/>
    public new T[] Alltoall<T>(T[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        var all = new ArrayBufferWriter<byte>();
        // Where one has no form there are no counts, which all ranks are told.
        ulong[] counts = SideBySide(values, all, out Exception? failure);
        var received = new ulong[RemoteSize];
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        ReadOnlySpan<byte> data = all.WrittenSpan;
        fixed (byte* at = data)
        fixed (ulong* each = counts, to = received)
        {
            Slice_u64 told = new() { data = each, len = (nuint)counts.Length };
            SliceMut_u64 room = new() { data = to, len = (nuint)received.Length };
            buffer = upcall_mpi_communicator_inter_all_to_all_parts(Handle, From(at, (nuint)data.Length), told, room, &failed);
        }
        return Got<T>(buffer, received, failed, failure, isWanted: true)!;
    }

    /// <summary>Each rank has a part for each of the other group, all of them as long.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, Root)"/>
    public new void Alltoall<T>(ReadOnlySpan<T> values, Span<T> into)
        where T : unmanaged
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_inter_all_to_all(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), (nuint)Plain<T>.Size, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    private void BroadcastInto<T>(Span<T> values, Root root)
    {
        Native.Failure* failed = null;
        fixed (byte* at = &First(values))
        {
            nuint bytes = BytesOf<T>(values.Length);
            if (root.IsHere)
            {
                Plain<T>.Clean(at, bytes);
            }
            upcall_mpi_communicator_inter_broadcast(Handle, Into(at, bytes), root.Number, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>The values that have come, where they are wanted.</summary>
    private T[]? Got<T>(Buffer_u8 buffer, ulong[] counts, Native.Failure* failed, Exception? failure, bool isWanted)
    {
        GC.KeepAlive(this);
        if (failed == null && (failure != null || !isWanted))
        {
            Release(buffer);
        }
        Check(failed, failure);
        return isWanted ? Read<T>(buffer, counts) : null;
    }
}
