package upcall;

/** What the handlers of a flow have in common. */
public interface FlowHandler extends Handler {
    /** Called once, before anything else. What it throws stops the flow. */
    default void onOpen(OpenContext open) throws Exception {}

    /** Called when the input has ended and everything upstream is flushed. */
    default void onFlush(Emitter out) throws Exception {}
}
