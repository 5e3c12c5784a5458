using System;
using System.Diagnostics;
using System.Reflection;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// A communicator whose messages say which type their elements have: where the receiver's is another, it is an error that names
/// both, in place of numbers that mean nothing.
/// </summary>
/// <remarks>
/// Types are the same where their names (without namespace; of numbers as in Rust), their sizes and their fields are: of a struct in
/// Rust <c>sensor_id</c> is <c>SensorId</c> here. It is on where all of its ranks want it, which they tell each other when it is
/// made; otherwise it costs nothing. Messages have a head of 64 bytes where it is on, so nothing else is sent on it.
/// <code>
/// using Checked world = mpi.World.Checked();
/// if (world.Rank == 0)
/// {
///     world.Send(1.5, 1, 0);
/// }
/// else if (world.Rank == 1)
/// {
///     // receive from rank 0 with tag 0: it sent f64 of 8 bytes, and this rank receives f32 of 4 bytes
///     float value = world.Receive&lt;float&gt;(0, 0);
/// }
/// double sum = world.Together&lt;double&gt;().Allreduce(1.5, Operation&lt;double&gt;.Add);
/// </code>
/// </remarks>
public sealed unsafe class Checked : IDisposable
{
    private readonly Serializer? serializer;
    private UpcallMpiChecked* native;

    internal Checked(UpcallMpiChecked* native, Communicator of)
    {
        this.native = native;
        serializer = of.Serializer;
        Rank = of.Rank;
        Size = of.Size;
        IsOn = upcall_mpi_checked_is_on(native, null) != 0;
    }

    /// <summary>Releases it; on a thread that may not call MPI, that is freed at the next call of one that may.</summary>
    ~Checked() => Release();

    /// <summary>This process's rank, from 0 on.</summary>
    public int Rank { get; }

    /// <summary>How many processes there are.</summary>
    public int Size { get; }

    /// <summary>Whether types are checked.</summary>
    public bool IsOn { get; }

    /// <summary>Whether this program was built to be debugged.</summary>
    internal static bool IsDebugged => Assembly.GetEntryAssembly()?.GetCustomAttribute<DebuggableAttribute>() is
        { IsJITOptimizerDisabled: true };

    private UpcallMpiChecked* Handle => native != null ? native : throw new ObjectDisposedException(nameof(Checked));

    /// <summary>Sends a value. Returns when it may be changed again.</summary>
    /// <exception cref="MpiException">There is no such rank or tag, or MPI refuses.</exception>
    public void Send<T>(T value, int dest, int tag)
        where T : unmanaged => Send(new ReadOnlySpan<T>(ref value), dest, tag);

    /// <summary>Sends the elements of an array.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public void Send<T>(T[] values, int dest, int tag)
        where T : unmanaged => Send((ReadOnlySpan<T>)values.NotNull(), dest, tag);

    /// <summary>Sends elements.</summary>
    /// <inheritdoc cref="Send{T}(T, int, int)"/>
    public void Send<T>(ReadOnlySpan<T> values, int dest, int tag)
        where T : unmanaged
    {
        var of = (UpcallMpiElementType*)NativeType<T>.Compared.Value;
        Native.Failure* failed = null;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First)
        {
            upcall_mpi_checked_send(Handle, Communicator.From(at, bytes.Length), of, dest, tag, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Receives a value.</summary>
    /// <exception cref="MpiException">The sender's type is another (<see cref="MpiError.Type"/>), and the message is gone; there is
    /// no such rank or tag; or MPI refuses.</exception>
    public T Receive<T>(int source, int tag)
        where T : unmanaged
    {
        T value = default;
        Status status = Receive(source, tag, new Span<T>(ref value));
        Communicator.Whole(status, sizeof(T));
        return value;
    }

    /// <summary>Receives elements, however many there are.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public T[] ReceiveArray<T>(int source, int tag, out Status status)
        where T : unmanaged
    {
        var of = (UpcallMpiElementType*)NativeType<T>.Compared.Value;
        Native.Failure* failed = null;
        UpcallMpiStatus told;
        Buffer_u8 buffer = upcall_mpi_checked_receive(Handle, of, source, tag, &told, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        status = new Status(told);
        try
        {
            return Communicator.Elements<T>(buffer);
        }
        finally
        {
            Communicator.Release(buffer);
        }
    }

    /// <inheritdoc cref="ReceiveArray{T}(int, int, out Status)"/>
    public T[] ReceiveArray<T>(int source, int tag)
        where T : unmanaged => ReceiveArray<T>(source, tag, out _);

    /// <summary>Receives elements into memory that may have room for more: the status counts them.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public Status Receive<T>(int source, int tag, Span<T> into)
        where T : unmanaged
    {
        var of = (UpcallMpiElementType*)NativeType<T>.Compared.Value;
        Native.Failure* failed = null;
        UpcallMpiStatus status;
        fixed (byte* to = &Communicator.First(into))
        {
            SliceMut_u8 room = Communicator.Into(to, Communicator.BytesOf<T>(into.Length));
            upcall_mpi_checked_receive_into(Handle, room, of, source, tag, &status, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Status(status);
    }

    /// <summary>Sends elements to one rank and receives some of another type from another, which cannot block each other.</summary>
    /// <inheritdoc cref="Receive{T}(int, int)"/>
    public Status SendReceive<T, TInto>(
        ReadOnlySpan<T> values, int dest, int sendTag, Span<TInto> into, int source, int receiveTag)
        where T : unmanaged
        where TInto : unmanaged
    {
        var of = (UpcallMpiElementType*)NativeType<T>.Compared.Value;
        var intoOf = (UpcallMpiElementType*)NativeType<TInto>.Compared.Value;
        Native.Failure* failed = null;
        UpcallMpiStatus status;
        var bytes = new Outgoing<T>(values);
        fixed (byte* at = &bytes.First, to = &Communicator.First(into))
        {
            SliceMut_u8 room = Communicator.Into(to, Communicator.BytesOf<TInto>(into.Length));
            upcall_mpi_checked_send_receive(
                Handle, Communicator.From(at, bytes.Length), of, dest, sendTag, room, intoOf, source, receiveTag, &status, &failed);
        }
        bytes.Dispose();
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Status(status);
    }

    /// <summary>
    /// The communicator for what all ranks do together with elements of a type, which they compare: one small exchange, where
    /// types are checked. What is sent from rank to rank on it is not checked.
    /// </summary>
    /// <exception cref="MpiException">A rank has another type: on all of them, each with its own; or MPI refuses.</exception>
    public Communicator Together<T>()
        where T : unmanaged
    {
        var of = (UpcallMpiElementType*)NativeType<T>.Compared.Value;
        Native.Failure* failed = null;
        UpcallMpiCommunicator* together = upcall_mpi_checked_together(Handle, of, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Communicator(together, serializer);
    }

    /// <summary>Frees it, which the ranks do in the same order.</summary>
    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }

    private void Release()
    {
        if (native != null)
        {
            upcall_mpi_checked_release(native);
            native = null;
        }
    }
}
