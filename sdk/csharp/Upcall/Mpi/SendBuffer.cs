using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// The room for <see cref="Communicator.SendBuffered{T}(T, int, int)"/>, until it is disposed, which waits until all that was sent
/// by it has left. One that is forgotten stays attached.
/// </summary>
public sealed unsafe class SendBuffer : IDisposable
{
    private UpcallMpiSendBuffer* native;

    internal SendBuffer(UpcallMpiSendBuffer* native) => this.native = native;

    /// <summary>How many bytes are under way.</summary>
    /// <exception cref="MpiException">A send has failed.</exception>
    public long Used
    {
        get
        {
            ObjectDisposedException.ThrowIf(native == null, this);
            Native.Failure* failed = null;
            ulong used = upcall_mpi_send_buffer_used(native, &failed);
            MpiException.Check(failed);
            return (long)used;
        }
    }

    /// <summary>Waits until all that was sent by it has left, and takes it away.</summary>
    /// <exception cref="MpiException">A send has failed, or this thread may not call MPI.</exception>
    public void Dispose()
    {
        if (native == null)
        {
            return;
        }
        Native.Failure* failed = null;
        upcall_mpi_send_buffer_detach(native, &failed);
        MpiException.Check(failed);
        upcall_mpi_send_buffer_release(native);
        native = null;
    }
}
