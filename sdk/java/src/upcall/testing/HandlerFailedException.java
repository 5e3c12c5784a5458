package upcall.testing;

/** A handler failed in a harness: what an engine would have been told. */
public final class HandlerFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The class of what the handler threw. */
    private final String typeName;
    /** Where it threw it. */
    private final String handlerStack;
    /** How many objects of the batch were done. */
    private final int done;
    /** Which one failed. */
    private final int item;

    HandlerFailedException(String typeName, String message, String handlerStack, int done, int item) {
        super(message);
        this.typeName = typeName;
        this.handlerStack = handlerStack;
        this.done = done;
        this.item = item;
    }

    /** The class of what the handler threw. */
    public String typeName() {
        return typeName;
    }

    /** Where the handler threw it. */
    public String handlerStack() {
        return handlerStack;
    }

    /** How many objects of the batch were done before it. */
    public int done() {
        return done;
    }

    /** The object that failed; -1 when everything beyond {@link #done} did. */
    public int item() {
        return item;
    }
}
