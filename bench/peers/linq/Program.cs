using System;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Numerics;
using Simd = Upcall.Simd.Reductions;

/// LINQ's reductions of arrays, and ours from C#, in turn.
///
/// `linq.dll ELEMENTS` prints one JSON object per line, as the other peers do: function, type, elements, who, nanoseconds.
static class Program
{
    static void Main(string[] arguments)
    {
        int elements = int.Parse(arguments[0], CultureInfo.InvariantCulture);
        int[] ints = Numbers<int>(elements);
        long[] longs = Numbers<long>(elements);
        float[] floats = Numbers<float>(elements);
        double[] doubles = Numbers<double>(elements);
        Compare("sum", "i32", elements, () => Enumerable.Sum(ints), () => Simd.Sum(ints));
        Compare("sum", "i64", elements, () => Enumerable.Sum(longs), () => Simd.Sum(longs));
        Compare("sum", "f32", elements, () => Enumerable.Sum(floats), () => Simd.Sum(floats));
        Compare("sum", "f64", elements, () => Enumerable.Sum(doubles), () => Simd.Sum(doubles));
        Compare("mean", "i32", elements, () => Enumerable.Average(ints), () => Simd.Average(ints));
        Compare("mean", "i64", elements, () => Enumerable.Average(longs), () => Simd.Average(longs));
        Compare("mean", "f32", elements, () => Enumerable.Average(floats), () => Simd.Average(floats));
        Compare("mean", "f64", elements, () => Enumerable.Average(doubles), () => Simd.Average(doubles));
        Others("i32", ints);
        Others("i64", longs);
        Others("f32", floats);
        Others("f64", doubles);
    }

    static void Others<T>(string type, T[] values)
        where T : unmanaged, INumber<T>
    {
        T[] same = values.ToArray();
        T missing = T.CreateChecked(120);
        Compare("max", type, values.Length, () => Enumerable.Max(values), () => Simd.Max(values));
        Compare("contains", type, values.Length, () => Enumerable.Contains(values, missing), () => Simd.Contains(values, missing));
        Compare("equal", type, values.Length, () => Enumerable.SequenceEqual(values, same), () => Simd.SequenceEqual(values, same));
    }

    static T[] Numbers<T>(int elements)
        where T : INumber<T>
    {
        return Enumerable.Range(0, elements).Select(n => T.CreateChecked(n * 7919L % 97)).ToArray();
    }

    /// The least mean of windows of 50 us, 400 of each in turn.
    static void Compare<T>(string function, string type, int elements, Func<T> linq, Func<T> upcall)
    {
        (string who, Func<T> way)[] ways = [("LINQ", linq), ("upcall, from C#", upcall)];
        var least = new double[] { double.MaxValue, double.MaxValue };
        for (int round = -100; round < 400; round++)
        {
            for (int index = 0; index < ways.Length; index++)
            {
                // The first rounds make the runtime optimise what runs often.
                int calls = round < 0 ? 50 : (int)Math.Clamp(50_000 / least[index], 1, 1000);
                long start = Stopwatch.GetTimestamp();
                for (int call = 0; call < calls; call++)
                {
                    ways[index].way();
                }
                double nanos = Stopwatch.GetElapsedTime(start).TotalNanoseconds / calls;
                least[index] = Math.Min(least[index], nanos);
            }
        }
        for (int index = 0; index < ways.Length; index++)
        {
            string nanos = least[index].ToString("F1", CultureInfo.InvariantCulture);
            Console.WriteLine($$"""{"function":"{{function}}","type":"{{type}}","elements":{{elements}},"who":"{{ways[index].who}}","nanos":{{nanos}}}""");
        }
    }
}
