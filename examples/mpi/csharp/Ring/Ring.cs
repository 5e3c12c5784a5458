using System;
using Environment = Upcall.Mpi.Environment;

// A text goes around all processes, to which each adds its rank.
Environment.Run(args, world =>
{
    if (world.Size < 2)
    {
        Console.WriteLine("A ring has at least two processes: mpirun -n 4 dotnet ring.dll");
        return;
    }
    int next = (world.Rank + 1) % world.Size, before = (world.Rank + world.Size - 1) % world.Size;
    if (world.Rank == 0)
    {
        world.Send("Hello, World!", next, 0);
        world.Receive(before, 0, out string text);
        Console.WriteLine($"{text} 0");
    }
    else
    {
        world.Receive(before, 0, out string text);
        world.Send($"{text} {world.Rank},", next, 0);
    }
});
