using System;
using System.Linq;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <remarks>What one group has, combined for the other.</remarks>
public sealed unsafe partial class Intercommunicator
{
    /// <summary>Combines the values of the other group's ranks for the root; the default elsewhere. What the root's own group gives
    /// does not count.</summary>
    /// <exception cref="MpiException">The operation failed on this rank, the values have no form, or MPI refuses.</exception>
    public T? Reduce<T>(T value, Operation<T> operation, Root root)
    {
        if (!Plain<T>.Is)
        {
            return Gather(value, root) is { } all ? Folded(all, operation) : default;
        }
        T into = default!;
        Reduced(new ReadOnlySpan<T>(ref value), new Span<T>(ref into), operation, root);
        return into;
    }

    /// <summary>Combines the elements of the other group's ranks, of which all have as many, for the root: <paramref name="into"/>
    /// has room for as many there.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, Root)"/>
    public void Reduce<T>(ReadOnlySpan<T> values, Span<T> into, Operation<T> operation, Root root)
        where T : unmanaged => Reduced(values, into, operation, root);

    /// <summary>Combines the values of each group for all ranks of the other.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, Root)"/>
    public new T Allreduce<T>(T value, Operation<T> operation)
    {
        if (!Plain<T>.Is)
        {
            return Folded(Allgather(value), operation);
        }
        T into = default!;
        AllReduced(new ReadOnlySpan<T>(ref value), new Span<T>(ref into), operation);
        return into;
    }

    /// <summary>Combines the elements of each group for all ranks of the other. All ranks of both have as many.</summary>
    /// <inheritdoc cref="Reduce{T}(T, Operation{T}, Root)"/>
    public new void Allreduce<T>(ReadOnlySpan<T> values, Span<T> into, Operation<T> operation)
        where T : unmanaged => AllReduced(values, into, operation);

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

    private static T Folded<T>(T[] all, Operation<T> operation)
    {
        try
        {
            return all.Aggregate(operation.Combine);
        }
        catch (Exception exception)
        {
            throw new MpiException(MpiError.Operation, $"combine objects: the operation failed: {exception.Message}", exception);
        }
    }
}
