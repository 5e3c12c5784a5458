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

/** What it throws is kept until the native call returns, and thrown there; native code gets zeroes. */
@FunctionalInterface
public interface CountIfKeep {
    /** What native code calls. */
    boolean call(double arg0);

    /** One that native code may keep, until it is closed. */
    static Kept keep(CountIfKeep function) {
        return new Kept(function);
    }

    /** The native function at an address. */
    static CountIfKeep of(MemorySegment segment, MemorySegment context) {
        return new NativeAt(segment, context);
    }

    /** A native function. Passed on, it is itself what is called. */
    record NativeAt(MemorySegment segment, MemorySegment context) implements CountIfKeep {
        @Override
        public boolean call(double arg0) {
            try {
                boolean result = (boolean) Kept.Address.HANDLE.invokeExact(this.segment, this.context, arg0);
                return result;
            } catch (Throwable thrown) {
                throw Native.thrown(thrown);
            }
        }
    }

    /** A function with an address, which native code may keep until it is closed. */
    final class Kept extends NativeCallback<CountIfKeep> implements CountIfKeep {
        private static final FunctionDescriptor DESCRIPTOR = FunctionDescriptor.of(ValueLayout.JAVA_BOOLEAN, ValueLayout.ADDRESS, ValueLayout.JAVA_DOUBLE);
        static final NativeStubs<CountIfKeep> STUBS = new NativeStubs<>(MethodHandles.lookup(), DESCRIPTOR);

        private Kept(CountIfKeep function) {
            super(NativeStubs.keep(function, STUBS));
        }

        @Override
        public boolean call(double arg0) {
            return cell.function().call(arg0);
        }

        static boolean upcall(NativeStubs.Cell<CountIfKeep> cell, MemorySegment arg0, double arg1) {
            try {
                return cell.function().call(arg1);
            } catch (Throwable thrown) {
                NativeThrown.keep(thrown, cell);
                return false;
            }
        }

        private static final class Address {
            static final MethodHandle HANDLE = Native.pointer(DESCRIPTOR);
        }
    }
}
