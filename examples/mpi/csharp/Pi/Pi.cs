using System;
using System.Globalization;
using Upcall.Mpi;
using Environment = Upcall.Mpi.Environment;

// Each process throws darts at a square of side 2, and counts those that hit the circle within: that is π/4 of them, about.
Environment.Run(args, world =>
{
    int darts = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 10_000_000;
    var random = new Random(5 * world.Rank);
    long hits = 0;
    for (int dart = 0; dart < darts; dart++)
    {
        double x = (random.NextDouble() - 0.5) * 2, y = (random.NextDouble() - 0.5) * 2;
        if ((x * x) + (y * y) <= 1)
        {
            hits++;
        }
    }
    long all = world.Reduce(hits, Operation<long>.Add, 0);
    if (world.Rank == 0)
    {
        double pi = 4.0 * all / ((long)world.Size * darts);
        Console.WriteLine($"Pi is approximately {pi.ToString("F15", CultureInfo.InvariantCulture)}.");
    }
});
