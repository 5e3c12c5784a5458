package upcall;

/** A handler named a pool that its flow does not give it. */
public final class PoolNotDeclaredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PoolNotDeclaredException(String message) {
        super(message);
    }
}
