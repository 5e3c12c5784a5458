using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <remarks>Sends that go on, in the other modes of MPI's.</remarks>
public unsafe partial class Communicator
{
    /// <summary>As <see cref="ImmediateSend{T}(T[], int, int)"/>; it ends when the receiver has begun to receive.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public Request ImmediateSendSynchronous<T>(T[] values, int dest, int tag)
        where T : unmanaged => StartIn<T>(values.NotNull(), dest, tag, UpcallMpiMode.Synchronous);

    /// <inheritdoc cref="ImmediateSendSynchronous{T}(T[], int, int)"/>
    public Request ImmediateSendSynchronous<T>(ReadOnlyMemory<T> values, int dest, int tag)
        where T : unmanaged => StartIn(values, dest, tag, UpcallMpiMode.Synchronous);

    /// <summary>As <see cref="ImmediateSend{T}(T[], int, int)"/>, where the receiver is known to wait already: otherwise the message
    /// may be lost.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public Request ImmediateSendReady<T>(T[] values, int dest, int tag)
        where T : unmanaged => StartIn<T>(values.NotNull(), dest, tag, UpcallMpiMode.Ready);

    /// <inheritdoc cref="ImmediateSendReady{T}(T[], int, int)"/>
    public Request ImmediateSendReady<T>(ReadOnlyMemory<T> values, int dest, int tag)
        where T : unmanaged => StartIn(values, dest, tag, UpcallMpiMode.Ready);

    /// <summary>As <see cref="SendBuffered{T}(ReadOnlySpan{T}, int, int)"/>, with a request that has ended when it is begun.</summary>
    /// <inheritdoc cref="SendBuffered{T}(T, int, int)"/>
    public Request ImmediateSendBuffered<T>(T[] values, int dest, int tag)
        where T : unmanaged => StartCopy<T>(values.NotNull(), dest, tag, UpcallMpiMode.Buffered);

    /// <inheritdoc cref="ImmediateSendBuffered{T}(T[], int, int)"/>
    public Request ImmediateSendBuffered<T>(ReadOnlyMemory<T> values, int dest, int tag)
        where T : unmanaged => StartCopy(values.Span, dest, tag, UpcallMpiMode.Buffered);

    /// <summary>Begins to send memory, which stays where it is where that can be.</summary>
    private SendRequest StartIn<T>(ReadOnlyMemory<T> values, int dest, int tag, UpcallMpiMode mode)
        where T : unmanaged
    {
        if (Plain<T>.Padded || !Plain<T>.Pins)
        {
            return StartCopy(values.Span, dest, tag, mode);
        }
        UpcallMpiCommunicator* communicator = Handle;
        Lease lease = Lease.Of(values, "begin to send");
        Native.Failure* failed = null;
        UpcallMpiRequest* request = upcall_mpi_communicator_start_send_lent(
            communicator, lease.At, BytesOf<T>(values.Length), dest, tag, mode, &Lease.Called, lease.Context, &Lease.Release,
            &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new SendRequest(new NativeRequest(request));
    }
}
