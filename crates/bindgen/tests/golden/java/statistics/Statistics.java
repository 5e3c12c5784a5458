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

/** The functions, constants and variables of the library statistics. */
@SuppressWarnings({"deprecation", "restricted"})
public final class Statistics {
    private Statistics() {
    }

    /**
     * The library's version: a plain C function needs no attribute but its own.
     *
     * @return unsigned int
     */
    public static int statisticsVersion() {
        try {
            int result = (int) Call_statistics_version.HANDLE.invokeExact();
            if (NativeThrown.any) {
                NativeThrown.rethrow();
            }
            return result;
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        }
    }

    private static final class Call_statistics_version {
        static final MethodHandle HANDLE =
                Native.function("statistics_version", FunctionDescriptor.of(ValueLayout.JAVA_INT));
    }

    /**
     * The arithmetic mean.
     *
     * @param values 8 bytes an element; not null
     * @throws EmptyException when it fails
     */
    public static double mean(MemorySegment values) {
        Native.Scratch scratch = Native.scratch();
        long mark = scratch.mark();
        try {
            MemorySegment failure = scratch.failure();
            double result = (double) Call_mean.HANDLE.invokeExact(scratch.slice(Native.present(values, "mean", "values"), 8L), failure);
            NativeException failed = Native.failure(failure);
            if (NativeThrown.any) {
                NativeThrown.rethrow();
            }
            if (failed != null) {
                throw failed.code() < 0 ? failed : new EmptyException(failed.code(), failed.getMessage());
            }
            return result;
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        } finally {
            scratch.release(mark);
            Reference.reachabilityFence(values);
        }
    }

    /**
     * The arithmetic mean.
     *
     * @param values 8 bytes an element; not null
     * @throws EmptyException when it fails
     */
    public static double mean(double[] values) {
        Native.Scratch scratch = Native.scratch();
        long mark = scratch.mark();
        try {
            MemorySegment failure = scratch.failure();
            double result = (double) Call_mean.HANDLE.invokeExact(scratch.slice(Native.present(values, "mean", "values"), 8L), failure);
            NativeException failed = Native.failure(failure);
            if (NativeThrown.any) {
                NativeThrown.rethrow();
            }
            if (failed != null) {
                throw failed.code() < 0 ? failed : new EmptyException(failed.code(), failed.getMessage());
            }
            return result;
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        } finally {
            scratch.release(mark);
            Reference.reachabilityFence(values);
        }
    }

    private static final class Call_mean {
        static final MethodHandle HANDLE =
                Native.function("mean", FunctionDescriptor.of(ValueLayout.JAVA_DOUBLE, SliceF64.LAYOUT, ValueLayout.ADDRESS));
    }

    /**
     * Smallest and largest; zeroes of an empty list.
     *
     * @param allocator makes the memory of the result; not null
     * @param values 8 bytes an element; not null
     * @throws NativeException when it fails
     * @return not null
     */
    public static Summary summarize(SegmentAllocator allocator, MemorySegment values) {
        Native.Scratch scratch = Native.scratch();
        long mark = scratch.mark();
        try {
            MemorySegment failure = scratch.failure();
            MemorySegment result = (MemorySegment) Call_summarize.HANDLE.invokeExact(Native.present(allocator, "summarize", "allocator"), scratch.slice(Native.present(values, "summarize", "values"), 8L), failure);
            NativeException failed = Native.failure(failure);
            Summary returned = new Summary(result);
            if (NativeThrown.any) {
                NativeThrown.rethrow();
            }
            if (failed != null) {
                throw failed;
            }
            return returned;
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        } finally {
            scratch.release(mark);
            Reference.reachabilityFence(values);
        }
    }

    /**
     * Smallest and largest; zeroes of an empty list.
     *
     * @param allocator makes the memory of the result; not null
     * @param values 8 bytes an element; not null
     * @throws NativeException when it fails
     * @return not null
     */
    public static Summary summarize(SegmentAllocator allocator, double[] values) {
        Native.Scratch scratch = Native.scratch();
        long mark = scratch.mark();
        try {
            MemorySegment failure = scratch.failure();
            MemorySegment result = (MemorySegment) Call_summarize.HANDLE.invokeExact(Native.present(allocator, "summarize", "allocator"), scratch.slice(Native.present(values, "summarize", "values"), 8L), failure);
            NativeException failed = Native.failure(failure);
            Summary returned = new Summary(result);
            if (NativeThrown.any) {
                NativeThrown.rethrow();
            }
            if (failed != null) {
                throw failed;
            }
            return returned;
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        } finally {
            scratch.release(mark);
            Reference.reachabilityFence(values);
        }
    }

    private static final class Call_summarize {
        static final MethodHandle HANDLE =
                Native.function("summarize", FunctionDescriptor.of(Summary.LAYOUT, SliceF64.LAYOUT, ValueLayout.ADDRESS));
    }

    /**
     * How many of the values the caller wants to keep.
     *
     * @param values 8 bytes an element; not null
     * @param keep not null
     * @throws NativeException when it fails
     * @return unsigned int
     */
    public static int countIf(MemorySegment values, CountIfKeep keep) {
        NativeStubs.Cell<CountIfKeep> keep$ = NativeStubs.lendPresent(Native.present(keep, "countIf", "keep"), CountIfKeep.Kept.STUBS);
        Native.Scratch scratch = Native.scratch();
        long mark = scratch.mark();
        try {
            MemorySegment failure = scratch.failure();
            int result = (int) Call_count_if.HANDLE.invokeExact(scratch.slice(Native.present(values, "countIf", "values"), 8L), keep$.address(), MemorySegment.NULL, failure);
            NativeException failed = Native.failure(failure);
            if (NativeThrown.any) {
                NativeThrown.rethrow(keep$);
            }
            if (failed != null) {
                throw failed;
            }
            return result;
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        } finally {
            scratch.release(mark);
            Reference.reachabilityFence(values);
            keep$.end();
        }
    }

    /**
     * How many of the values the caller wants to keep.
     *
     * @param values 8 bytes an element; not null
     * @param keep not null
     * @throws NativeException when it fails
     * @return unsigned int
     */
    public static int countIf(double[] values, CountIfKeep keep) {
        NativeStubs.Cell<CountIfKeep> keep$ = NativeStubs.lendPresent(Native.present(keep, "countIf", "keep"), CountIfKeep.Kept.STUBS);
        Native.Scratch scratch = Native.scratch();
        long mark = scratch.mark();
        try {
            MemorySegment failure = scratch.failure();
            int result = (int) Call_count_if.HANDLE.invokeExact(scratch.slice(Native.present(values, "countIf", "values"), 8L), keep$.address(), MemorySegment.NULL, failure);
            NativeException failed = Native.failure(failure);
            if (NativeThrown.any) {
                NativeThrown.rethrow(keep$);
            }
            if (failed != null) {
                throw failed;
            }
            return result;
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        } finally {
            scratch.release(mark);
            Reference.reachabilityFence(values);
            keep$.end();
        }
    }

    private static final class Call_count_if {
        static final MethodHandle HANDLE =
                Native.function("count_if", FunctionDescriptor.of(ValueLayout.JAVA_INT, SliceF64.LAYOUT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }

    /**
     * A greeting.
     *
     * @param name not null
     * @throws NativeException when it fails
     * @return not null
     */
    public static String greet(String name) {
        Native.Scratch scratch = Native.scratch();
        long mark = scratch.mark();
        try {
            MemorySegment failure = scratch.failure();
            MemorySegment result = (MemorySegment) Call_greet.HANDLE.invokeExact((SegmentAllocator) scratch, scratch.text(Native.present(name, "greet", "name")), failure);
            NativeException failed = Native.failure(failure);
            String returned = Native.ownedText(result);
            if (NativeThrown.any) {
                NativeThrown.rethrow();
            }
            if (failed != null) {
                throw failed;
            }
            return returned;
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        } finally {
            scratch.release(mark);
        }
    }

    private static final class Call_greet {
        static final MethodHandle HANDLE =
                Native.function("greet", FunctionDescriptor.of(Text.LAYOUT, Str.LAYOUT, ValueLayout.ADDRESS));
    }

    /**
     * A sum that begins here.
     *
     * @throws NativeException when it fails
     * @return not null
     */
    public static Sum sumNew(double start) {
        Native.Scratch scratch = Native.scratch();
        long mark = scratch.mark();
        try {
            MemorySegment failure = scratch.failure();
            MemorySegment result = (MemorySegment) Call_sum_new.HANDLE.invokeExact(start, failure);
            NativeException failed = Native.failure(failure);
            Sum returned = Sum.owned$(result);
            if (NativeThrown.any) {
                try {
                    NativeThrown.rethrow();
                } catch (Throwable thrown) {
                    if (returned != null) returned.close();
                    throw thrown;
                }
            }
            if (failed != null) {
                throw failed;
            }
            return returned;
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        } finally {
            scratch.release(mark);
        }
    }

    /**
     * A sum that begins here.
     *
     * @throws NativeException when it fails
     * @return not null
     */
    static MemorySegment sumNew$(double start) {
        Native.Scratch scratch = Native.scratch();
        long mark = scratch.mark();
        try {
            MemorySegment failure = scratch.failure();
            MemorySegment result = (MemorySegment) Call_sum_new.HANDLE.invokeExact(start, failure);
            NativeException failed = Native.failure(failure);
            if (NativeThrown.any) {
                try {
                    NativeThrown.rethrow();
                } catch (Throwable thrown) {
                    if (!Native.isNull(result)) sumRelease$(result);
                    throw thrown;
                }
            }
            if (failed != null) {
                throw failed;
            }
            return result;
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        } finally {
            scratch.release(mark);
        }
    }

    private static final class Call_sum_new {
        static final MethodHandle HANDLE =
                Native.function("sum_new", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_DOUBLE, ValueLayout.ADDRESS));
    }

    /**
     * Adds and tells the sum.
     *
     * @param sum not null
     * @throws NativeException when it fails
     */
    public static double sumAdd(Sum sum, double value) {
        MemorySegment sum$ = null;
        Native.Scratch scratch = Native.scratch();
        long mark = scratch.mark();
        try {
            sum$ = Native.present(sum, "sumAdd", "sum").hold$("sumAdd", "sum");
            MemorySegment failure = scratch.failure();
            double result = (double) Call_sum_add.HANDLE.invokeExact(sum$, value, failure);
            NativeException failed = Native.failure(failure);
            if (NativeThrown.any) {
                NativeThrown.rethrow();
            }
            if (failed != null) {
                throw failed;
            }
            return result;
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        } finally {
            scratch.release(mark);
            NativeHandle.letGo(sum, sum$);
        }
    }

    private static final class Call_sum_add {
        static final MethodHandle HANDLE =
                Native.function("sum_add", FunctionDescriptor.of(ValueLayout.JAVA_DOUBLE, ValueLayout.ADDRESS, ValueLayout.JAVA_DOUBLE, ValueLayout.ADDRESS));
    }

    /** @param sum may be null */
    public static void sumRelease(Sum sum) {
        MemorySegment sum$ = null;
        try {
            sum$ = sum == null ? MemorySegment.NULL : sum.give$("sumRelease", "sum");
            Call_sum_release.HANDLE.invokeExact(sum$);
            if (NativeThrown.any) {
                NativeThrown.rethrow();
            }
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        }
    }

    /** @param sum may be null */
    static void sumRelease$(MemorySegment sum) {
        try {
            Call_sum_release.HANDLE.invokeExact(Native.orNull(sum));
            if (NativeThrown.any) {
                NativeThrown.rethrow();
            }
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        }
    }

    private static final class Call_sum_release {
        static final MethodHandle HANDLE =
                Native.function("sum_release", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    }
}
