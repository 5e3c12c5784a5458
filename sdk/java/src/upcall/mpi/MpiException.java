package upcall.mpi;

import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import upcall.bindings.NativeException;

/** MPI did not do what it was asked. */
public final class MpiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private static final Pattern CLOSED = Pattern.compile("\\bUpcallMpi(\\w*)(?: is closed)?$");

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

    /** What a call of the library returns; its failures, and that a handle is closed, are of this class. */
    static <T> T of(Supplier<T> call) {
        try {
            return call.get();
        } catch (NativeException failed) {
            throw of(failed, null);
        } catch (IllegalStateException closed) {
            throw closed(closed);
        }
    }

    /** The same of a call that returns nothing. */
    static void of(Runnable call) {
        of(() -> {
            call.run();
            return null;
        });
    }

    /**
     * What the bindings say of a handle that is closed, in the words that the user knows it by. All else is as it was: it may be
     * the program's own.
     */
    static RuntimeException closed(IllegalStateException closed) {
        Matcher type = CLOSED.matcher(String.valueOf(closed.getMessage()));
        if (!type.find()) {
            return closed;
        }
        String what = "MPI";
        if (!type.group(1).isEmpty()) {
            String words = type.group(1).replaceAll("(?<=.)(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
            what = ("aeiou".indexOf(words.charAt(0)) < 0 ? "a " : "an ") + words;
        }
        return new MpiException(MpiError.LIFECYCLE, "use " + what + ": it is closed", closed);
    }
}
