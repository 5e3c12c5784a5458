package upcall.mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import upcall.bindings.UpcallMpiEpoch;

/** The memory of all ranks of a {@link SharedWindow}, while nobody writes it. */
public final class Neighbors implements AutoCloseable {
    private final OpenEpoch open;

    Neighbors(SharedWindow<?> window, UpcallMpiEpoch epoch) {
        open = new OpenEpoch(window, epoch);
    }

    /**
     * A rank's memory: a direct buffer to read, in this machine's order, which is not to be used when this is closed.
     *
     * @throws MpiException there is no such rank, or it is closed
     */
    public ByteBuffer of(int rank) {
        return open.memory(rank).asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    /**
     * Waits until all ranks have read. A second call does nothing.
     *
     * @throws MpiException this thread may not call MPI, or MPI refuses
     */
    @Override
    public void close() {
        open.close();
    }
}
