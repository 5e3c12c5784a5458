using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Numerics;
using Upcall.Simd;

namespace Upcall.Tests;

/// <summary><c>using Upcall.Simd;</c> beside LINQ: the same results, from our code.</summary>
public sealed class SimdTests
{
    private static readonly int[] Lengths = [1, 2, 15, 16, 17, 63, 64, 65, 130, 1000];

    [Test]
    public void An_array_an_extension_is_called_on_takes_ours_and_allocates_nothing()
    {
        int[] numbers = [.. Enumerable.Range(0, 1000)];
        var list = new List<double> { 1, 2.5 };
        (long Sum, bool Found, double Others, long Allocated) All()
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            long sum = numbers.Sum() + numbers.Min() + numbers.Max() + numbers.MinMax().Max + numbers.Count(5) + numbers.IndexOf(7);
            bool found = numbers.Contains(5) && numbers.SequenceEqual(numbers);
            double others = list.Sum() + list.Average() + numbers.Average();
            return (sum, found, others, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        // The first call finds the library.
        All();
        (long sum, bool found, double others, long allocated) = All();
        Expect.Equal(0L, allocated);
        Expect.Equal(499_500L + 0 + 999 + 999 + 1 + 7, sum);
        Expect.Equal(true, found);
        Expect.Equal(3.5 + 1.75 + 499.5, others);
    }

    [Test]
    public void Without_libupcall_the_exception_says_where_it_was_looked_for_and_what_to_run()
    {
        string folder = Directory.CreateTempSubdirectory("upcall").FullName;
        try
        {
            foreach (string file in Directory.GetFiles(AppContext.BaseDirectory, "Upcall*"))
            {
                File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
            }
            string program = Path.Combine(folder, "Upcall.Tests.dll");
            var start = new ProcessStartInfo(
                Environment.ProcessPath!, ["exec", program, nameof(Every_reduction_agrees_with_a_plain_loop)])
            { RedirectStandardOutput = true };
            start.Environment.Remove("UPCALL_HOME");
            start.Environment.Remove("UPCALL_LIBRARY");
            using Process child = Process.Start(start)!;
            string said = child.StandardOutput.ReadToEnd();
            child.WaitForExit();
            Expect.Holds($"in any of {Path.Combine(folder, "build", "libupcall.so")}, ", said);
            Expect.Holds("run cargo xtask build; where the program lies outside the repository, set UPCALL_HOME to that, or UPCALL_LIBRARY to the file", said);
        }
        finally
        {
            Directory.Delete(folder, true);
        }
    }

    [Test]
    public void Every_reduction_agrees_with_a_plain_loop()
    {
        Agrees<sbyte>();
        Agrees<short>();
        Agrees<int>();
        Agrees<long>();
        Agrees<byte>();
        Agrees<ushort>();
        Agrees<uint>();
        Agrees<ulong>();
        Agrees<float>();
        Agrees<double>();
        // These have no kernels.
        Agrees<decimal>();
        Agrees<nint>();
        Agrees<Half>();
    }

    [Test]
    public void Every_result_has_LINQs_type_and_value()
    {
        int[] ints = [3, -1, 6];
        long[] longs = [3, -1, 6];
        float[] floats = [0.1f, 0.2f, 0.4f];
        double[] doubles = [0.1, 0.2, 0.4];
        decimal[] decimals = [0.1m, 0.2m, 0.4m, decimal.MaxValue / 3];
        List<int> intList = [.. ints];
        List<long> longList = [.. longs];
        List<float> floatList = [.. floats];
        List<double> doubleList = [.. doubles];
        List<decimal> decimalList = [.. decimals];
        Same((ints.Sum(), ints.Average(), ints.Min(), ints.Max()), (Enumerable.Sum(ints), Enumerable.Average(ints), Enumerable.Min(ints), Enumerable.Max(ints)));
        Same((longs.Sum(), longs.Average(), longs.Min(), longs.Max()), (Enumerable.Sum(longs), Enumerable.Average(longs), Enumerable.Min(longs), Enumerable.Max(longs)));
        Same((floats.Sum(), floats.Average(), floats.Min(), floats.Max()), (Enumerable.Sum(floats), Enumerable.Average(floats), Enumerable.Min(floats), Enumerable.Max(floats)));
        Same((doubles.Sum(), doubles.Average(), doubles.Min(), doubles.Max()), (Enumerable.Sum(doubles), Enumerable.Average(doubles), Enumerable.Min(doubles), Enumerable.Max(doubles)));
        Same((decimals.Sum(), decimals.Average(), decimals.Min(), decimals.Max()), (Enumerable.Sum(decimals), Enumerable.Average(decimals), Enumerable.Min(decimals), Enumerable.Max(decimals)));
        Same((intList.Sum(), intList.Average(), intList.Min(), intList.Max()), (Enumerable.Sum(intList), Enumerable.Average(intList), Enumerable.Min(intList), Enumerable.Max(intList)));
        Same((longList.Sum(), longList.Average(), longList.Min(), longList.Max()), (Enumerable.Sum(longList), Enumerable.Average(longList), Enumerable.Min(longList), Enumerable.Max(longList)));
        Same((floatList.Sum(), floatList.Average(), floatList.Min(), floatList.Max()), (Enumerable.Sum(floatList), Enumerable.Average(floatList), Enumerable.Min(floatList), Enumerable.Max(floatList)));
        Same((doubleList.Sum(), doubleList.Average(), doubleList.Min(), doubleList.Max()), (Enumerable.Sum(doubleList), Enumerable.Average(doubleList), Enumerable.Min(doubleList), Enumerable.Max(doubleList)));
        Same((decimalList.Sum(), decimalList.Average(), decimalList.Min(), decimalList.Max()), (Enumerable.Sum(decimalList), Enumerable.Average(decimalList), Enumerable.Min(decimalList), Enumerable.Max(decimalList)));
        Same((ints.Contains(6), ints.SequenceEqual([.. ints]), intList.SequenceEqual(intList)), (Enumerable.Contains(ints, 6), Enumerable.SequenceEqual(ints, [.. ints]), true));
        // What LINQ does not have is as it would be.
        Same((floats.AsSpan().Average(), ((ReadOnlySpan<float>)floats).Average()), (floats.Average(), floats.Average()));
        Same((decimals.AsSpan().Average(), ((ReadOnlySpan<decimal>)decimals).Average()), (decimals.Average(), decimals.Average()));
        Expect.Throws<OverflowException>(() => new[] { decimal.MaxValue, 1m }.Average());
        Expect.Throws<InvalidOperationException>(() => new List<decimal>().Average());
    }

    [Test]
    public void A_sum_that_overflows_throws_as_LINQs_and_wraps_on_request()
    {
        foreach (int length in Lengths.Skip(1))
        {
            int[] numbers = [.. Enumerable.Repeat(int.MaxValue, length)];
            Expect.Throws<OverflowException>(() => Enumerable.Sum(numbers));
            Expect.Holds("the sum does not fit into i32", Expect.Throws<OverflowException>(() => numbers.Sum()).Message);
            Expect.Equal(unchecked(int.MaxValue * length), numbers.SumWrapping());
            Expect.Equal((long)int.MaxValue * length, numbers.SumLong());
            long[] longs = [.. Enumerable.Repeat(long.MinValue, length)];
            Expect.Throws<OverflowException>(() => longs.Sum());
            // Only the end counts.
            Expect.Equal(1, new[] { int.MaxValue, int.MaxValue, -int.MaxValue, 1 - int.MaxValue }.Sum());
        }
    }

    [Test]
    public void Nothing_has_a_sum_of_zero_and_no_least_value()
    {
        float[] none = [];
        Expect.Equal(0f, none.Sum());
        Expect.Equal(true, none.SequenceEqual([]));
        Expect.Throws<InvalidOperationException>(() => none.Min());
        Expect.Throws<InvalidOperationException>(() => none.Max());
        Expect.Throws<InvalidOperationException>(() => none.MinMax());
        Expect.Throws<InvalidOperationException>(() => none.Average());
        Expect.Throws<InvalidOperationException>(() => Array.Empty<decimal>().Max());
        Expect.Throws<ArgumentNullException>(() => ((int[])null!).Sum());
        Expect.Throws<ArgumentNullException>(() => ((List<int>)null!).Max());
    }

    [Test]
    public void NaN_is_treated_as_LINQ_treats_it()
    {
        foreach (int length in Lengths)
        {
            foreach (int at in new[] { 0, length / 2, length - 1 })
            {
                double[] numbers = [.. Enumerable.Range(1, length).Select(n => (double)n)];
                numbers[at] = double.NaN;
                Expect.Equal(Enumerable.Min(numbers), numbers.Min());
                Expect.Equal(Enumerable.Max(numbers), numbers.Max());
                Expect.Equal((Enumerable.Min(numbers), Enumerable.Max(numbers)), numbers.MinMax());
                Expect.Equal(Enumerable.Sum(numbers), numbers.Sum());
                Expect.Equal(Enumerable.Contains(numbers, double.NaN), numbers.Contains(double.NaN));
                Expect.Equal(Array.IndexOf(numbers, double.NaN), numbers.IndexOf(double.NaN));
                Expect.Equal(1, numbers.Count(double.NaN));
                Expect.Equal(true, numbers.SequenceEqual([.. numbers]));
                float[] narrow = [.. numbers.Select(n => (float)n)];
                Expect.Equal(Enumerable.Max(narrow), narrow.Max());
                Expect.Equal(Enumerable.Min(narrow), narrow.Min());
            }
        }
    }

    [Test]
    public void Sums_and_means_of_float_are_made_in_double()
    {
        float[] numbers = [16_777_216f, .. Enumerable.Repeat(1f, 1000)];
        Expect.Equal(Enumerable.Sum(numbers), numbers.Sum());
        Expect.Equal(16_777_216.0 + 1000, numbers.SumLong());
        Expect.Equal(Enumerable.Average(numbers), numbers.Average());
        Expect.Equal(float.PositiveInfinity, new[] { float.MaxValue, float.MaxValue }.Sum());
    }

    [Test]
    public void A_sum_in_order_is_a_loops_to_the_bit_and_a_long_one_does_not_overflow()
    {
        double[] numbers = [.. Enumerable.Range(0, 1000).Select(n => Math.Sin(n) * Math.Pow(10, n % 20))];
        double sum = 0;
        foreach (double number in numbers)
        {
            sum += number;
        }
        Expect.Equal(sum, numbers.SumInOrder());
        Expect.Equal(sum, new List<double>(numbers).SumInOrder());
        Expect.Equal(sum, numbers.AsSpan().SumInOrder());
        Expect.Equal(false, sum == numbers.Sum());
        Same((long)int.MinValue * 3, new List<int> { int.MinValue, int.MinValue, int.MinValue }.SumLong());
        Same((ulong)uint.MaxValue * 2, new[] { uint.MaxValue, uint.MaxValue }.AsSpan().SumLong());
        Same(2L * sbyte.MinValue, ((ReadOnlySpan<sbyte>)[sbyte.MinValue, sbyte.MinValue]).SumLong());
        Same((double)float.MaxValue * 2, new List<float> { float.MaxValue, float.MaxValue }.SumLong());
    }

    [Test]
    public void The_accurate_sum_is_near_where_the_sum_in_order_is_not()
    {
        float[] tenths = [.. Enumerable.Repeat(0.1f, 10_000_000)];
        Expect.Equal(true, Math.Abs(tenths.SumPairwise() - 1_000_000) < 0.2);
        Expect.Equal(true, Math.Abs(tenths.SumInOrder() - 1_000_000) > 80_000);
        Expect.Equal(tenths.SumPairwise(), new List<float>(tenths).SumPairwise());
        Expect.Equal(tenths.SumPairwise(), tenths.AsSpan().SumPairwise());
        double[] numbers = [.. Enumerable.Range(0, 1000).Select(n => Math.Sin(n) * Math.Pow(10, n % 20))];
        Expect.Equal(true, Math.Abs((double)numbers.Select(n => (decimal)n).Sum() - numbers.SumPairwise()) < 1e6);
        Expect.Equal((Half)2000, Enumerable.Repeat((Half)1, 2000).ToArray().SumPairwise());
        Expect.Equal(int.MinValue, new[] { int.MaxValue, 1 }.SumPairwise());
        Expect.Equal(0.0, Array.Empty<double>().SumPairwise());
    }

    [Test]
    public void Numbers_pass_over_NaN_and_a_zero_has_no_sign()
    {
        foreach (int length in Lengths)
        {
            double[] numbers = [.. Enumerable.Range(1, length).Select(n => (double)n)];
            Half[] halves = [.. numbers.Select(n => (Half)n)];
            (double, double) ends = length == 1 ? (double.NaN, double.NaN) : (2, length);
            numbers[0] = double.NaN;
            halves[0] = Half.NaN;
            Expect.Equal(ends, (numbers.MinNumber(), numbers.MaxNumber()));
            Expect.Equal(ends, numbers.MinMaxNumber());
            Expect.Equal(ends, new List<double>(numbers).MinMaxNumber());
            Expect.Equal(((Half)ends.Item1, (Half)ends.Item2), halves.MinMaxNumber());
        }
        // LINQ gives the first zero that there is.
        Expect.Equal(true, double.IsNegative(Enumerable.Min(new[] { -0.0, 0.0 })));
        Expect.Equal(false, double.IsNegative(new[] { -0.0, 0.0 }.Min()));
        Expect.Throws<InvalidOperationException>(() => Array.Empty<float>().MinNumber());
        Expect.Throws<InvalidOperationException>(() => Array.Empty<Half>().MinMaxNumber());
    }

    /// <summary>The compiler gives both the same type, and they are equal.</summary>
    private static void Same<TOurs, TTheirs>(TOurs ours, TTheirs theirs)
    {
        Expect.Equal(typeof(TTheirs), typeof(TOurs));
        Expect.Equal<object?>(theirs, ours);
    }

    private static void Agrees<T>()
        where T : unmanaged, INumber<T>
    {
        foreach (int length in Lengths)
        {
            T[] numbers = [.. Enumerable.Range(0, length).Select(n => T.CreateChecked(n * 7919 % 101))];
            List<T> list = [.. numbers];
            T least = numbers[0];
            T greatest = numbers[0];
            T sum = T.Zero;
            double exact = 0;
            foreach (T number in numbers)
            {
                least = T.Min(least, number);
                greatest = T.Max(greatest, number);
                sum = unchecked(sum + number);
                exact += double.CreateChecked(number);
            }
            string what = $"{typeof(T).Name}, {length}";
            Expect.Equal(sum, numbers.SumWrapping(), what);
            Expect.Equal(sum, ((ReadOnlySpan<T>)numbers).SumWrapping(), what);
            Expect.Equal(sum, numbers.SumInOrder(), what);
            if (T.CreateSaturating(exact) == sum)
            {
                Expect.Equal(sum, numbers.Sum(), what);
                Expect.Equal(sum, list.Sum(), what);
                Expect.Equal(sum, numbers.AsSpan().Sum(), what);
            }
            Expect.Equal(exact / length, numbers.Average(), what);
            Expect.Equal((least, greatest), (numbers.Min(), numbers.Max()), what);
            Expect.Equal((least, greatest), (list.Min(), list.Max()), what);
            Expect.Equal((least, greatest), numbers.MinMax(), what);
            Expect.Equal((least, greatest), (numbers.MinNumber(), list.MaxNumber()), what);
            Expect.Equal((least, greatest), list.MinMaxNumber(), what);
            T last = numbers[^1];
            T absent = T.CreateChecked(102);
            Expect.Equal(Array.IndexOf(numbers, last), numbers.IndexOf(last), what);
            Expect.Equal(-1, numbers.IndexOf(absent), what);
            Expect.Equal((true, false), (numbers.Contains(last), numbers.Contains(absent)), what);
            Expect.Equal(Enumerable.Count(numbers, number => number == last), numbers.Count(last), what);
            Expect.Equal(true, numbers.SequenceEqual([.. numbers]) && list.SequenceEqual(new List<T>(numbers)), what);
            T[] other = [.. numbers];
            other[^1] = absent;
            Expect.Equal(false, numbers.SequenceEqual(other) || numbers.SequenceEqual(numbers[1..]), what);
        }
    }
}
