using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>A communicator whose ranks have neighbors: those that a rank receives from, and those that it sends to.</summary>
public abstract unsafe partial class TopologicalCommunicator : Communicator
{
    private protected TopologicalCommunicator(UpcallMpiCommunicator* native, Serializer? serializer)
        : base(native, serializer)
    {
        Native.Failure* failed = null;
        Buffer_i32 sources = upcall_mpi_communicator_neighbor_sources(Handle, &failed);
        MpiException.Check(failed);
        Sources = Taken(sources);
        Buffer_i32 targets = upcall_mpi_communicator_neighbor_targets(Handle, &failed);
        MpiException.Check(failed);
        Targets = Taken(targets);
    }

    /// <summary>The ranks that this one receives from, in the order in which their parts arrive; -1 where nobody is, as beyond
    /// the border of a grid.</summary>
    public int[] Sources { get; }

    /// <summary>The ranks that this one sends to, in the order of their parts; -1 where nobody is.</summary>
    public int[] Targets { get; }

    /// <summary>Gives a value to each target, and gets that of each source: the default where a source is nobody.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public T[] NeighborAllgather<T>(T value)
        where T : unmanaged
    {
        var all = new T[Sources.Length];
        NeighborAllgather(new ReadOnlySpan<T>(ref value), all.AsSpan());
        return all;
    }

    /// <summary>Gives elements to each target, and gets those of each source, of which all have as many. The room of a source
    /// that is nobody stays as it is.</summary>
    /// <exception cref="MpiException">The room has another length, or MPI refuses.</exception>
    public void NeighborAllgather<T>(ReadOnlySpan<T> values, Span<T> into)
        where T : unmanaged
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_neighbor_all_gather(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(into.Length)), &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Gives each target a value of its own, and gets one of each source: the default where a source is nobody.</summary>
    /// <exception cref="MpiException">There are not as many values as targets, or MPI refuses.</exception>
    public T[] NeighborAlltoall<T>(T[] values)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        var all = new T[Sources.Length];
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First<T>(all))
        {
            upcall_mpi_communicator_neighbor_all_to_all(
                Handle, From(at, bytes.Length), Into(to, BytesOf<T>(all.Length)), (nuint)Plain<T>.Size, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return all;
    }
}

/// <summary>A communicator whose ranks have the neighbors that were said.</summary>
public sealed unsafe class GraphCommunicator : TopologicalCommunicator
{
    internal GraphCommunicator(UpcallMpiCommunicator* native, Serializer? serializer)
        : base(native, serializer)
    {
    }

    /// <summary>The same graph, whose messages never meet those of this one. Collective.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public override GraphCommunicator Duplicate() => new(Twin(), Serializer);
}

/// <summary>
/// A communicator whose ranks lie on a grid, in the order of rows: the last coordinate changes first. The neighbors of a rank
/// are, for each dimension, the one before and the one behind.
/// </summary>
public sealed unsafe class CartesianCommunicator : TopologicalCommunicator
{
    internal CartesianCommunicator(UpcallMpiCommunicator* native, Serializer? serializer)
        : base(native, serializer)
    {
        Native.Failure* failed = null;
        Buffer_i32 sizes = upcall_mpi_communicator_cartesian_sizes(Handle, &failed);
        MpiException.Check(failed);
        Dimensions = Taken(sizes);
        Buffer_u8 periodic = upcall_mpi_communicator_cartesian_periodic(Handle, &failed);
        MpiException.Check(failed);
        Periodic = Array.ConvertAll(Given.Take(periodic), around => around != 0);
        Coordinates = GetCartesianCoordinates(Rank);
    }

    /// <summary>How many ranks lie along each dimension.</summary>
    public int[] Dimensions { get; }

    /// <summary>Of each dimension, whether the last rank's neighbor is the first.</summary>
    public bool[] Periodic { get; }

    /// <summary>Where this rank is.</summary>
    public int[] Coordinates { get; }

    /// <summary>The same grid, whose messages never meet those of this one. Collective.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public override CartesianCommunicator Duplicate() => new(Twin(), Serializer);

    /// <summary>Where a rank is.</summary>
    /// <exception cref="MpiException">There is no such rank.</exception>
    public int[] GetCartesianCoordinates(int rank)
    {
        Native.Failure* failed = null;
        Buffer_i32 coordinates = upcall_mpi_communicator_cartesian_coordinates(Handle, rank, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return Taken(coordinates);
    }

    /// <summary>Who is there; -1 where nobody is.</summary>
    /// <exception cref="MpiException">There are not as many coordinates as dimensions.</exception>
    public int GetCartesianRank(params int[] coordinates)
    {
        ArgumentNullException.ThrowIfNull(coordinates);
        Native.Failure* failed = null;
        int rank;
        fixed (int* at = coordinates)
        {
            rank = upcall_mpi_communicator_cartesian_rank(Handle, Numbers(at, coordinates.Length), &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return rank;
    }

    /// <summary>Where all move so many steps along a dimension: the rank that comes to this place, and the one whose place this
    /// one takes; -1 where nobody is.</summary>
    /// <exception cref="MpiException">There is no such dimension.</exception>
    public (int Source, int Target) Shift(int dimension, int steps)
    {
        Native.Failure* failed = null;
        Buffer_i32 ends = upcall_mpi_communicator_cartesian_shift(Handle, (uint)dimension, steps, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return Taken(ends) is [int source, int target] ? (source, target) : default;
    }

    /// <summary>This rank's part of the grid with the dimensions that are kept. Collective.</summary>
    /// <exception cref="MpiException">It is not said of each dimension, or MPI refuses.</exception>
    public CartesianCommunicator Subgrid(params bool[] kept)
    {
        ArgumentNullException.ThrowIfNull(kept);
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made;
        fixed (bool* at = kept)
        {
            made = upcall_mpi_communicator_cartesian_part(Handle, From((byte*)at, (nuint)kept.Length), &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new CartesianCommunicator(made, Serializer);
    }
}
