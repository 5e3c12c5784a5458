using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public unsafe partial class Communicator
{
    /// <summary>Its processes.</summary>
    /// <exception cref="MpiException">MPI has been finalized.</exception>
    public Group Group
    {
        get
        {
            Native.Failure* failed = null;
            UpcallMpiGroup* group = upcall_mpi_communicator_group(Handle, &failed);
            GC.KeepAlive(this);
            MpiException.Check(failed);
            return new Group(group);
        }
    }

    /// <summary>Its name, as debuggers and profilers show it; empty where it has none.</summary>
    /// <exception cref="MpiException">The name is too long, or MPI has been finalized.</exception>
    public string Name
    {
        get
        {
            Native.Failure* failed = null;
            Native.Text name = upcall_mpi_communicator_name(Handle, &failed);
            GC.KeepAlive(this);
            MpiException.Check(failed);
            return Given.Take(name);
        }

        set
        {
            Native.Failure* failed = null;
            byte[] name = Encoding.UTF8.GetBytes(value);
            fixed (byte* at = name)
            {
                upcall_mpi_communicator_set_name(Handle, Given.Text(at, name.Length), &failed);
            }
            GC.KeepAlive(this);
            MpiException.Check(failed);
        }
    }

    /// <summary>
    /// The processes of a group, in its order; null for those that are not in it. Collective over all ranks of this
    /// communicator, which all give the same group.
    /// </summary>
    /// <exception cref="MpiException">A process of the group is not in this communicator, or MPI refuses.</exception>
    public Communicator? Create(Group group)
    {
        ArgumentNullException.ThrowIfNull(group);
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made = upcall_mpi_communicator_create(Handle, group.Handle, &failed);
        GC.KeepAlive(group);
        return IsMade(made, failed) ? new Communicator(made, Serializer) : null;
    }

    /// <summary>As <see cref="Create"/>, collective over the processes of the group only. <paramref name="tag"/> tells apart what
    /// threads make at once.</summary>
    /// <exception cref="MpiException">A process of the group is not in this communicator, or MPI refuses.</exception>
    public Communicator CreateGroup(Group group, int tag = 0)
    {
        ArgumentNullException.ThrowIfNull(group);
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made = upcall_mpi_communicator_create_group(Handle, group.Handle, tag, &failed);
        GC.KeepAlive(this);
        GC.KeepAlive(group);
        MpiException.Check(failed);
        return new Communicator(made, Serializer);
    }

    /// <summary>The processes that share memory with this one (those of its machine), ranked by <paramref name="key"/> and then
    /// as here. Collective.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public Communicator SplitSharedMemory(int key = 0)
    {
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made = upcall_mpi_communicator_split_shared_memory(Handle, key, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Communicator(made, Serializer);
    }

    /// <summary>How alike this one and another are: a duplicate is <see cref="Comparison.Congruent"/>.</summary>
    /// <exception cref="MpiException">MPI has been finalized.</exception>
    public Comparison Compare(Communicator other)
    {
        ArgumentNullException.ThrowIfNull(other);
        Native.Failure* failed = null;
        UpcallMpiComparison how = upcall_mpi_communicator_compare(Handle, other.Handle, &failed);
        GC.KeepAlive(this);
        GC.KeepAlive(other);
        MpiException.Check(failed);
        return (Comparison)how;
    }

    /// <summary>
    /// Puts the ranks on a grid, in the order of rows: so many along each dimension, of which each may be periodic. Where
    /// <paramref name="reorder"/> is set, MPI may give a rank another number there; null for ranks that have no place.
    /// Collective.
    /// </summary>
    /// <exception cref="MpiException">The grid has more places than there are ranks, or MPI refuses.</exception>
    public CartesianCommunicator? Cartesian(int[] sizes, bool[] periodic, bool reorder = false)
    {
        ArgumentNullException.ThrowIfNull(sizes);
        ArgumentNullException.ThrowIfNull(periodic);
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made;
        fixed (int* at = sizes)
        fixed (bool* around = periodic)
        {
            made = upcall_mpi_communicator_cartesian(
                Handle, Numbers(at, sizes.Length), From((byte*)around, (nuint)periodic.Length), reorder ? (byte)1 : (byte)0, &failed);
        }
        return IsMade(made, failed) ? new CartesianCommunicator(made, Serializer) : null;
    }

    /// <summary>
    /// How many ranks to put along each dimension, so that all are as many as here and the dimensions are as equal as can be.
    /// One that is not 0 stays as it is.
    /// </summary>
    /// <exception cref="MpiException">The ranks are no multiple of the dimensions that are given.</exception>
    public void ComputeDimensions(Span<int> sizes)
    {
        Native.Failure* failed = null;
        fixed (int* at = sizes)
        {
            upcall_mpi_communicator_dimensions(Handle, new SliceMut_i32 { data = at, len = (nuint)sizes.Length }, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>
    /// Gives each rank neighbors: each says whom it receives from and whom it sends to, and what the two of an edge say is the
    /// same. Collective.
    /// </summary>
    /// <exception cref="MpiException">There is no such rank, on any of the ranks; or MPI refuses.</exception>
    public GraphCommunicator Graph(int[] sources, int[] targets, bool reorder = false) =>
        Graph(sources.NotNull(), [], targets.NotNull(), [], reorder);

    /// <summary>As the other, and says how much goes along each edge, compared with others: what the two of an edge say is the
    /// same.</summary>
    /// <exception cref="MpiException">There is no such rank, or there are not as many weights, on any of the ranks; or MPI refuses.
    /// </exception>
    public GraphCommunicator Graph(int[] sources, uint[] sourceWeights, int[] targets, uint[] targetWeights, bool reorder = false)
    {
        ArgumentNullException.ThrowIfNull(sources);
        ArgumentNullException.ThrowIfNull(sourceWeights);
        ArgumentNullException.ThrowIfNull(targets);
        ArgumentNullException.ThrowIfNull(targetWeights);
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made;
        fixed (int* from = sources, to = targets)
        fixed (uint* inward = sourceWeights, outward = targetWeights)
        {
            made = upcall_mpi_communicator_graph_adjacent(
                Handle,
                Numbers(from, sources.Length),
                new Slice_u32 { data = inward, len = (nuint)sourceWeights.Length },
                Numbers(to, targets.Length),
                new Slice_u32 { data = outward, len = (nuint)targetWeights.Length },
                reorder ? (byte)1 : (byte)0,
                &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new GraphCommunicator(made, Serializer);
    }

    /// <summary>
    /// Gives each rank neighbors: each says some of the edges, of whichever ranks (whom each rank that is a key sends to), and together
    /// they are the graph. Collective.
    /// </summary>
    /// <exception cref="MpiException">There is no such rank, on any of the ranks; or MPI refuses.</exception>
    public GraphCommunicator Graph(IReadOnlyDictionary<int, int[]> edges, bool reorder = false)
    {
        int[] sources = [.. edges.Keys], degrees = [.. edges.Values.Select(each => each.Length)];
        int[] targets = [.. edges.Values.SelectMany(each => each)];
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made;
        fixed (int* from = sources, counts = degrees, to = targets)
        {
            made = upcall_mpi_communicator_graph(
                Handle, Numbers(from, sources.Length), Numbers(counts, degrees.Length), Numbers(to, targets.Length), default,
                reorder ? (byte)1 : (byte)0, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new GraphCommunicator(made, Serializer);
    }

    private protected static Slice_i32 Numbers(int* at, int length) => new() { data = at, len = (nuint)length };

    /// <summary>Numbers of the library's, whose memory is given back.</summary>
    internal static int[] Taken(Buffer_i32 buffer)
    {
        int[] numbers = new ReadOnlySpan<int>(buffer.data, checked((int)buffer.len)).ToArray();
        if (buffer.release != null)
        {
            buffer.release(buffer.data, buffer.len, buffer.capacity);
        }
        return numbers;
    }

    /// <summary>Whether there is one for this process.</summary>
    private bool IsMade(UpcallMpiCommunicator* made, Native.Failure* failed)
    {
        GC.KeepAlive(this);
        MpiException.Check(failed);
        if (upcall_mpi_communicator_is_none(made, null) == 0)
        {
            return true;
        }
        upcall_mpi_communicator_release(made);
        return false;
    }
}
