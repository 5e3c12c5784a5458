using System;
using System.Linq;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public unsafe partial class Communicator
{
    /// <summary>Combines the elements of all ranks for all of them, in place.</summary>
    /// <inheritdoc cref="Allreduce{T}(T, Operation{T})"/>
    public void Allreduce<T>(Span<T> values, Operation<T> operation)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(operation);
        Native.Failure* failed = null;
        fixed (byte* at = &First(values))
        {
            nuint bytes = BytesOf<T>(values.Length);
            Plain<T>.Clean(at, bytes);
            upcall_mpi_communicator_all_reduce_in_place(Handle, Into(at, bytes), operation.Handle, &failed);
        }
        GC.KeepAlive(this);
        operation.Check(failed);
    }

    /// <summary>The same by a function: <c>(a, b) => a + b</c>.</summary>
    /// <inheritdoc cref="Allreduce{T}(Span{T}, Operation{T})"/>
    public void Allreduce<T>(Span<T> values, Func<T, T, T> operation)
        where T : unmanaged
    {
        using var made = Operation<T>.Once(operation);
        Allreduce(values, made);
    }

    /// <summary>
    /// As <see cref="Allreduce{T}(ReadOnlySpan{T}, Span{T}, Operation{T})"/>; where the operation failed on one rank it is an
    /// error on all of them, for one small exchange more.
    /// </summary>
    /// <inheritdoc cref="Allreduce{T}(T, Operation{T})"/>
    public void AllreduceChecked<T>(ReadOnlySpan<T> values, Span<T> into, Operation<T> operation)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(operation);
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_all_reduce_checked(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), operation.Handle, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        operation.Check(failed);
    }

    /// <summary>As <see cref="Allreduce{T}(T[], Operation{T})"/>; where the operation failed on one rank it is an error on all of
    /// them, for one small exchange more.</summary>
    /// <inheritdoc cref="Allreduce{T}(T, Operation{T})"/>
    public T[] AllreduceChecked<T>(T[] values, Operation<T> operation)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(operation);
        var into = new T[values.Length];
        AllreduceChecked(values, into, operation);
        return into;
    }

    /// <summary>As <see cref="Allreduce{T}(T, Operation{T})"/>; where the operation failed on one rank it is an error on all of
    /// them, for one small exchange more.</summary>
    /// <inheritdoc cref="Allreduce{T}(T, Operation{T})"/>
    public T AllreduceChecked<T>(T value, Operation<T> operation)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(operation);
        T into = default;
        AllreduceChecked(new ReadOnlySpan<T>(ref value), new Span<T>(ref into), operation);
        return into;
    }

    /// <summary>Combines the elements of all ranks and gives each its part: <c>counts[r]</c> for rank <c>r</c>.</summary>
    /// <inheritdoc cref="Allreduce{T}(T, Operation{T})"/>
    public T[] ReduceScatter<T>(T[] values, Operation<T> operation, int[] counts)
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(operation);
        ArgumentNullException.ThrowIfNull(counts);
        if (counts.Length != Size || counts.Sum(count => (long)count) != values.Length)
        {
            throw new MpiException(
                MpiError.Usage,
                $"reduce {values.Length} elements of each rank in parts: the {counts.Length} counts are not those of the "
                + $"elements and of the {Size} ranks");
        }
        if (!Plain<T>.Is)
        {
            T[] all = Allreduce(values, operation);
            return all.AsSpan(counts.AsSpan(0, Rank).ToArray().Sum(), counts[Rank]).ToArray();
        }
        ulong[] shares = Array.ConvertAll(counts, count => (ulong)BytesOf<T>(count));
        var into = new T[counts[Rank]];
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First<T>(into))
        fixed (ulong* each = shares)
        {
            Slice_u64 told = new() { data = each, len = (nuint)shares.Length };
            upcall_mpi_communicator_reduce_scatter(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), told, operation.Handle, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        operation.Check(failed);
        return into;
    }

    /// <inheritdoc cref="ReduceScatter{T}(T[], Operation{T}, int[])"/>
    public T[] ReduceScatter<T>(T[] values, Func<T, T, T> operation, int[] counts)
    {
        using var made = Operation<T>.Once(operation);
        return ReduceScatter(values, made, counts);
    }

    private void Reduced<T>(
        UpcallMpiReduction what, ReadOnlySpan<T> values, Span<T> into, Operation<T> operation, int root)
    {
        Native.Failure* failed = null;
        UpcallMpiOperation* by = operation.Handle;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            Slice_u8 from = From(at, bytes.Length);
            SliceMut_u8 room = Into(to, BytesOf<T>(into.Length));
            switch (what)
            {
                case UpcallMpiReduction.Reduce:
                    upcall_mpi_communicator_reduce(Handle, from, room, by, root, &failed);
                    break;
                case UpcallMpiReduction.AllReduce:
                    upcall_mpi_communicator_all_reduce(Handle, from, room, by, &failed);
                    break;
                case UpcallMpiReduction.Scan:
                    upcall_mpi_communicator_scan(Handle, from, room, by, &failed);
                    break;
                default:
                    upcall_mpi_communicator_exclusive_scan(Handle, from, room, by, &failed);
                    break;
            }
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        operation.Check(failed);
    }

    /// <summary>A value that is reduced, as it lies in memory or as an object.</summary>
    private T ReduceAs<T>(UpcallMpiReduction what, T value, Operation<T> operation, int root)
    {
        if (!Plain<T>.Is)
        {
            return Fold(value, operation, what, root)!;
        }
        T into = default!;
        Reduced(what, new ReadOnlySpan<T>(ref value), new Span<T>(ref into), operation, root);
        return into;
    }

    /// <summary>The same of an array; null where a rank gets none.</summary>
    private T[]? ReduceAs<T>(UpcallMpiReduction what, T[] values, Operation<T> operation, int root)
    {
        if (!Plain<T>.Is)
        {
            return Fold(values, operation, what, root);
        }
        T[]? into = what == UpcallMpiReduction.Reduce && Rank != root ? null : new T[values.Length];
        Reduced(what, values, into, operation, root);
        return into;
    }

    /// <summary>Objects, combined in the order of the ranks where all of them are.</summary>
    private T? Fold<T>(T value, Operation<T> operation, UpcallMpiReduction what, int root) =>
        Folded(value, what, root, operation.Combine);

    /// <summary>Arrays of objects, combined element by element.</summary>
    private T[]? Fold<T>(T[] values, Operation<T> operation, UpcallMpiReduction what, int root)
    {
        T[]? folded = Folded(values, what, root, EachBy(operation));
        return folded ?? (what == UpcallMpiReduction.ExclusiveScan ? new T[values.Length] : null);
    }

    private T? Folded<T>(T value, UpcallMpiReduction what, int root, Func<T, T, T> combine)
    {
        T[]? all = Objects(value, what == UpcallMpiReduction.Reduce ? root : Everybody);
        if (all == null)
        {
            return default;
        }
        int count = what switch
        {
            UpcallMpiReduction.Scan => Rank + 1,
            UpcallMpiReduction.ExclusiveScan => Rank,
            _ => Size,
        };
        if (count == 0)
        {
            return default;
        }
        return Combined(all.AsSpan(0, count), combine);
    }

    /// <summary>Combines arrays of objects, element by element.</summary>
    private protected static Func<T[], T[], T[]> EachBy<T>(Operation<T> operation) => (from, into) =>
    {
        if (from.Length != into.Length)
        {
            throw new MpiException(
                MpiError.Usage, $"combine arrays of objects: one rank has {from.Length}, and another {into.Length}");
        }
        var combined = new T[from.Length];
        for (int index = 0; index < combined.Length; index++)
        {
            combined[index] = operation.Combine(from[index], into[index]);
        }
        return combined;
    };

    /// <summary>Objects of at least one rank, combined in the order of the ranks.</summary>
    private protected static T Combined<T>(ReadOnlySpan<T> all, Func<T, T, T> combine)
    {
        try
        {
            T combined = all[0];
            foreach (T value in all[1..])
            {
                combined = combine(combined, value);
            }
            return combined;
        }
        catch (Exception exception) when (exception is not MpiException)
        {
            throw new MpiException(MpiError.Operation, $"combine objects: the operation failed: {exception.Message}", exception);
        }
    }
}
