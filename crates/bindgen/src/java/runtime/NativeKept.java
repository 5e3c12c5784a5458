// Made by upcall bindgen; do not edit.
package @PACKAGE@;

//ffm
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
//end
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Functions that native code keeps, by the number that it passes back until it releases it, on any thread. */
@SuppressWarnings("restricted")
final class NativeKept {
    private static final ConcurrentHashMap<Long, Object> FUNCTIONS = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();

    private NativeKept() {}

    /** A function on its way to native code, which has it once its context is passed. */
    static final class Owner {
        private final long number = NUMBERS.incrementAndGet();
        private boolean passed;

        private Owner(Object function) {
            FUNCTIONS.put(number, function);
        }

//ffm
        MemorySegment context() {
            passed = true;
            return MemorySegment.ofAddress(number);
        }
//jni
        long context() {
            passed = true;
            return number;
        }
//end

        /** The end of the call, which it may not have come to. */
        void end() {
            if (!passed) {
                FUNCTIONS.remove(number);
            }
        }
    }

    static Owner own(Object function) {
        return new Owner(function);
    }

//ffm
    @SuppressWarnings("unchecked")
    static <F> F find(MemorySegment context) {
        return (F) FUNCTIONS.get(context.address());
    }

    static void release(MemorySegment context) {
        FUNCTIONS.remove(context.address());
    }

    /** What native code calls to release a function. */
    static final MemorySegment RELEASE =
            stub(MethodHandles.lookup(), "release", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

    /** The address of a static method: one serves all functions of its kind. */
    static MemorySegment stub(MethodHandles.Lookup lookup, String name, FunctionDescriptor descriptor) {
        try {
            return Native.LINKER.upcallStub(
                    lookup.findStatic(lookup.lookupClass(), name, descriptor.toMethodType()), descriptor, Arena.global());
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }
//jni
    @SuppressWarnings("unchecked")
    static <F> F find(long context) {
        return (F) FUNCTIONS.get(context);
    }

    static void release(long context) {
        FUNCTIONS.remove(context);
    }

    /** What native code calls to release a function. */
    static final long RELEASE = NativeLibrary.keptRelease(NativeKept.class);

    /** The address of what calls a class's method `upcall`: one serves all functions of its kind. */
    static long stub(int callback, Class<?> target, String signature) {
        NativeLibrary.load();
        return NativeLibrary.stub(callback, null, target, signature);
    }
//end

    /** Nobody catches what a kept function throws. */
    static void thrown(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable again) {
            // What left this would end the virtual machine.
            System.err.println(again + " while this was handled: " + thrown);
        }
    }
}
