using System;
using System.Globalization;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;

/// Rounds of calls, the variants in turn.
static unsafe class Rounds
{
    const int Count = 25;
    const double Nanos = 20e6;

    /// Prints a line for each variant: case, variant, and nanoseconds per call in each round.
    public static void Measure(string name, params (string Name, Action<int> Calls)[] variants)
    {
        int[] calls = variants.Select(variant => Enough(variant.Calls)).ToArray();
        double[][] rounds = variants.Select(_ => new double[Count]).ToArray();
        for (int round = 0; round < Count; round++)
        {
            for (int index = 0; index < variants.Length; index++)
            {
                rounds[index][round] = Time(variants[index].Calls, calls[index]) / calls[index];
            }
        }
        for (int index = 0; index < variants.Length; index++)
        {
            string numbers = string.Join(" ", rounds[index].Select(time => time.ToString("F3", CultureInfo.InvariantCulture)));
            Console.WriteLine($"{name}\t{variants[index].Name}\t{numbers}");
        }
    }

    /// How many calls make a round, once the compiler has seen the code often enough to compile it for good.
    static int Enough(Action<int> calls)
    {
        for (int times = 0; times < 4; times++)
        {
            for (int call = 0; call < 100; call++) calls(100);
            Thread.Sleep(120);
        }
        int count = 10_000;
        while (true)
        {
            double time = Time(calls, count);
            if (time > Nanos / 4) return (int)(count * Nanos / time);
            count *= 2;
        }
    }

    static double Time(Action<int> calls, int count)
    {
        long start = Now();
        calls(count);
        return Now() - start;
    }

    /// CPU time of this thread, in nanoseconds.
    static long Now()
    {
        long* time = stackalloc long[2];
        clock_gettime(3, time);
        return time[0] * 1_000_000_000 + time[1];
    }

    [DllImport("libc")]
    static extern int clock_gettime(int clock, long* time);
}
