using System;
using System.Runtime.InteropServices;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public unsafe partial class Communicator
{
    /// <summary>Begins to send a value, of which it keeps a copy.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public Request ImmediateSend<T>(T value, int dest, int tag) => Plain<T>.Is
        ? StartCopy(new ReadOnlySpan<T>(ref value), dest, tag)
        : StartPinned(Written(value).WrittenSpan.ToArray(), dest, tag);

    /// <summary>Begins to send the elements of an array, which must not be changed before the request has ended.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public Request ImmediateSend<T>(T[] values, int dest, int tag)
    {
        ArgumentNullException.ThrowIfNull(values);
        if (!Plain<T>.Is)
        {
            return StartPinned(Written(values).WrittenSpan.ToArray(), dest, tag);
        }
        return Plain<T>.Pins && !Plain<T>.Padded ? StartPinned(values, dest, tag) : StartCopy<T>(values, dest, tag);
    }

    /// <summary>Begins to send elements, of which it keeps a copy.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public Request ImmediateSend<T>(ReadOnlySpan<T> values, int dest, int tag)
        where T : unmanaged => StartCopy(values, dest, tag);

    /// <summary>Begins to receive a value; of <c>T[]</c> an array of whatever length arrives.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public ReceiveRequest<T> ImmediateReceive<T>(int source, int tag, Action<T>? then = null)
    {
        if (!Plain<T>.Is)
        {
            return new ObjectReceiveRequest<T>(this, source, tag, then);
        }
        T[] room = Pinned<T>(1);
        return new ArrayReceiveRequest<T, T>(StartReceive(room, source, tag), room, room, values => values[0], then);
    }

    /// <summary>
    /// Begins to receive elements into an array that may have room for more: the status counts them. Nobody may use it before
    /// the request has ended.
    /// </summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public ReceiveRequest<T[]> ImmediateReceive<T>(int source, int tag, T[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        if (!Plain<T>.Is)
        {
            return new ObjectReceiveRequest<T[]>(this, source, tag, received => CopyTo(received, values));
        }
        T[] room = Plain<T>.Pins ? values : Pinned<T>(values.Length);
        return new ArrayReceiveRequest<T, T[]>(StartReceive(room, source, tag), room, values, array => array, null);
    }

    private static void CopyTo<T>(T[] received, T[] values)
    {
        if (received.Length > values.Length)
        {
            throw new MpiException(
                MpiError.Truncated, $"receive an array of {typeof(T)}: it has {received.Length}, and there is room for {values.Length}");
        }
        received.CopyTo(values, 0);
    }

    /// <summary>An array that the garbage collector does not move.</summary>
    private static T[] Pinned<T>(int length) => GC.AllocateArray<T>(length, pinned: true);

    private SendRequest StartCopy<T>(
        ReadOnlySpan<T> values, int dest, int tag, UpcallMpiMode mode = UpcallMpiMode.Standard)
    {
        Native.Failure* failed = null;
        UpcallMpiRequest* request;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First)
        {
            request = upcall_mpi_communicator_start_send(
                Handle, From(at, bytes.Length), dest, tag, mode, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new SendRequest(new NativeRequest(request));
    }

    private SendRequest StartPinned<T>(T[] values, int dest, int tag)
    {
        UpcallMpiCommunicator* communicator = Handle;
        var pinned = GCHandle.Alloc(values, GCHandleType.Pinned);
        Native.Failure* failed = null;
        UpcallMpiRequest* request = NativeRequest.Send(
            communicator, pinned, (void*)pinned.AddrOfPinnedObject(), BytesOf<T>(values.Length), dest, tag, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new SendRequest(new NativeRequest(request));
    }

    private NativeRequest StartReceive<T>(T[] room, int source, int tag)
    {
        UpcallMpiCommunicator* communicator = Handle;
        // What the collector does not move is only kept.
        GCHandle kept = Plain<T>.Pins ? GCHandle.Alloc(room, GCHandleType.Pinned) : GCHandle.Alloc(room);
        Native.Failure* failed = null;
        UpcallMpiRequest* request;
        fixed (byte* at = &First<T>(room))
        {
            request = NativeRequest.Receive(communicator, kept, at, BytesOf<T>(room.Length), source, tag, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new NativeRequest(request);
    }
}
