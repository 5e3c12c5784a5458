using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime.InteropServices;

/// Rounds of calls, all cases in turn.
static unsafe class Rounds
{
    /// Long enough for several collections where a call makes many objects.
    const long Round = 30_000_000;

    sealed record Case(string Name, Action Call)
    {
        public int Calls = 1;
        public readonly List<double> Nanos = new();
    }

    static readonly List<Case> Cases = new();

    public static void Add(string name, Action call) => Cases.Add(new Case(name, call));

    /// Measures all cases in turn, and prints a line for each.
    public static void Measure(int rounds)
    {
        foreach (Case one in Cases)
        {
            while (Time(one.Call, one.Calls) < Round / 2) one.Calls *= 2;
        }
        for (int round = 0; round < rounds; round++)
        {
            foreach (Case one in Cases)
            {
                Time(one.Call, one.Calls / 8 + 1);
                one.Nanos.Add(Time(one.Call, one.Calls) / (double)one.Calls);
            }
        }
        foreach (Case one in Cases)
        {
            IEnumerable<string> nanos = one.Nanos.Select(nanos => nanos.ToString("F1", CultureInfo.InvariantCulture));
            Console.WriteLine($"{one.Name}\t{string.Join(' ', nanos)}");
        }
    }

    static long Time(Action call, int calls)
    {
        long start = Now();
        for (int index = 0; index < calls; index++) call();
        return Now() - start;
    }

    /// CPU time of this thread, in nanoseconds. It collects garbage itself: the program is run without another thread for that.
    static long Now()
    {
        long* time = stackalloc long[2];
        clock_gettime(3, time);
        return time[0] * 1_000_000_000 + time[1];
    }

    [DllImport("libc")]
    static extern int clock_gettime(int clock, long* time);
}
