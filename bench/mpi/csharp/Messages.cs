using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime.InteropServices;
using Measured;
using Upcall.Mpi;

// Messages between two ranks from C#, and by C in the same process, in turn: LIBRARY SECONDS CASE...
// Prints one JSON object per line; `cargo xtask bench mpi` runs it on each MPI.
string[] given = args;
using var mpi = new Upcall.Mpi.Environment(given, Threads.Single);
try
{
    var messages = new Messages(mpi.World, given[0], double.Parse(given[1], CultureInfo.InvariantCulture));
    foreach (string name in given.Skip(2))
    {
        messages.Case(name);
    }
    messages.End();
}
catch (Exception exception)
{
    Console.Error.WriteLine($"error: rank {mpi.World.Rank}: {exception}");
    mpi.World.Abort(1);
}

/// <summary>What one rank does in each case.</summary>
internal sealed unsafe class Messages(Communicator world, string library, double seconds)
{
    private const int Tag = 1;
    private readonly nint peer = NativeLibrary.Load(library);
    private readonly Turns turns = new(world, seconds);
    private readonly int other = 1 - world.Rank;

    internal void Case(string name)
    {
        switch (name)
        {
            case "ping-pong":
                for (int power = 0; power <= 23; power++)
                {
                    PingPong(1 << power);
                }
                break;
            case "records":
                Records(100);
                break;
            case "all-reduce":
                for (int power = 0; power <= 10; power++)
                {
                    AllReduce(1 << (2 * power));
                }
                break;
            default:
                throw new ArgumentException($"there is no case `{name}`");
        }
    }

    /// <summary>Frees what the library in C has made.</summary>
    internal void End() => ((delegate* unmanaged<int>)NativeLibrary.GetExport(peer, "upcall_bench_end"))();

    private Way InC(string how, string function, nint data, long count)
    {
        var run = (delegate* unmanaged<int, void*, long, long, int>)NativeLibrary.GetExport(peer, function);
        int rank = world.Rank;
        return new Way("C", how, times =>
        {
            int code = run(rank, (void*)data, count, times);
            if (code != 0)
            {
                throw new InvalidOperationException($"{function}: MPI returns the error {code}");
            }
        });
    }

    private void PingPong(int bytes)
    {
        // Where the collector leaves it, and C finds it.
        byte[] data = GC.AllocateArray<byte>(bytes, pinned: true);
        bool first = world.Rank == 0;
        var ways = new List<Way>
        {
            InC("bytes", "upcall_bench_bytes", Marshal.UnsafeAddrOfPinnedArrayElement(data, 0), bytes),
            new("C#", "bytes", times =>
            {
                for (long time = 0; time < times; time++)
                {
                    if (first)
                    {
                        world.Send<byte>(data.AsSpan(), other, Tag);
                    }
                    world.Receive(other, Tag, data.AsSpan());
                    if (!first)
                    {
                        world.Send<byte>(data.AsSpan(), other, Tag);
                    }
                }
            }),
        };
        for (byte number = 1; number <= ways.Count; number++)
        {
            Array.Fill(data, first ? number : (byte)0);
            ways[number - 1].Batch(1);
            Check(Array.TrueForAll(data, value => value == number), ways[number - 1]);
        }
        turns.Measure("ping-pong", ways, bytes, bytes, 2);
    }

    private void Records(int count)
    {
        var wanted = new Records { All = Enumerable.Range(0, count).Select(Record).ToArray() };
        bool first = world.Rank == 0;
        var way = new Way("C#", "pack", times =>
        {
            for (long time = 0; time < times; time++)
            {
                if (first)
                {
                    world.Send(wanted, other, Tag);
                }
                Records received = world.Receive<Records>(other, Tag);
                if (received.All!.Length != count)
                {
                    throw new InvalidOperationException("records: there are others");
                }
                if (!first)
                {
                    world.Send(wanted, other, Tag);
                }
            }
        });
        world.SendReceive(wanted, other, Tag, out Records found);
        Check(Enumerable.Range(0, count).All(index => Same(found.All![index], Record(index))), way);
        turns.Measure("records", [way], count, 0, 2);
    }

    private static Record Record(int id) => new() { Id = (ulong)id, Name = $"sensor {id}", Celsius = 20 + (id / 8.0) };

    private static bool Same(Record one, Record other) =>
        (one.Id, one.Name, one.Celsius) == (other.Id, other.Name, other.Celsius);

    private void AllReduce(int count)
    {
        double[] data = GC.AllocateArray<double>(2 * count, pinned: true);
        Array.Fill(data, world.Rank + 1.0);
        nint address = Marshal.UnsafeAddrOfPinnedArrayElement(data, 0);
        using var spans = new Operation<double>(Sums.Add);
        using var each = new Operation<double>((a, b) => a + b);
        Way Ours(string how, Operation<double> operation) => new("C#", how, times =>
        {
            ReadOnlySpan<double> from = data.AsSpan(0, count);
            Span<double> into = data.AsSpan(count);
            for (long time = 0; time < times; time++)
            {
                world.Allreduce(from, into, operation);
            }
        });
        List<Way> ways =
        [
            InC("MPI_SUM", "upcall_bench_sum", address, count),
            InC("function", "upcall_bench_function", address, count),
            Ours("MPI_SUM", Operation<double>.Add),
            Ours("function of spans", spans),
            Ours("function of elements", each),
        ];
        foreach (Way way in ways)
        {
            data.AsSpan(count).Clear();
            way.Batch(1);
            Check(!data.AsSpan(count).ContainsAnyExcept(3.0), way);
        }
        turns.Measure("all-reduce", ways, count, 8L * count, 1);
    }

    private static void Check(bool right, Way way)
    {
        if (!right)
        {
            throw new InvalidOperationException($"{way.Who} {way.How}: what arrived is not what was sent");
        }
    }
}
