using System;
using System.IO;
using System.Linq;
using System.Threading;
using Upcall.Mpi;
using static Upcall.Tests.Ranks;

namespace Upcall.Tests;

/// <summary>Memory of ranks that others read and write, against a plain model, and buffers on huge pages.</summary>
public static class RankWindows
{
    [RankTest(Most = 3)]
    public static void Buffers_go_where_spans_go(Communicator world)
    {
        using var sent = new MpiBuffer<double>(70_000);
        using var received = new MpiBuffer<double>(70_000);
        Expect.Equal(0.0, received.Span.ToArray().Sum());
        for (int index = 0; index < sent.Length; index++)
        {
            sent[index] = (world.Rank * 7) + index;
        }
        // Both ways that do not wait for each other.
        using (Request receive = world.ImmediateReceive(Before(world), 3, received))
        using (Request send = world.ImmediateSend(sent, Next(world), 3))
        {
            Expect.Equal(8L * sent.Length, receive.Wait().Bytes);
            send.Wait();
        }
        Expect.Equal((Before(world) * 7) + 69_999.0, received[69_999]);
        using (Request receive = world.ImmediateReceive(Before(world), 4, received.Memory[..3]))
        {
            world.Send(sent.Span[5..8], Next(world), 4);
            receive.Wait();
        }
        Same([(Before(world) * 7) + 5.0, (Before(world) * 7) + 6.0, (Before(world) * 7) + 7.0], received.Span[..3].ToArray());
        world.Allreduce<double>(sent.Span, received.Span, Operation<double>.Add);
        Expect.Equal((7.0 * world.Size * (world.Size - 1) / 2) + (world.Size * 69_999.0), received[69_999]);
        // One that is disposed lives as long as a request uses it.
        var kept = new MpiBuffer<int>(1000);
        kept.Span.Fill(world.Rank);
        using (Request send = world.ImmediateSend(kept, Next(world), 5))
        {
            kept.Dispose();
            Expect.Throws<ObjectDisposedException>(() => _ = kept.Span.Length);
            var into = new int[1000];
            world.Receive(Before(world), 5, into);
            send.Wait();
            Same(Enumerable.Repeat(Before(world), 1000).ToArray(), into);
        }
        kept.Dispose();
        Expect.Throws<ObjectDisposedException>(() => world.Send(kept, 0, 0));
        Expect.Throws<ArgumentOutOfRangeException>(() => new MpiBuffer<int>(-1));
        Expect.Equal(0, new MpiBuffer<int>(0).Span.Length);
        // Where the system gives any.
        string given = File.ReadAllText("/sys/kernel/mm/transparent_hugepage/enabled");
        bool found = false;
        // Where memory is in small pieces at the moment, some are given none.
        for (int left = given.Contains("[never]") ? 1 : 100; left > 0 && !found; left--)
        {
            using var huge = new MpiBuffer<byte>(4 << 20);
            Expect.Equal(false, huge.HasHugePages);
            huge.Span.Fill(1);
            found = huge.HasHugePages;
            Thread.Sleep(found ? 0 : 50);
        }
        Expect.Equal(!given.Contains("[never]"), found);
        // Whoever keeps a span reads what is nobody's any more, without harm.
        var gone = new MpiBuffer<long>(4);
        Span<long> stale = gone.Span;
        stale[0] = 9;
        gone.Dispose();
        Expect.Equal(0L, stale[0]);
    }

    [RankTest(Most = 3)]
    public static void Random_puts_gets_and_sums_are_those_of_a_model(Communicator world)
    {
        Modelled(world, value => value % 100, Operation<int>.Add, (a, b) => a + b);
        Modelled(world, value => value / 2.0, Operation<double>.Max, Math.Max);
        Modelled(world, value => (long)value << 33, Operation<long>.ExclusiveOr, (a, b) => a ^ b);
        Modelled(world, value => (short)value, Operation<short>.Add, (a, b) => (short)(a + b));
        Modelled(world, value => (ulong)value, Operation<ulong>.BitwiseOr, (a, b) => a | b);
    }

    private static void Modelled<T>(Communicator world, Func<int, T> value, Operation<T> operation, Func<T, T, T> model)
        where T : unmanaged
    {
        Random stream = Stream();
        int[] lengths = Counts(stream, world).Select(count => count + 4).ToArray();
        using Window<T> window = Window<T>.Allocate(world, lengths[world.Rank]);
        Same(lengths, Enumerable.Range(0, world.Size).Select(window.Length).ToArray());
        T[][] all = lengths.Select(length => new T[length]).ToArray();
        for (int round = 0; round < 6; round++)
        {
            int kind = stream.Next(4);
            using (Epoch<T>? fence = kind == 0 ? window.Fence() : null)
            {
                for (int rank = 0; rank < world.Size; rank++)
                {
                    int to = stream.Next(world.Size), count = stream.Next(1, 4);
                    // Each rank has its own third or so, as what overlaps has no order.
                    int room = lengths[to] / world.Size, at = (room * rank) + stream.Next(Math.Max(room - count, 0) + 1);
                    count = Math.Min(count, (room * (rank + 1)) - at);
                    T[] values = Of(rank + round, Math.Max(count, 0), value);
                    for (int index = 0; index < values.Length; index++)
                    {
                        all[to][at + index] = kind == 3 ? model(all[to][at + index], values[index]) : values[index];
                    }
                    if (rank != world.Rank || values.Length == 0)
                    {
                        continue;
                    }
                    switch (kind)
                    {
                        case 0:
                            fence!.Put(values.AsSpan(), to, at);
                            break;
                        case 1:
                            using (PassiveEpoch<T> epoch = window.Lock(round % 2 == 0 ? LockMode.Shared : LockMode.Exclusive, to))
                            {
                                epoch.Put(values, to, at);
                                epoch.Flush(to);
                                Same(values, epoch.Fetch(to, at, values.Length));
                            }
                            break;
                        case 2:
                            window.Put(values, to, at);
                            Same(values, window.Get(to, at, values.Length));
                            break;
                        default:
                            using (PassiveEpoch<T> epoch = window.LockAll())
                            {
                                epoch.Accumulate(values, to, at, operation);
                            }
                            break;
                    }
                }
            }
            world.Barrier();
            using (LocalMemory<T> mine = window.Local())
            {
                Same(all[world.Rank], mine.Span.ToArray());
            }
            int from = stream.Next(world.Size);
            var into = new T[lengths[from]];
            using (Epoch<T> fence = window.Fence())
            {
                fence.Get(into, from, 0);
            }
            Same(all[from], into);
        }
    }

    [RankTest(Most = 3)]
    public static void Accesses_that_are_requests_are_waited_for_each(Communicator world)
    {
        int next = (world.Rank + 1) % world.Size, before = (world.Rank + world.Size - 1) % world.Size;
        int[] Values(int rank) => Enumerable.Range(0, 6).Select(at => (rank * 100) + at).ToArray();
        int[] mine = Values(world.Rank), whole = Enumerable.Range(0, world.Size).SelectMany(Values).ToArray();
        using Window<int> window = Window<int>.Allocate(world, 6 * world.Size);
        using (PassiveEpoch<int> epoch = window.LockAll())
        {
            var puts = new RequestList();
            for (int to = 0; to < world.Size; to++)
            {
                puts.Add(epoch.StartPut(mine, to, 6 * world.Rank));
            }
            puts.WaitAll();
            epoch.FlushAll();
            world.Barrier();
            var into = new int[whole.Length];
            using ReceiveRequest<int[]> get = epoch.StartGet(next, 0, whole.Length);
            using Request other = epoch.StartGet(into.AsMemory(), next, 0);
            Expect.Throws<MpiException>(() => _ = get.Value);
            get.Wait();
            other.Wait();
            Same(whole, get.Value);
            Same(whole, into);
            Same([whole[3]], epoch.StartGet(next, 3, 1) is var one && one.Wait() is var _ ? one.Value : []);
            world.Barrier();
            // Those are waited for by the epoch's end.
            epoch.StartAccumulate(mine, next, 6 * world.Rank, Operation<int>.Add);
            epoch.StartGet(next, 0, 1).Dispose();
            Expect.Equal(MpiError.Rank, Expect.Throws<MpiException>(() => epoch.StartPut(mine, world.Size, 0)).Error);
            Expect.Equal(MpiError.Range, Expect.Throws<MpiException>(() => epoch.StartGet(next, 1, whole.Length)).Error);
            Expect.Equal(MpiError.Range, Expect.Throws<MpiException>(() => epoch.StartPut(mine, next, -1)).Error);
            epoch.Dispose();
            Expect.Equal(MpiError.Synchronization, Expect.Throws<MpiException>(() => epoch.StartPut(mine, next, 0)).Error);
        }
        world.Barrier();
        Same(Values(before).Select(value => 2 * value).ToArray(), window.Get(world.Rank, 6 * before, 6));
        world.Barrier();
    }

    [RankTest(Most = 3)]
    public static void Numbers_are_fetched_and_combined_at_once(Communicator world)
    {
        const int Rounds = 20;
        using Window<long> window = Window<long>.Allocate(world, world.Rank == 0 ? 3 : 0);
        long mine = 0;
        using (PassiveEpoch<long> epoch = window.LockAll())
        {
            for (int round = 0; round < Rounds; round++)
            {
                mine += epoch.FetchAndOp(1, 0, 0, Operation<long>.Add);
                // A lock of one's own.
                while (epoch.CompareAndSwap(0, world.Rank + 1, 0, 1) != 0)
                {
                    Thread.Yield();
                }
                Expect.Equal(world.Rank + 1L, epoch.FetchAndOp(0, 0, 1, Operation<long>.Replace));
            }
        }
        long all = Rounds * world.Size;
        Expect.Equal(all * (all - 1) / 2, world.Allreduce(mine, Operation<long>.Add));
        var before = new long[2];
        using (Epoch<long> fence = window.Fence())
        {
            if (world.Rank == 0)
            {
                fence.GetAccumulate([5, 7], before, 0, 0, Operation<long>.Add);
            }
        }
        using (Epoch<long> fence = window.Fence())
        {
            if (world.Rank == world.Size - 1)
            {
                fence.FetchAndOpInto(1, before, 0, 0, Operation<long>.Add);
                fence.CompareAndSwapInto(7, 70, before.AsMemory(1), 0, 1);
            }
        }
        if (world.Rank == world.Size - 1)
        {
            Same([all + 5, 7], before);
            using PassiveEpoch<long> epoch = window.Lock(LockMode.Exclusive, 0);
            Same([all + 6, 70, 0], epoch.FetchAndAccumulate([1, 1, 1], 0, 0, Operation<long>.Multiply));
            Expect.Equal(70L, epoch.Load(0, 1));
            Same([all + 6, 70, 0], epoch.LoadAll(0, 0, 3));
        }
        Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => world.Allreduce(1L, Operation<long>.Replace)).Error);
    }

    [RankTest(Most = 3)]
    public static void Some_ranks_access_what_others_expose(Communicator world)
    {
        using Window<Padded> window = Window<Padded>.Allocate(world, 2);
        // Around a ring, each to the next.
        Exposure exposure = window.Expose(Before(world));
        using (Epoch<Padded> epoch = window.Access(Next(world)))
        {
            epoch.Put([Padded.Of(world.Rank), Padded.Of(-1)], Next(world), 0);
            if (world.Size > 2)
            {
                MpiException refused = Expect.Throws<MpiException>(() => epoch.Put([Padded.Of(0)], Before(world), 0));
                Expect.Equal(MpiError.Synchronization, refused.Error);
            }
        }
        exposure.Wait();
        exposure.Dispose();
        Expect.Equal(true, exposure.Test());
        using LocalMemory<Padded> mine = window.Local();
        Same([Padded.Of(Before(world)), Padded.Of(-1)], mine.Span.ToArray());
    }

    [RankTest(Most = 3)]
    public static void A_window_lies_over_memory_of_the_program(Communicator world)
    {
        using var buffer = new MpiBuffer<int>(5);
        buffer.Span.Fill(world.Rank);
        int[] array = [1, 2, world.Rank];
        using (Window<int> over = Window<int>.Create(world, buffer.Memory), also = Window<int>.Create(world, array))
        {
            also.Put([world.Rank + 10], Next(world), 1);
            over.Put([world.Rank + 20], Next(world), 4);
            GC.Collect();
            world.Barrier();
        }
        Same([world.Rank, world.Rank, world.Rank, world.Rank, Before(world) + 20], buffer.Span.ToArray());
        Same([1, Before(world) + 10, world.Rank], array);
    }

    [RankTest(Most = 3)]
    public static void Ranks_of_one_machine_read_each_other_in_place(Communicator world)
    {
        using SharedWindow<double> table = SharedWindow<double>.Allocate(world, 4 + world.Rank);
        Expect.Equal((world.Rank, world.Size), (table.Rank, table.Size));
        using (LocalMemory<double> mine = table.Local())
        {
            mine.Span.Fill(world.Rank + 0.5);
        }
        using (Neighbors<double> all = table.Together())
        {
            for (int rank = 0; rank < table.Size; rank++)
            {
                Same(Enumerable.Repeat(rank + 0.5, 4 + rank).ToArray(), all[rank].ToArray());
            }
            Expect.Equal(MpiError.Rank, Expect.Throws<MpiException>(() => _ = all[table.Size].Length).Error);
        }
        using (LocalMemory<double> next = table.MemoryOf(Next(world)))
        {
            next.Span[3] += 100 * (world.Rank + 1);
        }
        world.Barrier();
        using (PassiveEpoch<double> epoch = table.Lock(LockMode.Shared, Before(world)))
        {
            int writer = (Before(world) + world.Size - 1) % world.Size;
            Same([Before(world) + 0.5 + (100 * (writer + 1))], epoch.Fetch(Before(world), 3, 1));
        }
    }

    [RankTest(Most = 3)]
    public static void What_is_wrong_with_a_window_is_an_exception(Communicator world)
    {
        MpiError Refused(Action what) => Expect.Throws<MpiException>(what).Error;
        // What one rank's number has wrong is told to all.
        foreach (Func<int, IDisposable> make in
            (Func<int, IDisposable>[])[count => Window<int>.Allocate(world, count), count => SharedWindow<int>.Allocate(world, count)])
        {
            if (world.Rank == 0)
            {
                Expect.Equal("count", Expect.Throws<ArgumentOutOfRangeException>(() => make(-1)).ParamName);
            }
            else
            {
                Expect.Equal(MpiError.Count, Refused(() => make(1)));
            }
        }
        Window<int> window = Window<int>.Allocate(world, 3);
        Expect.Equal(MpiError.Rank, Refused(() => window.Length(world.Size)));
        Expect.Equal(MpiError.Rank, Refused(() => window.Lock(LockMode.Shared, -1)));
        PassiveEpoch<int> epoch = window.Lock(LockMode.Shared, Next(world));
        Expect.Equal(MpiError.Range, Refused(() => epoch.Put([1, 2], Next(world), 2)));
        Expect.Equal(MpiError.Range, Refused(() => epoch.Get(new int[4], Next(world), 0)));
        Expect.Equal(MpiError.Range, Refused(() => epoch.Fetch(Next(world), 4, 0)));
        Expect.Equal(MpiError.Range, Refused(() => epoch.Fetch(Next(world), -1, 1)));
        Expect.Equal(MpiError.Range, Refused(() => epoch.Accumulate([1], Next(world), int.MaxValue, Operation<int>.Add)));
        Expect.Equal(MpiError.Rank, Refused(() => epoch.Put([1], world.Size, 0)));
        using var function = new Operation<int>((a, b) => a + b);
        Expect.Equal(MpiError.Usage, Refused(() => epoch.Accumulate([1], Next(world), 0, function)));
        // One at a time, and the window ends after it.
        Expect.Equal(MpiError.Synchronization, Refused(() => window.Fence()));
        Expect.Equal(MpiError.Synchronization, Refused(() => window.Lock(LockMode.Shared, Next(world))));
        Expect.Equal(MpiError.Synchronization, Refused(window.Dispose));
        epoch.Dispose();
        epoch.Dispose();
        Expect.Equal(MpiError.Synchronization, Refused(() => epoch.Put([1], Next(world), 0)));
        LocalMemory<int> local = window.Local();
        Span<int> stale = local.Span;
        local.Dispose();
        Expect.Equal(MpiError.Synchronization, Refused(() => _ = local.Span.Length));
        // An exception within an epoch ends it.
        Expect.Throws<InvalidOperationException>(() =>
        {
            using Epoch<int> fence = window.Fence();
            throw new InvalidOperationException();
        });
        using Window<double> numbers = Window<double>.Allocate(world, 1);
        using (PassiveEpoch<double> some = numbers.LockAll())
        {
            Expect.Equal(MpiError.Type, Refused(() => some.CompareAndSwap(1, 2, 0, 0)));
        }
        Exception? other = null;
        using (PassiveEpoch<double> some = numbers.LockAll())
        {
            var thread = new Thread(() => other = Expect.Throws<MpiException>(some.Dispose));
            thread.Start();
            thread.Join();
            Expect.Equal(MpiError.Usage, ((MpiException)other!).Error);
            some.FlushAll();
        }
        var elsewhere = new Thread(() => other = Expect.Throws<MpiException>(window.Dispose));
        elsewhere.Start();
        elsewhere.Join();
        Expect.Equal(MpiError.Usage, ((MpiException)other!).Error);
        window.Put([1], Next(world), 0);
        window.Dispose();
        window.Dispose();
        Expect.Throws<ObjectDisposedException>(() => window.Fence());
        // What was a window's memory is nobody's now.
        stale[0] = 1;
        // One that is forgotten stays until MPI ends, and its finaliser does no harm.
        Forget(world);
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    private static void Forget(Communicator world) => Window<int>.Allocate(world, 1);
}
