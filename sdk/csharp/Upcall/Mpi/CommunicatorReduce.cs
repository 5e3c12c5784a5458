using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public unsafe partial class Communicator
{
    /// <summary>Combines the values of all ranks for one of them; what the others get is of no use.</summary>
    /// <exception cref="MpiException">The operation failed on this rank, the values have no form, or MPI refuses.</exception>
    public T Reduce<T>(T value, Operation<T> operation, int root) =>
        ReduceAs(UpcallMpiReduction.Reduce, value, operation.NotNull(), root);

    /// <summary>Combines the values of all ranks for one of them; what the others get is of no use.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, int)"/>
    public T Reduce<T>(T value, Func<T, T, T> operation, int root)
    {
        using var made = Operation<T>.Once(operation);
        return Reduce(value, made, root);
    }

    /// <summary>Combines the elements of all ranks, of which all have as many, for one of them; null for the others.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, int)"/>
    public T[]? Reduce<T>(T[] values, Operation<T> operation, int root) =>
        ReduceAs(UpcallMpiReduction.Reduce, values.NotNull(), operation.NotNull(), root);

    /// <summary>Combines the elements of all ranks, of which all have as many, for one of them; null for the others.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, int)"/>
    public T[]? Reduce<T>(T[] values, Func<T, T, T> operation, int root)
    {
        using var made = Operation<T>.Once(operation);
        return Reduce(values, made, root);
    }

    /// <summary>Combines the elements of all ranks for one of them: <paramref name="into"/> has room for as many there; the others' is not looked at.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, int)"/>
    public void Reduce<T>(ReadOnlySpan<T> values, Span<T> into, Operation<T> operation, int root)
        where T : unmanaged => Reduced(UpcallMpiReduction.Reduce, values, into, operation.NotNull(), root);

    /// <summary>The same by a function: <c>(a, b) => a + b</c>.</summary>
    /// <inheritdoc cref="Reduce{T}(ReadOnlySpan{T}, Span{T}, Operation{T}, int)"/>
    public void Reduce<T>(ReadOnlySpan<T> values, Span<T> into, Func<T, T, T> operation, int root)
        where T : unmanaged
    {
        using var made = Operation<T>.Once(operation);
        Reduce(values, into, made, root);
    }

    /// <summary>Combines the values of all ranks for all of them.</summary>
    /// <exception cref="MpiException">The operation failed on this rank, the values have no form, or MPI refuses.</exception>
    public T Allreduce<T>(T value, Operation<T> operation) =>
        ReduceAs(UpcallMpiReduction.AllReduce, value, operation.NotNull(), 0);

    /// <summary>Combines the values of all ranks for all of them.</summary>
    /// <inheritdoc cref="Allreduce{T}(T, Operation{T})"/>
    public T Allreduce<T>(T value, Func<T, T, T> operation)
    {
        using var made = Operation<T>.Once(operation);
        return Allreduce(value, made);
    }

    /// <summary>Combines the elements of all ranks, of which all have as many, for all of them.</summary>
    /// <inheritdoc cref="Allreduce{T}(T, Operation{T})"/>
    public T[] Allreduce<T>(T[] values, Operation<T> operation) =>
        ReduceAs(UpcallMpiReduction.AllReduce, values.NotNull(), operation.NotNull(), 0)!;

    /// <summary>Combines the elements of all ranks, of which all have as many, for all of them.</summary>
    /// <inheritdoc cref="Allreduce{T}(T, Operation{T})"/>
    public T[] Allreduce<T>(T[] values, Func<T, T, T> operation)
    {
        using var made = Operation<T>.Once(operation);
        return Allreduce(values, made);
    }

    /// <summary>Combines the elements of all ranks for all of them.</summary>
    /// <inheritdoc cref="Allreduce{T}(T, Operation{T})"/>
    public void Allreduce<T>(ReadOnlySpan<T> values, Span<T> into, Operation<T> operation)
        where T : unmanaged => Reduced(UpcallMpiReduction.AllReduce, values, into, operation.NotNull(), 0);

    /// <summary>The same by a function: <c>(a, b) => a + b</c>.</summary>
    /// <inheritdoc cref="Allreduce{T}(ReadOnlySpan{T}, Span{T}, Operation{T})"/>
    public void Allreduce<T>(ReadOnlySpan<T> values, Span<T> into, Func<T, T, T> operation)
        where T : unmanaged
    {
        using var made = Operation<T>.Once(operation);
        Allreduce(values, into, made);
    }

    /// <summary>Combines the values of the ranks up to this one, itself included.</summary>
    /// <exception cref="MpiException">The operation failed on this rank, the values have no form, or MPI refuses.</exception>
    public T Scan<T>(T value, Operation<T> operation) =>
        ReduceAs(UpcallMpiReduction.Scan, value, operation.NotNull(), 0);

    /// <summary>Combines the values of the ranks up to this one, itself included.</summary>
    /// <inheritdoc cref="Scan{T}(T, Operation{T})"/>
    public T Scan<T>(T value, Func<T, T, T> operation)
    {
        using var made = Operation<T>.Once(operation);
        return Scan(value, made);
    }

    /// <summary>Combines the elements of the ranks up to this one, itself included.</summary>
    /// <inheritdoc cref="Scan{T}(T, Operation{T})"/>
    public T[] Scan<T>(T[] values, Operation<T> operation) =>
        ReduceAs(UpcallMpiReduction.Scan, values.NotNull(), operation.NotNull(), 0)!;

    /// <summary>Combines the elements of the ranks up to this one, itself included.</summary>
    /// <inheritdoc cref="Scan{T}(T, Operation{T})"/>
    public T[] Scan<T>(T[] values, Func<T, T, T> operation)
    {
        using var made = Operation<T>.Once(operation);
        return Scan(values, made);
    }

    /// <summary>Combines the elements of the ranks up to this one, itself included.</summary>
    /// <inheritdoc cref="Scan{T}(T, Operation{T})"/>
    public void Scan<T>(ReadOnlySpan<T> values, Span<T> into, Operation<T> operation)
        where T : unmanaged => Reduced(UpcallMpiReduction.Scan, values, into, operation.NotNull(), 0);

    /// <summary>The same by a function: <c>(a, b) => a + b</c>.</summary>
    /// <inheritdoc cref="Scan{T}(ReadOnlySpan{T}, Span{T}, Operation{T})"/>
    public void Scan<T>(ReadOnlySpan<T> values, Span<T> into, Func<T, T, T> operation)
        where T : unmanaged
    {
        using var made = Operation<T>.Once(operation);
        Scan(values, into, made);
    }

    /// <summary>Combines the values of the ranks below this one; the default at rank 0.</summary>
    /// <exception cref="MpiException">The operation failed on this rank, the values have no form, or MPI refuses.</exception>
    public T ExclusiveScan<T>(T value, Operation<T> operation) =>
        ReduceAs(UpcallMpiReduction.ExclusiveScan, value, operation.NotNull(), 0);

    /// <summary>Combines the values of the ranks below this one; the default at rank 0.</summary>
    /// <inheritdoc cref="ExclusiveScan{T}(T, Operation{T})"/>
    public T ExclusiveScan<T>(T value, Func<T, T, T> operation)
    {
        using var made = Operation<T>.Once(operation);
        return ExclusiveScan(value, made);
    }

    /// <summary>Combines the elements of the ranks below this one; those of rank 0 are the default.</summary>
    /// <inheritdoc cref="ExclusiveScan{T}(T, Operation{T})"/>
    public T[] ExclusiveScan<T>(T[] values, Operation<T> operation) =>
        ReduceAs(UpcallMpiReduction.ExclusiveScan, values.NotNull(), operation.NotNull(), 0)!;

    /// <summary>Combines the elements of the ranks below this one; those of rank 0 are the default.</summary>
    /// <inheritdoc cref="ExclusiveScan{T}(T, Operation{T})"/>
    public T[] ExclusiveScan<T>(T[] values, Func<T, T, T> operation)
    {
        using var made = Operation<T>.Once(operation);
        return ExclusiveScan(values, made);
    }

    /// <summary>Combines the elements of the ranks below this one: <paramref name="into"/> stays as it is at rank 0.</summary>
    /// <inheritdoc cref="ExclusiveScan{T}(T, Operation{T})"/>
    public void ExclusiveScan<T>(ReadOnlySpan<T> values, Span<T> into, Operation<T> operation)
        where T : unmanaged => Reduced(UpcallMpiReduction.ExclusiveScan, values, into, operation.NotNull(), 0);

    /// <summary>The same by a function: <c>(a, b) => a + b</c>.</summary>
    /// <inheritdoc cref="ExclusiveScan{T}(ReadOnlySpan{T}, Span{T}, Operation{T})"/>
    public void ExclusiveScan<T>(ReadOnlySpan<T> values, Span<T> into, Func<T, T, T> operation)
        where T : unmanaged
    {
        using var made = Operation<T>.Once(operation);
        ExclusiveScan(values, into, made);
    }
}
