using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <remarks>Memory that stays where it is: an <see cref="MpiBuffer{T}"/>, or a part of it or of an array.</remarks>
public unsafe partial class Communicator
{
    /// <summary>Sends the elements of a buffer.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public void Send<T>(MpiBuffer<T> values, int dest, int tag)
        where T : unmanaged => Send<T>(values.Span, dest, tag);

    /// <summary>Receives elements into a buffer that may have room for more: the status counts them.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public Status Receive<T>(int source, int tag, MpiBuffer<T> into)
        where T : unmanaged => Receive(source, tag, into.Span);

    /// <summary>Begins to send the elements of a buffer, which must not be changed before the request has ended.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public Request ImmediateSend<T>(MpiBuffer<T> values, int dest, int tag)
        where T : unmanaged => ImmediateSend<T>((ReadOnlyMemory<T>)values.Memory, dest, tag);

    /// <summary>Begins to send elements, which must not be changed before the request has ended.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public Request ImmediateSend<T>(ReadOnlyMemory<T> values, int dest, int tag)
        where T : unmanaged
    {
        if (Plain<T>.Padded)
        {
            return StartCopy(values.Span, dest, tag);
        }
        UpcallMpiCommunicator* communicator = Handle;
        Lease lease = Lease.Of(values, "begin to send");
        Native.Failure* failed = null;
        UpcallMpiRequest* request = upcall_mpi_communicator_start_send_lent(
            communicator, lease.At, BytesOf<T>(values.Length), dest, tag, UpcallMpiMode.Standard, &Lease.Called, lease.Context,
            &Lease.Release, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new SendRequest(new NativeRequest(request));
    }

    /// <inheritdoc cref="ImmediateSend{T}(ReadOnlyMemory{T}, int, int)"/>
    public Request ImmediateSend<T>(Memory<T> values, int dest, int tag)
        where T : unmanaged => ImmediateSend<T>((ReadOnlyMemory<T>)values, dest, tag);

    /// <summary>Begins to receive elements into a buffer that may have room for more: the status counts them. Nobody may use it
    /// before the request has ended.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public Request ImmediateReceive<T>(int source, int tag, MpiBuffer<T> values)
        where T : unmanaged => ImmediateReceive(source, tag, values.Memory);

    /// <summary>Begins to receive elements into memory that may have room for more: the status counts them. Nobody may use it before
    /// the request has ended.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public Request ImmediateReceive<T>(int source, int tag, Memory<T> values)
        where T : unmanaged
    {
        UpcallMpiCommunicator* communicator = Handle;
        Lease lease = Lease.Of((ReadOnlyMemory<T>)values, "begin to receive");
        Native.Failure* failed = null;
        UpcallMpiRequest* request = upcall_mpi_communicator_start_receive_lent(
            communicator, lease.At, BytesOf<T>(values.Length), source, tag, &Lease.Called, lease.Context, &Lease.Release, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new SendRequest(new NativeRequest(request));
    }
}
