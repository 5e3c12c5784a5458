import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;

/** What one writes without a generator, over java.lang.foreign; for one thread, with memory of its own. */
final class ByFfm {
    static final StructLayout BODY =
            MemoryLayout.structLayout(
                    JAVA_DOUBLE, JAVA_DOUBLE, JAVA_DOUBLE, JAVA_DOUBLE, JAVA_DOUBLE, JAVA_DOUBLE);
    private static final StructLayout SLICE = MemoryLayout.structLayout(ADDRESS, JAVA_LONG);

    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBRARY =
            SymbolLookup.libraryLookup(System.getProperty("upcall_bench_api.library"), Arena.global());
    private static final MethodHandle ADD = function("add", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle MOVED = function("moved", FunctionDescriptor.of(BODY, BODY));
    private static final MethodHandle LENGTH = function("length", FunctionDescriptor.of(JAVA_INT, SLICE, ADDRESS));
    private static final MethodHandle SUM = function("sum", FunctionDescriptor.of(JAVA_FLOAT, SLICE));
    private static final MethodHandle APPLY =
            function("apply", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle REPEAT =
            function("repeat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle CHECKED = function("checked", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

    private static final MemorySegment BYTES = Arena.global().allocate(4096);
    private static final MemorySegment PASSED = Arena.global().allocate(SLICE);
    private static final MemorySegment FAILURE = Arena.global().allocate(ADDRESS);

    private ByFfm() {}

    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LIBRARY.findOrThrow(name), descriptor);
    }

    static int add(int a, int b) throws Throwable {
        return (int) ADD.invokeExact(a, b);
    }

    static MemorySegment moved(SegmentAllocator allocator, MemorySegment body) throws Throwable {
        return (MemorySegment) MOVED.invokeExact(allocator, body);
    }

    static int length(String text) throws Throwable {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment room = bytes.length > BYTES.byteSize() ? Arena.ofAuto().allocate(bytes.length) : BYTES;
        MemorySegment.copy(bytes, 0, room, JAVA_BYTE, 0, bytes.length);
        int result = (int) LENGTH.invokeExact(slice(room, bytes.length), failure());
        check();
        return result;
    }

    static float sum(float[] values) throws Throwable {
        long size = values.length * 4L;
        MemorySegment room = size > BYTES.byteSize() ? Arena.ofAuto().allocate(size, 4) : BYTES;
        MemorySegment.copy(values, 0, room, JAVA_FLOAT, 0, values.length);
        return (float) SUM.invokeExact(slice(room, values.length));
    }

    /** The callback's address is made once. */
    static MemorySegment stub(IntUnaryOperator callback) throws Throwable {
        MethodHandle called =
                MethodHandles.lookup()
                        .findStatic(
                                ByFfm.class,
                                "called",
                                MethodType.methodType(int.class, IntUnaryOperator.class, MemorySegment.class, int.class));
        FunctionDescriptor descriptor = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT);
        return LINKER.upcallStub(called.bindTo(callback), descriptor, Arena.global());
    }

    private static Throwable thrown;

    /** An exception must not leave it: the process would end. */
    private static int called(IntUnaryOperator callback, MemorySegment context, int value) {
        try {
            return callback.applyAsInt(value);
        } catch (Throwable error) {
            thrown = error;
            return 0;
        }
    }

    static int apply(int value, MemorySegment stub) throws Throwable {
        int result = (int) APPLY.invokeExact(value, stub, MemorySegment.NULL);
        if (thrown != null) {
            throw thrown;
        }
        return result;
    }

    static int repeat(int times, MemorySegment stub) throws Throwable {
        int result = (int) REPEAT.invokeExact(times, stub, MemorySegment.NULL);
        if (thrown != null) {
            throw thrown;
        }
        return result;
    }

    static int checked(int value) throws Throwable {
        int result = (int) CHECKED.invokeExact(value, failure());
        check();
        return result;
    }

    private static MemorySegment slice(MemorySegment data, long length) {
        PASSED.set(ADDRESS, 0, data);
        PASSED.set(JAVA_LONG, 8, length);
        return PASSED;
    }

    private static MemorySegment failure() {
        FAILURE.set(JAVA_LONG, 0, 0);
        return FAILURE;
    }

    private static void check() {
        if (FAILURE.get(JAVA_LONG, 0) != 0) {
            throw new IllegalArgumentException("it failed");
        }
    }
}
