package upcall.mpi;

import java.util.function.Supplier;
import upcall.bindings.NativeException;

/** MPI did not do what it was asked. */
public final class MpiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final MpiError error;

    MpiException(MpiError error, String message, Throwable cause) {
        super(message, cause);
        this.error = error;
    }

    MpiException(MpiError error, String message) {
        this(error, message, null);
    }

    /** What kind of failure it is. */
    public MpiError error() {
        return error;
    }

    static MpiException of(NativeException failed, Throwable cause) {
        return new MpiException(MpiError.of(failed.code()), failed.getMessage(), cause);
    }

    /** What a call of the library returns; its failures are of this class. */
    static <T> T of(Supplier<T> call) {
        try {
            return call.get();
        } catch (NativeException failed) {
            throw of(failed, null);
        }
    }

    /** The same of a call that returns nothing. */
    static void of(Runnable call) {
        try {
            call.run();
        } catch (NativeException failed) {
            throw of(failed, null);
        }
    }
}
