package upcall;

/**
 * An object of a handler that answers later has taken longer than its deadline: what it emits does not count any more. Thrown
 * by everything that belongs to the object, from then on.
 */
public final class ItemTimedOutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ItemTimedOutException() {
        super("the object has taken longer than the handler's deadline");
    }
}
