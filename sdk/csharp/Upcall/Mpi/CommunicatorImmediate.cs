using System;
using System.Runtime.CompilerServices;
using Upcall.Native;

namespace Upcall.Mpi;

/// <remarks>
/// What all ranks do together, begun now and waited for later: each rank begins the same, in the same order. What is sent must not
/// be changed, and what is filled must not be used, before the request has ended; both are kept until then, whatever becomes of
/// the request.
/// </remarks>
public partial class Communicator
{
    /// <summary>Begins to wait for all ranks: it ends when all have begun it.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public Request ImmediateBarrier() => Begin(new Collective<byte>(UpcallMpiCollective.Barrier, default, default));

    /// <summary>Begins to give all ranks the elements of one, of which all have as many: the array is filled, but at the root.</summary>
    /// <exception cref="MpiException">
    /// There is no such rank, sizes do not fit, or MPI refuses. What fails later, as an operation, is an error of the request.
    /// </exception>
    public ReceiveRequest<T[]?> ImmediateBroadcast<T>(T[] values, int root)
        where T : unmanaged => Begin(Broadcasts<T>(values.NotNull(), root), values);

    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public Request ImmediateBroadcast<T>(Memory<T> values, int root)
        where T : unmanaged => Begin(Broadcasts(values, root));

    /// <summary>Begins to give one rank the elements of all, of which all have as many; null for the others.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateGather<T>(T[] values, int root)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        T[]? into = Rank == root ? Room<T>((long)values.Length * Size) : null;
        return Begin(new Collective<T>(UpcallMpiCollective.Gather, values, into) { Root = root }, into);
    }

    /// <summary>As the other, into memory that counts at the root.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public Request ImmediateGather<T>(Memory<T> values, Memory<T> into, int root)
        where T : unmanaged => Begin(new Collective<T>(UpcallMpiCollective.Gather, values, AtRoot(into, root)) { Root = root });

    /// <summary>Begins to give all ranks the elements of all, of which all have as many.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateAllgather<T>(T[] values)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        T[] into = Room<T>((long)values.Length * Size);
        return Begin(new Collective<T>(UpcallMpiCollective.AllGather, values, into), into);
    }

    /// <summary>As the other, into memory.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public Request ImmediateAllgather<T>(Memory<T> values, Memory<T> into)
        where T : unmanaged => Begin(new Collective<T>(UpcallMpiCollective.AllGather, values, into));

    /// <summary>Begins to give each rank <paramref name="count"/> of the elements of one, in the order of the ranks.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateScatter<T>(T[]? values, int count, int root)
        where T : unmanaged
    {
        T[] into = Room<T>(count);
        return Begin(new Collective<T>(UpcallMpiCollective.Scatter, AtRoot<T>(values, root), into) { Root = root }, into);
    }

    /// <summary>As the other, into memory that is as long on all ranks.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public Request ImmediateScatter<T>(Memory<T> values, Memory<T> into, int root)
        where T : unmanaged => Begin(new Collective<T>(UpcallMpiCollective.Scatter, AtRoot(values, root), into) { Root = root });

    /// <summary>Begins an exchange: each rank has a part for each other, all of them as long.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateAlltoall<T>(T[] values)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        T[] into = Room<T>(values.Length);
        return Begin(new Collective<T>(UpcallMpiCollective.AllToAll, values, into), into);
    }

    /// <summary>As the other, into memory.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public Request ImmediateAlltoall<T>(Memory<T> values, Memory<T> into)
        where T : unmanaged => Begin(new Collective<T>(UpcallMpiCollective.AllToAll, values, into));

    /// <summary>
    /// Begins to give one rank the elements of all: <c>counts[r]</c> of rank <c>r</c>, the same counts on all ranks; null for the
    /// others. Who does not know the counts gets them by <see cref="ImmediateAllgather{T}(T[])"/>.
    /// </summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateGatherFlattened<T>(T[] values, int[] counts, int root)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(counts);
        T[]? into = Rank == root ? Room<T>(Sum(counts)) : null;
        var call = new Collective<T>(UpcallMpiCollective.GatherParts, values, into) { Root = root, Counts = counts };
        return Begin(call, into);
    }

    /// <summary>As <see cref="ImmediateGatherFlattened"/>, for all ranks.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateAllgatherFlattened<T>(T[] values, int[] counts)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(counts);
        T[] into = Room<T>(Sum(counts));
        return Begin(new Collective<T>(UpcallMpiCollective.AllGatherParts, values, into) { Counts = counts }, into);
    }

    /// <summary>Begins to give rank <c>r</c> <c>counts[r]</c> of the elements of one, the same counts on all ranks.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateScatterFromFlattened<T>(T[]? values, int[] counts, int root)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(counts);
        T[] into = Room<T>(Own(counts));
        var call = new Collective<T>(UpcallMpiCollective.ScatterParts, AtRoot<T>(values, root), into)
        {
            Root = root,
            Counts = counts,
        };
        return Begin(call, into);
    }

    /// <summary>
    /// Begins an exchange in parts: each rank has <c>sendCounts[r]</c> elements for rank <c>r</c>, and gets
    /// <c>receiveCounts[r]</c> of it.
    /// </summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateAlltoallFlattened<T>(T[] values, int[] sendCounts, int[] receiveCounts)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(sendCounts);
        ArgumentNullException.ThrowIfNull(receiveCounts);
        T[] into = Room<T>(Sum(receiveCounts));
        var call = new Collective<T>(UpcallMpiCollective.AllToAllParts, values, into)
        {
            Counts = sendCounts,
            IntoCounts = receiveCounts,
        };
        return Begin(call, into);
    }

    /// <summary>Begins to combine the elements of all ranks for one of them; null for the others.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateReduce<T>(T[] values, Operation<T> operation, int root)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(operation);
        T[]? into = Rank == root ? Room<T>(values.Length) : null;
        return Begin(new Collective<T>(UpcallMpiCollective.Reduce, values, into) { Root = root, Operation = operation }, into);
    }

    /// <summary>Begins to combine the elements of all ranks for all of them.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateAllreduce<T>(T[] values, Operation<T> operation)
        where T : unmanaged => Combining(UpcallMpiCollective.AllReduce, values.NotNull(), operation.NotNull());

    /// <summary>As the other, into memory.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public Request ImmediateAllreduce<T>(Memory<T> values, Memory<T> into, Operation<T> operation)
        where T : unmanaged => Begin(new Collective<T>(UpcallMpiCollective.AllReduce, values, into) { Operation = operation.NotNull() });

    /// <summary>Begins to combine the elements of all ranks and give each its part: <c>counts[r]</c> for rank <c>r</c>.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateReduceScatter<T>(T[] values, Operation<T> operation, int[] counts)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(operation);
        ArgumentNullException.ThrowIfNull(counts);
        T[] into = Room<T>(Own(counts));
        var call = new Collective<T>(UpcallMpiCollective.ReduceScatter, values, into) { Counts = counts, Operation = operation };
        return Begin(call, into);
    }

    /// <summary>Begins to combine the elements of the ranks up to this one, itself included.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateScan<T>(T[] values, Operation<T> operation)
        where T : unmanaged => Combining(UpcallMpiCollective.Scan, values.NotNull(), operation.NotNull());

    /// <summary>Begins to combine the elements of the ranks below this one; at rank 0 they are zeroes.</summary>
    /// <inheritdoc cref="ImmediateBroadcast{T}(T[], int)"/>
    public ReceiveRequest<T[]?> ImmediateExclusiveScan<T>(T[] values, Operation<T> operation)
        where T : unmanaged => Combining(UpcallMpiCollective.ExclusiveScan, values.NotNull(), operation.NotNull());

    private CollectiveRequest<T> Combining<T>(UpcallMpiCollective what, T[] values, Operation<T> operation)
        where T : unmanaged
    {
        T[] into = Room<T>(values.Length);
        return Begin(new Collective<T>(what, values, into) { Operation = operation }, into);
    }

    private static Collective<T> Broadcasts<T>(Memory<T> values, int root)
        where T : unmanaged => new(UpcallMpiCollective.Broadcast, default, values) { Root = root };

    /// <summary>What the root has to give, and the others' is not looked at.</summary>
    private Memory<T> AtRoot<T>(T[]? array, int root, [CallerArgumentExpression(nameof(array))] string? name = null) =>
        Rank == root ? array.NotNull(name) : default;

    /// <inheritdoc cref="AtRoot{T}(T[], int, string)"/>
    private Memory<T> AtRoot<T>(Memory<T> memory, int root) => Rank == root ? memory : default;
}
