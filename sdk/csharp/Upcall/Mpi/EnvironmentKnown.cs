using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>A part of MPI's standard, or an extension of it, that an MPI may lack.</summary>
public enum OptionalPart
{
    /// <summary>Counts of 64 bits (MPI 4).</summary>
    LargeCounts,

    /// <summary>Collectives that are prepared once and started often (MPI 4).</summary>
    PersistentCollectives,

    /// <summary>Sends and receives in partitions (MPI 4).</summary>
    Partitioned,

    /// <summary>A send and a receive as one request (MPI 4).</summary>
    NonBlockingSendReceive,

    /// <summary>Sessions in place of one world (MPI 4).</summary>
    Sessions,

    /// <summary>Going on where a process has died: the extension ULFM.</summary>
    FaultTolerance,

    /// <summary>The standard's own binary interface (MPI 5).</summary>
    StandardAbi,
}

/// <remarks>What MPI and its launcher say of the job and the machine.</remarks>
public sealed unsafe partial class Environment
{
    private delegate long Ask(UpcallMpi* mpi, Native.Failure** failed);

    /// <summary>Whether MPI has been finalized in this process: it cannot be started again.</summary>
    public static bool IsFinalized
    {
        get
        {
            Library.Find();
            return upcall_mpi_is_finalized(null) != 0;
        }
    }

    /// <summary>Whether this thread is the one that has started MPI.</summary>
    /// <exception cref="MpiException">MPI has not been started.</exception>
    public static bool IsMainThread => upcall_mpi_is_main_thread(Current.native, null) != 0;

    /// <summary>Which threads MPI was started for; what it has given is in <see cref="Threading"/>.</summary>
    /// <exception cref="MpiException">MPI has not been started.</exception>
    public static Threads ThreadsWanted => (Threads)upcall_mpi_threads_wanted(Current.native, null);

    /// <summary>Seconds between two ticks of the clock of <see cref="Time"/>.</summary>
    /// <exception cref="MpiException">MPI has not been started.</exception>
    public static double TimeResolution => upcall_mpi_time_resolution(Current.native, null);

    /// <summary>Whether the clocks of all ranks show the same time.</summary>
    /// <exception cref="MpiException">MPI has not been started, or refuses.</exception>
    public static bool TimeIsGlobal => Known((mpi, failed) => upcall_mpi_time_is_global(mpi, failed)) != 0;

    /// <summary>How many processes the launcher has room for, those that run included; null where it does not say.</summary>
    /// <exception cref="MpiException">MPI has not been started, or refuses.</exception>
    public static int? UniverseSize => Number(Known((mpi, failed) => upcall_mpi_universe_size(mpi, failed)));

    /// <summary>Which of the programs this is that were started at once, from 0 on; null where nobody says.</summary>
    /// <exception cref="MpiException">MPI has not been started, or refuses.</exception>
    public static int? ProgramNumber => Number(Known((mpi, failed) => upcall_mpi_program_number(mpi, failed)));

    /// <summary>Which rank may read and write files as the language does: <see cref="Communicator.AnySource"/> where all may, null
    /// where none.</summary>
    /// <exception cref="MpiException">MPI has not been started, or refuses.</exception>
    public static int? IoRank => (int)Known((mpi, failed) => upcall_mpi_io_rank(mpi, failed)) is var rank && rank == UpcallMpiNone
        ? null : rank;

    /// <summary>The rank of the host process; null where there is none.</summary>
    /// <exception cref="MpiException">MPI has not been started, or refuses.</exception>
    public static int? HostRank => Number(Known((mpi, failed) => upcall_mpi_host_rank(mpi, failed)));

    /// <summary>Whether the MPI has a part of the standard that not every MPI has.</summary>
    /// <exception cref="MpiException">MPI has not been started.</exception>
    public static bool Has(OptionalPart part)
    {
        if (!Enum.IsDefined(part))
        {
            throw new ArgumentOutOfRangeException(nameof(part));
        }
        return upcall_mpi_has(Current.native, (UpcallMpiOptional)part, null) != 0;
    }

    private static long Known(Ask ask)
    {
        Native.Failure* failed = null;
        long found = ask(Current.native, &failed);
        MpiException.Check(failed);
        return found;
    }

    private static int? Number(long found) => found < 0 ? null : (int)found;
}
