using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>Who else may lock the same rank's memory.</summary>
public enum LockMode
{
    /// <summary>Others that share it.</summary>
    Shared,

    /// <summary>Nobody.</summary>
    Exclusive,
}

/// <summary>What <see cref="Window{T}"/> and <see cref="SharedWindow{T}"/> have in common.</summary>
public abstract unsafe class WindowOf<T> : IDisposable
    where T : unmanaged
{
    private UpcallMpiWindow* native;

    private protected WindowOf(UpcallMpiWindow* native)
    {
        this.native = native;
        Rank = upcall_mpi_window_rank(native, null);
        Size = upcall_mpi_window_size(native, null);
    }

    /// <summary>Forgets it: it stays until MPI is finalized.</summary>
    ~WindowOf() => Release();

    /// <summary>This process's rank, as the window numbers them.</summary>
    public int Rank { get; }

    /// <summary>How many ranks there are.</summary>
    public int Size { get; }

    /// <summary>Whether what is written here and what others write is one memory, in MPI's words: its unified model. Nothing here
    /// depends on it.</summary>
    /// <exception cref="MpiException">MPI has been finalized.</exception>
    public bool IsUnified
    {
        get
        {
            Native.Failure* failed = null;
            byte unified = upcall_mpi_window_is_unified(Handle, &failed);
            GC.KeepAlive(this);
            MpiException.Check(failed);
            return unified != 0;
        }
    }

    internal UpcallMpiWindow* Handle => native != null ? native : throw new ObjectDisposedException(GetType().Name);

    /// <summary>A number of elements for all ranks: of a negative one they are told that it is too large.</summary>
    private protected static nuint Told(int count) => count < 0 ? nuint.MaxValue : (nuint)count;

    /// <summary>Throws what is wrong with this rank's number, else what was reported.</summary>
    private protected static void Check(Native.Failure* failed, int count) => Communicator.Check(
        failed, count < 0 ? new ArgumentOutOfRangeException(nameof(count), count, "A window has no negative number of elements.") : null);

    /// <summary>How many elements a rank has.</summary>
    /// <exception cref="MpiException">There is no such rank.</exception>
    public int Length(int rank)
    {
        Native.Failure* failed = null;
        ulong length = upcall_mpi_window_length(Handle, rank, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return checked((int)length);
    }

    /// <summary>An epoch with one rank, which need not call anything. Several ranks may be locked at once, each once.</summary>
    /// <exception cref="MpiException">There is no such rank, it is locked by this rank already, another epoch is open, or MPI
    /// refuses.</exception>
    public PassiveEpoch<T> Lock(LockMode mode, int rank)
    {
        Native.Failure* failed = null;
        return new PassiveEpoch<T>(this, Began(upcall_mpi_window_lock(Handle, (UpcallMpiLock)mode, rank, &failed), failed));
    }

    /// <summary>An epoch with all ranks, which others may have at the same time: for <see cref="PassiveEpoch{T}.FetchAndOp"/> and
    /// the like, and whatever does not overlap.</summary>
    /// <exception cref="MpiException">Another epoch is open, or MPI refuses.</exception>
    public PassiveEpoch<T> LockAll()
    {
        Native.Failure* failed = null;
        return new PassiveEpoch<T>(this, Began(upcall_mpi_window_lock_all(Handle, &failed), failed));
    }

    /// <summary>This rank's own memory, in place, when no other rank has locked it: it is locked until it is disposed.</summary>
    /// <exception cref="MpiException">It is locked by this rank already, or exposed; an epoch with several ranks is open; or MPI
    /// refuses.</exception>
    public LocalMemory<T> Local() => InPlace(Rank);

    /// <summary>Ends it, when all ranks do. Collective. A second call does nothing.</summary>
    /// <exception cref="MpiException">An epoch is open, or this thread may not call MPI: the window is as it was. Or MPI refuses, or
    /// has been finalized.</exception>
    public void Dispose()
    {
        if (native == null)
        {
            return;
        }
        Native.Failure* failed = null;
        upcall_mpi_window_free(native, &failed);
        MpiException? refused = failed == null ? null : MpiException.Of(failed, null);
        if (refused is not { Error: MpiError.Synchronization or MpiError.Usage })
        {
            Release();
            GC.SuppressFinalize(this);
        }
        if (refused != null)
        {
            throw refused;
        }
    }

    private protected LocalMemory<T> InPlace(int rank)
    {
        Native.Failure* failed = null;
        return new LocalMemory<T>(this, rank, Began(upcall_mpi_window_memory_of(Handle, rank, &failed), failed));
    }

    private protected UpcallMpiEpoch* Began(UpcallMpiEpoch* epoch, Native.Failure* failed)
    {
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return epoch;
    }

    private void Release()
    {
        if (native != null)
        {
            upcall_mpi_window_release(native);
            native = null;
        }
    }
}
