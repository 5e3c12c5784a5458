using System;
using Environment = Upcall.Mpi.Environment;

// Rank 0 sends each other process a text, and gets the name of its machine.
Environment.Run(args, world =>
{
    if (world.Rank == 0)
    {
        Console.WriteLine($"Rank 0 is alive and running on {Environment.ProcessorName}");
        for (int rank = 1; rank < world.Size; rank++)
        {
            Console.Write($"Pinging process with rank {rank}...");
            world.Send("Ping!", rank, 0);
            string name = world.Receive<string>(rank, 1);
            Console.WriteLine(" Pong!");
            Console.WriteLine($"  Rank {rank} is alive and running on {name}");
        }
    }
    else
    {
        world.Receive<string>(0, 0);
        world.Send(Environment.ProcessorName, 0, 1);
    }
});
