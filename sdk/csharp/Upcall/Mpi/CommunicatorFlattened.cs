using System;
using System.Linq;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <remarks>Arrays of all ranks, side by side in one.</remarks>
public unsafe partial class Communicator
{
    /// <summary>
    /// Gives one rank the elements of all, in the order of the ranks; null for the others. Each may have another number: one
    /// exchange more tells how many.
    /// </summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[]? GatherFlattened<T>(T[] values, int root) => Flattened(values.NotNull(), root, out _);

    /// <summary>As the other, and says how many are whose at the root.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[]? GatherFlattened<T>(T[] values, int root, out int[]? counts) => Flattened(values.NotNull(), root, out counts);

    /// <summary>As the other, where all ranks know how many elements each has.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[]? GatherFlattened<T>(T[] values, int[] counts, int root) =>
        Flattened(values.NotNull().AsSpan(0, counts.NotNull()[Rank]).ToArray(), root, out _);

    /// <summary>Gives all ranks the elements of all, in the order of the ranks. Each may have another number: one exchange
    /// more tells how many.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[] AllgatherFlattened<T>(T[] values) => Flattened(values.NotNull(), Everybody, out _)!;

    /// <summary>As the other, and says how many are whose.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[] AllgatherFlattened<T>(T[] values, out int[] counts)
    {
        ArgumentNullException.ThrowIfNull(values);
        T[] all = Flattened(values, Everybody, out int[]? told)!;
        counts = told!;
        return all;
    }

    /// <summary>As the other, of the first <paramref name="count"/> elements of each rank.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[] AllgatherFlattened<T>(T[] values, int count) => Flattened(values.NotNull().AsSpan(0, count).ToArray(), Everybody, out _)!;

    /// <summary>As the other, where all ranks know how many elements each has.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[] AllgatherFlattened<T>(T[] values, int[] counts) => AllgatherFlattened(values.NotNull(), counts.NotNull()[Rank]);

    /// <summary>Gives each rank <paramref name="count"/> of the elements of one, in the order of the ranks.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[] ScatterFromFlattened<T>(T[]? values, int count, int root) =>
        ScatterFromFlattened(values, Enumerable.Repeat(count, Size).ToArray(), root);

    /// <summary>Gives rank <c>r</c> <c>counts[r]</c> of the elements of one, which says how many.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[] ScatterFromFlattened<T>(T[]? values, int[]? counts, int root)
    {
        // Where the root has none there are no counts, which all ranks are told.
        string? missing = Rank != root ? null : values == null ? nameof(values) : counts == null ? nameof(counts) : null;
        if (!Plain<T>.Is)
        {
            return ScatterObjects(Rank == root && missing == null ? Split(values!, counts!) : null, root, missing);
        }
        ulong[] each = Rank == root && missing == null ? Array.ConvertAll(counts!, count => (ulong)BytesOf<T>(count)) : [];
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        var bytes = new Outgoing<T>(Rank == root ? values : default);
        fixed (byte* at = &bytes.First)
        fixed (ulong* told = each)
        {
            Slice_u64 shares = new() { data = told, len = (nuint)each.Length };
            buffer = upcall_mpi_communicator_scatter_parts(Handle, From(at, bytes.Length), shares, root, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        Check(failed, missing == null ? null : new ArgumentNullException(missing));
        return TakenArray<T>(buffer);
    }

    /// <summary>Each rank has <paramref name="count"/> elements for each other: what comes back is what all had for this one.
    /// </summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[] AlltoallFlattened<T>(T[] values, int count) =>
        AlltoallFlattened(values.NotNull(), Enumerable.Repeat(count, Size).ToArray(), out _);

    /// <summary>Each rank has <c>sendCounts[r]</c> elements for rank <c>r</c>, and gets <c>receiveCounts[r]</c> of it, as all of
    /// them know.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[] AlltoallFlattened<T>(T[] values, int[] sendCounts, int[] receiveCounts)
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(sendCounts);
        ArgumentNullException.ThrowIfNull(receiveCounts);
        T[] received = AlltoallFlattened(values, sendCounts, out int[] counts);
        return counts.AsSpan().SequenceEqual(receiveCounts) ? received : throw new MpiException(
            MpiError.Usage,
            $"exchange elements with all ranks: {string.Join(", ", counts)} have come, and {string.Join(", ", receiveCounts)} were said");
    }

    /// <summary>Each rank has <c>sendCounts[r]</c> elements for rank <c>r</c>; one exchange more tells how many come.</summary>
    /// <inheritdoc cref="Broadcast{T}(ref T, int)"/>
    public T[] AlltoallFlattened<T>(T[] values, int[] sendCounts, out int[] receiveCounts)
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(sendCounts);
        if (!Plain<T>.Is)
        {
            T[][] parts = AlltoallObjects(Split(values, sendCounts));
            receiveCounts = Array.ConvertAll(parts, part => part.Length);
            return parts.SelectMany(part => part).ToArray();
        }
        ulong[] each = Array.ConvertAll(sendCounts, count => (ulong)BytesOf<T>(count));
        var received = new ulong[Size];
        Native.Failure* failed = null;
        Buffer_u8 buffer;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First)
        fixed (ulong* told = each, to = received)
        {
            Slice_u64 shares = new() { data = told, len = (nuint)each.Length };
            SliceMut_u64 room = new() { data = to, len = (nuint)received.Length };
            buffer = upcall_mpi_communicator_all_to_all_parts(Handle, From(at, bytes.Length), shares, room, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
        receiveCounts = Elements<T>(received);
        return TakenArray<T>(buffer);
    }

    private T[]? Flattened<T>(T[] values, int root, out int[]? counts)
    {
        if (!Plain<T>.Is)
        {
            T[][]? parts = Objects(values, root);
            counts = parts == null ? null : Array.ConvertAll(parts, part => part.Length);
            return parts?.SelectMany(part => part).ToArray();
        }
        var told = new ulong[Size];
        var bytes = new Outgoing<T>(values);
        Buffer_u8 buffer = Parts(ref bytes.First, bytes.Length, told, root, null);
        bytes.Dispose();
        if (root != Everybody && root != Rank)
        {
            Release(buffer);
            counts = null;
            return null;
        }
        counts = Elements<T>(told);
        return TakenArray<T>(buffer);
    }

    /// <summary>An array of values that are memory, of the library's bytes, which are given back: of more than a span has, too.
    /// </summary>
    private static T[] TakenArray<T>(Buffer_u8 buffer)
    {
        try
        {
            nuint size = (nuint)Plain<T>.Size;
            if (buffer.len % size != 0)
            {
                throw new MpiException(
                    MpiError.Type, $"receive elements of {size} bytes: {buffer.len} have come, no whole number of them");
            }
            T[] values = GC.AllocateUninitializedArray<T>(checked((int)(buffer.len / size)));
            fixed (byte* to = &First<T>(values))
            {
                Buffer.MemoryCopy(buffer.data, to, buffer.len, buffer.len);
            }
            return values;
        }
        finally
        {
            Release(buffer);
        }
    }

    /// <summary>Counts of elements, from bytes.</summary>
    private static int[] Elements<T>(ulong[] bytes) => Array.ConvertAll(bytes, count => (int)(count / (ulong)Plain<T>.Size));

    /// <summary>The elements of each rank.</summary>
    private T[][] Split<T>(T[] values, int[] counts)
    {
        if (counts.Length != Size || counts.Any(count => count < 0) || counts.Sum(count => (long)count) != values.Length)
        {
            // All ranks are told of it by the exchange.
            return [];
        }
        int at = 0;
        return Array.ConvertAll(counts, count => values[at..(at += count)]);
    }
}
