package upcall;

/** A handler that cannot be loaded: why, for the user, and which kind of refusal that is. */
final class LoadException extends Exception {
    private static final long serialVersionUID = 1;

    /** One of {@link Abi.Refusal}. */
    final int kind;

    /** Why; the host says before it what was attempted. */
    LoadException(int kind, String message) {
        super(message);
        this.kind = kind;
    }
}
