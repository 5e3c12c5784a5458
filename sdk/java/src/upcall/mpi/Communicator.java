package upcall.mpi;

import java.util.Optional;
import upcall.bindings.UpcallMpiCommunicator;

/**
 * Processes that pass messages to one another, each with a rank from 0 on. Collective calls are made by all of them, in the
 * same order. Which threads may call is in {@link Environment#threads}.
 *
 * <p>One that was made by {@link #duplicate} or {@link #split} is freed when it is closed, or at some time after it is
 * forgotten, which the ranks do in the same order; the environment's own stay, also where they are closed. A call on a closed one
 * is an {@link MpiException} of {@link MpiError#LIFECYCLE}.
 */
public sealed class Communicator extends CommunicatorTyped implements AutoCloseable permits Neighborhood {
    private final boolean isGiven;

    Communicator(UpcallMpiCommunicator comm, Serializer serializer) {
        this(comm, serializer, false);
    }

    /** One of the environment's own, where it is given. */
    Communicator(UpcallMpiCommunicator comm, Serializer serializer, boolean isGiven) {
        super(comm);
        this.isGiven = isGiven;
        serializer(serializer);
    }

    /** Ends all processes of the job at once, with this exit code. It does not return. */
    public void abort(int code) {
        MpiException.of(() -> comm.abort(code));
    }

    /** The largest tag that messages may have: 32,767 or more. */
    public int largestTag() {
        return MpiException.of(comm::largestTag);
    }

    /** The same processes, whose messages never meet those of this communicator. Collective. */
    public Communicator duplicate() {
        return new Communicator(MpiException.of(comm::duplicate), serializer());
    }

    /**
     * The processes that give the same color, ranked by {@code key} and then as here. Collective.
     *
     * @param color from 0 on; a process that gives a negative one is in none
     * @throws MpiException the color of a rank is more than {@code Integer.MAX_VALUE}, which all are told; or MPI refuses
     */
    public Optional<Communicator> split(long color, int key) {
        UpcallMpiCommunicator made = MpiException.of(() -> comm.split(color, key));
        if (made.isNone()) {
            made.close();
            return Optional.empty();
        }
        return Optional.of(new Communicator(made, serializer()));
    }

    /**
     * The same processes, whose messages say which type their elements have, where all of them want it: unless the environment
     * says so ({@code UPCALL_MPI_CHECK_TYPES}, {@code 1} or {@code 0}), where assertions are on ({@code java -ea}). Collective.
     */
    public Checked checked() {
        return checked(Communicator.class.desiredAssertionStatus());
    }

    /** The same, where this rank says itself whether it wants it, unless its environment does. Collective. */
    public Checked checked(boolean wanted) {
        return new Checked(MpiException.of(() -> comm.checked(wanted)), this);
    }

    /** Frees it; the environment's own stay. A second call does nothing. */
    @Override
    public void close() {
        if (!isGiven) {
            comm.close();
        }
    }
}
