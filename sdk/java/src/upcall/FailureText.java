package upcall;

/**
 * What an exception says, for an error slot. It is written out before a lock is taken: exceptions may be of any class, and run
 * code of anybody's when they are asked.
 */
record FailureText(String type, String message, String stack) {
    /** Null for none. */
    static FailureText of(Throwable thrown) {
        return thrown == null
                ? null
                : new FailureText(thrown.getClass().getName(), Failure.message(thrown), Failure.stack(thrown));
    }

    void write(long frame, int item) {
        Failure.write(frame, item, type, message, stack);
    }
}
