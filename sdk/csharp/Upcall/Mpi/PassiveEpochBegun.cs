using System;
using System.Runtime.InteropServices;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <remarks>Accesses that are requests: each is waited for by itself, and by the epoch at the latest, also where it is disposed.
/// </remarks>
public sealed unsafe partial class PassiveEpoch<T>
{
    /// <summary>Begins to write elements at a rank: when the request has ended they may be changed, and they are there when the epoch
    /// has ended, or after a <see cref="Flush(int)"/>.</summary>
    /// <inheritdoc cref="Epoch{T}.Put(ReadOnlySpan{T}, int, int)"/>
    public Request StartPut(T[] values, int rank, int at) => StartPut(new ReadOnlyMemory<T>(values.NotNull()), rank, at);

    /// <summary>As the other, of an array or of an <see cref="MpiBuffer{T}"/>'s <c>Memory</c>.</summary>
    /// <inheritdoc cref="Epoch{T}.Put(ReadOnlySpan{T}, int, int)"/>
    public Request StartPut(ReadOnlyMemory<T> values, int rank, int at)
    {
        UpcallMpiEpoch* epoch = Handle;
        ulong place = Place(at);
        Native.Failure* failed = null;
        UpcallMpiRequest* request;
        if (Plain<T>.Pins && !Plain<T>.Padded)
        {
            Lease lease = Lease.Of(values, "begin to put");
            request = upcall_mpi_epoch_start_put_lent(
                epoch, lease.At, Bytes(values.Length), rank, place, &Lease.Called, lease.Context, &Lease.Release, &failed);
        }
        else
        {
            var bytes = new Outgoing<T>(values.Span);
            fixed (byte* from = &bytes.First)
            {
                request = upcall_mpi_epoch_start_put(epoch, Slice(from, bytes.Length), rank, place, &failed);
            }
            bytes.Dispose();
        }
        Done(failed);
        return new SendRequest(new NativeRequest(request));
    }

    /// <summary>Begins to read elements of a rank's: the request's value, when it has ended.</summary>
    /// <inheritdoc cref="Epoch{T}.Put(ReadOnlySpan{T}, int, int)"/>
    public ReceiveRequest<T[]> StartGet(int rank, int at, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        T[] into = GC.AllocateArray<T>(count, pinned: true);
        UpcallMpiEpoch* epoch = Handle;
        ulong place = Place(at);
        var kept = GCHandle.Alloc(into);
        Native.Failure* failed = null;
        UpcallMpiRequest* request;
        fixed (byte* to = MemoryMarshal.AsBytes(into.AsSpan()))
        {
            request = NativeRequest.Get(epoch, kept, to, Bytes(count), rank, place, &failed);
        }
        Done(failed);
        return new ArrayReceiveRequest<T, T[]>(new NativeRequest(request), into, into, array => array, null);
    }

    /// <summary>As the other, into an array or an <see cref="MpiBuffer{T}"/>'s <c>Memory</c>, which nobody uses before the request
    /// has ended.</summary>
    /// <inheritdoc cref="Epoch{T}.Put(ReadOnlySpan{T}, int, int)"/>
    public Request StartGet(Memory<T> into, int rank, int at)
    {
        UpcallMpiEpoch* epoch = Handle;
        ulong place = Place(at);
        Lease lease = Lease.Of((ReadOnlyMemory<T>)into, "begin to get");
        Native.Failure* failed = null;
        UpcallMpiRequest* request = upcall_mpi_epoch_start_get_lent(
            epoch, lease.At, Bytes(into.Length), rank, place, &Lease.Called, lease.Context, &Lease.Release, &failed);
        Done(failed);
        return new SendRequest(new NativeRequest(request));
    }

    /// <summary>Begins to combine elements into those of a rank's, as <c>Accumulate</c>: when the request has ended they may be
    /// changed.</summary>
    /// <inheritdoc cref="Epoch{T}.Accumulate(ReadOnlySpan{T}, int, int, Operation{T})"/>
    public Request StartAccumulate(T[] values, int rank, int at, Operation<T> operation) =>
        StartAccumulate(new ReadOnlyMemory<T>(values.NotNull()), rank, at, operation);

    /// <summary>As the other, of an array or of an <see cref="MpiBuffer{T}"/>'s <c>Memory</c>.</summary>
    /// <inheritdoc cref="Epoch{T}.Accumulate(ReadOnlySpan{T}, int, int, Operation{T})"/>
    public Request StartAccumulate(ReadOnlyMemory<T> values, int rank, int at, Operation<T> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        UpcallMpiEpoch* epoch = Handle;
        ulong place = Place(at);
        UpcallMpiCombining* combining = operation.Combining;
        Native.Failure* failed = null;
        UpcallMpiRequest* request;
        if (Plain<T>.Pins)
        {
            Lease lease = Lease.Of(values, "begin to accumulate");
            request = upcall_mpi_epoch_start_accumulate_lent(
                epoch, lease.At, Bytes(values.Length), rank, place, combining, &Lease.Called, lease.Context, &Lease.Release, &failed);
        }
        else
        {
            fixed (byte* from = MemoryMarshal.AsBytes(values.Span))
            {
                request = upcall_mpi_epoch_start_accumulate(epoch, Slice(from, Bytes(values.Length)), rank, place, combining, &failed);
            }
        }
        GC.KeepAlive(operation);
        Done(failed);
        return new SendRequest(new NativeRequest(request));
    }
}
