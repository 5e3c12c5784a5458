package upcall.flow;

import upcall.bindings.Functions;

/** What kind of failure a {@link FlowException} is. */
public enum FlowError {
    /** The description makes no sense; the message shows every mistake. */
    INVALID(Functions.UPCALL_INVALID),

    /** A handler or its runtime could not be loaded or opened. */
    LOAD(Functions.UPCALL_LOAD),

    /** No pool has this path. */
    NO_POOL(Functions.UPCALL_NO_POOL),

    /** A key that is not UTF-8. */
    BAD_KEY(Functions.UPCALL_BAD_KEY),

    /** A value that the pool's type does not allow. */
    BAD_VALUE(Functions.UPCALL_BAD_VALUE),

    /** A put into a dead pool, which only the flow itself fills. */
    DEAD_POOL(Functions.UPCALL_DEAD_POOL),

    /** The pool stores nothing. */
    STORES_NOTHING(Functions.UPCALL_STORES_NOTHING),

    /** The version or time that was asked for is no longer kept. */
    COMPACTED(Functions.UPCALL_COMPACTED),

    /** The key had another version than was expected. */
    CONFLICT(Functions.UPCALL_CONFLICT),

    /** A blocking call from inside a handler of the same flow. */
    IN_HANDLER(Functions.UPCALL_IN_HANDLER),

    /** The flow held more than its memory. */
    OUT_OF_MEMORY(Functions.UPCALL_OUT_OF_MEMORY),

    /** A handler failed when it was told that its input has ended. */
    FLUSH(Functions.UPCALL_FLUSH),

    /** The flow has been stopped. */
    STOPPED(Functions.UPCALL_STOPPED),

    /** A fault of the engine. */
    INTERNAL(Functions.UPCALL_INTERNAL);

    private final int code;

    FlowError(int code) {
        this.code = code;
    }

    static FlowError of(int code) {
        for (FlowError error : values()) {
            if (error.code == code) {
                return error;
            }
        }
        return INTERNAL;
    }
}
