using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <remarks>What one group has, combined for the other.</remarks>
public sealed unsafe partial class Intercommunicator
{
    /// <summary>Combines the values of the other group's ranks, objects in their order, for the root; the default elsewhere. What the
    /// root's own group gives does not count.</summary>
    /// <exception cref="MpiException">The operation failed on this rank, the values have no form, or MPI refuses.</exception>
    public T? Reduce<T>(T value, Operation<T> operation, Root root)
    {
        ArgumentNullException.ThrowIfNull(operation);
        if (!Plain<T>.Is)
        {
            return Gather(value, root) is { } all ? Combined<T>(all, operation.Combine) : default;
        }
        T into = default!;
        Reduced(new ReadOnlySpan<T>(ref value), new Span<T>(ref into), operation, root);
        return into;
    }

    /// <summary>The same by a function: <c>(a, b) => a + b</c>.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, Root)"/>
    public T? Reduce<T>(T value, Func<T, T, T> operation, Root root)
    {
        using var made = Operation<T>.Once(operation);
        return Reduce(value, made, root);
    }

    /// <summary>Combines the elements of the other group's ranks, of which all have as many, for the root; null elsewhere. The root
    /// gives an array as long, whose elements do not count.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, Root)"/>
    public T[]? Reduce<T>(T[] values, Operation<T> operation, Root root)
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(operation);
        if (!Plain<T>.Is)
        {
            return Gather(values, root) is { } all ? Combined<T[]>(all, EachBy(operation)) : null;
        }
        T[]? into = root.IsHere ? new T[values.Length] : null;
        Reduced(values, into, operation, root);
        return into;
    }

    /// <summary>The same by a function: <c>(a, b) => a + b</c>.</summary>
    /// <inheritdoc cref="Reduce{T}(T[], Operation{T}, Root)"/>
    public T[]? Reduce<T>(T[] values, Func<T, T, T> operation, Root root)
    {
        using var made = Operation<T>.Once(operation);
        return Reduce(values, made, root);
    }

    /// <summary>Combines the elements of the other group's ranks, of which all have as many, for the root: <paramref name="into"/>
    /// has room for as many there.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, Root)"/>
    public void Reduce<T>(ReadOnlySpan<T> values, Span<T> into, Operation<T> operation, Root root)
        where T : unmanaged => Reduced(values, into, operation.NotNull(), root);

    /// <summary>The same by a function: <c>(a, b) => a + b</c>.</summary>
    /// <inheritdoc cref="Reduce{T}(ReadOnlySpan{T}, Span{T}, Operation{T}, Root)"/>
    public void Reduce<T>(ReadOnlySpan<T> values, Span<T> into, Func<T, T, T> operation, Root root)
        where T : unmanaged
    {
        using var made = Operation<T>.Once(operation);
        Reduced(values, into, made, root);
    }

    /// <summary>Combines the values of each group, objects in the order of its ranks, for all ranks of the other.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, Root)"/>
    public new T Allreduce<T>(T value, Operation<T> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        if (!Plain<T>.Is)
        {
            return Combined<T>(Allgather(value), operation.Combine);
        }
        T into = default!;
        AllReduced(new ReadOnlySpan<T>(ref value), new Span<T>(ref into), operation);
        return into;
    }

    /// <summary>The same by a function: <c>(a, b) => a + b</c>.</summary>
    /// <inheritdoc cref="Allreduce{T}(T, Operation{T})"/>
    public new T Allreduce<T>(T value, Func<T, T, T> operation)
    {
        using var made = Operation<T>.Once(operation);
        return Allreduce(value, made);
    }

    /// <summary>Combines the elements of each group for all ranks of the other. All ranks of both have as many.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, Root)"/>
    public new T[] Allreduce<T>(T[] values, Operation<T> operation)
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(operation);
        if (!Plain<T>.Is)
        {
            return Combined<T[]>(Allgather(values), EachBy(operation));
        }
        var into = new T[values.Length];
        AllReduced<T>(values, into, operation);
        return into;
    }

    /// <summary>The same by a function: <c>(a, b) => a + b</c>.</summary>
    /// <inheritdoc cref="Allreduce{T}(T[], Operation{T})"/>
    public new T[] Allreduce<T>(T[] values, Func<T, T, T> operation)
    {
        using var made = Operation<T>.Once(operation);
        return Allreduce(values, made);
    }

    /// <summary>Combines the elements of each group for all ranks of the other. All ranks of both have as many.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, Root)"/>
    public new void Allreduce<T>(ReadOnlySpan<T> values, Span<T> into, Operation<T> operation)
        where T : unmanaged => AllReduced(values, into, operation.NotNull());

    /// <summary>The same by a function: <c>(a, b) => a + b</c>.</summary>
    /// <inheritdoc cref="Allreduce{T}(ReadOnlySpan{T}, Span{T}, Operation{T})"/>
    public new void Allreduce<T>(ReadOnlySpan<T> values, Span<T> into, Func<T, T, T> operation)
        where T : unmanaged
    {
        using var made = Operation<T>.Once(operation);
        AllReduced(values, into, made);
    }

    private void Reduced<T>(ReadOnlySpan<T> values, Span<T> into, Operation<T> operation, Root root)
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(root.IsRemote ? values : default);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_inter_reduce(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), operation.Handle, root.Number, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        operation.Check(failed);
    }

    private void AllReduced<T>(ReadOnlySpan<T> values, Span<T> into, Operation<T> operation)
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_inter_all_reduce(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), operation.Handle, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        operation.Check(failed);
    }
}
