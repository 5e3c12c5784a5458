using System;
using System.Linq;
using System.Runtime.InteropServices;
using Upcall.Mpi;
using static Upcall.Tests.Ranks;

namespace Upcall.Tests;

/// <summary>The struct of <c>crates/mpi/tests/mpi/c/readings.c</c>, whose fields lie elsewhere there.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct Reading
{
    /// <summary>A number of 4 bytes, and padding behind it.</summary>
    public uint Sensor;

    /// <summary>A number.</summary>
    public double Value;

    /// <summary>An array.</summary>
    public fixed short Tags[3];

    /// <summary>The last, with padding behind it.</summary>
    public byte Level;

    /// <summary>One of random fields.</summary>
    public static Reading Of(Random stream)
    {
        var made = new Reading { Sensor = (uint)stream.Next(), Value = stream.NextDouble() - 0.5, Level = (byte)stream.Next(256) };
        for (int tag = 0; tag < 3; tag++)
        {
            made.Tags[tag] = (short)stream.Next(-30_000, 30_000);
        }
        return made;
    }

    /// <summary>What the rank in C makes of it.</summary>
    public readonly Reading Changed()
    {
        var made = new Reading { Sensor = Sensor + 1, Value = Value * 2, Level = (byte)~Level };
        for (int tag = 0; tag < 3; tag++)
        {
            made.Tags[tag] = (short)-Tags[tag];
        }
        return made;
    }

    /// <summary>Its fields.</summary>
    public readonly (uint Sensor, double Value, short First, short Second, short Third, byte Level) Fields() =>
        (Sensor, Value, Tags[0], Tags[1], Tags[2], Level);
}

/// <summary>Messages that say their types, and structs that MPI knows field by field.</summary>
public static class RankTyped
{
    private record struct Pair(uint Sensor, double Value);

    private static class Other
    {
        // Of the same name and size.
        internal record struct Pair(double Value, uint Sensor);
    }

    private record struct Nested(byte Small, Pair Inner, DayOfWeek Day, bool Odd);

    [StructLayout(LayoutKind.Explicit)]
    private struct Union
    {
        [FieldOffset(0)]
        internal int Whole;

        [FieldOffset(2)]
        internal short Half;

        internal readonly int Both => Whole + Half;
    }

    [RankTest]
    public static void Checked_messages_arrive_as_what_they_are(Communicator world)
    {
        foreach (bool on in (bool[])[true, false])
        {
            using Checked checkedWorld = world.Checked(on);
            Expect.Equal(on, checkedWorld.IsOn);
            Expect.Equal((world.Rank, world.Size), (checkedWorld.Rank, checkedWorld.Size));
            for (int round = 0; round < 4; round++)
            {
                var stream = new Random(round);
                int[] counts = Counts(stream, world);
                var into = new Pair[60];
                Pair[] Whose(int rank) => Of(rank, counts[rank], value => new Pair((uint)value, value * 0.5));
                Status status = checkedWorld.SendReceive<Pair, Pair>(
                    Whose(world.Rank), Next(world), round, into, Before(world), round);
                Expect.Equal(counts[Before(world)], status.Count<Pair>());
                Same(Whose(Before(world)), into[..counts[Before(world)]]);
                if (world.Rank == 0)
                {
                    for (int rank = 1; rank < world.Size; rank++)
                    {
                        checkedWorld.Send(1.5f * rank, rank, 9);
                        checkedWorld.Send(Whose(0), rank, 9);
                    }
                }
                else
                {
                    Expect.Equal(1.5f * world.Rank, checkedWorld.Receive<float>(0, Communicator.AnyTag));
                    Same(Whose(0), checkedWorld.ReceiveArray<Pair>(Communicator.AnySource, 9, out status));
                    Expect.Equal((0, 9), (status.Source, status.Tag));
                }
            }
            for (int twice = 0; twice < 2; twice++)
            {
                // What is disposed is the checked communicator's, who goes on with it.
                using Communicator together = checkedWorld.Together<double>();
                Expect.Equal(world.Size * 2.0, together.Allreduce(2.0, Operation<double>.Add));
            }
        }
    }

    [RankTest]
    public static void Other_types_are_told_apart(Communicator world)
    {
        using Checked all = world.Checked(true);
        if (world.Size > 1)
        {
            Communicator Mixed() => world.Rank == 0 ? all.Together<int>() : all.Together<long>();
            MpiException mixed = Expect.Throws<MpiException>(() => Mixed());
            Expect.Equal(MpiError.Type, mixed.Error);
            string own = world.Rank == 0 ? "call a collective on i32 of 4 bytes: rank 1 has i64" : "on i64 of 8 bytes: rank 0 has i32";
            Expect.Holds(own, mixed.Message);
        }
        if (world.Rank == 1)
        {
            all.Send(new double[] { 1, 2 }, 0, 3);
            all.Send(new Pair(1, 2), 0, 4);
            all.Send(new Pair(1, 2), 0, 5);
            all.Send(new double[] { 1, 2 }, 0, 6);
        }
        else if (world.Rank == 0 && world.Size > 1)
        {
            MpiException other = Expect.Throws<MpiException>(() => all.Receive<float>(1, 3));
            Expect.Equal(MpiError.Type, other.Error);
            Expect.Holds(
                "receive from rank 1 with tag 3: it sent f64 of 8 bytes, and this rank receives f32 of 4 bytes", other.Message);
            other = Expect.Throws<MpiException>(() => all.ReceiveArray<Other.Pair>(1, 4));
            Expect.Holds("it sent Pair of 16 bytes with other fields, and this rank receives Pair of 16 bytes", other.Message);
            Expect.Equal(new Pair(1, 2), all.Receive<Pair>(1, 5));
            var small = new double[1];
            Expect.Equal(MpiError.Truncated, Expect.Throws<MpiException>(() => all.Receive<double>(1, 6, small)).Error);
        }
        Expect.Equal(MpiError.Rank, Expect.Throws<MpiException>(() => all.Send(1, world.Size, 0)).Error);
        all.Dispose();
        Expect.Throws<ObjectDisposedException>(() => all.Send(1, 0, 0));
    }

    [RankTest]
    public static void Structs_travel_field_by_field(Communicator world)
    {
        using Datatype<Nested> nested = Datatype<Nested>.OfFields(world);
        Nested Whose(int rank) => new((byte)rank, new Pair((uint)rank, rank * 0.25), DayOfWeek.Friday, rank % 2 == 0);
        if (world.Size == 1)
        {
            var mine = new Nested[] { Whose(3) };
            world.BroadcastTyped<Nested>(mine, nested, 0);
            Expect.Equal(Whose(3), mine[0]);
            return;
        }
        if (world.Rank == 1)
        {
            world.SendTyped<Nested>(new[] { Whose(1), Whose(7) }, nested, 0, 2);
            world.SendTyped<Nested>(new[] { Whose(1), Whose(7) }, nested, 0, 3);
        }
        else if (world.Rank == 0)
        {
            Same([Whose(1), Whose(7)], world.ReceiveTyped(nested, 1, 2, out Status status));
            Expect.Equal((1, 2), (status.Source, status.Tag));
            var room = new Nested[3];
            Expect.Equal(2, world.ReceiveTyped<Nested>(room, nested, 1, 3));
            Same([Whose(1), Whose(7), default], room);
        }
        nested.Dispose();
        Expect.Throws<ObjectDisposedException>(() => world.SendTyped<Nested>(new Nested[1], nested, 0, 0));
        MpiException refused = Expect.Throws<MpiException>(() => Datatype<Union>.OfFields(world));
        Expect.Holds("overlap", refused.Message);
    }

    /// <summary>Rank 0, beside a rank in C (<c>readings.c</c>).</summary>
    internal static int BesideC()
    {
        using var mpi = new Mpi.Environment();
        Communicator world = mpi.World;
        using Datatype<Reading> reading = Datatype<Reading>.OfFields(world);
        for (int round = 0; round < 8; round++)
        {
            var stream = new Random(round);
            int count = stream.Next(1000);
            Reading[] all = Enumerable.Range(0, count).Select(_ => Reading.Of(stream)).ToArray();
            var wanted = all.Select(one => one.Changed().Fields()).ToArray();
            world.SendTyped<Reading>(all, reading, 1, 5);
            Reading[] found = new Reading[count + 3];
            if (round % 2 == 0)
            {
                found = world.ReceiveTyped(reading, 1, 6);
            }
            else
            {
                Expect.Equal(count, world.ReceiveTyped<Reading>(found, reading, 1, 6));
            }
            Same(wanted, found.Take(count).Select(one => one.Fields()).ToArray());
            world.BroadcastTyped<Reading>(all, reading, 1);
            Same(wanted, all.Select(one => one.Fields()).ToArray());
        }
        Console.WriteLine("1 passed");
        return 0;
    }
}
