using System;
using Environment = Upcall.Mpi.Environment;

// Each process says which one it is.
Environment.Run(args, world => Console.WriteLine($"Hello, from process number {world.Rank} of {world.Size}"));
