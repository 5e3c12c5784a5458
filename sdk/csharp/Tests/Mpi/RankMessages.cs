using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Threading;
using Upcall.Mpi;
using static Upcall.Tests.Ranks;

namespace Upcall.Tests;

/// <summary>Messages between two ranks.</summary>
public static class RankMessages
{
    [RankTest]
    public static void Values_arrays_and_objects_arrive_as_they_were_sent(Communicator world)
    {
        world.Serializer = new JsonSerializerOptions();
        Random stream = Stream();
        for (int round = 0; round < 20; round++)
        {
            int count = stream.Next(100);
            Around(world, value => value * 5, count);
            Around(world, value => value / 3.0, count);
            Around(world, value => (byte)value, count);
            Around(world, value => value % 2 == 0, count);
            Around(world, value => (char)value, count);
            Around(world, Padded.Of, count);
            Around(world, WithBool.Of, count);
            Around(world, value => (decimal)value / 7, count);
            Around(world, value => value % 3 == 0 ? null : (int?)value, count);
            Around(world, value => ((byte)value, value % 2 == 0 ? null : (double?)value), count);
            Around(world, value => value % 5 == 0 ? null : $"text {value} \u00e4\u20ac\ud83d\ude00", count);
            Around(world, value => new Packed($"packed {value}"), count);
            Around(world, value => new[] { value, value + 1 }.ToList(), count);
        }
    }

    private static void Around<T>(Communicator world, Func<int, T> value, int count)
    {
        int next = Next(world), before = Before(world);
        T[] sent = Of(world.Rank, count, value), expected = Of(before, count, value);
        using Request one = world.ImmediateSend(value(world.Rank), next, 1);
        Same([world.Receive<T>(before, 1)], [value(before)]);
        one.Wait();
        using Request first = world.ImmediateSend(sent, next, 2), second = world.ImmediateSend(sent, next, 3);
        Same(expected, world.Receive<T[]>(Communicator.AnySource, 2));
        T[]? into = null;
        world.Receive(before, 3, ref into, out Status status);
        Same(expected, into);
        Expect.Equal((before, 3), (status.Source, status.Tag));
        first.Wait();
        second.Wait();
        world.SendReceive(value(world.Rank), next, 4, before, 4, out T swapped);
        Same([value(before)], [swapped]);

        static void Same(T[] wanted, T[]? found)
        {
            // Lists are compared by what is in them.
            string Shown(T[]? of) => JsonSerializer.Serialize(of);
            Expect.Equal(Shown(wanted), Shown(found));
        }
    }

    [RankTest]
    public static void Spans_are_sent_and_received_in_place(Communicator world)
    {
        int next = Next(world), before = Before(world);
        Span<long> sent = stackalloc long[10], into = stackalloc long[20];
        for (int index = 0; index < sent.Length; index++)
        {
            sent[index] = (world.Rank * 100) + index;
        }
        Status status = world.SendReceive<long>(sent, next, 0, into, before, 0);
        Expect.Equal(10, status.Count<long>());
        Expect.Equal((before * 100) + 9L, into[9]);
        Expect.Equal(0L, into[10]);
        using Request request = world.ImmediateSend((ReadOnlySpan<long>)sent, next, 1);
        sent.Clear();
        var array = new long[10];
        world.Receive(before, 1, array);
        Expect.Equal(before * 100L, array[0]);
        request.Wait();
        if (world.Size > 1)
        {
            if (world.Rank == 0)
            {
                world.Send((ReadOnlySpan<long>)into, 1, 2);
                world.Send(into, 1, 2);
                world.SendSynchronous((ReadOnlySpan<long>)into, 1, 2);
            }
            else if (world.Rank == 1)
            {
                Expect.Equal(20, world.Receive<long>(0, 2, into).Count<long>());
                Expect.Equal(20, world.Receive<long[]>(0, 2).Length);
                Expect.Equal(20, world.Receive<long[]>(0, 2).Length);
            }
        }
        // A buffer of fixed length is not taken for padding.
        Dimensions dimensions = default;
        MemoryMarshal.Cast<Dimensions, float>(new Span<Dimensions>(ref dimensions)).Fill(world.Rank + 0.5f);
        world.SendReceive(dimensions, next, 3, before, 3, out Dimensions received);
        unsafe
        {
            Expect.Equal((before + 0.5f, before + 0.5f), (received.Values[0], received.Values[10]));
        }
    }

    [RankTest]
    public static void Memory_that_was_never_written_does_not_leave(Communicator world)
    {
        int size = Unsafe.SizeOf<Padded>();
        var values = new Padded[9];
        MemoryMarshal.AsBytes(values.AsSpan()).Fill(0xEE);
        for (int index = 0; index < values.Length; index++)
        {
            values[index].Small = values[index].Small;
        }
        using Request request = world.ImmediateSend(values, Next(world), 0);
        byte[] bytes = world.Receive<byte[]>(Before(world), 0);
        request.Wait();
        Expect.Equal(size * values.Length, bytes.Length);
        // Eight of the long, two of the short and one of the byte.
        Expect.Equal(11 * values.Length, bytes.Count(value => value == 0xEE));
        Expect.Equal((size - 11) * values.Length, bytes.Count(value => value == 0));
        Padded one = values[0];
        MemoryMarshal.AsBytes(new Span<Padded>(ref one)).Fill(0xEE);
        world.Broadcast(ref one, 0);
        Expect.Equal(11, MemoryMarshal.AsBytes(new Span<Padded>(ref one)).ToArray().Count(value => value == 0xEE) is var seen
            && world.Rank == 0 ? seen : 11);
    }

    [RankTest]
    public static void Messages_are_looked_for_and_matched(Communicator world)
    {
        int next = Next(world), before = Before(world);
        Expect.Equal(null, world.ImmediateProbe(before, 9));
        Expect.Equal(null, world.TryMatched(before, 9));
        world.Barrier();
        using Request request = world.ImmediateSend(new[] { 1.5, 2.5 }, next, 9);
        Status status = world.Probe(Communicator.AnySource, Communicator.AnyTag);
        Expect.Equal((before, 9, 2), (status.Source, status.Tag, status.Count<double>()));
        Expect.Equal(16L, world.ImmediateProbe(before, 9)!.Value.Bytes);
        using Message message = world.Matched(before, 9);
        Expect.Equal(null, world.ImmediateProbe(before, 9));
        Span<double> into = stackalloc double[2];
        message.Receive(into);
        Expect.Equal(2.5, into[1]);
        Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => message.Receive<double[]>()).Error);
        request.Wait();
    }

    [RankTest]
    public static void Requests_are_waited_for_in_any_order(Communicator world)
    {
        int next = Next(world), before = Before(world);
        world.Serializer = new JsonSerializerOptions();
        foreach (string how in (string[])["wait", "test", "any", "all", "some", "list"])
        {
            int[] numbers = new int[before + 10], letters = new int[1];
            string[] texts = new string[before + 1];
            bool[] flags = new bool[3];
            int called = 0;
            var one = world.ImmediateReceive<int>(Communicator.AnySource, 0, value => called = value);
            var text = world.ImmediateReceive<string>(Communicator.AnySource, 1);
            var array = world.ImmediateReceive(Communicator.AnySource, 2, numbers);
            var strings = world.ImmediateReceive(Communicator.AnySource, 3, texts);
            var bools = world.ImmediateReceive(before, 4, flags);
            var person = world.ImmediateReceive<Person>(before, 5);
            List<Request> requests =
            [
                one, text, array, strings, bools, person,
                world.ImmediateSend(world.Rank, next, 0),
                world.ImmediateSend(world.Rank.ToString(), next, 1),
                world.ImmediateSend(Enumerable.Range(0, world.Rank + 1).ToArray(), next, 2),
                world.ImmediateSend(Enumerable.Range(0, world.Rank + 1).Select(value => $"{value}").ToArray(), next, 3),
                world.ImmediateSend(new[] { true, false, true }, next, 4),
                world.ImmediateSend(new Person("Ada", [world.Rank]), next, 5),
            ];
            GC.Collect();
            var list = new RequestList();
            requests.ForEach(list.Add);
            switch (how)
            {
                case "wait":
                    requests.ForEach(request => request.Wait());
                    break;
                case "test":
                    while (requests.Count(request => request.Test() != null) < requests.Count)
                    {
                        Thread.Yield();
                    }
                    break;
                case "any":
                    while (list.Count > 0)
                    {
                        requests.Contains(list.WaitAny());
                    }
                    break;
                case "all":
                    Expect.Equal(12, list.WaitAll().Count);
                    break;
                case "some":
                    while (list.Count > 0)
                    {
                        list.WaitSome();
                    }
                    break;
                default:
                    while (list.TestAll() == null)
                    {
                        Thread.Yield();
                    }
                    break;
            }
            Expect.Equal((before, before, 0), (one.Value, called, one.Wait().Tag));
            Expect.Equal(before.ToString(), text.Value);
            Expect.Equal(before + 1, array.Wait().Count<int>());
            Expect.Equal(true, ReferenceEquals(numbers, array.GetValue()));
            Same(Enumerable.Range(0, before + 1).ToArray(), numbers[..(before + 1)]);
            Same(Enumerable.Range(0, before + 1).Select(value => $"{value}").ToArray(), texts);
            Same([true, false, true], flags);
            Expect.Equal(before, person.Value.Numbers[0]);
            requests.ForEach(request => request.Dispose());
            world.Barrier();
        }
    }

    [RankTest]
    public static void Receives_are_cancelled_and_given_up(Communicator world)
    {
        Request[] requests =
        [
            world.ImmediateReceive<int>(Communicator.AnySource, 0), world.ImmediateReceive<string>(Communicator.AnySource, 1),
            world.ImmediateReceive(Communicator.AnySource, 2, new int[3]),
            world.ImmediateReceive(Communicator.AnySource, 3, new string[3]),
        ];
        foreach (Request request in requests)
        {
            request.Cancel();
            Expect.Equal(true, request.Wait().Cancelled);
            Expect.Throws<MpiException>(() => ((ReceiveRequest)request).GetValue());
            request.Dispose();
        }
        // What the collector finds is freed by a thread that may call MPI, while its array stays where it is.
        for (int round = 0; round < 50; round++)
        {
            Forget(world);
            if (round % 10 == 9)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
            world.Barrier();
        }
        Expect.Equal(null, world.ImmediateProbe(Communicator.AnySource, Communicator.AnyTag));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(Communicator world)
    {
        _ = world.ImmediateReceive(Communicator.AnySource, 7, new byte[100]);
        _ = world.Duplicate();
    }

    [RankTest]
    public static void Mistakes_are_told(Communicator world)
    {
        static MpiError Of(Action action) => Expect.Throws<MpiException>(action).Error;
        Expect.Equal(MpiError.Rank, Of(() => world.Send(1, world.Size, 0)));
        Expect.Equal(MpiError.Rank, Of(() => world.Send(1, -3, 0)));
        Expect.Equal(MpiError.Tag, Of(() => world.Send(1, 0, -1)));
        Expect.Equal(MpiError.Rank, Of(() => world.Broadcast(new int[3].AsSpan(), world.Size)));
        Expect.Equal(MpiError.Type, Of(() => world.Send(new Person("Ada", []), 0, 0)));
        Expect.Equal(MpiError.Usage, Of(() => world.Allgather<int>(new int[2], new int[1])));
        Expect.Equal(MpiError.Lifecycle, Of(() => new Mpi.Environment().Dispose()));
        int next = Next(world), before = Before(world);
        MpiError Received<T>(int[] sent, Func<T> receive)
        {
            using Request request = world.ImmediateSend(sent, next, 0);
            MpiError error = Of(() => receive());
            request.Wait();
            return error;
        }
        Expect.Equal(MpiError.Truncated, Received([1, 2], () => world.Receive<int>(before, 0)));
        Expect.Equal(MpiError.Type, Received([1], () => world.Receive<long>(before, 0)));
        Expect.Equal(MpiError.Type, Received([1], () => world.Receive<long[]>(before, 0)));
        Expect.Equal(MpiError.Type, Received([1, 2, 3], () => world.Receive<string>(before, 0)));
        Expect.Equal(MpiError.Type, Received([-5], () => world.Receive<string>(before, 0)));
        Expect.Equal(MpiError.Type, Received([int.MaxValue], () => world.Receive<string[]>(before, 0)));
        // What a serializer throws is said again, and no other message is waited for.
        world.Serializer = new JsonSerializerOptions();
        using (Request request = world.ImmediateSend("no JSON", next, 6), wide = world.ImmediateSend(new[] { "a", "b" }, next, 7))
        {
            using ReceiveRequest<Person> wrong = world.ImmediateReceive<Person>(before, 6);
            Expect.Throws<JsonException>(() => wrong.Wait());
            Expect.Throws<JsonException>(() => wrong.Wait());
            using ReceiveRequest<string[]> narrow = world.ImmediateReceive(before, 7, new string[1]);
            Expect.Equal(MpiError.Truncated, Of(() => narrow.Wait()));
            request.Wait();
            wide.Wait();
        }
        MpiException thread = null!;
        var other = new Thread(() => thread = Expect.Throws<MpiException>(world.Barrier));
        if (Mpi.Environment.Threading == Threads.Funneled)
        {
            other.Start();
            other.Join();
            Expect.Equal(MpiError.Usage, thread.Error);
        }
        Communicator twin = world.Duplicate();
        twin.Dispose();
        Expect.Throws<ObjectDisposedException>(twin.Barrier);
        Expect.Equal(true, Mpi.Environment.ProcessorName.Length > 0 && Mpi.Environment.MaxTag >= 32767);
        Expect.Equal(true, Mpi.Environment.Standard >= new Version(3, 1) && Mpi.Environment.Time >= 0);
        Expect.Equal((true, false), (Mpi.Environment.IsRunning, Mpi.Environment.IsFinalized));
        Expect.Equal((true, false), LifeElsewhere());
        Expect.Equal(true, Mpi.Environment.IsMainThread && Mpi.Environment.ThreadsWanted <= Mpi.Environment.Threading);
        Expect.Equal(true, Mpi.Environment.TimeResolution is > 0 and < 1);
        _ = Mpi.Environment.TimeIsGlobal;
        Expect.Equal(true, (Mpi.Environment.UniverseSize ?? world.Size) >= 1 && (Mpi.Environment.ProgramNumber ?? 0) == 0);
        Expect.Equal((Communicator.AnySource, null), (Mpi.Environment.IoRank, Mpi.Environment.HostRank));
        Expect.Equal(Mpi.Environment.Standard.Major >= 4, Mpi.Environment.Has(OptionalPart.Partitioned));
        Expect.Equal(false, Mpi.Environment.Has(OptionalPart.FaultTolerance));
        Expect.Throws<ArgumentOutOfRangeException>(() => Mpi.Environment.Has((OptionalPart)7));
        Expect.Equal(true, Mpi.Environment.LibraryName.Contains("MPI"));
    }
}
