using System;
using System.Collections.Generic;
using Upcall.Mpi;
using static Upcall.Tests.Ranks;

namespace Upcall.Tests;

/// <summary>What is null is named, and is no empty message.</summary>
public static class RankNulls
{
    private const string Values = "values", Into = "into", Counts = "counts", By = "operation";

    [RankTest(Most = 1)]
    public static void Arrays_that_are_null_are_refused_by_their_names(Communicator world)
    {
        int[] none = null!, some = [1];
        string[] texts = null!;
        Operation<int> add = Operation<int>.Add;
        Refused(
            (Values, () => world.Send(none, 0, 1)),
            (Values, () => world.Send(texts, 0, 1)),
            (Values, () => world.ImmediateSend(none, 0, 1)),
            (Values, () => world.ImmediateSendSynchronous(none, 0, 1)),
            (Values, () => world.ImmediateSendReady(none, 0, 1)),
            (Values, () => world.ImmediateSendBuffered(none, 0, 1)),
            (Into, () => world.Receive(0, 1, none)),
            (Values, () => world.ImmediateReceive(0, 1, none)),
            ("value", () => world.Gather<int[]>(none, 0)),
            (Values, () => world.Scatter(none, 0)),
            (Values, () => world.Scatter(texts, 0)),
            (Values, () => world.Alltoall(none)),
            (Values, () => world.Alltoall(texts)),
            (Values, () => world.GatherFlattened(none, 0)),
            (Counts, () => world.GatherFlattened(some, none, 0)),
            (Values, () => world.AllgatherFlattened(texts)),
            (Values, () => world.ScatterFromFlattened(none, 1, 0)),
            (Counts, () => world.ScatterFromFlattened(some, null, 0)),
            (Values, () => world.ScatterFromFlattened(texts, [0], 0)),
            ("sendCounts", () => world.AlltoallFlattened(some, none, out _)),
            ("receiveCounts", () => world.AlltoallFlattened(some, [1], none)));
        Refused(
            (Values, () => world.Reduce(none, add, 0)),
            (Values, () => world.Allreduce(none, add)),
            (Values, () => world.Allreduce(none, (a, b) => a + b)),
            (Values, () => world.Allreduce(texts, Operation<string>.Add)),
            (By, () => world.Allreduce(some, (Operation<int>)null!)),
            (By, () => world.Allreduce(some, (Func<int, int, int>)null!)),
            (By, () => world.Allreduce<int>(some, some, (Operation<int>)null!)),
            (Values, () => world.AllreduceChecked(none, add)),
            (Values, () => world.Scan(none, add)),
            (Values, () => world.ExclusiveScan(none, add)),
            (Values, () => world.ReduceScatter(none, add, [1])),
            (Counts, () => world.ReduceScatter(some, add, none)),
            (Values, () => world.AllreduceReproducible((double[])null!)),
            ("combine", () => _ = new Operation<int>((Func<int, int, int>)null!)),
            ("combine", () => _ = new Operation<int>((SpanOperation<int>)null!)));
        Refused(
            (Values, () => world.ImmediateBroadcast(none, 0)),
            (Values, () => world.ImmediateGather(none, 0)),
            (Values, () => world.ImmediateAllgather(none)),
            (Values, () => world.ImmediateScatter(none, 1, 0)),
            (Values, () => world.ImmediateAlltoall(none)),
            (Counts, () => world.ImmediateAllgatherFlattened(some, none)),
            (Values, () => world.ImmediateReduce(none, add, 0)),
            (Values, () => world.ImmediateAllreduce(none, add)),
            (By, () => world.ImmediateScan(some, null!)),
            (Values, () => world.SendInit(none, 0, 1)),
            (Values, () => world.SendSynchronousInit(none, 0, 1)),
            (Values, () => world.SendReadyInit(none, 0, 1)),
            (Values, () => world.SendBufferedInit(none, 0, 1)),
            ("requests", () => PersistentRequest.StartAll(null!)),
            (Values, () => world.ReceiveInit(none, 0, 1)),
            (Values, () => world.BroadcastInit(none, 0)),
            (Into, () => world.GatherInit(some, none, 0)),
            (Into, () => world.AllgatherInit(some, none)),
            (Values, () => world.ScatterInit(none, some, 0)),
            (Into, () => world.AllreduceInit(some, none, add)),
            (By, () => world.AllreduceInit(some, some, null!)),
            (Counts, () => world.ReduceScatterInit(some, some, add, none)),
            (Values, () => world.PartitionedSendInit(none, 1, 0, 1)));
        Refused(
            ("group", () => world.Create(null!)),
            ("other", () => world.Compare(null!)),
            ("periodic", () => world.Cartesian([1], null!)),
            ("targets", () => world.Graph([0], none)),
            ("bridge", () => world.Intercommunicator(0, null!, 0, 0)),
            ("programs", () => world.Spawn((IEnumerable<SpawnedProgram>)null!, 0)),
            ("path", () => world.Spawn(null!, [], 1, 0)),
            ("port", () => world.Connect(null!, 0)),
            ("service", () => Port.LookUp(null!)),
            ("path", () => MpiFile.Open(world, null!)),
            ("program", () => Mpi.Environment.Run(null!)));
        using Group group = world.Group;
        Refused(
            ("ranks", () => group.IncludeOnly(none)),
            ("ranges", () => group.IncludeRanges(null!)),
            ("ranges", () => group.ExcludeRanges(null!)),
            ("other", () => _ = group | null!));
        using Checked check = world.Checked();
        Refused((Values, () => check.Send(none, 0, 1)));
        using (MpiFile file = MpiFile.Open(world, "/dev/null", new MpiFileOptions { Write = true }))
        {
            Refused((Values, () => file.Write(none)), (Values, () => file.WriteAt(none, 0)), (Into, () => file.StartReadAt(none, 0)));
        }
        using Window<int> window = Window<int>.Allocate(world, 1);
        using PassiveEpoch<int> epoch = window.LockAll();
        Refused(
            (Values, () => epoch.Put(none, 0, 0)),
            (By, () => epoch.Accumulate(some, 0, 0, null!)),
            (Values, () => epoch.StartPut(none, 0, 0)),
            (Values, () => epoch.StartAccumulate(none, 0, 0, add)),
            (By, () => epoch.StartAccumulate(some, 0, 0, null!)),
            (By, () => epoch.StartAccumulate(some.AsMemory(), 0, 0, null!)));

        // Nothing of it was sent.
        Expect.Equal(null, world.ImmediateProbe(Communicator.AnySource, Communicator.AnyTag));
        // What may be null is still.
        world.Broadcast(ref none!, 0);
        Expect.Equal(null, none);
        string? text = world.Allgather<string?>(null)[0];
        Expect.Equal(null, text);
    }

    [RankTest]
    public static void What_the_root_does_not_have_is_told_to_all(Communicator world)
    {
        bool isRoot = world.Rank == 0;
        (string Name, Action Call)[] calls =
        [
            (Values, () => world.Scatter<int>(null, 0)),
            (Values, () => world.Scatter<string>(null, 0)),
            (Values, () => _ = isRoot ? world.Scatter((int[])null!) : world.Scatter<int>(0)),
            (Values, () => _ = isRoot ? world.Scatter((string[])null!) : world.Scatter<string>(0)),
            (Values, () => world.ScatterFromFlattened<int>(null, 1, 0)),
            (Values, () => world.ScatterFromFlattened<string>(null, 1, 0)),
            (Values, () => world.ScatterFromFlattened<string>(null, [], 0)),
            (Counts, () => world.ScatterFromFlattened([1], null, 0)),
            (Counts, () => world.ScatterFromFlattened(["one"], null, 0)),
        ];
        foreach ((string name, Action call) in calls)
        {
            if (isRoot)
            {
                Expect.Equal(name, Expect.Throws<ArgumentNullException>(call).ParamName);
            }
            else
            {
                Expect.Throws<MpiException>(call);
            }
        }
        // Nor are there elements for negative numbers of them, which add up to as many as there are.
        int[] counts = new int[world.Size];
        (counts[0], counts[^1]) = (world.Size > 1 ? 2 : -1, -1);
        Expect.Throws<MpiException>(() => world.ScatterFromFlattened(["one"], counts, 0));
        Expect.Throws<MpiException>(() => world.ScatterFromFlattened([1], counts, 0));
        Expect.Equal(world.Size, world.Allreduce(1, Operation<int>.Add));
    }

    private static void Refused(params (string Name, Action Call)[] calls)
    {
        for (int index = 0; index < calls.Length; index++)
        {
            Expect.Equal(calls[index].Name, Expect.Throws<ArgumentNullException>(calls[index].Call).ParamName, $"call {index}");
        }
    }
}
