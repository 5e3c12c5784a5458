// Made by upcall bindgen 0.1.0 --config bindgen.toml --library statistics --rust src/lib.rs; do not edit.
package statistics;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A sum that remembers.
 *
 * <p>Closing it releases it. One that is never closed is never released.
 */
@SuppressWarnings("deprecation")
public final class Sum extends NativeHandle implements AutoCloseable {
    /** Takes over what is at an address. */
    public Sum(MemorySegment address) {
        this(Whose.OURS, address);
    }

    private Sum(Whose whose, MemorySegment address) {
        super(address, "Sum", whose, false, Statistics::sumRelease$);
    }

    static Sum of$(MemorySegment address) {
        return Native.isNull(address) ? null : new Sum(Whose.THEIRS, address);
    }

    static Sum owned$(MemorySegment address) {
        return Native.isNull(address) ? null : new Sum(Whose.OURS, address);
    }

    /** Releases it, once the calls that use it are over. A second time does nothing. */
    @Override
    public void close() {
        close$();
    }

    /**
     * A sum that begins here.
     *
     * @throws NativeException when it fails
     */
    public Sum(double start) {
        this(Statistics.sumNew$(start));
    }

    /**
     * Adds and tells the sum.
     *
     * @throws NativeException when it fails
     */
    public double add(double value) {
        return Statistics.sumAdd(this, value);
    }
}
