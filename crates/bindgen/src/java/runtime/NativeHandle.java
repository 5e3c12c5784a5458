// Made by upcall bindgen; do not edit.
package @PACKAGE@;

//ffm
import java.lang.foreign.MemorySegment;
//end
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.util.function.Consumer;

/** Something of the library that is known by its address, until it is closed or given away. */
public abstract class NativeHandle implements NativeMemory {
    /** Who releases it. */
    enum Whose { OURS, THEIRS }

    private static final int CLOSED = Integer.MIN_VALUE;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(NativeHandle.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private final MemorySegment segment;
    private final String type;
    /** Null where nobody has to release it. */
    private final Release release;
    private final Cleaner.Cleanable cleanable;
    /** How many calls use it, and {@link #CLOSED}. */
    private volatile int state;

    NativeHandle(MemorySegment address, String type, Whose whose, boolean cleaned, Consumer<MemorySegment> release) {
        this.segment = Native.presentAddress(address, type, "address");
        this.type = type;
        this.release = whose == Whose.OURS && release != null ? new Release(address, release) : null;
        this.cleanable = cleaned && this.release != null ? Forgotten.CLEANER.register(this, this.release) : null;
    }

    /** Its address. One that is closed has none: that is an error. */
    @Override
    public final MemorySegment segment() {
        if (state < 0) {
            throw new IllegalStateException("the " + type + " is closed");
        }
        return segment;
    }

    /** Its address for a call, during which it is not released. */
    final MemorySegment hold$(String function, String parameter) {
        int now = state;
        while (now >= 0 && !STATE.compareAndSet(this, now, now + 1)) {
            now = state;
        }
        if (now < 0) {
            throw closed(function, parameter);
        }
        return segment;
    }

    /** The call is over, if it has begun: a handle that was closed meanwhile is released. */
    static void letGo(NativeHandle handle, MemorySegment held) {
        if (handle != null && held != null && (int) STATE.getAndAdd(handle, -1) == CLOSED + 1) {
            handle.done();
        }
    }

    /** Its address for a call that takes it from the program. */
    final MemorySegment give$(String function, String parameter) {
        if (!STATE.compareAndSet(this, 0, CLOSED)) {
            if (state < 0) {
                throw closed(function, parameter);
            }
            throw new IllegalStateException(
                    function + ": " + parameter + " is a " + type + " that another call is using");
        }
        if (release != null) {
            release.given = true;
        }
        return segment;
    }

    private IllegalStateException closed(String function, String parameter) {
        return new IllegalStateException(function + ": " + parameter + " is a closed " + type);
    }

    final void close$() {
        if ((int) STATE.getAndBitwiseOr(this, CLOSED) == 0) {
            done();
        }
    }

    private void done() {
        if (cleanable != null) {
            cleanable.clean();
        } else if (release != null) {
            release.run();
        }
    }

    /** Its address, also when it is closed. */
    final long address$() {
        return segment.address();
    }

    private static final class Forgotten {
        static final Cleaner CLEANER = Cleaner.create();
    }

    private static final class Release implements Runnable {
        private final MemorySegment address;
        private final Consumer<MemorySegment> release;
        private volatile boolean given;

        Release(MemorySegment address, Consumer<MemorySegment> release) {
            this.address = address;
            this.release = release;
        }

        @Override
        public void run() {
            if (!given) {
                release.accept(address);
            }
        }
    }
}
