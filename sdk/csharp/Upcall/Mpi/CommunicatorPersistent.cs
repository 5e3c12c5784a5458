using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <remarks>
/// What is made ready once and started again and again. Calls of all ranks are made ready on all of them, in the same order; MPICH
/// from 4 on has them, and Open MPI as an extension, others say <see cref="MpiError.Unsupported"/>.
/// </remarks>
public unsafe partial class Communicator
{
    /// <summary>Makes a send of the elements ready, which are written before each round.</summary>
    /// <exception cref="MpiException">There is no such rank or tag, sizes do not fit, or the MPI does not have it.</exception>
    public PersistentRequest SendInit<T>(T[] values, int dest, int tag)
        where T : unmanaged => SendInit<T>(values.NotNull(), dest, tag, UpcallMpiMode.Standard);

    /// <summary>As <see cref="SendInit{T}(T[], int, int)"/>; a round ends when the receiver has begun to receive.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest SendSynchronousInit<T>(T[] values, int dest, int tag)
        where T : unmanaged => SendInit<T>(values.NotNull(), dest, tag, UpcallMpiMode.Synchronous);

    /// <summary>As <see cref="SendInit{T}(T[], int, int)"/>, where the receiver is known to wait already when a round is started.
    /// </summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest SendReadyInit<T>(T[] values, int dest, int tag)
        where T : unmanaged => SendInit<T>(values.NotNull(), dest, tag, UpcallMpiMode.Ready);

    /// <summary>As <see cref="SendInit{T}(T[], int, int)"/>; each round copies the elements into the <see
    /// cref="Environment.AttachBuffer">buffer of sends</see> and has ended then. That there is no room for them (<see
    /// cref="MpiError.Buffer"/>) is thrown by <see cref="PersistentRequest.Start"/>.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest SendBufferedInit<T>(T[] values, int dest, int tag)
        where T : unmanaged => SendInit<T>(values.NotNull(), dest, tag, UpcallMpiMode.Buffered);

    /// <summary>Makes a receive ready, into an array that may have room for more: the status counts.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest ReceiveInit<T>(T[] values, int source, int tag)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(values);
        UpcallMpiCommunicator* communicator = Handle;
        var into = new LentMemory<T>(values, false);
        Native.Failure* failed = null;
        UpcallMpiRequest* request = upcall_mpi_communicator_receive_init_lent(
            communicator, into.Address, into.Bytes, source, tag, Loan.Call, new Loan(into).Context(), Loan.Release, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new PersistentRequest<T>(new NativeRequest(request), null, into, true);
    }

    /// <summary>Makes a barrier ready.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest BarrierInit() => Init(new Collective<byte>(UpcallMpiCollective.Barrier, default, default));

    /// <summary>Makes a broadcast ready: the array is read at the root, and filled elsewhere.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest BroadcastInit<T>(T[] values, int root)
        where T : unmanaged => Init(Broadcasts<T>(values.NotNull(), root));

    /// <summary>Makes a gather ready; <paramref name="into"/> counts at the root, and has room for the elements of all.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest GatherInit<T>(T[] values, T[]? into, int root)
        where T : unmanaged => Init(
            new Collective<T>(UpcallMpiCollective.Gather, values.NotNull(), AtRoot<T>(into, root))
            {
                Root = root,
            });

    /// <summary>Makes a gather for all ranks ready.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest AllgatherInit<T>(T[] values, T[] into)
        where T : unmanaged => Init(new Collective<T>(UpcallMpiCollective.AllGather, values.NotNull(), into.NotNull()));

    /// <summary>Makes a scatter ready: <paramref name="into"/> is as long on all ranks, and <paramref name="values"/> counts at
    /// the root.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest ScatterInit<T>(T[]? values, T[] into, int root)
        where T : unmanaged => Init(
            new Collective<T>(UpcallMpiCollective.Scatter, AtRoot<T>(values, root), into.NotNull())
            {
                Root = root,
            });

    /// <summary>Makes an exchange ready.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest AlltoallInit<T>(T[] values, T[] into)
        where T : unmanaged => Init(new Collective<T>(UpcallMpiCollective.AllToAll, values.NotNull(), into.NotNull()));

    /// <summary>Makes a gather in parts ready, as <see cref="ImmediateGatherFlattened"/>.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest GatherFlattenedInit<T>(T[] values, T[]? into, int[] counts, int root)
        where T : unmanaged => Init(
            new Collective<T>(UpcallMpiCollective.GatherParts, values.NotNull(), AtRoot<T>(into, root))
            {
                Root = root,
                Counts = counts.NotNull(),
            });

    /// <summary>The same for all ranks.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest AllgatherFlattenedInit<T>(T[] values, T[] into, int[] counts)
        where T : unmanaged => Init(
            new Collective<T>(UpcallMpiCollective.AllGatherParts, values.NotNull(), into.NotNull())
            {
                Counts = counts.NotNull(),
            });

    /// <summary>Makes a scatter in parts ready, as <see cref="ImmediateScatterFromFlattened"/>.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest ScatterFromFlattenedInit<T>(T[]? values, T[] into, int[] counts, int root)
        where T : unmanaged => Init(
            new Collective<T>(UpcallMpiCollective.ScatterParts, AtRoot<T>(values, root), into.NotNull())
            {
                Root = root,
                Counts = counts.NotNull(),
            });

    /// <summary>Makes an exchange in parts ready, as <see cref="ImmediateAlltoallFlattened"/>.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest AlltoallFlattenedInit<T>(T[] values, int[] sendCounts, T[] into, int[] receiveCounts)
        where T : unmanaged => Init(new Collective<T>(UpcallMpiCollective.AllToAllParts, values.NotNull(), into.NotNull())
        {
            Counts = sendCounts.NotNull(),
            IntoCounts = receiveCounts.NotNull(),
        });

    /// <summary>Makes a reduction ready; <paramref name="into"/> counts at the root.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest ReduceInit<T>(T[] values, T[]? into, Operation<T> operation, int root)
        where T : unmanaged => Init(
            new Collective<T>(UpcallMpiCollective.Reduce, values.NotNull(), AtRoot<T>(into, root))
            {
                Root = root,
                Operation = operation.NotNull(),
            });

    /// <summary>Makes a reduction for all ranks ready.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest AllreduceInit<T>(T[] values, T[] into, Operation<T> operation)
        where T : unmanaged => Init(
            new Collective<T>(UpcallMpiCollective.AllReduce, values.NotNull(), into.NotNull())
            {
                Operation = operation.NotNull(),
            });

    /// <summary>Makes a reduction in parts ready: <c>counts[r]</c> elements for rank <c>r</c>.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest ReduceScatterInit<T>(T[] values, T[] into, Operation<T> operation, int[] counts)
        where T : unmanaged => Init(
            new Collective<T>(UpcallMpiCollective.ReduceScatter, values.NotNull(), into.NotNull())
            {
                Counts = counts.NotNull(),
                Operation = operation.NotNull(),
            });

    /// <summary>Makes a scan ready.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest ScanInit<T>(T[] values, T[] into, Operation<T> operation)
        where T : unmanaged => Init(
            new Collective<T>(UpcallMpiCollective.Scan, values.NotNull(), into.NotNull())
            {
                Operation = operation.NotNull(),
            });

    /// <summary>Makes an exclusive scan ready; rank 0's array stays as it is.</summary>
    /// <inheritdoc cref="SendInit{T}(T[], int, int)"/>
    public PersistentRequest ExclusiveScanInit<T>(T[] values, T[] into, Operation<T> operation)
        where T : unmanaged => Init(
            new Collective<T>(UpcallMpiCollective.ExclusiveScan, values.NotNull(), into.NotNull())
            {
                Operation = operation.NotNull(),
            });

    private PersistentRequest<T> SendInit<T>(T[] values, int dest, int tag, UpcallMpiMode mode)
        where T : unmanaged
    {
        UpcallMpiCommunicator* communicator = Handle;
        var data = new LentMemory<T>(values, true);
        Native.Failure* failed = null;
        UpcallMpiRequest* request = upcall_mpi_communicator_send_init_lent(
            communicator, data.Address, data.Bytes, dest, tag, mode, Loan.Call, new Loan(data).Context(), Loan.Release, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new PersistentRequest<T>(new NativeRequest(request), data, null, false);
    }
}
