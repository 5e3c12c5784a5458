using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>What all ranks do together, and what of this one's goes into it.</summary>
internal readonly record struct Collective<T>(UpcallMpiCollective What, Memory<T> Values, Memory<T> Into)
    where T : unmanaged
{
    /// <summary>The rank that gives or gets alone.</summary>
    internal int Root { get; init; }

    /// <summary>How many elements each rank has, or gets.</summary>
    internal int[] Counts { get; init; } = [];

    /// <summary>Of an exchange, how many of each come.</summary>
    internal int[] IntoCounts { get; init; } = [];

    /// <summary>What they are combined by.</summary>
    internal Operation<T>? Operation { get; init; }

    /// <summary>Whether what is sent lies where what comes does.</summary>
    internal bool IsInPlace => What == UpcallMpiCollective.Broadcast;
}

/// <remarks>What all ranks do together over memory that is lent: begun once, or made ready for rounds.</remarks>
public unsafe partial class Communicator
{
    /// <summary>Begins it; its value is the array that is filled, if any.</summary>
    private CollectiveRequest<T> Begin<T>(Collective<T> call, T[]? result = null)
        where T : unmanaged
    {
        var (values, into) = Memories(call);
        (call.IsInPlace ? into : values).Sends();
        UpcallMpiRequest* request = Lend(call, values, into, false);
        return new CollectiveRequest<T>(new NativeRequest(request, call.Operation?.Combiner), into, result);
    }

    /// <summary>Makes it ready.</summary>
    private PersistentRequest<T> Init<T>(Collective<T> call)
        where T : unmanaged
    {
        var (values, into) = Memories(call);
        UpcallMpiRequest* request = Lend(call, values, into, true);
        return new PersistentRequest<T>(
            new NativeRequest(request, call.Operation?.Combiner), call.IsInPlace ? into : values, into, false);
    }

    private (LentMemory<T> Values, LentMemory<T> Into) Memories<T>(in Collective<T> call)
        where T : unmanaged
    {
        bool sends = call.IsInPlace && Rank == call.Root;
        return (new LentMemory<T>(call.Values, true), new LentMemory<T>(call.Into, sends));
    }

    private UpcallMpiRequest* Lend<T>(in Collective<T> call, LentMemory<T> values, LentMemory<T> into, bool persistent)
        where T : unmanaged
    {
        UpcallMpiCommunicator* communicator = Handle;
        UpcallMpiOperation* operation = call.Operation != null ? call.Operation.Handle : null;
        ulong[] counts = Array.ConvertAll(call.Counts, Checked<T>), intoCounts = Array.ConvertAll(call.IntoCounts, Checked<T>);
        void* context = new Loan(values, into).Context();
        Native.Failure* failed = null;
        UpcallMpiRequest* request;
        fixed (ulong* first = counts, second = intoCounts)
        {
            Slice_u64 each = new() { data = first, len = (nuint)counts.Length };
            Slice_u64 other = new() { data = second, len = (nuint)intoCounts.Length };
            request = persistent
                ? upcall_mpi_communicator_collective_init_lent(
                    communicator, call.What, values.Address, values.Bytes, into.Address, into.Bytes, call.Root, (nuint)sizeof(T), each,
                    other, operation, Loan.Call, context, Loan.Release, &failed)
                : upcall_mpi_communicator_start_collective_lent(
                    communicator, call.What, values.Address, values.Bytes, into.Address, into.Bytes, call.Root, (nuint)sizeof(T), each,
                    other, operation, Loan.Call, context, Loan.Release, &failed);
        }
        GC.KeepAlive(this);
        GC.KeepAlive(call.Operation);
        MpiException.Check(failed);
        return request;
    }

    /// <summary>The bytes of so many elements.</summary>
    private static ulong Checked<T>(int count)
        where T : unmanaged => count >= 0 ? BytesOf<T>(count) : throw new MpiException(
            MpiError.Usage, $"begin a call of all ranks: a count is {count}; they are from 0 on");

    /// <summary>An array that the garbage collector does not move, as what is filled for long.</summary>
    private static T[] Room<T>(long length) => GC.AllocateArray<T>(checked((int)length), pinned: true);

    private static long Sum(int[] counts)
    {
        long sum = 0;
        foreach (int count in counts)
        {
            sum += count;
        }
        return sum >= 0 ? sum : throw new MpiException(MpiError.Usage, "begin a call of all ranks: counts are from 0 on");
    }

    /// <summary>This rank's; an error where there is not one for each.</summary>
    private int Own(int[] counts) => counts.Length == Size && counts[Rank] >= 0 ? counts[Rank] : throw new MpiException(
        MpiError.Usage, $"begin a call of all ranks: there are {counts.Length} counts for {Size} ranks, or one is negative");
}
