using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>This rank's memory, which others access until it is waited for, as disposing it does.</summary>
public sealed unsafe class Exposure : IDisposable
{
    private readonly object window;
    private UpcallMpiExposure* native;

    internal Exposure(UpcallMpiExposure* native, object window)
    {
        this.native = native;
        this.window = window;
    }

    /// <summary>Forgets it: it stays open, and MPI is not finalized any more.</summary>
    ~Exposure() => Release();

    /// <summary>Waits until all ranks that it is for have ended their access. A second call does nothing.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public void Wait()
    {
        if (native == null)
        {
            return;
        }
        Native.Failure* failed = null;
        upcall_mpi_exposure_wait(native, &failed);
        Ended(failed);
    }

    /// <summary>Whether they have, which ends it.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public bool Test()
    {
        if (native == null)
        {
            return true;
        }
        Native.Failure* failed = null;
        bool ended = upcall_mpi_exposure_test(native, &failed) != 0;
        if (ended || failed != null)
        {
            Ended(failed);
        }
        return ended;
    }

    /// <summary>As <see cref="Wait"/>.</summary>
    public void Dispose() => Wait();

    private void Ended(Native.Failure* failed)
    {
        GC.KeepAlive(this);
        GC.KeepAlive(window);
        MpiException.Check(failed);
        Release();
        GC.SuppressFinalize(this);
    }

    private void Release()
    {
        if (native != null)
        {
            upcall_mpi_exposure_release(native);
            native = null;
        }
    }
}
