using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public unsafe partial class Communicator
{
    /// <summary>
    /// The same processes, whose messages say which type their elements have, where all of them want it. Collective.
    /// </summary>
    /// <param name="wanted">
    /// Whether this rank wants it; without it, where the program was built to be debugged. <c>UPCALL_MPI_CHECK_TYPES</c>
    /// (<c>1</c> or <c>0</c>) decides before both.
    /// </param>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public Checked Checked(bool? wanted = null)
    {
        Native.Failure* failed = null;
        byte on = wanted ?? Mpi.Checked.IsDebugged ? (byte)1 : (byte)0;
        UpcallMpiChecked* made = upcall_mpi_communicator_checked(Handle, on, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Checked(made, this);
    }

    /// <summary>As <see cref="Send{T}(ReadOnlySpan{T}, int, int)"/>, field by field, as programs in C describe their structs.</summary>
    /// <exception cref="MpiException">There is no such rank or tag, or MPI refuses.</exception>
    public void SendTyped<T>(ReadOnlySpan<T> values, Datatype<T> of, int dest, int tag)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(of);
        Native.Failure* failed = null;
        fixed (byte* at = &First(MemoryMarshal.CreateSpan(ref MemoryMarshal.GetReference(values), values.Length)))
        {
            upcall_mpi_communicator_send_typed(Handle, From(at, BytesOf<T>(values.Length)), of.Handle, dest, tag, &failed);
        }
        GC.KeepAlive(of);
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Receives elements field by field, however many there are; padding is zero.</summary>
    /// <exception cref="MpiException">There is no such rank or tag, what arrives is no whole number of them, or MPI refuses.
    /// </exception>
    public T[] ReceiveTyped<T>(Datatype<T> of, int source, int tag, out Status status)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(of);
        Native.Failure* failed = null;
        UpcallMpiStatus told;
        Buffer_u8 buffer = upcall_mpi_communicator_receive_typed(Handle, of.Handle, source, tag, &told, &failed);
        GC.KeepAlive(of);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        status = new Status(told);
        try
        {
            return Elements<T>(buffer);
        }
        finally
        {
            Release(buffer);
        }
    }

    /// <inheritdoc cref="ReceiveTyped{T}(Datatype{T}, int, int, out Status)"/>
    public T[] ReceiveTyped<T>(Datatype<T> of, int source, int tag)
        where T : unmanaged => ReceiveTyped(of.NotNull(), source, tag, out _);

    /// <summary>
    /// Receives elements field by field into memory that may have room for more, and returns how many there were. Padding stays
    /// as it was. The status counts the bytes of the fields.
    /// </summary>
    /// <inheritdoc cref="ReceiveTyped{T}(Datatype{T}, int, int, out Status)"/>
    public int ReceiveTyped<T>(Span<T> into, Datatype<T> of, int source, int tag, out Status status)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(of);
        Native.Failure* failed = null;
        UpcallMpiStatus told;
        ulong count;
        fixed (byte* to = &First(into))
        {
            SliceMut_u8 room = Into(to, BytesOf<T>(into.Length));
            count = upcall_mpi_communicator_receive_typed_into(Handle, room, of.Handle, source, tag, &told, &failed);
        }
        GC.KeepAlive(of);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        status = new Status(told);
        return checked((int)count);
    }

    /// <inheritdoc cref="ReceiveTyped{T}(Span{T}, Datatype{T}, int, int, out Status)"/>
    public int ReceiveTyped<T>(Span<T> into, Datatype<T> of, int source, int tag)
        where T : unmanaged => ReceiveTyped(into, of.NotNull(), source, tag, out _);

    /// <summary>Gives all ranks the elements of one, of which all have as many, field by field.</summary>
    /// <exception cref="MpiException">There is no such rank, or MPI refuses.</exception>
    public void BroadcastTyped<T>(Span<T> values, Datatype<T> of, int root)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(of);
        Native.Failure* failed = null;
        fixed (byte* at = &First(values))
        {
            upcall_mpi_communicator_broadcast_typed(Handle, Into(at, BytesOf<T>(values.Length)), of.Handle, root, &failed);
        }
        GC.KeepAlive(of);
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>Bytes of the library's as elements, which they are whole numbers of.</summary>
    internal static T[] Elements<T>(Buffer_u8 buffer)
        where T : unmanaged
    {
        ReadOnlySpan<byte> bytes = Bytes(buffer);
        T[] values = GC.AllocateUninitializedArray<T>(bytes.Length / sizeof(T));
        bytes.CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.As<T, byte>(ref MemoryMarshal.GetArrayDataReference(values)), bytes.Length));
        return values;
    }
}
