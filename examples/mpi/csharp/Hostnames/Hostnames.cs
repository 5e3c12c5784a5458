using System;
using Environment = Upcall.Mpi.Environment;

// Rank 0 gathers the names of the machines that the job runs on, and prints them.
Environment.Run(args, world =>
{
    string[]? names = world.Gather(Environment.ProcessorName, 0);
    if (names != null)
    {
        Array.Sort(names);
        foreach (string name in names)
        {
            Console.WriteLine(name);
        }
    }
});
