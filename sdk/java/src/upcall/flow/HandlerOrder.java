package upcall.flow;

/** In which order objects reach a handler. */
public enum HandlerOrder {
    /** Those of one key in the order of their versions. */
    KEY,

    /** None. */
    ANY,

    /** All of them, one after the other: one instance, on one worker. */
    SINGLE,
}
