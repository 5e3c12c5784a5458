using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Numerics;
using Upcall.Mpi;
using static Upcall.Tests.Ranks;

namespace Upcall.Tests;

/// <summary>Numbers with places, sums with the same bits, handlers as operations.</summary>
public static class RankOperations
{
    /// <summary>Where the tests' assemblies are: <c>build/tests</c>.</summary>
    private static readonly string Built = Path.GetDirectoryName(typeof(Runner).Assembly.Location)!;

    [RankTest]
    public static void The_ends_of_numbers_have_places(Communicator world)
    {
        Placed(world, value => value * 0.5);
        Placed(world, value => (float)value);
        Placed(world, value => (long)value << 40);
        Placed(world, value => (ulong)value << 60);
        Placed(world, value => (byte)value);
        Placed(world, value => (short)-value);
        // A number is chosen before a NaN, whoever has it.
        var mine = new Placed<double>(world.Rank == 0 ? 1 : double.NaN, world.Rank);
        Expect.Equal(0, world.Allreduce(mine, Operation<Placed<double>>.MaxWithPlace).Place);
        var refused = Expect.Throws<NotSupportedException>(() => _ = Operation<double>.MinWithPlace);
        Expect.Holds("MinWithPlace is for Placed<T>", refused.Message);
    }

    private static void Placed<T>(Communicator world, Func<int, T> value)
        where T : unmanaged
    {
        for (int round = 0; round < 4; round++)
        {
            var stream = new Random(round);
            int count = stream.Next(40), root = stream.Next(world.Size);
            Placed<T>[][] all = Enumerable.Range(0, world.Size)
                .Select(rank => Enumerable.Range(0, count).Select(_ => new Placed<T>(value(stream.Next(4)), rank)).ToArray())
                .ToArray();
            Placed<T> Chosen(int index, int sign) => all.Select(of => of[index])
                .Aggregate((a, b) => sign * Comparer<T>.Default.Compare(b.Value, a.Value) > 0 ? b : a);
            Placed<T>[] least = Enumerable.Range(0, count).Select(index => Chosen(index, -1)).ToArray();
            Placed<T>[] most = Enumerable.Range(0, count).Select(index => Chosen(index, 1)).ToArray();
            Same(least, world.Allreduce(all[world.Rank], Operation<Placed<T>>.MinWithPlace));
            Same(most, world.AllreduceChecked(all[world.Rank], Operation<Placed<T>>.MaxWithPlace));
            Placed<T>[]? reduced = world.Reduce(all[world.Rank], Operation<Placed<T>>.MaxWithPlace, root);
            Same(world.Rank == root ? most : [], reduced ?? []);
        }
    }

    [RankTest]
    public static void Sums_have_the_same_bits_whatever_the_ranks(Communicator world)
    {
        for (int round = 0; round < 4; round++)
        {
            var stream = new Random(round);
            int count = stream.Next(200), root = stream.Next(world.Size);
            double Drawn() => (stream.NextDouble() - 0.5) * Math.Pow(2, stream.Next(-80, 80));
            double[][] all = Enumerable.Range(0, world.Size)
                .Select(_ => Enumerable.Range(0, count).Select(_ => Drawn()).ToArray()).ToArray();
            double[] mine = all[world.Rank];
            // By another way: the sum of fractions of whole numbers.
            double[] wanted = Enumerable.Range(0, count).Select(index => Exactly(all.Select(of => of[index]))).ToArray();
            Same(wanted, world.AllreduceReproducible(mine));
            Same(world.Rank == root ? wanted : [], world.ReduceReproducible(mine, root) ?? []);
            double whole = Exactly(all.SelectMany(of => of));
            Expect.Equal(BitConverter.DoubleToInt64Bits(whole), BitConverter.DoubleToInt64Bits(world.SumReproducible(mine)));
            using var sum = new ExactSum<double>();
            using var half = new ExactSum<double>();
            foreach (double number in mine.AsSpan(0, count / 2))
            {
                half.Add(number);
            }
            sum.Add(mine.AsSpan(count / 2));
            sum.Merge(half);
            Expect.Equal(Exactly(mine), sum.Value);
            world.AllreduceExact(sum);
            Expect.Equal(whole, sum.Value);
            float[] singles = Array.ConvertAll(mine, number => (float)number);
            float[] singleWanted = Enumerable.Range(0, count)
                .Select(index => SingleExactly(all.Select(of => (double)(float)of[index]))).ToArray();
            Same(singleWanted, world.AllreduceReproducible(singles));
            Expect.Equal(
                SingleExactly(all.SelectMany(of => of).Select(number => (double)(float)number)), world.SumReproducible(singles));
        }
        Expect.Equal(double.PositiveInfinity, world.SumReproducible([world.Rank == 0 ? double.PositiveInfinity : 1]));
        // Those who have another number of elements are all told.
        if (world.Size > 1)
        {
            double[] uneven = new double[world.Rank == 0 ? 2 : 3];
            Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => world.AllreduceReproducible(uneven)).Error);
        }
        var other = Expect.Throws<MpiException>(() => world.AllreduceReproducible(new double[3], new double[2]));
        Expect.Equal(MpiError.Usage, other.Error);
        Expect.Throws<NotSupportedException>(() => new ExactSum<int>());
        var gone = new ExactSum<double>();
        gone.Dispose();
        Expect.Throws<ObjectDisposedException>(() => gone.Add(1));
        Expect.Throws<ObjectDisposedException>(() => world.AllreduceExact(gone));
    }

    /// <summary>The nearest double of a sum, by whole numbers that are as wide as it takes.</summary>
    private static double Exactly(IEnumerable<double> numbers)
    {
        BigInteger sum = numbers.Aggregate(default(BigInteger), (sum, number) => sum + Scaled(number));
        return Nearest(sum, 53);
    }

    private static float SingleExactly(IEnumerable<double> numbers)
    {
        BigInteger sum = numbers.Aggregate(default(BigInteger), (sum, number) => sum + Scaled(number));
        return (float)Nearest(sum, 24);
    }

    private const int Scale = 300;

    private static BigInteger Scaled(double number)
    {
        long bits = BitConverter.DoubleToInt64Bits(number);
        int exponent = (int)((bits >> 52) & 0x7FF);
        if (exponent == 0)
        {
            return 0;
        }
        BigInteger mantissa = (bits & ((1L << 52) - 1)) | (1L << 52);
        int shift = exponent - 1075 + Scale;
        BigInteger scaled = shift >= 0 ? mantissa << shift : mantissa >> -shift;
        return bits < 0 ? -scaled : scaled;
    }

    /// <summary>Rounded to so many bits, to the even one of two that are as near.</summary>
    private static double Nearest(BigInteger sum, int bits)
    {
        BigInteger size = BigInteger.Abs(sum);
        long length = (long)size.GetBitLength();
        int drop = (int)Math.Max(0, length - bits);
        BigInteger kept = size >> drop, rest = size - (kept << drop);
        BigInteger half = drop == 0 ? 1 : BigInteger.One << (drop - 1);
        if (rest > half || (rest == half && drop > 0 && !kept.IsEven))
        {
            kept += 1;
        }
        return sum.Sign * Math.ScaleB((double)kept, drop - Scale);
    }

    [RankTest]
    public static void Handlers_of_any_language_combine(Communicator world)
    {
        if (world.Size is not (2 or 3))
        {
            return;
        }
        string python = Path.Combine(Built, "../../crates/cli/tests/handlers/combines.py");
        Handled(world, "native", Path.Combine(Built, "handlers"), "failure: after ");
        Handled(world, "csharp", Path.Combine(Built, "handlers.dll"), "System.ArithmeticException: after ");
        Handled(world, "python", python, "ArithmeticError: after ");
        // What is no handler of that kind.
        Refused<double>(MpiError.Usage, "there is no guest pyton (`python`?)", "pyton", python, "Sums");
        Refused<double>(MpiError.Operation, "make an operation of handler Nobody: ", "python", python, "Nobody");
        Refused<float>(MpiError.Type, "it combines f64 of 8 bytes, and the elements are f32 of 4", "python", python, "Sums");
        Refused<double>(MpiError.Operation, "nothing.py", "python", "nothing.py", "Sums");
        Refused<string>(MpiError.Usage, "is no unmanaged type", "python", python, "Sums");
    }

    private static void Handled(Communicator world, string guest, string file, string thrown)
    {
        using Operation<double> sums = Operation<double>.OfHandler(guest, file, "Sums", new Dictionary<string, string> { ["a"] = "b" });
        foreach (int count in (int[])[1, 100, 10_000])
        {
            double[] mine = Of(world.Rank, count, value => (double)value);
            double[] wanted = Enumerable.Range(0, count).Select(index => (double)Enumerable.Range(0, world.Size)
                .Sum(rank => (rank * 1000) + index)).ToArray();
            Same(wanted, world.Allreduce(mine, sums));
        }
        // The exception of one is the error of all, where it is asked for.
        double last = world.Rank == world.Size - 1 ? double.NaN : 1;
        MpiException failed = Expect.Throws<MpiException>(() => world.AllreduceChecked(last, sums));
        Expect.Equal(MpiError.Operation, failed.Error);
        bool combined = failed.Message.Contains(thrown, StringComparison.Ordinal);
        bool heard = failed.Message.Contains("failed on rank ", StringComparison.Ordinal);
        Expect.Equal(true, combined || heard, failed.Message);
        Expect.Equal(true, world.Allreduce(combined, Operation<bool>.LogicalOr));
        Expect.Equal(2.0 * world.Size, world.Allreduce(2.0, sums));
        // What does not commute is combined in the order of the ranks.
        using Operation<uint> first = Operation<uint>.OfHandler(guest, file, "First");
        Same(Enumerable.Repeat(7u, 1000).ToArray(), world.Allreduce(Enumerable.Repeat(7u + (uint)world.Rank, 1000).ToArray(), first));
        Expect.Equal(7u, world.Scan(7u + (uint)world.Rank, first));
        sums.Dispose();
        Expect.Throws<ObjectDisposedException>(() => world.Allreduce(1.0, sums));
    }

    private static void Refused<T>(MpiError error, string why, string guest, string file, string @class)
    {
        MpiException refused = Expect.Throws<MpiException>(() => Operation<T>.OfHandler(guest, file, @class));
        Expect.Equal(error, refused.Error, refused.Message);
        Expect.Holds(why, refused.Message);
    }
}
