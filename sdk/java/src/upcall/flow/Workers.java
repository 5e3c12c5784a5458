package upcall.flow;

import java.util.function.Supplier;

/** The threads that call a flow's handlers: a call that waits for the flow is refused there. */
final class Workers {
    private static final ThreadLocal<Workers> HERE = new ThreadLocal<>();

    /** What makes a handler, which the engine calls on the worker's thread. */
    Supplier<?> knowBy(Supplier<?> make) {
        return () -> {
            HERE.set(this);
            return make.get();
        };
    }

    /**
     * Refuses, also where there is credit now: a handler that waits only under load fails only there.
     *
     * @throws FlowException this thread is one of them
     */
    void refuse(String what, String instead) {
        if (HERE.get() == this) {
            throw new FlowException(
                    FlowError.IN_HANDLER,
                    what + " from inside a handler of the same flow: it would wait for itself; emit instead, or use " + instead);
        }
    }
}
