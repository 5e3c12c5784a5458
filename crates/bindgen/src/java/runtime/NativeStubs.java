// Made by upcall bindgen; do not edit.
package @PACKAGE@;

//ffm
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
//end
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** Stubs are made once and used again: making one costs as much as a thousand calls. */
@SuppressWarnings("restricted")
final class NativeStubs<F> {
    /** So many closed ones wait before one is used again, in case that native code still calls it. */
//ffm
    private static final int RETIRED = 1024;

    private final FunctionDescriptor descriptor;
    private final MethodHandle target;
//jni
    private static final int RETIRED = 16;

    private final int callback;
    private final Class<?> target;
    private final String signature;
//end
    /** The cell that was given back last, which is nearly always the next: no lock is needed for it. */
    private final AtomicReference<Cell<F>> idle = new AtomicReference<>();
    private final ArrayDeque<Cell<F>> free = new ArrayDeque<>();
    private final ArrayDeque<Cell<F>> retired = new ArrayDeque<>();

//ffm
    NativeStubs(MethodHandles.Lookup lookup, FunctionDescriptor descriptor) {
        this.descriptor = descriptor;
        try {
            this.target = lookup.findStatic(lookup.lookupClass(), "upcall",
                    descriptor.toMethodType().insertParameterTypes(0, Cell.class));
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private MemorySegment stub(Cell<F> cell) {
        return Native.LINKER.upcallStub(target.bindTo(cell), descriptor, Arena.global());
    }
//jni
    NativeStubs(int callback, Class<?> target, String signature) {
        NativeLibrary.load();
        this.callback = callback;
        this.target = target;
        this.signature = signature;
    }

    private MemorySegment stub(Cell<F> cell) {
        long address = NativeLibrary.stub(callback, cell, target, signature);
        if (address == 0L) {
            throw new IllegalStateException("@TRAMPOLINES@ callbacks of " + target.getEnclosingClass().getSimpleName()
                    + " are in use: with JNI there are no more");
        }
        return MemorySegment.ofAddress(address);
    }
//end

    private Cell<F> give(F function, boolean lent) {
        Cell<F> cell = idle.getAndSet(null);
        if (cell == null) {
            cell = find();
        }
        cell.lent = lent;
        cell.call(function);
        return cell;
    }

    private Cell<F> find() {
        Cell<F> cell;
        synchronized (this) {
            cell = free.poll();
            if (cell == null && retired.size() > RETIRED) {
                cell = retired.poll();
            }
        }
        return cell == null ? new Cell<>(this) : cell;
    }

    private void take(Cell<F> cell) {
        Cell<F> other = idle.getAndSet(cell);
        if (other != null) {
            synchronized (this) {
                free.push(other);
            }
        }
    }

    private synchronized void retire(Cell<F> cell) {
        retired.add(cell);
    }

    /** A function for the time of a call; one that is kept by its own stub; none for null. */
    @SuppressWarnings("unchecked")
    static <F> Cell<F> lend(F function, NativeStubs<F> stubs) {
        return function == null ? (Cell<F>) NONE : lendPresent(function, stubs);
    }

    @SuppressWarnings("unchecked")
    static <F> Cell<F> lendPresent(F function, NativeStubs<F> stubs) {
        if (function instanceof NativeCallback<?> callback) {
            return (Cell<F>) callback.cell();
        }
        if (function instanceof NativeMemory pointer) {
            return new Cell<>(pointer.segment());
        }
        return stubs.give(function, true);
    }

    static <F> Cell<F> keep(F function, NativeStubs<F> stubs) {
        return stubs.give(Objects.requireNonNull(function, "function must not be null"), false);
    }

    private static final Cell<Object> NONE = new Cell<>(MemorySegment.NULL);

    /** A stub and the function that it calls at the moment. */
    static final class Cell<F> {
        private static final VarHandle FUNCTION;

        static {
            try {
                FUNCTION = MethodHandles.lookup().findVarHandle(Cell.class, "function", Object.class);
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError(impossible);
            }
        }

        private final MemorySegment address;
        private final NativeStubs<F> stubs;
        /** Whether it ends with the call that it was lent for. */
        private boolean lent;
        private volatile F function;

        private Cell(NativeStubs<F> stubs) {
            this.stubs = stubs;
            this.address = stubs.stub(this);
        }

        /** A function that is native already. */
        private Cell(MemorySegment address) {
            this.stubs = null;
            this.address = address;
        }

        MemorySegment address() {
            return address;
        }

        /** Whoever learns from native code of the call sees it: for that a release is enough, and no fence. */
        private void call(F function) {
            FUNCTION.setRelease(this, function);
        }

        F function() {
            F current = function;
            if (current == null) {
                throw new IllegalStateException("native code has called a callback that is closed");
            }
            return current;
        }

        /** The end of the call that it was lent for. */
        void end() {
            if (lent) {
                call(null);
                stubs.take(this);
            }
        }

        /** The end of a kept one: what calls it now is told so. */
        void close() {
            function = null;
            stubs.retire(this);
        }

        boolean closed() {
            return function == null;
        }
    }
}
