using System;
using System.Buffers;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <remarks>Objects of all ranks: bytes of any length each.</remarks>
public unsafe partial class Communicator
{
    /// <summary>In place of a root: all ranks get what there is.</summary>
    private const int Everybody = -1;

    /// <summary>The values of all ranks, for one of them or for everybody; null for the others.</summary>
    private T[]? Objects<T>(T value, int root)
    {
        ReadOnlySpan<byte> data = WrittenOr(value, out Exception? failure);
        var counts = new ulong[Size];
        Buffer_u8 buffer = Parts(data, counts, root, failure);
        if (root != Everybody && root != Rank)
        {
            Release(buffer);
            return null;
        }
        return Read<T>(buffer, counts);
    }

    /// <summary>The bytes of all ranks, side by side.</summary>
    private Buffer_u8 Parts(ReadOnlySpan<byte> data, ulong[] counts, int root, Exception? failure) =>
        Parts(ref MemoryMarshal.GetReference(data), (nuint)data.Length, counts, root, failure);

    /// <summary>The same of more bytes than a span has.</summary>
    private Buffer_u8 Parts(ref byte first, nuint length, ulong[] counts, int root, Exception? failure)
    {
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        fixed (byte* at = &first)
        fixed (ulong* to = counts)
        {
            SliceMut_u64 room = new() { data = to, len = (nuint)counts.Length };
            Slice_u8 bytes = From(at, length);
            // Where this rank has none all are told.
            byte valid = failure == null ? (byte)1 : (byte)0;
            buffer = root == Everybody
                ? upcall_mpi_communicator_all_gather_values(Handle, bytes, valid, room, &failed)
                : upcall_mpi_communicator_gather_values(Handle, bytes, valid, room, root, &failed);
        }
        GC.KeepAlive(this);
        Check(failed, failure);
        return buffer;
    }

    /// <summary>The root's values, one for each rank; null where it lacks something, which is named and told to all.</summary>
    private T ScatterObjects<T>(T[]? values, int root, string? missing = null)
    {
        var all = new ArrayBufferWriter<byte>();
        ulong[] counts = [];
        Exception? failure = null;
        if (Rank == root)
        {
            counts = SideBySide(values, all, out failure);
        }
        if (missing != null)
        {
            failure = new ArgumentNullException(missing);
        }
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        ReadOnlySpan<byte> data = all.WrittenSpan;
        fixed (byte* at = data)
        fixed (ulong* each = counts)
        {
            Slice_u64 told = new() { data = each, len = (nuint)counts.Length };
            buffer = upcall_mpi_communicator_scatter_parts(Handle, From(at, (nuint)data.Length), told, root, &failed);
        }
        GC.KeepAlive(this);
        Check(failed, failure);
        return Taken<T>(buffer);
    }

    private T[] AlltoallObjects<T>(T[] values)
    {
        var all = new ArrayBufferWriter<byte>();
        // Where one has no form there are no counts, which all ranks are told.
        ulong[] counts = SideBySide(values, all, out Exception? failure);
        var received = new ulong[Size];
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        ReadOnlySpan<byte> data = all.WrittenSpan;
        fixed (byte* at = data)
        fixed (ulong* each = counts, to = received)
        {
            Slice_u64 told = new() { data = each, len = (nuint)counts.Length };
            SliceMut_u64 room = new() { data = to, len = (nuint)received.Length };
            buffer = upcall_mpi_communicator_all_to_all_parts(Handle, From(at, (nuint)data.Length), told, room, &failed);
        }
        GC.KeepAlive(this);
        if (failed == null && failure != null)
        {
            Release(buffer);
        }
        Check(failed, failure);
        return Read<T>(buffer, received);
    }

    /// <summary>Writes all of them, and says how long each is; none where one has no form, or where there are none.</summary>
    private protected ulong[] SideBySide<T>(T[]? values, ArrayBufferWriter<byte> to, out Exception? failure)
    {
        try
        {
            failure = null;
            ArgumentNullException.ThrowIfNull(values);
            var counts = new ulong[values.Length];
            for (int index = 0; index < values.Length; index++)
            {
                int before = to.WrittenCount;
                MpiForm<T>.It.Write(values[index], to, Serializer);
                counts[index] = (ulong)(to.WrittenCount - before);
            }
            return counts;
        }
        catch (Exception exception)
        {
            failure = exception;
            return [];
        }
    }

    private protected T[] Read<T>(Buffer_u8 buffer, ulong[] counts)
    {
        try
        {
            var values = new T[counts.Length];
            ReadOnlySpan<byte> rest = Bytes(buffer);
            for (int index = 0; index < values.Length; index++)
            {
                values[index] = MpiForm<T>.It.Read(rest[..(int)counts[index]], Serializer);
                rest = rest[(int)counts[index]..];
            }
            return values;
        }
        finally
        {
            Release(buffer);
        }
    }

    /// <summary>Throws what has failed here, else what a function reported.</summary>
    internal static void Check(Native.Failure* failed, Exception? failure)
    {
        if (failure != null)
        {
            if (failed != null)
            {
                _ = Library.Read(failed);
            }
            ExceptionDispatchInfo.Throw(failure);
        }
        MpiException.Check(failed);
    }
}
