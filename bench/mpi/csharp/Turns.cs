using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using Upcall.Mpi;

/// <summary>One way to pass the messages of a case so many times.</summary>
internal sealed record Way(string Who, string How, Action<long> Batch);

/// <summary>Several ways in turn, and the least of each: as <c>bench/src/mpi/turns.rs</c>.</summary>
internal sealed class Turns(Communicator world, double seconds)
{
    private const double Batch = 100e-6;
    private const int Least = 5;

    /// <summary>Not <c>Console.Out</c>, which speaks to the terminal that Open MPI gives its ranks.</summary>
    private static readonly Stream Output = Console.OpenStandardOutput();

    private string? warmed;

    /// <summary>Measures the ways and prints rows.</summary>
    internal void Measure(string @case, List<Way> ways, long count, long bytes, int messages)
    {
        Warm(@case, ways);
        (long Times, List<double> Batches)[] found = ways.Select(way => (Fitting(way.Batch), new List<double>())).ToArray();
        long start = Stopwatch.GetTimestamp();
        for (int round = 0; Told(round < Least || Stopwatch.GetElapsedTime(start).TotalSeconds < seconds * ways.Count ? 1 : 0) != 0; round++)
        {
            for (int place = 0; place < ways.Count; place++)
            {
                int index = (place + round) % ways.Count;
                (long times, List<double> batches) = found[index];
                ways[index].Batch(1);
                long begun = Stopwatch.GetTimestamp();
                ways[index].Batch(times);
                batches.Add((Stopwatch.GetTimestamp() - begun) * 1e9 / Stopwatch.Frequency / times / messages);
            }
        }
        double first = 0;
        for (int index = 0; index < ways.Count; index++)
        {
            (long times, List<double> batches) = found[index];
            batches.Sort();
            double least = batches.Take((batches.Count + 9) / 10).Average();
            first = index == 0 ? least : first;
            if (world.Rank == 0)
            {
                string row = string.Create(
                    CultureInfo.InvariantCulture,
                    $$"""{"case":"{{@case}}","count":{{count}},"bytes":{{bytes}},"who":"{{ways[index].Who}}","how":"{{ways[index].How}}","nanos":{{batches[0]}},"median":{{batches[batches.Count / 2]}},"more":{{least - first}},"batches":{{batches.Count}},"times":{{times * messages}}}""");
                Output.Write(Encoding.UTF8.GetBytes($"{row}\n"));
                Output.Flush();
            }
        }
    }

    /// <summary>Runs each way of a new case until the runtime has compiled it as well as it does.</summary>
    private void Warm(string @case, List<Way> ways)
    {
        if (@case == warmed)
        {
            return;
        }
        warmed = @case;
        foreach (Way way in ways)
        {
            long start = Stopwatch.GetTimestamp();
            while (Told(Stopwatch.GetElapsedTime(start).TotalSeconds < 0.3 ? 1 : 0) != 0)
            {
                way.Batch(10);
            }
        }
    }

    private long Told(long number)
    {
        world.Broadcast(ref number, 0);
        return number;
    }

    private long Fitting(Action<long> batch)
    {
        long begun = Stopwatch.GetTimestamp();
        double least = Batch;
        for (int looks = 0; Told(looks < 20 && Stopwatch.GetElapsedTime(begun).TotalSeconds < 50e-3 ? 1 : 0) != 0; looks++)
        {
            long start = Stopwatch.GetTimestamp();
            batch(2);
            least = Math.Min(least, Stopwatch.GetElapsedTime(start).TotalSeconds / 2);
        }
        return Told(Math.Clamp((long)(Batch / least), 1, 10_000));
    }
}
