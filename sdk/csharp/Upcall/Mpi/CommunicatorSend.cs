using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public unsafe partial class Communicator
{
    /// <summary>Sends a value. Returns when it may be changed again, which may be before or after it is received.</summary>
    /// <exception cref="MpiException">There is no such rank or tag, the value has no form, or MPI refuses.</exception>
    public void Send<T>(T value, int dest, int tag)
    {
        if (Plain<T>.Is)
        {
            Send(new ReadOnlySpan<T>(ref value), dest, tag, UpcallMpiMode.Standard);
        }
        else
        {
            Send<byte>(Written(value).WrittenSpan, dest, tag, UpcallMpiMode.Standard);
        }
    }

    /// <summary>Sends the elements of an array.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public void Send<T>(T[] values, int dest, int tag)
    {
        ArgumentNullException.ThrowIfNull(values);
        if (Plain<T>.Is)
        {
            Send((ReadOnlySpan<T>)values, dest, tag, UpcallMpiMode.Standard);
        }
        else
        {
            Send<byte>(Written(values).WrittenSpan, dest, tag, UpcallMpiMode.Standard);
        }
    }

    /// <summary>Sends elements as they lie in memory.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public void Send<T>(ReadOnlySpan<T> values, int dest, int tag)
        where T : unmanaged => Send(values, dest, tag, UpcallMpiMode.Standard);

    /// <inheritdoc cref="Send{T}(ReadOnlySpan{T}, int, int)"/>
    public void Send<T>(Span<T> values, int dest, int tag)
        where T : unmanaged => Send((ReadOnlySpan<T>)values, dest, tag, UpcallMpiMode.Standard);

    /// <summary>As <see cref="Send{T}(ReadOnlySpan{T}, int, int)"/>; returns when the receiver has begun to receive.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public void SendSynchronous<T>(ReadOnlySpan<T> values, int dest, int tag)
        where T : unmanaged => Send(values, dest, tag, UpcallMpiMode.Synchronous);

    /// <summary>
    /// As <see cref="Send{T}(ReadOnlySpan{T}, int, int)"/>, where the receiver is known to wait already: otherwise the message
    /// may be lost.
    /// </summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public void SendReady<T>(ReadOnlySpan<T> values, int dest, int tag)
        where T : unmanaged => Send(values, dest, tag, UpcallMpiMode.Ready);

    private void Send<T>(ReadOnlySpan<T> values, int dest, int tag, UpcallMpiMode mode)
    {
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First)
        {
            upcall_mpi_communicator_send(Handle, From(at, bytes.Length), dest, tag, mode, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Sends a value to one rank and receives one of the same type from it, which cannot block each other.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public void SendReceive<T>(T inValue, int dest, int tag, out T outValue) =>
        SendReceive(inValue, dest, tag, dest, tag, out outValue);

    /// <summary>Sends a value to one rank and receives one from another.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public void SendReceive<T>(T inValue, int dest, int sendTag, int source, int receiveTag, out T outValue) =>
        SendReceive(inValue, dest, sendTag, source, receiveTag, out outValue, out _);

    /// <summary>Sends a value to one rank and receives one from another.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public void SendReceive<T>(
        T inValue, int dest, int sendTag, int source, int receiveTag, out T outValue, out Status status)
    {
        if (Plain<T>.Is)
        {
            T received = default!;
            status = Exchange(new ReadOnlySpan<T>(ref inValue), dest, sendTag, new Span<T>(ref received), source, receiveTag);
            Whole(status, Plain<T>.Size);
            outValue = received;
            return;
        }
        // Its size is not known.
        using Request sent = ImmediateSend(inValue, dest, sendTag);
        Receive(source, receiveTag, out outValue, out status);
        sent.Wait();
    }

    /// <summary>
    /// Sends elements to one rank and receives some from another, into memory that may have room for more: the status counts
    /// them.
    /// </summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public Status SendReceive<T>(
        ReadOnlySpan<T> values, int dest, int sendTag, Span<T> into, int source, int receiveTag)
        where T : unmanaged => Exchange(values, dest, sendTag, into, source, receiveTag);

    private Status Exchange<T>(ReadOnlySpan<T> values, int dest, int sendTag, Span<T> into, int source, int receiveTag)
    {
        Native.Failure* failed = null;
        UpcallMpiStatus status;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &First(into))
        {
            upcall_mpi_communicator_send_receive(
                Handle, From(at, bytes.Length), dest, sendTag, Into(to, BytesOf<T>(into.Length)), source, receiveTag, &status,
                &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
        var told = new Status(status);
        told.Check(Plain<T>.Size);
        return told;
    }
}
