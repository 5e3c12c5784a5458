using System;
using System.Linq;
using System.Text.Json;
using Upcall.Mpi;
using static Upcall.Tests.Ranks;

namespace Upcall.Tests;

/// <summary>What all ranks do together, against a plain model.</summary>
public static class RankCollectives
{
    [RankTest]
    public static void Values_are_moved(Communicator world)
    {
        for (int round = 0; round < 10; round++)
        {
            Moved(world, round, value => value * 3);
            Moved(world, round, value => value / 4.0);
            Moved(world, round, value => value % 3 == 0);
            Moved(world, round, Padded.Of);
            Moved(world, round, WithBool.Of);
            Moved(world, round, value => value % 7 == 0 ? null : $"text {value}");
            Moved(world, round, value => new Packed($"packed {value}"));
        }
    }

    private static void Moved<T>(Communicator world, int round, Func<int, T> value)
    {
        var stream = new Random(round);
        int root = stream.Next(world.Size), count = stream.Next(40);
        int[] counts = Counts(stream, world);
        T[] Everybody(int each) => Enumerable.Range(0, world.Size).SelectMany(rank => Of(rank, each, value)).ToArray();
        T[] all = Enumerable.Range(0, world.Size).Select(value).ToArray();
        T one = value(world.Rank);
        T[] mine = Of(world.Rank, count, value), parts = Of(world.Rank, counts[world.Rank], value);
        T[] uneven = Enumerable.Range(0, world.Size).SelectMany(rank => Of(rank, counts[rank], value)).ToArray();

        T sent = world.Rank == root ? value(99) : default!;
        world.Broadcast(ref sent, root);
        Same([value(99)], [sent]);
        T[]? array = world.Rank == root ? Of(5, count, value) : null;
        world.Broadcast(ref array, root);
        Same(Of(5, count, value), array);

        T[]? gathered = world.Gather(one, root);
        Expect.Equal(world.Rank == root, gathered != null);
        Same(world.Rank == root ? all : [], gathered ?? []);
        Same(all, world.Allgather(one));
        Same(world.Rank == root ? uneven : [], world.GatherFlattened(parts, root, out int[]? told) ?? []);
        Same(world.Rank == root ? counts : [], told ?? []);
        Same(world.Rank == root ? uneven : [], world.GatherFlattened(parts, counts, root) ?? []);
        Same(Everybody(count), world.AllgatherFlattened(mine));
        Same(Everybody(count), world.AllgatherFlattened(mine, count));
        Same(uneven, world.AllgatherFlattened(parts, out int[] whose));
        Same(counts, whose);
        Same(uneven, world.AllgatherFlattened(parts, counts));

        Same([all[world.Rank]], [world.Rank == root ? world.Scatter(all) : world.Scatter<T>(root)]);
        Same([all[world.Rank]], [world.Scatter(world.Rank == root ? all : null, root)]);
        Same(mine, world.ScatterFromFlattened(world.Rank == root ? Everybody(count) : null, count, root));
        Same(parts, world.ScatterFromFlattened(world.Rank == root ? uneven : null, counts, root));

        // From rank r to rank s goes what r has at s.
        T[] Crossing(int from) => Enumerable.Range(0, world.Size).Select(to => value((from * 1000) + to)).ToArray();
        T[] crossed = Enumerable.Range(0, world.Size).Select(from => value((from * 1000) + world.Rank)).ToArray();
        Same(crossed, world.Alltoall(Crossing(world.Rank)));
        Same(crossed, world.AlltoallFlattened(Crossing(world.Rank), 1));
        // As many from each as its rank's counts say.
        T[] out_ = Enumerable.Range(0, world.Size).SelectMany(to => Of(world.Rank + to, counts[to], value)).ToArray();
        T[] in_ = Enumerable.Range(0, world.Size).SelectMany(from => Of(from + world.Rank, counts[world.Rank], value)).ToArray();
        int[] received = Enumerable.Repeat(counts[world.Rank], world.Size).ToArray();
        Same(in_, world.AlltoallFlattened(out_, counts, received));
        Same(in_, world.AlltoallFlattened(out_, counts, out int[] come));
        Same(received, come);
    }

    [RankTest]
    public static void Spans_are_moved_in_place(Communicator world)
    {
        int[] mine = Of(world.Rank, 7, value => value), all = new int[7 * world.Size], back = new int[7];
        int[] expected = Enumerable.Range(0, world.Size).SelectMany(rank => Of(rank, 7, value => value)).ToArray();
        world.Allgather<int>(mine, all);
        Same(expected, all);
        Array.Clear(all);
        world.Gather<int>(mine, world.Rank == 0 ? all : default, 0);
        Same(world.Rank == 0 ? expected : new int[all.Length], all);
        world.Broadcast(all.AsSpan(), 0);
        Same(expected, all);
        world.Scatter<int>(all, back, world.Size - 1);
        Same(mine, back);
        int[] crossed = new int[all.Length];
        world.Alltoall<int>(all, crossed);
        Same(Enumerable.Range(0, world.Size).SelectMany(_ => mine).ToArray(), crossed);
    }

    [RankTest]
    public static void Objects_need_a_serializer_that_is_named(Communicator world)
    {
        var ada = new Person($"Ada {world.Rank}", [world.Rank]);
        Expect.Equal(MpiError.Type, Expect.Throws<MpiException>(() => world.Allgather(ada)).Error);
        Expect.Equal(MpiError.Type, Expect.Throws<MpiException>(() => world.Gather(ada, 0)).Error);
        Expect.Throws<MpiException>(() => world.Broadcast(ref ada, 0));
        Expect.Throws<MpiException>(() => world.Alltoall(new Person[world.Size]));
        Expect.Throws<MpiException>(() => world.Scatter(world.Rank == 0 ? new Person[world.Size] : null, 0));
        world.Serializer = new JsonSerializerOptions();
        using Communicator twin = world.Duplicate();
        Same(
            Enumerable.Range(0, world.Size).Select(rank => $"Ada {rank}").ToArray(),
            twin.Allgather(ada).Select(person => person.Name).ToArray());
        // A rank alone whose object cannot be written does not stop the others, which are told.
        using Communicator split = world.Split(0, world.Rank)!;
        Packed packed = new(world.Rank == 0 ? null! : "well");
        if (world.Rank == 0)
        {
            Expect.Throws<ArgumentException>(() => split.Allgather(packed));
        }
        else
        {
            Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => split.Allgather(packed)).Error);
        }
        // Where each has something for each, nobody gets something else for it.
        Packed[] parts = Enumerable.Repeat(packed, world.Size).ToArray();
        if (world.Rank == 0)
        {
            Expect.Throws<ArgumentException>(() => split.Alltoall(parts));
        }
        else
        {
            Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => split.Alltoall(parts)).Error);
        }
        Expect.Equal("well", split.Allreduce(packed.Text ?? "", Operation<string>.Max) is { Length: > 0 } found ? found : "well");
    }

    [RankTest]
    public static void Communicators_are_split_and_duplicated(Communicator world)
    {
        Communicator? half = world.Split(world.Rank == 0 ? -1 : world.Rank % 2, -world.Rank);
        Expect.Equal(world.Rank == 0, half == null);
        if (half != null)
        {
            int least = world.Rank % 2 == 0 ? 2 : 1, members = ((world.Size - 1 - least) / 2) + 1;
            Expect.Equal((members, members - 1 - ((world.Rank - least) / 2)), (half.Size, half.Rank));
            half.Dispose();
        }
        Expect.Equal(1, Communicator.Self.Size);
        Expect.Equal(world.Size, Communicator.World.Size);
        Communicator.World.Dispose();
        Communicator.World.Barrier();
    }

    [RankTest]
    public static void Counts_that_do_not_fit_are_told_on_all_ranks(Communicator world)
    {
        Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => world.Scatter(new int[world.Size + 1], 0)).Error);
        Expect.Equal(
            MpiError.Usage, Expect.Throws<MpiException>(() => world.ScatterFromFlattened(new int[3], [1], world.Size > 1 ? 0 : 0)) is
            var thrown && world.Size > 1 ? thrown.Error : MpiError.Usage);
        Expect.Throws<MpiException>(() => world.Scatter(new string[world.Size + 1], 0));
        Expect.Throws<MpiException>(() => world.ReduceScatter(new int[3], Operation<int>.Add, []));
        if (world.Size > 1)
        {
            Expect.Throws<MpiException>(() => world.Alltoall(new int[world.Size + 1]));
        }
    }
}
