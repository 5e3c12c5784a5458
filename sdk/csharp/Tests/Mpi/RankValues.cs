using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using Upcall.Mpi;

namespace Upcall.Tests;

/// <summary>Values that are kept with communicators, and calls for when a process has died.</summary>
public static class RankValues
{
    private static readonly Key<List<int>> Stays = new();
    private static readonly Key<string> Copied = new(copied: true);

    [RankTest]
    public static void Values_are_kept_copied_and_let_go_of(Communicator world)
    {
        Communicator comm = world.Duplicate();
        Expect.Equal(false, comm.TryGet(Stays, out _));
        Expect.Equal<object?>(null, comm[Copied]);
        List<int> list = [world.Rank];
        comm.Set(Stays, list);
        comm[Copied] = "one";
        Expect.Equal(true, comm.TryGet(Stays, out List<int>? found) && ReferenceEquals(list, found));
        comm.Set(Copied, "two");
        using (Communicator twin = comm.Duplicate())
        {
            Expect.Equal(false, twin.TryGet(Stays, out _));
            Expect.Equal<object?>("two", twin[Copied]);
            twin[Copied] = "three";
            Expect.Equal<object?>("two", comm[Copied]);
        }
        using (Communicator part = comm.Split(0, 0)!)
        {
            Expect.Equal<object?>(null, part[Copied]);
        }
        Expect.Equal((true, false), (comm.Remove(Stays), comm.Remove(Stays)));
        comm[Copied] = null;
        Expect.Equal(false, comm.TryGet(Copied, out _));
        // It is let go of with its communicator.
        WeakReference kept = Keep(comm);
        GC.Collect();
        Expect.Equal(true, kept.IsAlive);
        comm.Dispose();
        GC.Collect();
        Expect.Equal(false, kept.IsAlive);
        Expect.Throws<ObjectDisposedException>(() => _ = comm[Copied]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Keep(Communicator comm)
    {
        var value = new List<int>();
        comm.Set(Stays, value);
        return new WeakReference(value);
    }

    [RankTest]
    public static void Calls_for_dead_ranks_say_where_they_are_not(Communicator world)
    {
        List<Action> calls =
        [
            world.Revoke, world.AcknowledgeFailures, () => world.Shrink(), () => world.Agree(3), () => _ = world.FailedRanks,
            () => _ = world.IsRevoked, () => _ = world.AcknowledgedFailures,
        ];
        foreach (Action call in calls)
        {
            MpiException refused = Expect.Throws<MpiException>(call);
            Expect.Equal(MpiError.Unsupported, refused.Error, refused.Message);
        }
        world.Barrier();
    }

    [RankTest]
    public static void What_one_rank_gets_wrong_is_told_to_all(Communicator world)
    {
        int last = world.Size - 1;
        Expect.Equal(MpiError.Usage, Expect.Throws<MpiException>(() => world.Split(world.Rank == last ? 1L << 31 : 0, 0)).Error);
        Expect.Throws<MpiException>(() => world.Split(world.Rank == last ? 1L << 40 : -1, 0));
        // A value that cannot be written.
        world.Serializer = new OnlyText();
        object Value(int rank) => rank == last ? new object() : "text";
        for (int root = 0; root < world.Size; root++)
        {
            Type thrown = Thrown(() => world.Gather(Value(world.Rank), root));
            Expect.Equal(world.Rank == last ? typeof(NotSupportedException) : typeof(MpiException), thrown);
        }
        Expect.Equal(world.Rank == last ? typeof(NotSupportedException) : typeof(MpiException), Thrown(() => world.Allgather(Value(world.Rank))));
        // The ranks are still in step.
        Ranks.Same(System.Linq.Enumerable.ToArray(System.Linq.Enumerable.Range(0, world.Size)), world.Allgather(world.Rank));
    }

    private static Type Thrown(Action action)
    {
        try
        {
            action();
        }
        catch (Exception exception)
        {
            return exception.GetType();
        }
        return typeof(void);
    }

    /// <summary>A serializer that knows text alone.</summary>
    private sealed class OnlyText : Serializer
    {
        public override void Write<T>(T value, System.Buffers.IBufferWriter<byte> to)
        {
            string text = value as string ?? throw new NotSupportedException("no text");
            byte[] bytes = System.Text.Encoding.UTF8.GetBytes(text);
            bytes.CopyTo(to.GetSpan(bytes.Length));
            to.Advance(bytes.Length);
        }

        public override T Read<T>(ReadOnlySpan<byte> bytes) => (T)(object)System.Text.Encoding.UTF8.GetString(bytes);
    }
}
