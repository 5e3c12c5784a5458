// Made by upcall bindgen; do not edit.
package @PACKAGE@;

/** A native function has failed. */
public class NativeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    public NativeException(int code, String message) {
        super(message);
        this.code = code;
    }

    /** The error's own number; 1 where it has none, negative for panics and invalid arguments. */
    public int code() {
        return code;
    }
}
