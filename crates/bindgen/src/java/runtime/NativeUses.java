// Made by upcall bindgen; do not edit.
package @PACKAGE@;

/** The calls that use a handle, and whether it is closed: the last of both releases it. */
final class NativeUses {
    private int calls;
    private boolean closed;

    /** Whether it is open: a call that uses it begins. */
    synchronized boolean begin() {
        if (!closed) {
            calls++;
        }
        return !closed;
    }

    /** The end of the call: whether that releases it. */
    synchronized boolean end() {
        return --calls == 0 && closed;
    }

    /** Closes it: whether that releases it. */
    synchronized boolean close() {
        boolean release = !closed && calls == 0;
        closed = true;
        return release;
    }

    synchronized boolean closed() {
        return closed;
    }
}
