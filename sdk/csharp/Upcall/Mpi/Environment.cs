using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// MPI, from when it is started until this is disposed: one per process, and only once.
/// <code>
/// using var mpi = new Environment(args);
/// Communicator world = mpi.World;
/// Console.WriteLine($"rank {world.Rank} of {world.Size}");
/// </code>
/// Disposing it waits for the other processes, on the thread that has started it.
/// </summary>
public sealed unsafe partial class Environment : IDisposable
{
    private static readonly object Gate = new();
    private static Environment? current;
    private readonly UpcallMpi* native;
    private bool isDisposed;
    private Intercommunicator? parent;

    /// <summary>Starts the MPI whose launcher has started this process, or the machine's own where none has.</summary>
    /// <param name="args">The program's arguments, which no MPI needs any more.</param>
    /// <param name="threads">Which threads are to call it; what it gives is in <see cref="Threading"/>.</param>
    /// <exception cref="MpiException">There is no MPI, it does not start, or it was started before.</exception>
    public Environment(string[]? args = null, Threads threads = Threads.Funneled)
    {
        _ = args;
        Library.Find();
        Native.Failure* failed = null;
        native = upcall_mpi_start((UpcallMpiThreads)threads, &failed);
        MpiException.Check(failed);
        IsOfOneThread = upcall_mpi_threads(native, null) <= UpcallMpiThreads.Funneled;
        World = new Communicator(upcall_mpi_world(native, null), null, isGiven: true);
        Self = new Communicator(upcall_mpi_own(native, null), null, isGiven: true);
        lock (Gate)
        {
            current = this;
        }
    }

    /// <summary>As the other, for programs that were written for MPI.NET.</summary>
    /// <exception cref="MpiException">There is no MPI, it does not start, or it was started before.</exception>
    public Environment(ref string[] args, Threads threads = Threads.Funneled)
        : this(args, threads)
    {
    }

    /// <summary>All processes of the job.</summary>
    public Communicator World { get; }

    /// <summary>This process alone.</summary>
    public Communicator Self { get; }

    /// <summary>The processes that have started this one and those of its world, by <see cref="Communicator.Spawn(SpawnedProgram, int)"/>;
    /// null where the launcher has. While they are connected, parents and children wait for each other where they finalize MPI.</summary>
    public Intercommunicator? Parent
    {
        get
        {
            if (parent == null)
            {
                UpcallMpiCommunicator* found = upcall_mpi_parent(native, null);
                if (upcall_mpi_communicator_is_none(found, null) != 0)
                {
                    upcall_mpi_communicator_release(found);
                    return null;
                }
                parent = new Intercommunicator(found, null);
            }
            return parent;
        }
    }

    /// <summary>Whether MPI was started in this process, and not finalized yet.</summary>
    public static bool IsRunning
    {
        get
        {
            Library.Find();
            return upcall_mpi_is_initialized(null) != 0;
        }
    }

    /// <summary>Which threads may call MPI. A call of another one is an <see cref="MpiException"/>.</summary>
    public static Threads Threading => (Threads)upcall_mpi_threads(Current.native, null);

    /// <summary>What the MPI calls itself: <c>Open MPI v4.1.4, …</c>.</summary>
    public static string LibraryName => Given.Take(upcall_mpi_library(Current.native, null));

    /// <summary>The version of MPI's standard that it has.</summary>
    public static Version Standard => Version.Parse(Given.Take(upcall_mpi_standard(Current.native, null)));

    /// <summary>The name of the machine that this process runs on.</summary>
    public static string ProcessorName
    {
        get
        {
            Native.Failure* failed = null;
            Native.Text name = upcall_mpi_processor(Current.native, &failed);
            MpiException.Check(failed);
            return Given.Take(name);
        }
    }

    /// <summary>Seconds since some moment in the past, by the clock of MPI's.</summary>
    public static double Time => upcall_mpi_time(Current.native, null);

    /// <summary>The largest tag that messages may have: 32,767 or more.</summary>
    public static int MaxTag => Current.World.LargestTag;

    /// <summary>Whether one thread alone may call MPI.</summary>
    internal static bool IsOfOneThread { get; private set; }

    /// <summary>What the library knows it by.</summary>
    internal UpcallMpi* Native => native;

    /// <summary>The one of this process.</summary>
    internal static Environment Current
    {
        get
        {
            lock (Gate)
            {
                return current ?? throw new MpiException(
                    MpiError.Lifecycle, "use MPI: it has not been started; `using var mpi = new Environment(args)` starts it");
            }
        }
    }

    /// <summary>
    /// Starts MPI, does this and finalizes MPI. Where it throws, the exception is printed and the whole job ends with exit code
    /// 1, as the others would wait for ever.
    /// </summary>
    /// <exception cref="MpiException">There is no MPI, it does not start, or it was started before.</exception>
    public static void Run(string[]? args, Action<Communicator> program, Threads threads = Threads.Funneled)
    {
        ArgumentNullException.ThrowIfNull(program);
        using var mpi = new Environment(args, threads);
        try
        {
            program(mpi.World);
        }
        // A filter comes before the ends of `using` blocks on the way out, which may wait for the other ranks.
        catch (Exception exception) when (Ends(mpi, exception))
        {
        }
    }

    /// <summary>As the other, for programs that were written for MPI.NET.</summary>
    /// <exception cref="MpiException">There is no MPI, it does not start, or it was started before.</exception>
    public static void Run(ref string[] args, Action<Communicator> program, Threads threads = Threads.Funneled) =>
        Run(args, program.NotNull(), threads);

    /// <summary>As the other, without arguments.</summary>
    /// <exception cref="MpiException">There is no MPI, it does not start, or it was started before.</exception>
    public static void Run(Action<Communicator> program) => Run(null, program.NotNull());

    /// <summary>
    /// Attaches room for so many bytes of messages at once, for the buffered sends of all communicators and threads. There is one
    /// at a time.
    /// </summary>
    /// <exception cref="MpiException">There is one already.</exception>
    public static SendBuffer AttachBuffer(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        Native.Failure* failed = null;
        UpcallMpiSendBuffer* buffer = upcall_mpi_attach_buffer(Current.native, checked((nuint)bytes), &failed);
        MpiException.Check(failed);
        return new SendBuffer(buffer);
    }

    /// <summary>Ends all processes of the job at once, with this exit code. It does not return.</summary>
    public static void Abort(int exitCode) => Current.World.Abort(exitCode);

    /// <summary>Prints what nobody has caught, and ends the job.</summary>
    private static bool Ends(Environment mpi, Exception exception)
    {
        Console.Error.WriteLine($"rank {mpi.World.Rank}: {exception}");
        Console.Out.Flush();
        Abort(1);
        return true;
    }

    /// <summary>Finalizes MPI, which waits for the other processes. A second call does nothing.</summary>
    /// <exception cref="MpiException">This is another thread than the one that has started MPI.</exception>
    public void Dispose()
    {
        if (isDisposed)
        {
            return;
        }
        Native.Failure* failed = null;
        upcall_mpi_finish(native, &failed);
        MpiException.Check(failed);
        isDisposed = true;
    }
}
