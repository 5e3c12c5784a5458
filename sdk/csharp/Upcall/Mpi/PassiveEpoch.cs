using System;
using System.Runtime.InteropServices;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>An epoch of locks, whose operations may be completed before it ends, and which has such as are complete when they
/// return.</summary>
public sealed unsafe partial class PassiveEpoch<T> : Epoch<T>
    where T : unmanaged
{
    internal PassiveEpoch(object window, UpcallMpiEpoch* native)
        : base(window, native)
    {
    }

    /// <summary>Completes what was begun with a rank: there too.</summary>
    /// <exception cref="MpiException">There is no such rank, the epoch is not with it or has ended, or MPI refuses.</exception>
    public void Flush(int rank) => Flush(rank, false);

    /// <summary>The same with all.</summary>
    /// <exception cref="MpiException">The epoch has ended, or MPI refuses.</exception>
    public void FlushAll() => Flush(UpcallMpiAny, false);

    /// <summary>Completes what was begun with a rank on this side only: what was put has been read, and may not be there yet.
    /// </summary>
    /// <inheritdoc cref="Flush(int)"/>
    public void FlushLocal(int rank) => Flush(rank, true);

    /// <summary>The same with all.</summary>
    /// <inheritdoc cref="FlushAll"/>
    public void FlushLocalAll() => Flush(UpcallMpiAny, true);

    /// <summary>Reads elements of a rank's: they are here when it returns.</summary>
    /// <inheritdoc cref="Epoch{T}.Put(ReadOnlySpan{T}, int, int)"/>
    public T[] Fetch(int rank, int at, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        var into = new T[count];
        Fetch(into.AsSpan(), rank, at);
        return into;
    }

    /// <summary>As the other, into a span.</summary>
    /// <inheritdoc cref="Epoch{T}.Put(ReadOnlySpan{T}, int, int)"/>
    public void Fetch(Span<T> into, int rank, int at)
    {
        ulong place = Place(at);
        Native.Failure* failed = null;
        fixed (byte* to = MemoryMarshal.AsBytes(into))
        {
            upcall_mpi_epoch_fetch(Handle, Room(to, Bytes(into.Length)), rank, place, &failed);
        }
        Done(failed);
    }

    /// <summary>Combines elements into those of a rank's, each at once: what was there before.</summary>
    /// <inheritdoc cref="Epoch{T}.Accumulate(ReadOnlySpan{T}, int, int, Operation{T})"/>
    public T[] FetchAndAccumulate(ReadOnlySpan<T> values, int rank, int at, Operation<T> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        ulong place = Place(at);
        UpcallMpiCombining* combining = operation.Combining;
        var before = new T[values.Length];
        Native.Failure* failed = null;
        fixed (byte* from = MemoryMarshal.AsBytes(values), to = MemoryMarshal.AsBytes(before.AsSpan()))
        {
            nuint bytes = Bytes(values.Length);
            upcall_mpi_epoch_fetch_and_accumulate(Handle, Slice(from, bytes), Room(to, bytes), rank, place, combining, &failed);
        }
        GC.KeepAlive(operation);
        Done(failed);
        return before;
    }

    /// <summary>Combines one number into one of a rank's at once: what was there before.</summary>
    /// <inheritdoc cref="Epoch{T}.Accumulate(ReadOnlySpan{T}, int, int, Operation{T})"/>
    public T FetchAndOp(T value, int rank, int at, Operation<T> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        ulong place = Place(at);
        UpcallMpiCombining* combining = operation.Combining;
        T before = default;
        Native.Failure* failed = null;
        upcall_mpi_epoch_fetch_and_op(
            Handle, Slice((byte*)&value, Bytes(1)), Room((byte*)&before, Bytes(1)), rank, place, combining, &failed);
        GC.KeepAlive(operation);
        Done(failed);
        return before;
    }

    /// <summary>Reads one number of a rank's at once, whatever others combine into it meanwhile.</summary>
    /// <exception cref="NotSupportedException">The type is none of MPI's numbers.</exception>
    /// <inheritdoc cref="Epoch{T}.Put(ReadOnlySpan{T}, int, int)"/>
    public T Load(int rank, int at) => FetchAndOp(default, rank, at, Operators<T>.Nothing.Value);

    /// <summary>Reads numbers of a rank's, each at once, whatever others combine into them meanwhile.</summary>
    /// <exception cref="NotSupportedException">The type is none of MPI's numbers.</exception>
    /// <inheritdoc cref="Epoch{T}.Put(ReadOnlySpan{T}, int, int)"/>
    public T[] LoadAll(int rank, int at, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        return FetchAndAccumulate(new T[count], rank, at, Operators<T>.Nothing.Value);
    }

    /// <summary>Writes an integer at a rank if what is there is <paramref name="expected"/>, at once: what was there, which is
    /// <paramref name="expected"/> where it was written.</summary>
    /// <inheritdoc cref="Epoch{T}.CompareAndSwapInto"/>
    public T CompareAndSwap(T expected, T value, int rank, int at)
    {
        ulong place = Place(at);
        UpcallMpiCombining* number = Operation<T>.Replace.Combining;
        T before = default;
        Native.Failure* failed = null;
        upcall_mpi_epoch_compare_and_swap(
            Handle, Slice((byte*)&expected, Bytes(1)), Slice((byte*)&value, Bytes(1)), Room((byte*)&before, Bytes(1)), rank, place,
            number, &failed);
        Done(failed);
        return before;
    }

    private void Flush(int rank, bool local)
    {
        // -1 stands for all.
        if (rank < 0 && rank != UpcallMpiAny)
        {
            throw new MpiException(MpiError.Rank, $"flush: there is no rank {rank}; they count from 0 on");
        }
        Native.Failure* failed = null;
        upcall_mpi_epoch_flush(Handle, rank, local ? (byte)1 : (byte)0, &failed);
        Done(failed);
    }
}
