using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Upcall.Mpi;
using static Upcall.Tests.Ranks;

namespace Upcall.Tests;

/// <summary>What all ranks do together while the program works, once or in rounds, against a plain model.</summary>
public static class RankBegun
{
    [RankTest]
    public static void Begun_collectives_move_what_the_waiting_ones_do(Communicator world)
    {
        Random stream = Stream();
        for (int round = 0; round < 4; round++)
        {
            Moved(world, stream, value => value * 0.5);
            Moved(world, stream, value => (byte)value);
            Moved(world, stream, value => value % 2 == 0);
            Moved(world, stream, Padded.Of);
        }
    }

    private static void Moved<T>(Communicator world, Random stream, Func<int, T> value)
        where T : unmanaged
    {
        int count = stream.Next(40), root = stream.Next(world.Size), size = world.Size, rank = world.Rank;
        int[] counts = Counts(stream, world);
        int[][] shares = Enumerable.Range(0, size).Select(_ => Counts(stream, world)).ToArray();
        T[] Mine(int of) => Of(of, count, value);
        T[] All() => Enumerable.Range(0, size).SelectMany(Mine).ToArray();
        T[] shared = rank == root ? Mine(root) : new T[count];
        T[] toAll = Of(rank, count * size, value);
        T[] part = Of(rank, counts[rank], value), exchanged = Of(rank, shares[rank].Sum(), value);
        int[] into = shares.Select(share => share[rank]).ToArray();
        Request barrier = world.ImmediateBarrier();
        var broadcast = world.ImmediateBroadcast(shared, root);
        var gather = world.ImmediateGather(Mine(rank), root);
        var allgather = world.ImmediateAllgather(Mine(rank));
        var scatter = world.ImmediateScatter(rank == root ? All() : null, count, root);
        var alltoall = world.ImmediateAlltoall(toAll);
        var gatherParts = world.ImmediateGatherFlattened(part, counts, root);
        var allgatherParts = world.ImmediateAllgatherFlattened(part, counts);
        T[] whole = Enumerable.Range(0, size).SelectMany(of => Of(of, counts[of], value)).ToArray();
        var scatterParts = world.ImmediateScatterFromFlattened(rank == root ? whole : null, counts, root);
        var alltoallParts = world.ImmediateAlltoallFlattened(exchanged, shares[rank], into);
        var memory = new T[(count * size) + 2];
        Request slice = world.ImmediateAllgather<T>(Mine(rank), memory.AsMemory(1, count * size));
        GC.Collect();
        // In any order, beside a message.
        var list = new RequestList();
        T[] one = new T[1];
        var received = world.ImmediateReceive(Before(world), 7, one);
        Request[] all =
        [
            barrier, broadcast, gather, allgather, scatter, alltoall, gatherParts, allgatherParts, scatterParts, alltoallParts, slice,
            received, world.ImmediateSend(Of(rank, 1, value), Next(world), 7),
        ];
        all.ToList().ForEach(list.Add);
        if (stream.Next(2) == 0)
        {
            Expect.Equal(all.Length, list.WaitAll().Count);
        }
        while (list.Count > 0)
        {
            list.WaitSome();
        }
        Same(Mine(root), broadcast.Value);
        Expect.Equal(true, ReferenceEquals(shared, broadcast.Value));
        Expect.Equal(rank == root, gather.Value != null);
        Same(rank == root ? All() : [], gather.Value ?? []);
        Same(All(), allgather.Value);
        Same(All(), memory[1..^1]);
        Same(Mine(rank), scatter.Value);
        T[] From(int of) => Of(of, count * size, value)[(count * rank)..(count * (rank + 1))];
        Same(Enumerable.Range(0, size).SelectMany(From).ToArray(), alltoall.Value);
        Same(rank == root ? whole : [], gatherParts.Value ?? []);
        Same(whole, allgatherParts.Value);
        Same(part, scatterParts.Value);
        T[] Sent(int of) => Of(of, shares[of].Sum(), value)[shares[of][..rank].Sum()..shares[of][..(rank + 1)].Sum()];
        Same(Enumerable.Range(0, size).SelectMany(Sent).ToArray(), alltoallParts.Value);
        Same(Of(Before(world), 1, value), one);
        Array.ForEach(all, request => request.Dispose());
    }

    [RankTest]
    public static void Begun_reductions_combine_what_the_waiting_ones_do(Communicator world)
    {
        Random stream = Stream();
        Combined(world, stream, value => value * 0.5, Operation<double>.Add, (a, b) => a + b);
        Combined(world, stream, value => value * -7L, Operation<long>.Max, Math.Max);
        using var points = new Operation<Point>((a, b) => new Point(a.X + b.X, Math.Max(a.Y, b.Y)));
        Combined(world, stream, value => new Point(value, -value), points, (a, b) => new Point(a.X + b.X, Math.Max(a.Y, b.Y)));
        using var left = new Operation<Point>((a, b) => new Point(a.X, b.Y), commutes: false);
        Combined(world, stream, value => new Point(value, -value), left, (a, b) => new Point(a.X, b.Y));
        // The request keeps an operation that nobody else does.
        var made = new Operation<int>((a, b) => a ^ b);
        var request = world.ImmediateAllreduce([world.Rank], made);
        made.Dispose();
        GC.Collect();
        request.Wait();
        Expect.Equal(Enumerable.Range(0, world.Size).Aggregate((a, b) => a ^ b), request.Value![0]);
    }

    private static void Combined<T>(
        Communicator world, Random stream, Func<int, T> value, Operation<T> operation, Func<T, T, T> model)
        where T : unmanaged
    {
        int count = stream.Next(60), root = stream.Next(world.Size), rank = world.Rank;
        int[] counts = Counts(stream, world);
        T[] Fold(int ranks, int length) => Enumerable.Range(0, length)
            .Select(index => Enumerable.Range(0, ranks).Select(of => Of(of, length, value)[index]).Aggregate(model)).ToArray();
        T[] mine = Of(rank, count, value);
        var reduce = world.ImmediateReduce(mine, operation, root);
        var all = world.ImmediateAllreduce(mine, operation);
        var memory = new T[count];
        Request into = world.ImmediateAllreduce<T>(mine, memory, operation);
        var scatter = world.ImmediateReduceScatter(Of(rank, counts.Sum(), value), operation, counts);
        var scan = world.ImmediateScan(mine, operation);
        var exclusive = world.ImmediateExclusiveScan(mine, operation);
        foreach (Request request in (Request[])[exclusive, scan, scatter, into, all, reduce])
        {
            while (request.Test() == null)
            {
                Thread.Yield();
            }
        }
        Same(rank == root ? Fold(world.Size, count) : [], reduce.Value ?? []);
        Same(Fold(world.Size, count), all.Value);
        Same(Fold(world.Size, count), memory);
        Same(Fold(world.Size, counts.Sum())[counts[..rank].Sum()..counts[..(rank + 1)].Sum()], scatter.Value);
        Same(Fold(rank + 1, count), scan.Value);
        Same(rank == 0 ? new T[count] : Fold(rank, count), exclusive.Value);
    }

    [RankTest]
    public static void What_an_operation_throws_comes_out_of_the_wait(Communicator world)
    {
        if (world.Size == 1)
        {
            return;
        }
        using var operation = new Operation<int>((int a, int b) => throw new FormatException("not these"));
        var request = world.ImmediateAllreduce([1, 2], operation);
        bool thrown = false;
        try
        {
            request.Wait();
        }
        catch (MpiException exception)
        {
            thrown = true;
            Expect.Equal(MpiError.Operation, exception.Error);
            Expect.Equal(true, exception.InnerException is FormatException);
            Expect.Equal(MpiError.Operation, Expect.Throws<MpiException>(() => request.Wait()).Error);
        }
        // Somebody has called it.
        Expect.Equal(true, world.Allreduce(thrown ? 1 : 0, Operation<int>.Max) == 1);
    }

    [RankTest]
    public static void Requests_are_started_again_and_again(Communicator world)
    {
        int next = Next(world), before = Before(world), rank = world.Rank, size = world.Size, root = size - 1;
        int[] sent = new int[4], come = new int[6], shared = new int[3], counts = Enumerable.Range(1, size).ToArray();
        double[] mine = new double[5], sums = new double[5], all = new double[5 * size], scanned = new double[5];
        int[] part = new int[rank + 1], parts = new int[counts.Sum()];
        using PersistentRequest send = world.SendInit(sent, next, 3), receive = world.ReceiveInit(come, before, 3);
        Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => send.Wait()).Error);
        using PersistentRequest sum = world.AllreduceInit(mine, sums, Operation<double>.Add);
        using PersistentRequest broadcast = world.BroadcastInit(shared, root), gather = world.AllgatherInit(mine, all);
        using PersistentRequest flattened = world.AllgatherFlattenedInit(part, parts, counts), barrier = world.BarrierInit();
        using var smaller = new Operation<double>(Math.Min);
        using PersistentRequest scan = world.ScanInit(mine, scanned, smaller);
        PersistentRequest[] requests = [receive, send, sum, broadcast, gather, flattened, barrier, scan];
        for (int round = 0; round < 5; round++)
        {
            double Value(int of, int index) => (of * 100) + (index * round);
            Array.Fill(sent, (rank * 10) + round);
            for (int index = 0; index < mine.Length; index++)
            {
                mine[index] = Value(rank, index);
            }
            if (rank == root)
            {
                Array.Fill(shared, round * 7);
            }
            Array.Fill(part, rank + round);
            foreach (PersistentRequest request in requests)
            {
                request.Start();
                if (request.IsActive)
                {
                    Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(request.Start).Error);
                }
            }
            GC.Collect();
            var list = new RequestList();
            requests.ToList().ForEach(list.Add);
            Expect.Equal(requests.Length, list.WaitAll().Count);
            Expect.Equal(4, receive.Wait().Count<int>());
            Expect.Equal(before, receive.Test()!.Value.Source);
            Same(Enumerable.Repeat((before * 10) + round, 4).Concat(new int[2]).ToArray(), come);
            Same(Enumerable.Range(0, 5).Select(i => Enumerable.Range(0, size).Sum(of => Value(of, i))).ToArray(), sums);
            Same(Enumerable.Range(0, size).SelectMany(of => Enumerable.Range(0, 5).Select(i => Value(of, i))).ToArray(), all);
            Same(Enumerable.Range(0, 5).Select(i => Value(0, i)).ToArray(), scanned);
            Same(Enumerable.Repeat(round * 7, 3).ToArray(), shared);
            Same(Enumerable.Range(0, size).SelectMany(of => Enumerable.Repeat(of + round, of + 1)).ToArray(), parts);
        }
        // One that nobody waits for.
        PersistentRequest left = world.ReceiveInit(new int[8], before, 4);
        left.Start();
        left.Dispose();
        Expect.Throws<ObjectDisposedException>(left.Start);
    }

    [RankTest]
    public static void What_does_not_fit_is_an_error_that_says_so(Communicator world)
    {
        MpiException Refused(Action action, MpiError error = MpiError.Usage)
        {
            MpiException refused = Expect.Throws<MpiException>(action);
            Expect.Equal(error, refused.Error, refused.Message);
            return refused;
        }
        int size = world.Size;
        Refused(() => world.ImmediateBroadcast(new int[3], size), MpiError.Rank);
        Refused(() => world.ImmediateAllgather<int>(new int[2], new int[(2 * size) + 1]));
        Refused(() => world.ImmediateAllgatherFlattened(new int[2], new int[size + 1]));
        Refused(() => world.ImmediateAllgatherFlattened(new int[2], Enumerable.Repeat(-1, size).ToArray()));
        Refused(() => world.ImmediateReduceScatter(new int[size], Operation<int>.Add, new int[size]));
        Refused(() => world.AllreduceInit(new int[2], new int[3], Operation<int>.Add));
        int[] same = [1, 2];
        Expect.Equal(true, Refused(() => world.AllreduceInit(same, same, Operation<int>.Add)).Message.Contains("two arrays"));
        if (size > 1)
        {
            Refused(() => world.ImmediateAlltoall(new int[size + 1]));
        }
        var request = world.ImmediateBarrier();
        Expect.Throws<MpiException>(() => _ = ((ReceiveRequest<byte[]?>)request).Value);
        request.Wait();
        using Communicator twin = world.Duplicate();
        twin.Dispose();
        Expect.Throws<ObjectDisposedException>(() => twin.ImmediateBarrier());
        world.Barrier();
    }

    [RankTest]
    public static void Buffered_sends_return_whether_or_not_anybody_receives(Communicator world)
    {
        int next = Next(world), before = Before(world);
        Expect.Equal(MpiError.Buffer, Expect.Throws<MpiException>(() => world.SendBuffered(1, next, 0)).Error);
        SendBuffer forgotten;
        using (SendBuffer buffer = Mpi.Environment.AttachBuffer(1 << 20))
        {
            Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => Mpi.Environment.AttachBuffer(1)).Error);
            Expect.Equal(MpiError.Buffer, Expect.Throws<MpiException>(() => world.SendBuffered(new byte[2 << 20], next, 0)).Error);
            // All send first, more than MPI keeps by itself.
            world.SendBuffered<double>(Of(world.Rank, 100_000, value => value * 0.5), next, 1);
            world.SendBuffered($"from {world.Rank}", next, 2);
            Expect.Equal(true, buffer.Used >= 0);
            double[] come = world.Receive<double[]>(before, 1);
            Same(Of(before, 100_000, value => value * 0.5), come);
            Expect.Equal($"from {before}", world.Receive<string>(before, 2));
            // With a request, which has ended already, and in rounds.
            int[] turn = [world.Rank];
            Expect.Equal(true, world.ImmediateSendBuffered(turn, next, 3).Test() != null);
            using PersistentRequest rounds = world.SendBufferedInit(turn, next, 3);
            for (int round = 0; round < 3; round++)
            {
                turn[0] = 10 + round;
                rounds.Start();
                Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(rounds.Start).Error);
                turn[0] = -1;
                rounds.Wait();
            }
            foreach (int wanted in (int[])[before, 10, 11, 12])
            {
                Expect.Equal(wanted, world.Receive<int>(before, 3));
            }
            using PersistentRequest large = world.SendBufferedInit(new byte[2 << 20], next, 3);
            Expect.Equal(MpiError.Buffer, Expect.Throws<MpiException>(large.Start).Error);
            forgotten = buffer;
        }
        Expect.Throws<ObjectDisposedException>(() => _ = forgotten.Used);
        forgotten.Dispose();
    }

    [RankTest]
    public static void Ready_and_synchronous_sends_go_to_who_waits(Communicator world)
    {
        int next = Next(world), before = Before(world);
        long[] data = [world.Rank, -world.Rank], come = [7, 7], wanted = [before, -before];
        using PersistentRequest ready = world.SendReadyInit(data, next, 5), rounds = world.ReceiveInit(come, before, 5);
        for (int round = 0; round < 3; round++)
        {
            var also = new long[2];
            Request receive = world.ImmediateReceive(before, 6, also);
            world.Barrier();
            world.ImmediateSendReady<long>(data.AsMemory(), next, 6).Wait();
            receive.Wait();
            Same(wanted, also);
            rounds.Start();
            world.Barrier();
            PersistentRequest.StartAll(ready);
            Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => PersistentRequest.StartAll(rounds)).Error);
            ready.Wait();
            rounds.Wait();
            Same(wanted, come);
        }
        // One that is received has ended, and not before.
        using Request request = world.ImmediateSendSynchronous(data, next, 7);
        world.Barrier();
        Expect.Equal(true, request.Test() == null);
        world.Barrier();
        Same(wanted, world.Receive<long[]>(before, 7));
        request.Wait();
        Expect.Equal(MpiError.Rank, Expect.Throws<MpiException>(() => world.ImmediateSendReady(data, world.Size, 7)).Error);
        Expect.Equal(MpiError.Rank, Expect.Throws<MpiException>(() => world.SendReadyInit(data, world.Size, 7)).Error);
        Expect.Equal(MpiError.Buffer, Expect.Throws<MpiException>(() => world.ImmediateSendBuffered(data, next, 7)).Error);
    }

    [RankTest]
    public static void Partitions_are_sent_when_they_are_ready(Communicator world)
    {
        if (Mpi.Environment.Standard.Major < 4)
        {
            MpiException none = Expect.Throws<MpiException>(() => world.PartitionedSendInit(new int[4], 2, 0, 0));
            Expect.Equal(MpiError.Unsupported, none.Error);
            Expect.Equal(true, none.Message.Contains("MPI_Psend_init"), none.Message);
            return;
        }
        int next = Next(world), before = Before(world);
        var sent = new int[12];
        var come = new int[12];
        using PartitionedSend send = world.PartitionedSendInit(sent, 4, next, 5);
        using PartitionedReceive receive = world.PartitionedReceiveInit(come, 3, before, 5);
        Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => send.Ready(0)).Error);
        Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => receive.Wait()).Error);
        Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => world.PartitionedSendInit(sent, 5, next, 6)).Error);
        for (int round = 0; round < 3; round++)
        {
            receive.Start();
            send.Start();
            Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(send.Start).Error);
            foreach (int part in (int[])[2, 0, 3])
            {
                Array.Fill(sent, (world.Rank * 100) + (round * 10) + part, part * 3, 3);
                send.Ready(part);
                Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => send.Ready(part)).Error);
            }
            Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => send.Ready(4)).Error);
            // The last goes as it is.
            Array.Fill(sent, -1, 3, 3);
            send.Wait();
            while (!Enumerable.Range(0, 3).All(receive.HasArrived))
            {
                Thread.Yield();
            }
            Expect.Equal(true, receive.IsActive);
            receive.Wait();
            int Part(int part) => part == 1 ? -1 : (before * 100) + (round * 10) + part;
            Same(Enumerable.Range(0, 12).Select(index => Part(index / 3)).ToArray(), come);
        }
        send.Dispose();
        Expect.Throws<ObjectDisposedException>(send.Start);
    }
}
