package upcall.mpi;

import java.nio.ByteBuffer;
import upcall.bindings.UpcallMpiEpoch;

/**
 * A rank's memory, in place: no other rank reads or writes it until this is closed. Buffers that were taken are not to be used
 * after that; once the window is closed, what they show is nobody's.
 */
public final class LocalMemory extends DirectMemory implements AutoCloseable {
    private final OpenEpoch open;
    private final int rank;

    LocalMemory(WindowCalls<?> window, UpcallMpiEpoch epoch, int rank) {
        open = new OpenEpoch(window, epoch);
        this.rank = rank;
    }

    /**
     * Its bytes: a direct buffer from the first to the last, in this machine's order.
     *
     * @throws MpiException it is closed
     */
    @Override
    public ByteBuffer bytes() {
        return open.memory(rank);
    }

    /**
     * Gives it to others. A second call does nothing.
     *
     * @throws MpiException this thread may not call MPI, or MPI refuses
     */
    @Override
    public void close() {
        open.close();
    }
}
