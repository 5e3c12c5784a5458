using System;
using System.Threading;

namespace Upcall.Mpi;

/// <summary>
/// What was disposed while another thread may have been in a call with it. Such a thread keeps the object, so that the finalizer,
/// which comes after all calls, releases it; and the collector is told to come where many wait for it, as an MPI has room for a
/// few thousand communicators and 64 operations.
/// </summary>
internal static class Disposed
{
    private const int Most = 64;
    private static int waiting;

    /// <summary>One more.</summary>
    internal static void One()
    {
        if (Interlocked.Increment(ref waiting) >= Most)
        {
            _ = Collect();
        }
    }

    /// <summary>Has them released, but those that a call is made with. Returns whether there were any.</summary>
    internal static bool Collect()
    {
        if (Interlocked.Exchange(ref waiting, 0) == 0)
        {
            return false;
        }
        GC.Collect();
        GC.WaitForPendingFinalizers();
        // What the finalizer may not free is freed at the next call of this thread.
        _ = Environment.Current.World.LargestTag;
        return true;
    }
}
