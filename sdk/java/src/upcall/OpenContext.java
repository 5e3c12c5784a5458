package upcall;

import java.util.List;

/** What a handler of a flow learns when it is opened. May be kept. */
public final class OpenContext extends Context {
    final Session session;

    OpenContext(long frame, Log log, Session session) {
        super(frame, log);
        this.session = session;
    }

    /** The pools that the handler watches, may emit to or may read. */
    public List<Pool> pools() {
        return List.of(session.pools);
    }

    /** Names by {@link FlowObject#sender}: 0 is who puts from outside, the rest are handlers. */
    public List<String> senders() {
        return List.of(session.senders);
    }

    /**
     * The pool with this path.
     *
     * @throws PoolNotDeclaredException the handler does not declare it
     */
    public PoolId pool(String path) {
        return session.find(path, null);
    }
}
