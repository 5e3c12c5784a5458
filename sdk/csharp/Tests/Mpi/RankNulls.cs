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
        Refused(("ranks", () => group.IncludeOnly(none)), ("other", () => _ = group | null!));
        using Checked check = world.Checked();
        Refused((Values, () => check.Send(none, 0, 1)));
        using (MpiFile file = MpiFile.Open(world, "/dev/null", new MpiFileOptions { Write = true }))
        {
            Refused((Values, () => file.Write(none)), (Values, () => file.WriteAt(none, 0)), (Into, () => file.StartReadAt(none, 0)));
        }
        using Window<int> window = Window<int>.Allocate(world, 1);
        using PassiveEpoch<int> epoch = window.LockAll();
        Refused((Values, () => epoch.Put(none, 0, 0)), (By, () => epoch.Accumulate(some, 0, 0, null!)));

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
        Action[] calls =
        [
            () => world.Scatter<int>(null, 0),
            () => world.Scatter<string>(null, 0),
            () => world.ScatterFromFlattened<int>(null, 1, 0),
            () => world.ScatterFromFlattened([1], null, 0),
        ];
        foreach (Action call in calls)
        {
            if (world.Rank == 0)
            {
                Expect.Throws<ArgumentNullException>(call);
            }
            else
            {
                Expect.Throws<MpiException>(call);
            }
        }
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
