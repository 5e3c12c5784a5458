using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public unsafe partial class Communicator
{
    /// <summary>Receives a value; of <c>T[]</c> an array of whatever length has arrived.</summary>
    /// <param name="source">The rank that sends it, or <see cref="AnySource"/>.</param>
    /// <param name="tag">Its tag, or <see cref="AnyTag"/>.</param>
    /// <exception cref="MpiException">There is no such rank or tag, what arrives is no value of the type, or MPI refuses.
    /// </exception>
    public T Receive<T>(int source, int tag)
    {
        Receive(source, tag, out T value, out _);
        return value;
    }

    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public void Receive<T>(int source, int tag, out T value) => Receive(source, tag, out value, out _);

    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public void Receive<T>(int source, int tag, out T value, out Status status)
    {
        if (Plain<T>.Is)
        {
            T received = default!;
            status = ReceiveInto(source, tag, new Span<T>(ref received));
            Whole(status, Plain<T>.Size);
            value = received;
            return;
        }
        Native.Failure* failed = null;
        UpcallMpiStatus told;
        Buffer_u8 buffer = upcall_mpi_communicator_receive(Handle, source, tag, &told, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        status = new Status(told);
        value = Taken<T>(buffer);
    }

    /// <summary>Receives elements into memory that may have room for more: the status counts them.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public Status Receive<T>(int source, int tag, Span<T> into)
        where T : unmanaged
    {
        Status status = ReceiveInto(source, tag, into);
        status.Check(Plain<T>.Size);
        return status;
    }

    /// <summary>Receives elements into an array that may have room for more: the status counts them.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public Status Receive<T>(int source, int tag, T[] into)
        where T : unmanaged => Receive(source, tag, into.NotNull().AsSpan());

    /// <summary>Receives elements into an array, which is replaced where it has another length than what arrives.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public void Receive<T>(int source, int tag, ref T[]? values) => Receive(source, tag, ref values, out _);

    /// <inheritdoc cref="Receive{T}(int, int, ref T[])"/>
    public void Receive<T>(int source, int tag, ref T[]? values, out Status status)
    {
        if (!Plain<T>.Is)
        {
            Receive(source, tag, out T[] objects, out status);
            values = objects;
            return;
        }
        using Message message = Matched(source, tag);
        status = message.Status;
        status.Check(Plain<T>.Size);
        int count = checked((int)(status.Bytes / Plain<T>.Size));
        if (values?.Length != count)
        {
            values = new T[count];
        }
        message.ReceiveInto(values.AsSpan());
    }

    /// <summary>
    /// Waits for a message and says what is known of it. Whoever receives next may have it: where several threads receive, use
    /// <see cref="Matched"/>.
    /// </summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public Status Probe(int source, int tag) => Seen(source, tag, wait: 1) ?? default;

    /// <summary>As <see cref="Probe"/>, of a message that has arrived already; null where there is none.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public Status? ImmediateProbe(int source, int tag) => Seen(source, tag, wait: 0);

    /// <summary>Waits for a message and takes it, to be received later, by whichever thread.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public Message Matched(int source, int tag) => Message.Of(this, source, tag, wait: 1)!;

    /// <summary>Takes a message that has arrived already; null where there is none.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public Message? TryMatched(int source, int tag) => Message.Of(this, source, tag, wait: 0);

    /// <summary>Whether there is a message, which is put into this room.</summary>
    internal bool Match(int source, int tag, byte wait, UpcallMpiMessage* message)
    {
        Native.Failure* failed = null;
        byte found = upcall_mpi_communicator_matched(Handle, source, tag, wait, message, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return found != 0;
    }

    private Status? Seen(int source, int tag, byte wait)
    {
        Native.Failure* failed = null;
        UpcallMpiStatus status;
        byte found = upcall_mpi_communicator_probe(Handle, source, tag, wait, &status, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return found == 0 ? null : new Status(status);
    }

    private Status ReceiveInto<T>(int source, int tag, Span<T> into)
    {
        Native.Failure* failed = null;
        UpcallMpiStatus status;
        fixed (byte* to = &First(into))
        {
            upcall_mpi_communicator_receive_into(Handle, Into(to, BytesOf<T>(into.Length)), source, tag, &status, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Status(status);
    }

    /// <summary>One value has arrived, not a part of it.</summary>
    internal static void Whole(in Status status, int size)
    {
        if (status.Bytes != size && !status.Cancelled)
        {
            throw new MpiException(
                MpiError.Type, $"receive a value of {size} bytes: the message has {status.Bytes} bytes");
        }
    }

    internal static ref byte First<T>(Span<T> values) => ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(values));
}
