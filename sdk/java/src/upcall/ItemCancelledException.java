package upcall;

/**
 * An object of a handler that answers later was cancelled from outside, as its flow is being stopped: what it emits does not
 * count any more. Thrown by everything that belongs to the object, from then on.
 */
public final class ItemCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ItemCancelledException() {
        super("the object was cancelled from outside: its flow is being stopped");
    }
}
