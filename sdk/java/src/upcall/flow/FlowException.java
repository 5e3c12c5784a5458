package upcall.flow;

import java.util.function.Supplier;
import upcall.bindings.NativeException;

/**
 * A flow did not do what it was asked. A wait that takes too long is a {@link java.util.concurrent.TimeoutException}, one that
 * is interrupted an {@link InterruptedException}, a future that is cancelled a
 * {@link java.util.concurrent.CancellationException}.
 */
public final class FlowException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final FlowError error;

    FlowException(FlowError error, String message) {
        super(message);
        this.error = error;
    }

    /** What kind of failure it is. */
    public FlowError error() {
        return error;
    }

    /** What a call of the engine returns; its failures are of this class. */
    static <T> T of(Supplier<T> call) {
        try {
            return call.get();
        } catch (NativeException failed) {
            // Numbers below 0 are panics and arguments that the library refuses.
            throw new FlowException(FlowError.of(failed.code()), failed.getMessage());
        }
    }

    /** The same of a call that returns nothing. */
    static void of(Runnable call) {
        of(() -> {
            call.run();
            return null;
        });
    }
}
