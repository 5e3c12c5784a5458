using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>A request of MPI's.</summary>
internal sealed unsafe class NativeRequest : IDisposable
{
    /// <summary>In <see cref="users"/>: it was disposed, and the last user releases it.</summary>
    private const int Ended = 1 << 30;
    private readonly Combiner? combiner;
    private nint native;

    /// <summary>How many calls are made with it.</summary>
    private int users;

    /// <param name="native">The library's.</param>
    /// <param name="combiner">What it combines by, where that is a function: what this throws is told.</param>
    internal NativeRequest(UpcallMpiRequest* native, Combiner? combiner = null)
    {
        this.native = (nint)native;
        this.combiner = combiner;
    }

    /// <summary>Gives it up, where it has not ended.</summary>
    ~NativeRequest() => Release();

    public void Dispose()
    {
        if (Interlocked.Or(ref users, Ended) == 0)
        {
            Release();
        }
        GC.SuppressFinalize(this);
    }

    /// <summary>Its request, which stays until <see cref="Leave"/>.</summary>
    internal UpcallMpiRequest* Enter()
    {
        if ((Interlocked.Increment(ref users) & Ended) == 0)
        {
            return (UpcallMpiRequest*)native;
        }
        Leave();
        throw new ObjectDisposedException(nameof(Request));
    }

    internal void Leave()
    {
        if (Interlocked.Decrement(ref users) == Ended)
        {
            Release();
        }
    }

    /// <summary>Begins to send memory that a handle pins, and frees that when MPI needs it no more.</summary>
    internal static UpcallMpiRequest* Send(
        UpcallMpiCommunicator* communicator, GCHandle pinned, void* at, nuint bytes, int dest, int tag, Native.Failure** failed) =>
        upcall_mpi_communicator_start_send_lent(
            communicator, at, bytes, dest, tag, UpcallMpiMode.Standard, &Called, (void*)GCHandle.ToIntPtr(pinned), &Unpin, failed);

    /// <summary>Begins to receive into memory that a handle pins, and frees that when MPI needs it no more.</summary>
    internal static UpcallMpiRequest* Receive(
        UpcallMpiCommunicator* communicator, GCHandle pinned, void* at, nuint bytes, int source, int tag,
        Native.Failure** failed) => upcall_mpi_communicator_start_receive_lent(
            communicator, at, bytes, source, tag, &Called, (void*)GCHandle.ToIntPtr(pinned), &Unpin, failed);

    /// <summary>Begins to read a window into memory that a handle keeps, and frees that when it is not needed any more.</summary>
    internal static UpcallMpiRequest* Get(
        UpcallMpiEpoch* epoch, GCHandle kept, void* at, nuint bytes, int rank, ulong place, Native.Failure** failed) =>
        upcall_mpi_epoch_start_get_lent(epoch, at, bytes, rank, place, &Called, (void*)GCHandle.ToIntPtr(kept), &Unpin, failed);

    /// <summary>Begins to read a file into memory that a handle keeps, and frees that when it is not needed any more.</summary>
    internal static UpcallMpiRequest* Read(
        UpcallMpiFile* file, GCHandle kept, void* at, nuint bytes, nuint element, ulong offset, Native.Failure** failed) =>
        upcall_mpi_file_start_read_at_lent(
            file, at, bytes, element, offset, &Called, (void*)GCHandle.ToIntPtr(kept), &Unpin, failed);

    /// <summary>Begins to write memory that a handle pins, and frees that when it is not needed any more.</summary>
    internal static UpcallMpiRequest* Write(
        UpcallMpiFile* file, GCHandle pinned, void* at, nuint bytes, ulong offset, Native.Failure** failed) =>
        upcall_mpi_file_start_write_at_lent(file, at, bytes, offset, &Called, (void*)GCHandle.ToIntPtr(pinned), &Unpin, failed);

    /// <summary>Whether it goes on: of one that is started again and again, whether a round does.</summary>
    internal bool IsActive
    {
        get
        {
            Native.Failure* failed = null;
            byte active = upcall_mpi_request_is_active(Enter(), &failed);
            Leave();
            MpiException.Check(failed);
            return active != 0;
        }
    }

    /// <summary>Starts a round.</summary>
    internal void Start()
    {
        Native.Failure* failed = null;
        upcall_mpi_request_start(Enter(), &failed);
        Leave();
        MpiException.Check(failed);
    }

    internal Status Wait()
    {
        Native.Failure* failed = null;
        UpcallMpiStatus status;
        upcall_mpi_request_wait(Enter(), &status, &failed);
        Leave();
        Check(failed);
        return new Status(status);
    }

    internal Status? Test()
    {
        Native.Failure* failed = null;
        UpcallMpiStatus status;
        byte ended = upcall_mpi_request_test(Enter(), &status, &failed);
        Leave();
        Check(failed);
        return ended == 0 ? null : new Status(status);
    }

    internal void Cancel()
    {
        Native.Failure* failed = null;
        upcall_mpi_request_cancel(Enter(), &failed);
        Leave();
        MpiException.Check(failed);
    }

    private void Check(Native.Failure* failed)
    {
        if (failed != null)
        {
            throw MpiException.Of(failed, combiner?.TakeThrown());
        }
    }

    private void Release()
    {
        var last = (UpcallMpiRequest*)Interlocked.Exchange(ref native, 0);
        if (last != null)
        {
            upcall_mpi_request_release(last);
        }
    }

    /// <summary>Nobody calls it: it is there for its context.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Called(void* context)
    {
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Unpin(void* context) => GCHandle.FromIntPtr((nint)context).Free();
}

/// <summary>A send that goes on.</summary>
internal sealed class SendRequest(NativeRequest native) : Request
{
    public override Status Wait() => native.Wait();

    public override Status? Test() => native.Test();

    public override void Cancel() => native.Cancel();

    public override void Dispose() => native.Dispose();
}

/// <summary>A receive that goes on into an array, from which the value is made when it has ended.</summary>
internal sealed class ArrayReceiveRequest<T, TValue>(
    NativeRequest native, T[] room, T[] target, Func<T[], TValue> value, Action<TValue>? then) : ReceiveRequest<TValue>
{
    private readonly bool single = target.Length == 1 && typeof(T) == typeof(TValue);
    private Status? ended;

    public override TValue Value => ended is { Cancelled: false } ? value(target) : throw NoValue();

    public override Status Wait() => ended ?? End(native.Wait());

    public override Status? Test() => ended ?? (native.Test() is { } status ? End(status) : null);

    public override void Cancel() => native.Cancel();

    public override void Dispose() => native.Dispose();

    private Status End(Status status)
    {
        if (single)
        {
            Communicator.Whole(status, Plain<T>.Size);
        }
        else
        {
            status.Check(Plain<T>.Size);
        }
        if (room != target)
        {
            // The runtime does not pin the caller's.
            room.AsSpan(0, (int)(status.Bytes / Plain<T>.Size)).CopyTo(target);
        }
        ended = status;
        if (!status.Cancelled)
        {
            then?.Invoke(value(target));
        }
        return status;
    }
}
