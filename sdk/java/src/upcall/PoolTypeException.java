package upcall;

/** A handler's type cannot be used for values, or is not that of its pool. */
public final class PoolTypeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PoolTypeException(String message) {
        super(message);
    }
}
