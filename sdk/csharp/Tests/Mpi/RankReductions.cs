using System;
using System.Linq;
using System.Numerics;
using System.Runtime.CompilerServices;
using Upcall.Mpi;
using static Upcall.Tests.Ranks;

namespace Upcall.Tests;

/// <summary>What all ranks have, combined, against a plain model.</summary>
public static class RankReductions
{
    [RankTest]
    public static void Values_are_combined(Communicator world)
    {
        Combined(world, value => value % 100, Operation<int>.Add, (a, b) => a + b);
        Combined(world, value => value % 3 + 1L, Operation<long>.Multiply, (a, b) => a * b);
        Combined(world, value => value * 0.5, Operation<double>.Max, Math.Max);
        Combined(world, value => (ulong)value << 60, Operation<ulong>.Min, Math.Min);
        Combined(world, value => (byte)value, Operation<byte>.ExclusiveOr, (a, b) => (byte)(a ^ b));
        Combined(world, value => (short)value, Operation<short>.BitwiseAnd, (a, b) => (short)(a & b));
        Combined(world, value => value % 2 == 0, Operation<bool>.LogicalAnd, (a, b) => a && b);
        Combined(world, value => value % 2 == 0, Operation<bool>.LogicalOr, (a, b) => a || b);
        Combined(world, value => value % 2 == 0, Operation<bool>.LogicalXor, (a, b) => a != b);
        Combined(world, value => value % 2, Operation<int>.LogicalAnd, (a, b) => a != 0 && b != 0 ? 1 : 0);
        Combined(world, value => (DayOfWeek)(value % 7), Operation<DayOfWeek>.BitwiseOr, (a, b) => a | b);
        Combined(world, value => (decimal)value / 8, Operation<decimal>.Add, (a, b) => a + b);
        Combined(world, value => (Half)(value % 10), Operation<Half>.Add, (a, b) => a + b);
        Combined(world, value => new Complex(value % 10, 1), Operation<Complex>.Multiply, (a, b) => a * b);
        Combined(world, value => (Int128)value << 70, Operation<Int128>.Max, Int128.Max);
        Combined(world, Padded.Of, Operation<Padded>.Add, (a, b) => a + b);
        Combined(world, value => new Point(value, -value), Operation<Point>.Add, (a, b) => a + b);
        // In the order of the ranks.
        var left = new Operation<Point>((a, b) => new Point(a.X, b.Y), commutes: false);
        Combined(world, value => new Point(value, -value), left, (a, b) => new Point(a.X, b.Y), commutes: false);
        using var spans = new Operation<long>((from, into) =>
        {
            for (int index = 0; index < into.Length; index++)
            {
                into[index] = Math.Max(from[index], into[index]);
            }
        });
        Combined(world, value => value * -3L, spans, Math.Max);
        // Objects.
        Combined(world, value => $"{value} ", Operation<string>.Add, (a, b) => a + b);
        Combined(world, value => $"{value}", Operation<string>.Max, (a, b) => string.CompareOrdinal(a, b) >= 0 ? a : b);
        using var longest = new Operation<Packed>((a, b) => new Packed(a.Text + "," + b.Text));
        Combined(world, value => new Packed($"{value}"), longest, (a, b) => new Packed(a.Text + "," + b.Text));
        Combined(world, value => (BigInteger)value, Operation<BigInteger>.Add, (a, b) => a + b, json: true);
    }

    [RankTest]
    public static void Functions_combine_spans(Communicator world)
    {
        int size = world.Size, rank = world.Rank;
        long[] mine = Enumerable.Range(0, 33).Select(index => (long)(index * index) - rank).ToArray();
        long[] Model(int ranks) =>
            Enumerable.Range(0, 33).Select(index => Enumerable.Range(0, ranks).Sum(each => ((long)index * index) - each)).ToArray();
        long[] into = new long[33];
        world.Allreduce<long>(mine, into, (a, b) => a + b);
        Same(Model(size), into);
        world.Scan<long>(mine, into, (a, b) => a + b);
        Same(Model(rank + 1), into);
        Array.Fill(into, -7);
        world.ExclusiveScan<long>(mine, into, (a, b) => a + b);
        Same(rank == 0 ? Enumerable.Repeat(-7L, 33).ToArray() : Model(rank), into);
        Array.Fill(into, -7);
        world.Reduce<long>(mine, rank == size - 1 ? into : [], (a, b) => a + b, size - 1);
        Same(rank == size - 1 ? Model(size) : Enumerable.Repeat(-7L, 33).ToArray(), into);
        world.Allreduce(mine.AsSpan(), (a, b) => a + b);
        Same(Model(size), mine);
    }

    private static void Combined<T>(
        Communicator world, Func<int, T> value, Operation<T> operation, Func<T, T, T> model, bool json = false,
        bool commutes = true)
    {
        // A function without more is taken for one that commutes.
        Operation<T> made = commutes ? new(model) : operation;
        world.Serializer = json ? Bigs : null;
        for (int round = 0; round < 5; round++)
        {
            var stream = new Random(round);
            int root = stream.Next(world.Size), count = stream.Next(60);
            T[][] all = Enumerable.Range(0, world.Size).Select(rank => Of(rank, count, value)).ToArray();
            T[] mine = all[world.Rank];
            T[] Folded(int ranks) => Enumerable.Range(0, count)
                .Select(index => all.Take(ranks).Select(values => values[index]).Aggregate(model)).ToArray();
            T[] whole = Folded(world.Size), none = new T[count];
            Same(whole, world.Allreduce(mine, operation));
            Same(whole, world.Allreduce(mine, made));
            if (commutes)
            {
                Same(whole, world.Allreduce(mine, model));
                Same(world.Rank == root ? whole : [], world.Reduce(mine, model, root) ?? []);
                Same(Folded(world.Rank + 1), world.Scan(mine, model));
                Same(world.Rank == 0 ? none : Folded(world.Rank), world.ExclusiveScan(mine, model));
                Same([whole.Length], world.ReduceScatter(
                    Enumerable.Repeat(count, world.Size).ToArray(), (a, _) => a, Enumerable.Repeat(1, world.Size).ToArray()));
            }
            T[]? reduced = world.Reduce(mine, operation, root);
            Expect.Equal(world.Rank == root, reduced != null);
            Same(world.Rank == root ? whole : [], reduced ?? []);
            Same(world.Rank == root ? whole : [], world.Reduce(mine, made, root) ?? []);
            Same(Folded(world.Rank + 1), world.Scan(mine, operation));
            Same(Folded(world.Rank + 1), world.Scan(mine, made));
            Same(world.Rank == 0 ? none : Folded(world.Rank), world.ExclusiveScan(mine, operation));
            Same(world.Rank == 0 ? none : Folded(world.Rank), world.ExclusiveScan(mine, made));
            int[] counts = Counts(stream, world);
            int begin = counts.Take(world.Rank).Sum();
            T[][] others = Enumerable.Range(0, world.Size).Select(rank => Of(rank, counts.Sum(), value)).ToArray();
            T[] part = Enumerable.Range(begin, counts[world.Rank])
                .Select(index => others.Select(values => values[index]).Aggregate(model)).ToArray();
            Same(part, world.ReduceScatter(others[world.Rank], operation, counts));
            Same(part, world.ReduceScatter(others[world.Rank], made, counts));
            if (count > 0)
            {
                Same([whole[0]], [world.Allreduce(mine[0], operation)]);
                Same([whole[0]], [world.Allreduce(mine[0], made)]);
                T one = world.Reduce(mine[0], operation, root);
                Same(world.Rank == root ? [whole[0]] : [one], [one]);
                Same([Folded(world.Rank + 1)[0]], [world.Scan(mine[0], operation)]);
                Same([world.Rank == 0 ? none[0] : Folded(world.Rank)[0]], [world.ExclusiveScan(mine[0], made)]);
            }
        }
        world.Serializer = null;
        made.Dispose();
    }

    private sealed class BigSerializer : Serializer
    {
        public override void Write<T>(T value, System.Buffers.IBufferWriter<byte> to)
        {
            byte[] bytes = ((BigInteger)(object)value!).ToByteArray();
            bytes.CopyTo(to.GetSpan(bytes.Length));
            to.Advance(bytes.Length);
        }

        public override T Read<T>(ReadOnlySpan<byte> bytes) => (T)(object)new BigInteger(bytes);
    }

    private static readonly BigSerializer Bigs = new();

    [RankTest]
    public static void Spans_are_combined_in_place(Communicator world)
    {
        double[] mine = Of(world.Rank, 33, value => value * 0.25), into = new double[33];
        double[] sum = Enumerable.Range(0, 33)
            .Select(index => Enumerable.Range(0, world.Size).Sum(rank => ((rank * 1000) + index) * 0.25)).ToArray();
        world.Allreduce<double>(mine, into, Operation<double>.Add);
        Same(sum, into);
        Array.Clear(into);
        world.AllreduceChecked<double>(mine, into, Operation<double>.Add);
        Same(sum, into);
        Array.Clear(into);
        world.Reduce<double>(mine, into, Operation<double>.Add, 0);
        Same(world.Rank == 0 ? sum : new double[33], into);
        world.Scan<double>(mine, into, Operation<double>.Add);
        Same(world.Rank == world.Size - 1 ? sum : into, into);
        world.ExclusiveScan<double>(mine, into, Operation<double>.Add);
        world.Allreduce(mine.AsSpan(), Operation<double>.Add);
        Same(sum, mine);
    }

    [RankTest]
    public static void A_function_is_called_once_per_chunk(Communicator world)
    {
        int calls = 0, elements = 0;
        using var counted = new Operation<int>((from, into) =>
        {
            calls++;
            elements += into.Length;
            for (int index = 0; index < into.Length; index++)
            {
                into[index] += from[index];
            }
        });
        int[] sum = world.Allreduce(new int[100_000], counted);
        Expect.Equal(100_000, sum.Length);
        Expect.Equal(true, calls <= 200, $"{calls} calls for {elements} elements");
    }

    [RankTest]
    public static void What_a_function_throws_is_in_the_exception(Communicator world)
    {
        if (world.Size == 1)
        {
            // Nothing is combined.
            Expect.Equal(3, world.Allreduce(3, (int _, int _) => throw new InvalidOperationException("never")));
            return;
        }
        using var throws = new Operation<int>((int _, int _) => throw new InvalidOperationException("no sum today"));
        var into = new int[4];
        MpiException exception = Expect.Throws<MpiException>(() => world.AllreduceChecked<int>(new int[4], into, throws));
        Expect.Equal(MpiError.Operation, exception.Error);
        // On the ranks where it threw.
        int here = exception.InnerException is InvalidOperationException { Message: "no sum today" } ? 1 : 0;
        Expect.Equal(true, world.Allreduce(here, Operation<int>.Add) >= 1);
        // MPI goes on.
        Expect.Equal(world.Size, world.Allreduce(1, Operation<int>.Add));
        exception = Expect.Throws<MpiException>(
            () => world.Allreduce("a", (string _, string _) => throw new InvalidOperationException("no text today")));
        Expect.Equal((MpiError.Operation, "no text today"), (exception.Error, exception.InnerException!.Message));
        using var fails = new Operation<Point>((Point _, Point _) => throw new InvalidOperationException("no point today"));
        bool thrown = false;
        try
        {
            world.Reduce(new Point(1, 2), fails, 0);
        }
        catch (MpiException told)
        {
            thrown = told.InnerException is InvalidOperationException;
        }
        Expect.Equal(true, world.Allreduce(thrown, Operation<bool>.LogicalOr));
    }

    [RankTest]
    public static void Operations_that_are_forgotten_are_released(Communicator world)
    {
        for (int round = 0; round < 300; round++)
        {
            Expect.Equal(world.Size, world.Allreduce(1, (a, b) => a + b));
            Forget();
            if (round % 20 == 19)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
        Operation<int>.Add.Dispose();
        Operation<decimal>.Add.Dispose();
        Expect.Equal((decimal)world.Size, world.Allreduce(1m, Operation<decimal>.Add));
        Expect.Throws<NotSupportedException>(() => Operation<Person>.Add.Dispose());
        Expect.Throws<NotSupportedException>(() => Operation<float>.LogicalAnd.Dispose());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget() => _ = new Operation<int>((a, b) => a * b);

    [RankTest]
    public static void Nothing_is_allocated_once_it_is_warm(Communicator world)
    {
        int next = Next(world), before = Before(world);
        double[] values = new double[256], into = new double[256];
        using var spans = new Operation<double>((from, to) =>
        {
            for (int index = 0; index < to.Length; index++)
            {
                to[index] += from[index];
            }
        });
        bool right = true;
        void Once()
        {
            world.SendReceive<double>(values, next, 1, into, before, 1);
            if (world.Size > 1 && world.Rank < 2)
            {
                if (world.Rank == 0)
                {
                    world.Send((ReadOnlySpan<double>)values, 1, 2);
                    world.Receive(1, 3, into.AsSpan());
                    world.Send(7, 1, 4);
                    world.Send(new Padded(1, 2, 3), 1, 5);
                }
                else
                {
                    world.Receive(0, 2, into.AsSpan());
                    world.Send((ReadOnlySpan<double>)values, 0, 3);
                    // What is compared by Expect is boxed.
                    right &= world.Receive<int>(0, 4) == 7 && world.Receive<Padded>(0, 5).Large == 2;
                }
            }
            world.Allreduce<double>(values, into, Operation<double>.Add);
            world.Allreduce<double>(values, into, spans);
            world.Allreduce(into.AsSpan(), Operation<double>.Max);
            world.Barrier();
        }
        for (int round = 0; round < 50; round++)
        {
            Once();
        }
        long begun = GC.GetAllocatedBytesForCurrentThread();
        for (int round = 0; round < 50; round++)
        {
            Once();
        }
        Expect.Equal(0L, GC.GetAllocatedBytesForCurrentThread() - begun);
        Expect.Equal(true, right);
    }
}
