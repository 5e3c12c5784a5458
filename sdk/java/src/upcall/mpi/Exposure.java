package upcall.mpi;

import upcall.bindings.UpcallMpiExposure;

/** This rank's memory, which others access until it is waited for, as closing it does. */
public final class Exposure implements AutoCloseable {
    /** It is there as long. */
    private final WindowCalls<?> window;
    private final UpcallMpiExposure exposure;
    private boolean ended;

    Exposure(WindowCalls<?> window, UpcallMpiExposure exposure) {
        this.window = window;
        this.exposure = exposure;
    }

    /**
     * Waits until all ranks that it is for have ended their access. A second call does nothing.
     *
     * @throws MpiException MPI refuses
     */
    public void waitFor() {
        if (!ended) {
            MpiException.of(exposure::wait_);
            end();
        }
    }

    /**
     * Whether they have, which ends it.
     *
     * @throws MpiException MPI refuses
     */
    public boolean test() {
        if (!ended && MpiException.<Boolean>of(exposure::test)) {
            end();
        }
        return ended;
    }

    private void end() {
        ended = true;
        exposure.close();
    }

    /** As {@link #waitFor}. */
    @Override
    public void close() {
        waitFor();
    }

    @Override
    public String toString() {
        return "Exposure of rank " + window.rank();
    }
}
