using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// A message that was matched, and is this process's to receive, once: nobody else gets it. One that is disposed and was not
/// received is thrown away.
/// </summary>
public sealed unsafe class Message : IDisposable
{
    private readonly Communicator communicator;

    /// <summary>Whoever takes it, to receive it or to throw it away, has it alone.</summary>
    private nint native;
    private bool isReceived;

    private Message(Communicator communicator, UpcallMpiMessage* native)
    {
        this.communicator = communicator;
        this.native = (nint)native;
        Native.Failure* failed = null;
        UpcallMpiStatus status;
        upcall_mpi_message_status(native, &status, &failed);
        MpiException.Check(failed);
        Status = new Status(status);
    }

    /// <summary>Throws the message away, where it was not received.</summary>
    ~Message() => Release();

    /// <summary>Who has sent it, with which tag, and how large it is.</summary>
    public Status Status { get; }

    /// <summary>Receives it as a value, or as an array of whatever length it has.</summary>
    /// <exception cref="MpiException">It is no value of the type, and is thrown away then; or MPI refuses.</exception>
    public T Receive<T>()
    {
        UpcallMpiMessage* message = Take();
        Native.Failure* failed = null;
        Buffer_u8 buffer = upcall_mpi_message_receive(message, &failed);
        upcall_mpi_message_release(message);
        MpiException.Check(failed);
        try
        {
            return MpiForm<T>.It.Read(new ReadOnlySpan<byte>(buffer.data, checked((int)buffer.len)), communicator.Serializer);
        }
        finally
        {
            if (buffer.release != null)
            {
                buffer.release(buffer.data, buffer.len, buffer.capacity);
            }
        }
    }

    /// <summary>Receives its elements into memory that may have room for more: the status counts them.</summary>
    /// <exception cref="MpiException">It is larger, and is thrown away then; or MPI refuses.</exception>
    public void Receive<T>(Span<T> into)
        where T : unmanaged => ReceiveInto(into);

    /// <summary>Throws the message away, where it was not received.</summary>
    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }

    /// <summary>One of this communicator; null where there is none.</summary>
    internal static Message? Of(Communicator communicator, int source, int tag, byte wait)
    {
        Library.Find();
        UpcallMpiMessage* room = upcall_mpi_message_new(null);
        bool found = false;
        try
        {
            found = communicator.Match(source, tag, wait, room);
            return found ? new Message(communicator, room) : null;
        }
        finally
        {
            if (!found)
            {
                upcall_mpi_message_release(room);
            }
        }
    }

    internal void ReceiveInto<T>(Span<T> into)
    {
        UpcallMpiMessage* message = Take();
        Native.Failure* failed = null;
        fixed (byte* to = &Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(into)))
        {
            SliceMut_u8 room = new() { data = to, len = (nuint)into.Length * (nuint)Plain<T>.Size };
            upcall_mpi_message_receive_into(message, room, &failed);
        }
        upcall_mpi_message_release(message);
        MpiException.Check(failed);
    }

    private UpcallMpiMessage* Take()
    {
        var taken = (UpcallMpiMessage*)Interlocked.Exchange(ref native, 0);
        if (taken == null)
        {
            throw isReceived
                ? new MpiException(MpiError.Usage, "receive a message that was matched: it has been received")
                : new ObjectDisposedException(nameof(Message));
        }
        isReceived = true;
        return taken;
    }

    private void Release()
    {
        var left = (UpcallMpiMessage*)Interlocked.Exchange(ref native, 0);
        if (left != null)
        {
            upcall_mpi_message_release(left);
        }
    }
}
