using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>An epoch of MPI's, which ends when this is disposed.</summary>
public abstract unsafe class EpochOf : IDisposable
{
    /// <summary>It is freed only when nobody has it any more.</summary>
    private readonly object window;
    private UpcallMpiEpoch* native;

    private protected EpochOf(object window, UpcallMpiEpoch* native)
    {
        this.window = window;
        this.native = native;
    }

    /// <summary>Forgets it: it stays open, and MPI is not finalized any more.</summary>
    ~EpochOf() => Release();

    private protected UpcallMpiEpoch* Handle => native != null ? native : throw new MpiException(
        MpiError.Synchronization, "use an epoch of a window: it has ended; begin another");

    /// <summary>Ends it: what was begun is done, and what was lent may be used again. A second call does nothing.</summary>
    /// <exception cref="MpiException">What was begun has failed; or this thread may not call MPI, and it is open still.</exception>
    public void Dispose()
    {
        if (native == null)
        {
            return;
        }
        Ending();
        Native.Failure* failed = null;
        upcall_mpi_epoch_end(native, &failed);
        bool ended = upcall_mpi_epoch_has_ended(native, null) != 0;
        GC.KeepAlive(this);
        GC.KeepAlive(window);
        if (ended)
        {
            Release();
            GC.SuppressFinalize(this);
        }
        MpiException.Check(failed);
    }

    private protected virtual void Ending()
    {
    }

    private protected Span<T> Memory<T>(int rank)
        where T : unmanaged
    {
        Native.Failure* failed = null;
        UpcallMpiMemory memory;
        upcall_mpi_epoch_memory(Handle, rank, &memory, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Span<T>((void*)memory.Address, checked((int)(memory.Bytes / (ulong)sizeof(T))));
    }

    private void Release()
    {
        if (native != null)
        {
            upcall_mpi_epoch_release(native);
            native = null;
        }
    }
}
