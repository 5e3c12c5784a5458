using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

public unsafe partial class Communicator
{
    /// <summary>
    /// As <see cref="Send{T}(T, int, int)"/>, of a copy in the <see cref="Environment.AttachBuffer">buffer of sends</see>: it
    /// returns whether or not anybody receives it.
    /// </summary>
    /// <exception cref="MpiException">
    /// There is no such rank or tag, the value has no form, or the buffer has no room for it, or none is attached
    /// (<see cref="MpiError.Buffer"/>): then nothing was sent.
    /// </exception>
    public void SendBuffered<T>(T value, int dest, int tag)
    {
        if (Plain<T>.Is)
        {
            var bytes = new Outgoing<T>(new ReadOnlySpan<T>(ref value));
            SentBuffered(ref bytes.First, bytes.Length, dest, tag);
            bytes.Dispose();
            return;
        }
        ReadOnlySpan<byte> written = Written(value).WrittenSpan;
        SentBuffered(ref System.Runtime.InteropServices.MemoryMarshal.GetReference(written), (nuint)written.Length, dest, tag);
    }

    /// <summary>The same of elements.</summary>
    /// <inheritdoc cref="SendBuffered{T}(T, int, int)"/>
    public void SendBuffered<T>(ReadOnlySpan<T> values, int dest, int tag)
        where T : unmanaged
    {
        var bytes = new Outgoing<T>(values);
        SentBuffered(ref bytes.First, bytes.Length, dest, tag);
        bytes.Dispose();
    }

    private void SentBuffered(ref byte first, nuint bytes, int dest, int tag)
    {
        Native.Failure* failed = null;
        fixed (byte* at = &first)
        {
            upcall_mpi_communicator_send_buffered(Handle, From(at, bytes), dest, tag, &failed);
        }
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }
}
