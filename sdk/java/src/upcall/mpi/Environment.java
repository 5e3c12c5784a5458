package upcall.mpi;

import upcall.Embedded;
import java.util.Optional;
import java.util.OptionalInt;
import upcall.bindings.Functions;
import upcall.bindings.UpcallMpi;
import upcall.bindings.UpcallMpiCommunicator;

/**
 * MPI, from when it is started until this is closed: one per process, and only once.
 *
 * <pre>{@code
 * try (Environment mpi = Environment.start()) {
 *     Communicator world = mpi.world();
 *     System.out.println("rank " + world.rank() + " of " + world.size());
 * }
 * }</pre>
 *
 * <p>Closing it waits for the other processes, on the thread that has started it. An exception that leaves the block is thrown
 * after that, so the others may wait for a message that never comes: {@link #run} ends the job instead.
 */
public final class Environment implements AutoCloseable {
    private final UpcallMpi mpi;
    private final Communicator world;
    private final Communicator self;
    private Intercommunicator parent;
    private boolean closed;

    private Environment(UpcallMpi mpi) {
        this.mpi = mpi;
        world = new Communicator(mpi.world(), Serializer.JAVA, true);
        self = new Communicator(mpi.own(), Serializer.JAVA, true);
    }

    /** As {@link #start(Threads)}, for this thread's calls. */
    public static Environment start() {
        return start(Threads.FUNNELED);
    }

    /**
     * Starts the MPI whose launcher has started this process, or the machine's own where none has.
     *
     * @param wanted which threads are to call it; what it gives is in {@link #threads}
     * @throws MpiException there is no MPI, it does not start, or it was started before
     */
    public static Environment start(Threads wanted) {
        Embedded.load();
        return MpiException.of(() -> new Environment(UpcallMpi.start(wanted.number())));
    }

    /** A program on ranks, which may throw whatever it likes. */
    @FunctionalInterface
    public interface Program {
        /** Runs it. */
        void run(Communicator world) throws Exception;
    }

    /** As {@link #run(Threads, Program)}, for this thread's calls. */
    public static void run(Program program) {
        run(Threads.FUNNELED, program);
    }

    /**
     * Starts MPI, runs a program and finalizes MPI. What it throws is printed, and ends the whole job with exit code 1, as the
     * others would wait for ever.
     *
     * @throws MpiException there is no MPI, it does not start, or it was started before
     */
    public static void run(Threads wanted, Program program) {
        try (Environment mpi = start(wanted)) {
            try {
                program.run(mpi.world);
            } catch (Throwable thrown) {
                System.err.println("rank " + mpi.world.rank() + ":");
                thrown.printStackTrace();
                System.out.flush();
                mpi.world.abort(1);
            }
        }
    }

    /** All processes of the job. */
    public Communicator world() {
        return world;
    }

    /** This process alone. */
    public Communicator self() {
        return self;
    }

    /**
     * The processes that have started this one and those of its world, by {@link Communicator#spawn}; empty where the launcher
     * has. While they are connected, parents and children wait for each other where they finalize MPI.
     */
    public Optional<Intercommunicator> parent() {
        if (parent == null) {
            UpcallMpiCommunicator found = MpiException.of(mpi::parent);
            if (found.isNone()) {
                found.close();
                return Optional.empty();
            }
            parent = new Intercommunicator(found, Serializer.JAVA);
        }
        return Optional.of(parent);
    }

    /**
     * Opens a port that other programs may {@link Communicator#connect} to.
     *
     * @throws MpiException the MPI has none ({@link MpiError#UNSUPPORTED}), as MPICH over UCX; or it refuses
     */
    public Port openPort() {
        return new Port(MpiException.of(mpi::openPort));
    }

    /**
     * The name of the port that was {@link Port#publish published} as a service.
     *
     * @throws MpiException there is none ({@link MpiError#PORT}), or the launcher has no such list
     */
    public String lookUp(String service) {
        return MpiException.of(() -> mpi.lookUp(service));
    }

    /** Which threads may call it. A call of another one is an {@link MpiException}. */
    public Threads threads() {
        return Threads.of(MpiException.of(mpi::threads));
    }

    /** What the MPI calls itself: {@code Open MPI v4.1.4, …}. */
    public String library() {
        return MpiException.of(mpi::library);
    }

    /** The version of MPI's standard that it has: {@code 3.1}. */
    public String standard() {
        return MpiException.of(mpi::standard);
    }

    /** The name of the machine that this process runs on. */
    public String processor() {
        return MpiException.of(mpi::processor);
    }

    /** Whether MPI was started in this process, and has not been finalized. */
    public static boolean isInitialized() {
        Embedded.load();
        return MpiException.of(UpcallMpi::isInitialized);
    }

    /** Whether MPI has been finalized in this process: it cannot be started again. */
    public static boolean isFinalized() {
        Embedded.load();
        return MpiException.of(UpcallMpi::isFinalized);
    }

    /** Whether this thread is the one that has started MPI. */
    public boolean isMainThread() {
        return MpiException.of(mpi::isMainThread);
    }

    /** Which threads MPI was started for; what it has given is in {@link #threads}. */
    public Threads threadsWanted() {
        return Threads.of(MpiException.of(mpi::threadsWanted));
    }

    /** Seconds between two ticks of the clock of {@link #time}. */
    public double timeResolution() {
        return MpiException.of(mpi::timeResolution);
    }

    /** Whether the clocks of all ranks show the same time. */
    public boolean timeIsGlobal() {
        return MpiException.of(mpi::timeIsGlobal);
    }

    /** How many processes the launcher has room for, those that run included; empty where it does not say. */
    public OptionalInt universeSize() {
        return number(MpiException.of(mpi::universeSize));
    }

    /** Which of the programs this is that were started at once, from 0 on; empty where nobody says. */
    public OptionalInt programNumber() {
        return number(MpiException.of(mpi::programNumber));
    }

    /** Which rank may read and write files as the language does: {@link Communicator#ANY_SOURCE} where all may, empty where none. */
    public OptionalInt ioRank() {
        int rank = MpiException.of(mpi::ioRank);
        return rank == Functions.UPCALL_MPI_NONE ? OptionalInt.empty() : OptionalInt.of(rank);
    }

    /** The rank of the host process, where there is one. */
    public OptionalInt hostRank() {
        return number(MpiException.of(mpi::hostRank));
    }

    /** Whether the MPI has a part of the standard that not every MPI has. */
    public boolean has(OptionalPart part) {
        return MpiException.of(() -> mpi.has(part.ordinal()));
    }

    private static OptionalInt number(long found) {
        return found < 0 ? OptionalInt.empty() : OptionalInt.of(Math.toIntExact(found));
    }

    /**
     * Attaches room for so many bytes of messages at once, for the buffered sends of all communicators and threads. There is one
     * at a time.
     *
     * @throws MpiException there is one already
     */
    public SendBuffer attachBuffer(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("attach a buffer of " + bytes + " bytes");
        }
        return new SendBuffer(MpiException.of(() -> mpi.attachBuffer(bytes)));
    }

    /** Seconds since some moment in the past, by the clock of MPI's. */
    public double time() {
        return MpiException.of(mpi::time);
    }

    /**
     * Finalizes MPI, which waits for the other processes. A second call does nothing.
     *
     * @throws MpiException this is another thread than the one that has started it
     */
    @Override
    public void close() {
        if (!closed) {
            MpiException.of(mpi::finish);
            closed = true;
        }
    }
}
