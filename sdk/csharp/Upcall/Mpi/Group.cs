using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>How alike two groups or communicators are.</summary>
public enum Comparison
{
    /// <summary>They are one and the same.</summary>
    Identical,

    /// <summary>Two communicators of the same processes in the same order.</summary>
    Congruent,

    /// <summary>The same processes in another order.</summary>
    Similar,

    /// <summary>Other processes.</summary>
    Unequal,
}

/// <summary>Ranks of a group, one in so many.</summary>
/// <param name="First">Where they begin.</param>
/// <param name="Last">Where they end, where a step comes there.</param>
/// <param name="Step">From one to the next: not 0.</param>
public readonly record struct RankRange(int First, int Last, int Step = 1);

/// <summary>
/// Processes in an order: what a communicator is made of. It passes no messages by itself, and every call on it is of this
/// process alone.
/// </summary>
public sealed unsafe class Group : IDisposable
{
    private UpcallMpiGroup* native;

    internal Group(UpcallMpiGroup* native)
    {
        this.native = native;
        int rank = upcall_mpi_group_rank(native, null);
        Rank = rank < 0 ? null : rank;
        Size = upcall_mpi_group_size(native, null);
    }

    /// <summary>Releases it.</summary>
    ~Group() => Release();

    private delegate UpcallMpiGroup* Combine(UpcallMpiGroup* one, UpcallMpiGroup* other, Native.Failure** failed);

    private delegate UpcallMpiGroup* Choose(UpcallMpiGroup* one, Slice_i32 ranks, Native.Failure** failed);

    /// <summary>This process's rank in it; null where it is not in it.</summary>
    public int? Rank { get; }

    /// <summary>How many processes it has.</summary>
    public int Size { get; }

    internal UpcallMpiGroup* Handle => native != null ? native : throw new ObjectDisposedException(nameof(Group));

    /// <summary>The processes of the first, and then those of the other that are not in it.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public static Group operator |(Group one, Group other) => Made(upcall_mpi_group_union, one.NotNull(), other.NotNull());

    /// <summary>The processes of the first that are in the other, too.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public static Group operator &(Group one, Group other) => Made(upcall_mpi_group_intersection, one.NotNull(), other.NotNull());

    /// <summary>The processes of the first that are not in the other.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public static Group operator -(Group one, Group other) => Made(upcall_mpi_group_difference, one.NotNull(), other.NotNull());

    /// <summary>Its processes of these ranks, in this order.</summary>
    /// <exception cref="MpiException">There is no such rank, or it is there twice.</exception>
    public Group IncludeOnly(params int[] ranks) => Made(upcall_mpi_group_include, ranks.NotNull());

    /// <summary>Its processes without those of these ranks.</summary>
    /// <exception cref="MpiException">There is no such rank, or it is there twice.</exception>
    public Group Exclude(params int[] ranks) => Made(upcall_mpi_group_exclude, ranks.NotNull());

    /// <summary>Its processes of these ranges of ranks, in their order.</summary>
    /// <exception cref="MpiException">There is no such rank, one is there twice, or a step is 0.</exception>
    public Group IncludeRanges(params RankRange[] ranges) => Made(upcall_mpi_group_include_ranges, Numbers(ranges.NotNull()));

    /// <summary>Its processes without those of these ranges of ranks.</summary>
    /// <exception cref="MpiException">There is no such rank, one is there twice, or a step is 0.</exception>
    public Group ExcludeRanges(params RankRange[] ranges) => Made(upcall_mpi_group_exclude_ranges, Numbers(ranges.NotNull()));

    /// <summary>Which ranks those of these ranks have in the other group; -1 for those that are not in it.</summary>
    /// <exception cref="MpiException">There is no such rank.</exception>
    public int[] TranslateRanks(int[] ranks, Group other)
    {
        ArgumentNullException.ThrowIfNull(ranks);
        ArgumentNullException.ThrowIfNull(other);
        Native.Failure* failed = null;
        Buffer_i32 there;
        fixed (int* at = ranks)
        {
            Slice_i32 given = new() { data = at, len = (nuint)ranks.Length };
            there = upcall_mpi_group_translate(Handle, given, other.Handle, &failed);
        }
        GC.KeepAlive(this);
        GC.KeepAlive(other);
        MpiException.Check(failed);
        return Communicator.Taken(there);
    }

    /// <summary>How alike the two are.</summary>
    /// <exception cref="MpiException">MPI has been finalized.</exception>
    public Comparison Compare(Group other)
    {
        ArgumentNullException.ThrowIfNull(other);
        Native.Failure* failed = null;
        UpcallMpiComparison how = upcall_mpi_group_compare(Handle, other.Handle, &failed);
        GC.KeepAlive(this);
        GC.KeepAlive(other);
        MpiException.Check(failed);
        return (Comparison)how;
    }

    /// <summary>Releases it.</summary>
    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }

    private static int[] Numbers(RankRange[] ranges)
    {
        var numbers = new int[3 * ranges.Length];
        for (int at = 0; at < ranges.Length; at++)
        {
            (numbers[3 * at], numbers[(3 * at) + 1], numbers[(3 * at) + 2]) = ranges[at];
        }
        return numbers;
    }

    private static Group Made(Combine combine, Group one, Group other)
    {
        Native.Failure* failed = null;
        UpcallMpiGroup* made = combine(one.Handle, other.Handle, &failed);
        GC.KeepAlive(one);
        GC.KeepAlive(other);
        MpiException.Check(failed);
        return new Group(made);
    }

    private Group Made(Choose choose, int[] ranks)
    {
        Native.Failure* failed = null;
        UpcallMpiGroup* made;
        fixed (int* at = ranks)
        {
            made = choose(Handle, new Slice_i32 { data = at, len = (nuint)ranks.Length }, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Group(made);
    }

    private void Release()
    {
        if (native != null)
        {
            upcall_mpi_group_release(native);
            native = null;
        }
    }
}
