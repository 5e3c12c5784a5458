using System;
using System.Collections.Generic;
using System.Linq;
using Upcall.Mpi;
using static Upcall.Tests.Ranks;

namespace Upcall.Tests;

/// <summary>Groups, grids and graphs.</summary>
public static class RankTopologies
{
    [RankTest]
    public static void Groups_are_combined_and_become_communicators(Communicator world)
    {
        using Group all = world.Group;
        Expect.Equal((world.Rank, world.Size), (all.Rank!.Value, all.Size));
        int[] even = Enumerable.Range(0, world.Size).Where(rank => rank % 2 == 0).Reverse().ToArray();
        using Group some = all.IncludeOnly(even), others = all.Exclude(even), both = some | others;
        Expect.Equal((even.Length, world.Size - even.Length, world.Size), (some.Size, others.Size, both.Size));
        Expect.Equal(world.Rank % 2 == 0, some.Rank != null);
        using Group none = some & others, rest = both - some;
        Expect.Equal((0, others.Size), (none.Size, rest.Size));
        Expect.Equal(Comparison.Identical, rest.Compare(others));
        Expect.Equal(world.Size == 1 ? Comparison.Identical : Comparison.Similar, world.Size == 2 ? Comparison.Similar : both.Compare(all));
        Same(even, some.TranslateRanks(Enumerable.Range(0, even.Length).ToArray(), all));
        Same(Enumerable.Repeat(-1, others.Size).ToArray(), others.TranslateRanks(Enumerable.Range(0, others.Size).ToArray(), some));
        Expect.Equal(MpiError.Rank, Expect.Throws<MpiException>(() => all.IncludeOnly(world.Size)).Error);
        using Group down = all.IncludeRanges(new RankRange(even[0], 0, -2)), rest2 = all.ExcludeRanges(new RankRange(0, world.Size - 1, 2));
        Expect.Equal((Comparison.Identical, Comparison.Identical), (down.Compare(some), rest2.Compare(others)));
        Expect.Equal(MpiError.Rank, Expect.Throws<MpiException>(() => all.IncludeRanges(new RankRange(0, -1))).Error);
        Expect.Throws<MpiException>(() => all.ExcludeRanges(new RankRange(0, 0, 0)));
        using Communicator? made = world.Create(some);
        Expect.Equal(world.Rank % 2 == 0, made != null);
        if (made != null)
        {
            Expect.Equal((some.Rank!.Value, some.Size), (made.Rank, made.Size));
            Same(even, made.Allgather(world.Rank));
            using Communicator again = world.CreateGroup(some, 3);
            Expect.Equal(Comparison.Congruent, made.Compare(again));
        }
        using Communicator twin = world.Duplicate(), machine = world.SplitSharedMemory();
        Expect.Equal(Comparison.Congruent, world.Compare(twin));
        Expect.Equal(world.Size, machine.Size);
        twin.Name = "twin \u00e4";
        Expect.Equal("twin \u00e4", twin.Name);
    }

    [RankTest]
    public static void A_grid_knows_its_places_and_neighbors(Communicator world)
    {
        int[] sizes = [0, 0];
        world.ComputeDimensions(sizes);
        Expect.Equal(world.Size, sizes[0] * sizes[1]);
        foreach (bool around in (bool[])[false, true])
        {
            using CartesianCommunicator grid = world.Cartesian(sizes, [around, around])!;
            Same(sizes, grid.Dimensions);
            Same([around, around], grid.Periodic);
            Same([grid.Rank / sizes[1], grid.Rank % sizes[1]], grid.Coordinates);
            for (int rank = 0; rank < grid.Size; rank++)
            {
                Expect.Equal(rank, grid.GetCartesianRank(grid.GetCartesianCoordinates(rank)));
            }
            int At(int row, int column)
            {
                bool there = row >= 0 && row < sizes[0] && column >= 0 && column < sizes[1];
                return there || around
                    ? ((row + sizes[0]) % sizes[0] * sizes[1]) + ((column + sizes[1]) % sizes[1])
                    : -1;
            }
            (int x, int y) = (grid.Coordinates[0], grid.Coordinates[1]);
            Expect.Equal((At(x - 1, y), At(x + 1, y)), grid.Shift(0, 1));
            Expect.Equal((At(x, y - 1), At(x, y + 1)), grid.Shift(1, 1));
            int[] neighbors = [At(x - 1, y), At(x + 1, y), At(x, y - 1), At(x, y + 1)];
            Same(neighbors, grid.Sources);
            Same(neighbors, grid.Targets);
            Same(neighbors.Select(rank => rank < 0 ? 0 : rank + 5).ToArray(), grid.NeighborAllgather(grid.Rank + 5));
            // To each neighbor goes in which direction it is; from the one above comes what it has for the one below.
            int[] sent = [(grid.Rank * 4) + 0, (grid.Rank * 4) + 1, (grid.Rank * 4) + 2, (grid.Rank * 4) + 3];
            int[] wanted = neighbors.Select((rank, index) => rank < 0 ? 0 : (rank * 4) + (index ^ 1)).ToArray();
            Same(wanted, grid.NeighborAlltoall(sent));
            long[] into = [-1, -1, -1, -1, -1, -1, -1, -1];
            grid.NeighborAlltoall<long>(sent.SelectMany(number => (long[])[number, 7]).ToArray(), into);
            Same(wanted.SelectMany((number, index) => neighbors[index] < 0 ? [-1, -1] : (long[])[number, 7]).ToArray(), into);
            // As many as the rank, and as many as the direction.
            short[][] parts = grid.NeighborAllgatherParts(new short[grid.Rank]);
            Same(neighbors.Select(rank => Math.Max(rank, 0)).ToArray(), parts.Select(part => part.Length).ToArray());
            int[][] given = sent.Select((number, index) => Enumerable.Repeat(number, index).ToArray()).ToArray();
            int[][] got = grid.NeighborAlltoallParts(given);
            for (int index = 0; index < 4; index++)
            {
                Same(Enumerable.Repeat(wanted[index], neighbors[index] < 0 ? 0 : index ^ 1).ToArray(), got[index]);
            }
            Expect.Throws<MpiException>(() => grid.NeighborAlltoallParts<int>([[1]]));
            Expect.Throws<MpiException>(() => grid.NeighborAlltoall<int>(new int[5], new int[4]));
            using CartesianCommunicator twin = grid.Duplicate();
            Same(grid.Coordinates, twin.Coordinates);
            Same(wanted, twin.NeighborAlltoall(sent));
            using CartesianCommunicator row = grid.Subgrid(false, true);
            Expect.Equal((sizes[1], y), (row.Size, row.Rank));
            Expect.Equal(grid.Size * (grid.Size - 1) / 2, grid.Allreduce(grid.Rank, Operation<int>.Add));
        }
        using CartesianCommunicator? one = world.Cartesian([1], [false]);
        Expect.Equal(world.Rank == 0, one != null);
        Expect.Throws<MpiException>(() => world.Cartesian([world.Size + 1], [false]));
        Expect.Throws<MpiException>(() => world.Cartesian([world.Size], []));
    }

    [RankTest]
    public static void A_graph_has_the_neighbors_that_were_said(Communicator world)
    {
        // A ring in one direction.
        using GraphCommunicator ring = world.Graph([Before(world)], [Next(world)]);
        Same([Before(world)], ring.Sources);
        Same([Next(world)], ring.Targets);
        Same([(long)Before(world)], ring.NeighborAllgather((long)world.Rank));
        Span<double> into = stackalloc double[3];
        ring.NeighborAllgather<double>([world.Rank, 0.5, 1.5], into);
        Expect.Equal((Before(world), 1.5), ((int)into[0], into[2]));
        Same([Before(world) * 3], ring.NeighborAlltoall([world.Rank * 3]));
        using GraphCommunicator said = world.Graph(new Dictionary<int, int[]> { [world.Rank] = [Next(world)] });
        Same(ring.Sources, said.Sources);
        Same([Before(world) * 5], said.NeighborAlltoall([world.Rank * 5]));
        using GraphCommunicator heavy = world.Graph([Before(world)], [7], [Next(world)], [7], reorder: true);
        Expect.Equal((1, 1), (heavy.Sources.Length, heavy.Targets.Length));
        Expect.Throws<MpiException>(() => world.Graph([Before(world)], [7, 8], [Next(world)], []));
        using GraphCommunicator twin = ring.Duplicate();
        Same([Before(world) * 3], twin.NeighborAlltoall([world.Rank * 3]));
        Expect.Throws<MpiException>(() => world.Graph([world.Size], []));
        // What one rank alone gets wrong is told to all.
        Expect.Throws<MpiException>(() => world.Graph(world.Rank == 0 ? [-1] : [], []));
    }
}
