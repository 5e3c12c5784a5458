package upcall;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Entries as C functions: stubs of {@code java.lang.foreign}, one for each driver, so that the driver is a constant in it.
 * Everything is reached by name, as the classes are compiled for Java 17.
 */
final class Stubs {
    private static final MethodHandle CALL;
    private static final Object LINKER;
    private static final Object DESCRIPTOR;
    private static final Method STUB;
    private static final Object NO_OPTIONS;
    private static final Class<?> ARENA;
    private static final Method ADDRESS;
    private static final Map<Driver, AutoCloseable> ARENAS = new IdentityHashMap<>();

    static {
        try {
            MethodType type = MethodType.methodType(int.class, long.class);
            CALL = MethodHandles.lookup().findVirtual(Driver.class, "call", type);
            Class<?> linker = Class.forName("java.lang.foreign.Linker");
            Class<?> descriptor = Class.forName("java.lang.foreign.FunctionDescriptor");
            Class<?> layout = Class.forName("java.lang.foreign.MemoryLayout");
            Class<?> value = Class.forName("java.lang.foreign.ValueLayout");
            Class<?> option = Class.forName("java.lang.foreign.Linker$Option");
            ARENA = Class.forName("java.lang.foreign.Arena");
            ADDRESS = Class.forName("java.lang.foreign.MemorySegment").getMethod("address");
            LINKER = linker.getMethod("nativeLinker").invoke(null);
            // Pointers as numbers: nothing is made for each call.
            Object pointer = value.getField("JAVA_LONG").get(null);
            Object pointers = Array.newInstance(layout, 2);
            Array.set(pointers, 0, pointer);
            Array.set(pointers, 1, pointer);
            DESCRIPTOR = descriptor
                    .getMethod("of", layout, pointers.getClass())
                    .invoke(null, value.getField("JAVA_INT").get(null), pointers);
            NO_OPTIONS = Array.newInstance(option, 0);
            STUB = linker.getMethod("upcallStub", MethodHandle.class, descriptor, ARENA, NO_OPTIONS.getClass());
        } catch (ReflectiveOperationException exception) {
            throw new ExceptionInInitializerError(exception);
        }
    }

    private Stubs() {}

    /** The address of a function that calls this driver with its second parameter. */
    static long of(Driver driver) throws ReflectiveOperationException {
        MethodHandle target = MethodHandles.dropArguments(CALL.bindTo(driver), 0, long.class);
        // The thread that lets go of an instance may be another than the one that made it.
        AutoCloseable arena = (AutoCloseable) ARENA.getMethod("ofShared").invoke(null);
        Object stub = STUB.invoke(LINKER, target, DESCRIPTOR, arena, NO_OPTIONS);
        synchronized (ARENAS) {
            ARENAS.put(driver, arena);
        }
        return (long) ADDRESS.invoke(stub);
    }

    /** The function of this driver is no longer called. */
    static void free(Driver driver) {
        AutoCloseable arena;
        synchronized (ARENAS) {
            arena = ARENAS.remove(driver);
        }
        try {
            if (arena != null) {
                arena.close();
            }
        } catch (Exception exception) {
            // A stub that is kept costs a few hundred bytes.
        }
    }
}
