using System;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Upcall.Mpi;

namespace Upcall.Tests;

/// <summary>A test that all ranks run together: a public static method of the world.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RankTestAttribute : Attribute
{
    /// <summary>On how many ranks at most: more show nothing new, and MPICH's spin while they wait for each other.</summary>
    public int Most { get; init; } = int.MaxValue;
}

/// <summary>Runs the tests on ranks, as a rank.</summary>
public static class Ranks
{
    /// <summary>0 when all passed on this rank.</summary>
    public static int Run(string[] names)
    {
        if (names is ["--child", string child])
        {
            return RankProcesses.Child(child);
        }
        if (names is ["throws"])
        {
            Mpi.Environment.Run(Throws);
        }
        int failed = 0;
        Communicator late;
        Window<int> window;
        MpiFile left;
        // What depends on the thread level is tested once more where all threads may call MPI.
        bool many = names is ["multiple"];
        names = many ? [nameof(RankThreads), nameof(RankFiles), nameof(RankBegun)] : names;
        using (var mpi = new Mpi.Environment(names, many ? Threads.Multiple : Threads.Funneled))
        {
            late = mpi.World;
            window = Window<int>.Allocate(late, 1);
            var tests =
                from type in typeof(Ranks).Assembly.GetTypes()
                from method in type.GetMethods(BindingFlags.Public | BindingFlags.Static)
                where method.GetCustomAttribute<RankTestAttribute>()?.Most >= mpi.World.Size
                let name = $"{type.Name}.{method.Name}"
                where names.Length == 0 || names.Any(name.Contains)
                orderby name
                select (name, method);
            foreach ((string name, MethodInfo method) in tests)
            {
                using Communicator world = mpi.World.Duplicate();
                try
                {
                    method.Invoke(null, BindingFlags.DoNotWrapExceptions, null, [world], null);
                }
                catch (Exception exception)
                {
                    failed++;
                    Console.Error.WriteLine($"FAILED {name} on rank {world.Rank} of {world.Size}\n{exception}\n");
                    // The others may wait for this one.
                    mpi.World.Abort(1);
                }
            }
            // MPI is not finalized within an epoch.
            PassiveEpoch<int> open = window.LockAll();
            Expect.Equal(MpiError.Synchronization, Expect.Throws<MpiException>(mpi.Dispose).Error);
            open.Dispose();
            // One that is left open is closed with MPI.
            left = MpiFile.Open(mpi.World, "/dev/null");
        }
        Expect.Equal(MpiError.Lifecycle, Expect.Throws<MpiException>(left.Sync).Error);
        Expect.Equal(MpiError.Lifecycle, Expect.Throws<MpiException>(left.Close).Error);
        Expect.Equal((false, true), (Mpi.Environment.IsRunning, Mpi.Environment.IsFinalized));
        Expect.Equal((false, true), LifeElsewhere());
        Expect.Equal(MpiError.Lifecycle, Expect.Throws<MpiException>(late.Barrier).Error);
        Expect.Equal(MpiError.Lifecycle, Expect.Throws<MpiException>(() => window.LockAll()).Error);
        Expect.Equal(MpiError.Lifecycle, Expect.Throws<MpiException>(window.Dispose).Error);
        window.Dispose();
        Expect.Equal(MpiError.Lifecycle, Expect.Throws<MpiException>(() => new Mpi.Environment().Dispose()).Error);
        Console.WriteLine("all ranks well");
        return failed;
    }

    /// <summary>Whether MPI runs and has been finalized in this process, as another copy of the SDK knows, which has not started it.
    /// </summary>
    internal static (bool IsRunning, bool IsFinalized) LifeElsewhere()
    {
        var copy = new AssemblyLoadContext("another copy");
        Type environment = copy.LoadFromAssemblyPath(typeof(Mpi.Environment).Assembly.Location).GetType(typeof(Mpi.Environment).FullName!)!;
        bool Asked(string name) => (bool)environment.GetProperty(name)!.GetValue(null)!;
        return (Asked(nameof(Mpi.Environment.IsRunning)), Asked(nameof(Mpi.Environment.IsFinalized)));
    }

    /// <summary>One rank throws while the others wait for it, and would wait for them to close a file.</summary>
    private static void Throws(Communicator world)
    {
        using MpiFile file = MpiFile.Open(world, "/dev/null");
        if (world.Rank == 1)
        {
            throw new InvalidOperationException("thrown by rank 1");
        }
        world.Barrier();
    }

    /// <summary>The same on all ranks.</summary>
    internal static Random Stream([CallerMemberName] string test = "") => new(test.Length * 7919);

    internal static int[] Counts(Random stream, Communicator world) =>
        Enumerable.Range(0, world.Size).Select(_ => stream.Next(50)).ToArray();

    /// <summary>What rank <paramref name="rank"/> has.</summary>
    internal static T[] Of<T>(int rank, int count, Func<int, T> value) =>
        Enumerable.Range(0, count).Select(index => value((rank * 1000) + index)).ToArray();

    internal static void Same<T>(T[] expected, T[]? found, [CallerArgumentExpression(nameof(found))] string what = "")
    {
        if (found == null || !expected.SequenceEqual(found))
        {
            throw new InvalidOperationException(
                $"{what}: expected [{string.Join(", ", expected)}], found [{string.Join(", ", found ?? [])}]");
        }
    }

    internal static int Next(Communicator world) => (world.Rank + 1) % world.Size;

    internal static int Before(Communicator world) => (world.Rank + world.Size - 1) % world.Size;
}
