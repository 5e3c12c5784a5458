package upcall;

/**
 * An object of a handler that answers later, or what belongs to it, is used after it was answered or after the handler was
 * closed.
 */
public final class ItemClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ItemClosedException(String message) {
        super(message);
    }
}
