package upcall.mpi;

import upcall.bindings.UpcallMpiPort;
import upcall.bindings.UpcallMpiPublished;

/** Where other programs may connect to, by {@link Communicator#connect}. It is closed with this. */
public final class Port implements AutoCloseable {
    private final UpcallMpiPort port;

    Port(UpcallMpiPort port) {
        this.port = port;
    }

    /** Its name, which others are told. */
    public String name() {
        return MpiException.of(port::name);
    }

    /**
     * Tells others its name under that of a service, until what is returned is closed.
     *
     * @throws MpiException the launcher has no such list, or another port is there under this name
     */
    public Published publish(String service) {
        return new Published(MpiException.of(() -> port.publish(service)));
    }

    @Override
    public void close() {
        port.close();
    }

    /** The name of a port under that of a service. It is taken back when this is closed. */
    public static final class Published implements AutoCloseable {
        private final UpcallMpiPublished published;

        private Published(UpcallMpiPublished published) {
            this.published = published;
        }

        @Override
        public void close() {
            published.close();
        }
    }
}
