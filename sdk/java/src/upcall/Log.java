package upcall;

/**
 * Logs under the handler's name, into the engine's log. For the handler's own thread, of one that answers later for any
 * thread, from {@code onOpen} to {@code onClose}; used otherwise, each method throws an {@link IllegalStateException}.
 */
public final class Log {
    private final Lent lent;

    Log(Lent lent) {
        this.lent = lent;
    }

    /** Something failed. */
    public void error(String text) {
        lent.log(1, text);
    }

    /** Something looks wrong. */
    public void warn(String text) {
        lent.log(2, text);
    }

    /** Something worth telling. */
    public void info(String text) {
        lent.log(3, text);
    }

    /** For whoever debugs the handler. */
    public void debug(String text) {
        lent.log(4, text);
    }
}
