// Made by upcall bindgen; do not edit.
package @PACKAGE@;

//ffm
import java.lang.foreign.MemorySegment;

//end
/**
 * A function with an address for native code, until it is closed.
 *
 * <p>Whoever gives it to native code closes it when native code has forgotten it. A call after that does not
 * reach the function: it is an error, which is thrown like those of callbacks.
 */
public abstract class NativeCallback<F> implements AutoCloseable {
    final NativeStubs.Cell<F> cell;

    NativeCallback(NativeStubs.Cell<F> cell) {
        this.cell = cell;
    }

    /** What native code calls, for fields of structs. */
    public final MemorySegment address() {
        return cell().address();
    }

    /** For being passed on. */
    final NativeStubs.Cell<F> cell() {
        if (closed) {
            throw new IllegalStateException("the callback is closed");
        }
        return cell;
    }

    private boolean closed;

    /** Takes the function from native code, and throws what it threw on other threads meanwhile. Once is enough. */
    @Override
    public final synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        cell.close();
        if (NativeThrown.any) {
            NativeThrown.rethrow(cell);
        }
    }
}
