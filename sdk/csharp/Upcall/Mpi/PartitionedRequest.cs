using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// A message in partitions, started again and again, over an array of the caller's, which is kept until MPI needs it no more.
/// </summary>
public abstract unsafe class PartitionedRequest : IDisposable
{
    private UpcallMpiPartitions* native;

    private protected PartitionedRequest(UpcallMpiPartitions* native) => this.native = native;

    /// <summary>Releases it: what was not ready goes as it is, and the array stays until the message has gone or come.</summary>
    ~PartitionedRequest() => Release();

    /// <summary>Whether a round is under way.</summary>
    public bool IsActive
    {
        get
        {
            byte active = upcall_mpi_partitions_is_active(Handle, null);
            GC.KeepAlive(this);
            return active != 0;
        }
    }

    private protected UpcallMpiPartitions* Handle =>
        native != null ? native : throw new ObjectDisposedException(nameof(PartitionedRequest));

    /// <summary>Starts a round.</summary>
    /// <exception cref="MpiException">One is under way, or MPI refuses.</exception>
    public void Start()
    {
        Native.Failure* failed = null;
        upcall_mpi_partitions_start(Handle, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Waits until the round has ended. Of a send, partitions that are not ready go as they are.</summary>
    /// <exception cref="MpiException">None was started, or it has failed.</exception>
    public void Wait()
    {
        Native.Failure* failed = null;
        upcall_mpi_partitions_wait(Handle, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Gives it up, where a round is under way.</summary>
    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }

    private void Release()
    {
        if (native != null)
        {
            upcall_mpi_partitions_release(native);
            native = null;
        }
    }
}

/// <summary>One that is sent: each partition is written, and then said to be ready, by whichever thread.</summary>
public sealed unsafe class PartitionedSend : PartitionedRequest
{
    internal PartitionedSend(UpcallMpiPartitions* native)
        : base(native)
    {
    }

    /// <summary>Sends a partition, which is not to be changed until the round has ended.</summary>
    /// <exception cref="MpiException">No round was started, there is no such partition, or it was sent in this round.</exception>
    public void Ready(int partition)
    {
        Native.Failure* failed = null;
        upcall_mpi_partitions_ready(Handle, (nuint)partition, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }
}

/// <summary>One that is received: each partition may be read when it has arrived, by whichever thread.</summary>
public sealed unsafe class PartitionedReceive : PartitionedRequest
{
    internal PartitionedReceive(UpcallMpiPartitions* native)
        : base(native)
    {
    }

    /// <summary>Whether a partition has arrived, and may be read.</summary>
    /// <exception cref="MpiException">No round was started, or there is no such partition.</exception>
    public bool HasArrived(int partition)
    {
        Native.Failure* failed = null;
        byte arrived = upcall_mpi_partitions_has_arrived(Handle, (nuint)partition, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return arrived != 0;
    }
}

public unsafe partial class Communicator
{
    /// <summary>
    /// Makes a message of so many partitions ready, of as many elements each. The receiver may divide it otherwise.
    /// </summary>
    /// <exception cref="MpiException">
    /// There is no such rank or tag, the elements cannot be shared evenly or have padding, or the MPI does not have it
    /// (<see cref="MpiError.Unsupported"/>: Open MPI before 5).
    /// </exception>
    public PartitionedSend PartitionedSendInit<T>(T[] values, int partitions, int dest, int tag)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        LentMemory<T> memory = InPlace(values);
        UpcallMpiCommunicator* communicator = Handle;
        Native.Failure* failed = null;
        UpcallMpiPartitions* made = upcall_mpi_communicator_partitioned_send_init_lent(
            communicator, memory.Address, memory.Bytes, (nuint)partitions, dest, tag, Loan.Call, new Loan(memory).Context(),
            Loan.Release, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new PartitionedSend(made);
    }

    /// <summary>Makes the receive of such a message ready, whose partitions are as the receiver likes.</summary>
    /// <inheritdoc cref="PartitionedSendInit{T}(T[], int, int, int)"/>
    public PartitionedReceive PartitionedReceiveInit<T>(T[] values, int partitions, int source, int tag)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        LentMemory<T> memory = InPlace(values);
        UpcallMpiCommunicator* communicator = Handle;
        Native.Failure* failed = null;
        UpcallMpiPartitions* made = upcall_mpi_communicator_partitioned_receive_init_lent(
            communicator, memory.Address, memory.Bytes, (nuint)partitions, source, tag, Loan.Call, new Loan(memory).Context(),
            Loan.Release, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new PartitionedReceive(made);
    }

    /// <summary>Memory that is written and read while MPI has it.</summary>
    private static LentMemory<T> InPlace<T>(T[] values)
        where T : unmanaged => Plain<T>.Pins && !Plain<T>.Padded ? new LentMemory<T>(values, false) : throw new MpiException(
            MpiError.Usage,
            $"make a message of {typeof(T)} in partitions ready: it has padding, or the runtime does not pin it; give numbers");
}
