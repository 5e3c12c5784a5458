using System;
using System.Collections.Generic;
using System.Linq;
using Upcall.Mpi;
using static Upcall.Tests.Ranks;

namespace Upcall.Tests;

/// <summary>Two groups, processes that are started, and ports.</summary>
public static class RankProcesses
{
    [RankTest]
    public static void Two_groups_pass_messages_to_each_other(Communicator world)
    {
        if (world.Size == 1)
        {
            Expect.Equal(MpiError.Rank, Expect.Throws<MpiException>(() => world.Intercommunicator(1, world, 0, 0)).Error);
            return;
        }
        int odd = world.Rank % 2;
        using Communicator mine = world.Split(odd, 0)!;
        // What one rank of a side gets wrong is told to all of that side.
        Expect.Throws<MpiException>(() => mine.Intercommunicator(mine.Size, world, 0, 0));
        using Intercommunicator both = mine.Intercommunicator(0, world, 1 - odd, 7);
        int others = world.Size - mine.Size;
        Expect.Equal((mine.Rank, mine.Size, others), (both.Rank, both.Size, both.RemoteSize));
        using (Group theirs = both.RemoteGroup, all = world.Group)
        {
            Same(Of(1 - odd), theirs.TranslateRanks(Enumerable.Range(0, others).ToArray(), all));
        }

        // Each rank of one side sends to each of the other.
        for (int peer = 0; peer < others; peer++)
        {
            using Request sent = both.ImmediateSend(new[] { world.Rank, peer }, peer, 3);
            string text = $"{world.Rank} to {peer}";
            both.Send(text, peer, 4);
            sent.Wait();
        }
        for (int peer = 0; peer < others; peer++)
        {
            int from = Of(1 - odd)[peer];
            Same([from, mine.Rank], both.Receive<int[]>(peer, 3));
            Expect.Equal($"{from} to {mine.Rank}", both.Receive<string>(peer, 4));
        }
        Expect.Equal(MpiError.Rank, Expect.Throws<MpiException>(() => both.Send(1, others, 0)).Error);
        both.Barrier();

        // From the last of the even ones to the odd ones, and back.
        foreach (int side in (int[])[0, 1])
        {
            int last = Of(side).Length - 1;
            Root root = side != odd ? Root.Remote(last) : mine.Rank == last ? Root.Here : Root.Beside;
            int number = root.IsHere ? 17 : 0;
            both.Broadcast(ref number, root);
            Expect.Equal(root.IsRemote || root.IsHere ? 17 : 0, number);
            string word = root.IsHere ? "hello" : "";
            both.Broadcast(ref word, root);
            Expect.Equal(root == Root.Beside ? "" : "hello", word);
            Span<double> row = stackalloc double[3];
            row.Fill(root.IsHere ? 0.5 : 0);
            both.Broadcast(row, root);
            Expect.Equal(root == Root.Beside ? 0 : 0.5, row[2]);
            string[]? gathered = both.Gather($"rank {world.Rank}", root);
            Expect.Equal(root.IsHere, gathered != null);
            if (gathered != null)
            {
                Same(Of(1 - odd).Select(rank => $"rank {rank}").ToArray(), gathered);
            }
            long[] room = new long[root.IsHere ? others * 2 : 0];
            both.Gather<long>([world.Rank, 5], room, root);
            Same(root.IsHere ? Of(1 - odd).SelectMany(rank => new long[] { rank, 5 }).ToArray() : [], room);
            int[] parts = Enumerable.Range(0, others).Select(part => part * 3).ToArray();
            Expect.Equal(root.IsRemote ? mine.Rank * 3 : 0, both.Scatter(root.IsHere ? parts : null, root));
            string? name = both.Scatter(root.IsHere ? parts.Select(part => $"part {part}").ToArray() : null, root);
            Expect.Equal(root.IsRemote ? $"part {mine.Rank * 3}" : null, name);
            int[] own = new int[root.IsRemote ? 1 : 0];
            both.Scatter<int>(parts, own, root);
            Same(root.IsRemote ? [mine.Rank * 3] : [], own);
            Expect.Equal(root.IsHere ? Of(1 - odd).Sum() : 0, both.Reduce(world.Rank, Operation<int>.Add, root));
            string? joined = both.Reduce($"{world.Rank},", Operation<string>.Add, root);
            Expect.Equal(root.IsHere ? string.Concat(Of(1 - odd).Select(rank => $"{rank},")) : null, joined);
        }
        Same(Of(1 - odd), both.Allgather(world.Rank));
        Same(Of(1 - odd).Select(rank => $"rank {rank}").ToArray(), both.Allgather($"rank {world.Rank}"));
        Span<int> of = new int[others * 2];
        both.Allgather<int>([world.Rank, -world.Rank], of);
        Same(Of(1 - odd).SelectMany(rank => new[] { rank, -rank }).ToArray(), of.ToArray());
        int[] sends = Enumerable.Range(0, others).Select(peer => (world.Rank * 100) + peer).ToArray();
        Same(Of(1 - odd).Select(rank => (rank * 100) + mine.Rank).ToArray(), both.Alltoall(sends));
        int[] into = new int[others];
        both.Alltoall<int>(sends, into);
        Same(Of(1 - odd).Select(rank => (rank * 100) + mine.Rank).ToArray(), into);
        Expect.Equal(Of(1 - odd).Sum(), both.Allreduce(world.Rank, Operation<int>.Add));
        Expect.Equal(string.Concat(Of(1 - odd)), both.Allreduce($"{world.Rank}", Operation<string>.Add));

        Combined(both, Of(1 - odd), world.Rank);

        using (Intercommunicator twin = both.Duplicate())
        {
            Expect.Equal(Comparison.Congruent, both.Compare(twin));
            Same(Of(1 - odd), twin.Allgather(world.Rank));
        }
        using (Communicator merged = both.Merge(odd == 1))
        {
            Same([.. Of(0), .. Of(1)], merged.Allgather(world.Rank));
        }

        // What is of one group only.
        MpiException refused = Expect.Throws<MpiException>(() => both.Scan(1, Operation<int>.Add));
        Expect.Equal((MpiError.Usage, true), (refused.Error, refused.Message.Contains("between two groups")));
        Expect.Throws<MpiException>(() => both.Broadcast(ref others, 0));
        Expect.Equal(MpiError.Rank, Expect.Throws<MpiException>(() => Root.Remote(-1)).Error);
        both.Disconnect();
        refused = Expect.Throws<MpiException>(both.Barrier);
        Expect.Equal((MpiError.Usage, true), (refused.Error, refused.Message.Contains("disconnected")));
        Expect.Throws<MpiException>(both.Disconnect);

        int[] Of(int side) => Enumerable.Range(0, world.Size).Where(rank => rank % 2 == side).ToArray();
    }

    /// <summary>Functions and objects, combined for the other group: <paramref name="theirs"/> are its ranks in the world.</summary>
    private static void Combined(Intercommunicator both, int[] theirs, int mine)
    {
        int sum = theirs.Sum();
        Func<int, int, int> larger = (a, b) => a > b ? a : b;
        Expect.Equal(theirs.Max(), both.Allreduce(mine, larger));
        Same([sum, theirs.Sum(rank => rank * rank)], both.Allreduce(new[] { mine, mine * mine }, (a, b) => a + b));
        Same([sum, theirs.Length], both.Allreduce(new[] { mine, 1 }, Operation<int>.Add));
        double[] into = new double[2];
        both.Allreduce<double>([mine, 0.5], into, (a, b) => a + b);
        Same([sum, 0.5 * theirs.Length], into);
        Expect.Equal(string.Join("-", theirs), both.Allreduce($"{mine}", (a, b) => $"{a}-{b}"));
        Same([string.Concat(theirs), new string('x', theirs.Length)], both.Allreduce(new[] { $"{mine}", "x" }, Operation<string>.Add));
        using (var spans = new Operation<long>((from, to) =>
        {
            for (int index = 0; index < to.Length; index++)
            {
                to[index] += from[index];
            }
        }))
        {
            Same([sum, 2L * theirs.Length], both.Allreduce(new long[] { mine, 2 }, spans));
        }

        // One group has the root, and then the other.
        foreach (int side in (int[])[0, 1])
        {
            bool inRootsGroup = mine % 2 == side;
            Root root = !inRootsGroup ? Root.Remote(0) : both.Rank == 0 ? Root.Here : Root.Beside;
            Expect.Equal(root.IsHere ? theirs.Max() : 0, both.Reduce(mine, larger, root));
            int[]? sums = both.Reduce(new[] { mine, 1 }, (a, b) => a + b, root);
            Same(root.IsHere ? [sum, theirs.Length] : [], sums ?? []);
            Expect.Equal(root.IsHere, sums != null);
            long[] room = new long[root.IsHere ? 1 : 0];
            both.Reduce<long>([mine], room, (a, b) => a + b, root);
            Same(root.IsHere ? [sum] : [], room);
            Expect.Equal(root.IsHere ? string.Concat(theirs) : null, both.Reduce($"{mine}", (a, b) => a + b, root));
            string[]? texts = both.Reduce(new[] { $"{mine}", "y" }, (a, b) => a + b, root);
            Same(root.IsHere ? [string.Concat(theirs), new string('y', theirs.Length)] : [], texts ?? []);
        }

        // What a function throws is an error where it was called: with two in the other group, here.
        Func<string, string, string> throws = (_, _) => throw new InvalidOperationException("thrown");
        if (theirs.Length > 1)
        {
            MpiException failed = Expect.Throws<MpiException>(() => both.Allreduce("text", throws));
            Expect.Equal((MpiError.Operation, "thrown"), (failed.Error, failed.InnerException!.Message));
        }
        else
        {
            Expect.Equal("text", both.Allreduce("text", throws));
        }
        string[] uneven = mine == 0 ? ["one"] : ["one", "two"];
        if (theirs.Contains(0) && theirs.Length > 1)
        {
            Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => both.Allreduce(uneven, Operation<string>.Add)).Error);
        }
        else
        {
            both.Allreduce(uneven, Operation<string>.Add);
        }
        Expect.Equal("operation", Expect.Throws<ArgumentNullException>(() => both.Allreduce(1, (Func<int, int, int>)null!)).ParamName);
        Expect.Equal("values", Expect.Throws<ArgumentNullException>(() => both.Allreduce((int[])null!, Operation<int>.Add)).ParamName);
    }

    [RankTest]
    public static void Processes_are_started_and_talk_with_their_parents(Communicator world)
    {
        // What is not there is told to all ranks.
        int root = world.Size - 1;
        MpiException none = Expect.Throws<MpiException>(() => world.Spawn("/no/program", [], 2, root));
        Expect.Equal((MpiError.Spawn, true), (none.Error, none.Message.Contains("there is no program /no/program")));
        Expect.Equal(MpiError.Spawn, Expect.Throws<MpiException>(() => world.Spawn(new SpawnedProgram("true", 1) { Directory = "/no/folder" }, root)).Error);
        Expect.Throws<MpiException>(() => world.Spawn(new List<SpawnedProgram>(), root));
        Expect.Equal(world.Size, world.Allreduce(1, Operation<int>.Add));
        if (world.Size != 2)
        {
            return;
        }
        string program = System.Environment.ProcessPath!;
        string[] arguments = ["exec", typeof(Runner).Assembly.Location, "--ranks", "--child"];
        SpawnedProgram Child(string name, int processes) =>
            new(program, processes) { Arguments = [.. arguments, name], Directory = "/" };
        Intercommunicator children;
        try
        {
            children = world.Spawn([Child("first", 1), Child("second", 1)], root);
        }
        catch (MpiException failed) when (Mpi.Environment.LibraryName.StartsWith("MPICH", StringComparison.Ordinal))
        {
            // Debian's has no way to ask its launcher.
            Expect.Equal(MpiError.Spawn, failed.Error);
            return;
        }
        Expect.Equal((2, 2), (children.Size, children.RemoteSize));
        string hello = world.Rank == root ? "hello" : "";
        children.Broadcast(ref hello, world.Rank == root ? Root.Here : Root.Beside);
        Same(["first in /", "second in /"], children.Allgather($"parent {world.Rank}"));
        using (Communicator all = children.Merge(false))
        {
            Expect.Equal(4, all.Allreduce(1, Operation<int>.Add));
        }
        children.Disconnect();
    }

    /// <summary>What a process does that was started by the test above.</summary>
    internal static int Child(string name)
    {
        using var mpi = new Mpi.Environment();
        Intercommunicator parent = mpi.Parent ?? throw new InvalidOperationException("nobody has started this process");
        string hello = "";
        parent.Broadcast(ref hello, Root.Remote(parent.RemoteSize - 1));
        Expect.Equal("hello", hello);
        Same(["parent 0", "parent 1"], parent.Allgather($"{name} in {System.Environment.CurrentDirectory}"));
        using (Communicator all = parent.Merge(true))
        {
            Expect.Equal(4, all.Allreduce(1, Operation<int>.Add));
        }
        parent.Disconnect();
        return 0;
    }

    [RankTest]
    public static void Programs_find_each_other_by_a_port(Communicator world)
    {
        Expect.Equal(true, Expect.Throws<MpiException>(() => Port.LookUp("upcall-no-such-service")).Error is MpiError.Port or MpiError.Unsupported);
        Port? port = null;
        MpiError? refused = null;
        if (world.Rank == 0)
        {
            try
            {
                port = Port.Open();
            }
            catch (MpiException failed)
            {
                // MPICH over UCX has none.
                refused = failed.Error;
                Expect.Equal(true, refused is MpiError.Unsupported or MpiError.Port, failed.Message);
                Expect.Equal(true, Mpi.Environment.LibraryName.StartsWith("MPICH", StringComparison.Ordinal), failed.Message);
            }
        }
        bool isOpen = port != null;
        world.Broadcast(ref isOpen, 0);
        if (!isOpen || world.Size == 1)
        {
            port?.Dispose();
            return;
        }
        string service = $"upcall-csharp-{System.Environment.ProcessId}";
        world.Broadcast(ref service, 0);
        IDisposable? published = port?.Publish(service);
        world.Barrier();
        int odd = world.Rank % 2;
        using Communicator half = world.Split(odd, 0)!;
        string name = odd == 1 ? Port.LookUp(service) : port?.Name ?? "";
        Intercommunicator both = odd == 1 ? half.Connect(name, 0) : half.Accept(name, 0);
        Same(Enumerable.Range(0, world.Size).Where(rank => rank % 2 != odd).ToArray(), both.Allgather(world.Rank));
        both.Disconnect();
        published?.Dispose();
        world.Barrier();
        Expect.Equal(MpiError.Port, Expect.Throws<MpiException>(() => Port.LookUp(service)).Error);
        port?.Dispose();
        Expect.Equal(MpiError.Port, Expect.Throws<MpiException>(() => Communicator.Self.Connect("nonsense", 0)).Error);
    }
}
