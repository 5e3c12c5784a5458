package upcall;

/** Why an object is no longer waited for. */
enum Over {
    ANSWERED,
    TIMED_OUT,
    FROM_OUTSIDE,
    CLOSED;

    /** By what CANCEL says. */
    static Over of(int why) {
        return why == Abi.Cancelled.TIMED_OUT ? TIMED_OUT : FROM_OUTSIDE;
    }

    RuntimeException exception() {
        return switch (this) {
            case TIMED_OUT -> new ItemTimedOutException();
            case FROM_OUTSIDE -> new ItemCancelledException();
            case CLOSED -> new ItemClosedException("the handler was closed before the object was answered");
            case ANSWERED -> new ItemClosedException(
                    "the object was answered already: its future is complete; complete it behind everything that uses the object");
        };
    }
}
