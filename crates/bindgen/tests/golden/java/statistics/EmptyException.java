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

/** A native function has failed with its error Empty. */
public class EmptyException extends NativeException {
    private static final long serialVersionUID = 1L;

    public EmptyException(int code, String message) {
        super(code, message);
    }
}
