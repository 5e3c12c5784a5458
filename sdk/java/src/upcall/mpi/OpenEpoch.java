package upcall.mpi;

import java.nio.ByteBuffer;
import upcall.bindings.UpcallMpiEpoch;
import upcall.bindings.UpcallMpiMemory;

/** An epoch of MPI's, until it is closed. One that is forgotten stays open, and neither is its window closed nor MPI finalized. */
final class OpenEpoch {
    /** It is there as long. */
    private final WindowCalls<?> window;
    private final UpcallMpiEpoch epoch;
    private boolean closed;

    OpenEpoch(WindowCalls<?> window, UpcallMpiEpoch epoch) {
        this.window = window;
        this.epoch = epoch;
    }

    WindowCalls<?> window() {
        return window;
    }

    /** The epoch, which is open. */
    UpcallMpiEpoch get() {
        if (closed) {
            throw new MpiException(MpiError.SYNCHRONIZATION, "use an epoch of a window: it has ended; begin another");
        }
        return epoch;
    }

    ByteBuffer memory(int rank) {
        UpcallMpiEpoch open = get();
        try (Room told = Room.of(UpcallMpiMemory.SIZE)) {
            UpcallMpiMemory memory = new UpcallMpiMemory(told.segment());
            MpiException.of(() -> open.memory(rank, memory));
            return window.view(memory);
        }
    }

    /** Ends it. Whether it has ended now. */
    boolean close() {
        if (closed) {
            return false;
        }
        try {
            MpiException.of(epoch::end);
        } finally {
            closed = epoch.hasEnded();
            if (closed) {
                epoch.close();
            }
        }
        return true;
    }
}
