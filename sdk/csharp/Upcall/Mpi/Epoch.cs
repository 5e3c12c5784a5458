using System;
using System.Runtime.InteropServices;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// What is done to other ranks' memory between two points in time: see <see cref="Window{T}"/>. What it begins has ended when this
/// is disposed; what is fetched is there then.
/// </summary>
public unsafe class Epoch<T> : EpochOf
    where T : unmanaged
{
    internal Epoch(object window, UpcallMpiEpoch* native)
        : base(window, native)
    {
    }

    /// <summary>Writes a copy of elements at a rank, from its element <paramref name="at"/> on.</summary>
    /// <exception cref="MpiException">There is no such rank or place, the epoch is not with that rank or has ended, or MPI refuses.
    /// </exception>
    public void Put(ReadOnlySpan<T> values, int rank, int at)
    {
        ulong place = Place(at);
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* from = &bytes.First)
        {
            upcall_mpi_epoch_put(Handle, Slice(from, bytes.Length), rank, place, &failed);
        }
        bytes.Dispose();
        Done(failed);
    }

    /// <summary>As the other, without a copy: of an array or of an <see cref="MpiBuffer{T}"/>'s <c>Memory</c>, which stays where it
    /// is and must not be changed before the epoch has ended.</summary>
    /// <inheritdoc cref="Put(ReadOnlySpan{T}, int, int)"/>
    public void Put(ReadOnlyMemory<T> values, int rank, int at)
    {
        if (Plain<T>.Padded)
        {
            Put(values.Span, rank, at);
            return;
        }
        UpcallMpiEpoch* epoch = Handle;
        ulong place = Place(at);
        Lease lease = Lease.Of(values, "put");
        Native.Failure* failed = null;
        upcall_mpi_epoch_put_lent(
            epoch, lease.At, Bytes(values.Length), rank, place, &Lease.Called, lease.Context, &Lease.Release, &failed);
        Done(failed);
    }

    /// <inheritdoc cref="Put(ReadOnlyMemory{T}, int, int)"/>
    public void Put(T[] values, int rank, int at)
    {
        ArgumentNullException.ThrowIfNull(values);
        if (Plain<T>.Pins)
        {
            Put(new ReadOnlyMemory<T>(values), rank, at);
        }
        else
        {
            Put(new ReadOnlySpan<T>(values), rank, at);
        }
    }

    /// <summary>Reads elements of a rank's, from its element <paramref name="at"/> on, into an array or an <see
    /// cref="MpiBuffer{T}"/>'s <c>Memory</c>: they are there when the epoch has ended, and nobody uses it before that.</summary>
    /// <inheritdoc cref="Put(ReadOnlySpan{T}, int, int)"/>
    public void Get(Memory<T> into, int rank, int at)
    {
        UpcallMpiEpoch* epoch = Handle;
        ulong place = Place(at);
        Lease lease = Lease.Of((ReadOnlyMemory<T>)into, "get");
        Native.Failure* failed = null;
        upcall_mpi_epoch_get_lent(
            epoch, lease.At, Bytes(into.Length), rank, place, &Lease.Called, lease.Context, &Lease.Release, &failed);
        Done(failed);
    }

    /// <summary>Combines a copy of elements into those of a rank's, each at once: <c>there = there op here</c>. Several ranks may do
    /// so to the same elements, with one operation, which is one of MPI's own on numbers.</summary>
    /// <exception cref="MpiException">There is no such rank or place, the epoch is not with that rank or has ended, the operation is
    /// a function, the MPI in use compares unsigned numbers wrongly, or MPI refuses.</exception>
    public void Accumulate(ReadOnlySpan<T> values, int rank, int at, Operation<T> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        UpcallMpiEpoch* epoch = Handle;
        ulong place = Place(at);
        UpcallMpiCombining* combining = operation.Combining;
        Native.Failure* failed = null;
        fixed (byte* from = MemoryMarshal.AsBytes(values))
        {
            upcall_mpi_epoch_accumulate(epoch, Slice(from, Bytes(values.Length)), rank, place, combining, &failed);
        }
        GC.KeepAlive(operation);
        Done(failed);
    }

    /// <summary>As the other, without a copy: see <see cref="Put(ReadOnlyMemory{T}, int, int)"/>.</summary>
    /// <inheritdoc cref="Accumulate(ReadOnlySpan{T}, int, int, Operation{T})"/>
    public void Accumulate(ReadOnlyMemory<T> values, int rank, int at, Operation<T> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        UpcallMpiEpoch* epoch = Handle;
        ulong place = Place(at);
        UpcallMpiCombining* combining = operation.Combining;
        Lease lease = Lease.Of(values, "accumulate");
        Native.Failure* failed = null;
        upcall_mpi_epoch_accumulate_lent(
            epoch, lease.At, Bytes(values.Length), rank, place, combining, &Lease.Called, lease.Context, &Lease.Release, &failed);
        GC.KeepAlive(operation);
        Done(failed);
    }

    /// <inheritdoc cref="Accumulate(ReadOnlyMemory{T}, int, int, Operation{T})"/>
    public void Accumulate(T[] values, int rank, int at, Operation<T> operation)
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(operation);
        if (Plain<T>.Pins)
        {
            Accumulate(new ReadOnlyMemory<T>(values), rank, at, operation);
        }
        else
        {
            Accumulate(new ReadOnlySpan<T>(values), rank, at, operation);
        }
    }

    /// <summary>As <see cref="Accumulate(ReadOnlySpan{T}, int, int, Operation{T})"/>; <paramref name="before"/> has what was there
    /// before, when the epoch has ended.</summary>
    /// <inheritdoc cref="Accumulate(ReadOnlySpan{T}, int, int, Operation{T})"/>
    public void GetAccumulate(ReadOnlySpan<T> values, Memory<T> before, int rank, int at, Operation<T> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        UpcallMpiEpoch* epoch = Handle;
        ulong place = Place(at);
        UpcallMpiCombining* combining = operation.Combining;
        Lease lease = Lease.Of((ReadOnlyMemory<T>)before, "get and accumulate");
        Native.Failure* failed = null;
        fixed (byte* from = MemoryMarshal.AsBytes(values))
        {
            upcall_mpi_epoch_get_accumulate_lent(
                epoch, Slice(from, Bytes(values.Length)), lease.At, Bytes(before.Length), rank, place, combining, &Lease.Called,
                lease.Context, &Lease.Release, &failed);
        }
        GC.KeepAlive(operation);
        Done(failed);
    }

    /// <summary>Combines one number into one of a rank's at once; the first of <paramref name="before"/> is what was there before,
    /// when the epoch has ended.</summary>
    /// <inheritdoc cref="Accumulate(ReadOnlySpan{T}, int, int, Operation{T})"/>
    public void FetchAndOpInto(T value, Memory<T> before, int rank, int at, Operation<T> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        UpcallMpiEpoch* epoch = Handle;
        ulong place = Place(at);
        UpcallMpiCombining* combining = operation.Combining;
        Lease lease = Lease.Of((ReadOnlyMemory<T>)before[..1], "fetch and combine");
        Native.Failure* failed = null;
        upcall_mpi_epoch_fetch_and_op_lent(
            epoch, Slice((byte*)&value, Bytes(1)), lease.At, Bytes(1), rank, place, combining, &Lease.Called, lease.Context,
            &Lease.Release, &failed);
        GC.KeepAlive(operation);
        Done(failed);
    }

    /// <summary>Writes an integer at a rank if what is there is <paramref name="expected"/>, at once; the first of <paramref
    /// name="before"/> is what was there, when the epoch has ended.</summary>
    /// <exception cref="MpiException">There is no such rank or place, the epoch is not with that rank or has ended, the type is no
    /// integer, or MPI refuses.</exception>
    public void CompareAndSwapInto(T expected, T value, Memory<T> before, int rank, int at)
    {
        UpcallMpiEpoch* epoch = Handle;
        ulong place = Place(at);
        UpcallMpiCombining* number = Operation<T>.Replace.Combining;
        Lease lease = Lease.Of((ReadOnlyMemory<T>)before[..1], "compare and swap");
        Native.Failure* failed = null;
        upcall_mpi_epoch_compare_and_swap_lent(
            epoch, Slice((byte*)&expected, Bytes(1)), Slice((byte*)&value, Bytes(1)), lease.At, Bytes(1), rank, place, number,
            &Lease.Called, lease.Context, &Lease.Release, &failed);
        Done(failed);
    }

    private protected static Slice_u8 Slice(byte* at, nuint bytes) => new() { data = at, len = bytes };

    private protected static SliceMut_u8 Room(byte* at, nuint bytes) => new() { data = at, len = bytes };

    private protected static nuint Bytes(int count) => (nuint)count * (nuint)sizeof(T);

    private protected static ulong Place(int at) => at >= 0 ? (ulong)at : throw new MpiException(
        MpiError.Range, $"access a window: there is no element {at}; they count from 0 on");

    private protected void Done(Native.Failure* failed)
    {
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }
}
