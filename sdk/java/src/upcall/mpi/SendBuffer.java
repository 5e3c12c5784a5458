package upcall.mpi;

import upcall.bindings.UpcallMpiSendBuffer;

/**
 * The room for {@link Communicator#sendBuffered}, until it is closed, which waits until all that was sent by it has left. One that
 * is forgotten stays attached.
 */
public final class SendBuffer implements AutoCloseable {
    private final UpcallMpiSendBuffer buffer;
    private boolean closed;

    SendBuffer(UpcallMpiSendBuffer buffer) {
        this.buffer = buffer;
    }

    /**
     * How many bytes are under way.
     *
     * @throws MpiException it was closed, or a send has failed
     */
    public long used() {
        if (closed) {
            throw new MpiException(MpiError.USAGE, "look at a buffer for sends: it was detached");
        }
        return MpiException.of(buffer::used);
    }

    /**
     * Waits until all that was sent by it has left, and takes it away. A second call does nothing.
     *
     * @throws MpiException a send has failed, or this thread may not call MPI
     */
    @Override
    public void close() {
        if (!closed) {
            MpiException.of(buffer::detach);
            closed = true;
            buffer.close();
        }
    }
}
