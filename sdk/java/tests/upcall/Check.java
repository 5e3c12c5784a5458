package upcall;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import upcall.flow.FlowEndTest;
import upcall.flow.FlowExitTest;
import upcall.flow.FlowHandlerTest;
import upcall.flow.FlowPoolTest;
import upcall.flow.FlowTest;
import upcall.flow.FlowWaitTest;
import upcall.flow.WatchTest;
import upcall.mpi.MpiTest;
import upcall.testing.HandlerFailedException;
import upcall.testing.Harness;

/** Runs the tests of the SDK, on the Java that runs this. */
public final class Check {
    private static final Class<?>[] TESTS = {
        LayoutTest.class,
        MemoryTest.class,
        StubTest.class,
        HarnessTest.class,
        TypedTest.class,
        LaterTest.class,
        VertexTest.class,
        VertexErrorTest.class,
        VertexFrameTest.class,
        VertexWritesTest.class,
        VertexIntervalTest.class,
        FlowTest.class,
        FlowPoolTest.class,
        FlowEndTest.class,
        FlowExitTest.class,
        FlowHandlerTest.class,
        FlowWaitTest.class,
        WatchTest.class,
        MpiTest.class,
    };

    private Check() {}

    /** Runs all, or the classes that are named, or all but those behind a {@code -}; exits with 1 when one has failed. */
    public static void main(String[] arguments) throws Exception {
        int passed = 0;
        int failed = 0;
        for (Class<?> tests : TESTS) {
            List<String> named = List.of(arguments);
            boolean others = named.isEmpty() || named.get(0).startsWith("-");
            if (named.contains(others ? "-" + tests.getSimpleName() : tests.getSimpleName()) == others) {
                continue;
            }
            for (Method test : tests.getDeclaredMethods()) {
                boolean runs = test.getParameterCount() == 0 && test.getReturnType() == void.class;
                if (!runs || !Modifier.isStatic(test.getModifiers()) || Modifier.isPrivate(test.getModifiers())) {
                    continue;
                }
                try {
                    test.setAccessible(true);
                    test.invoke(null);
                    passed++;
                } catch (InvocationTargetException exception) {
                    failed++;
                    System.out.println("FAILED " + tests.getSimpleName() + "." + test.getName());
                    exception.getCause().printStackTrace(System.out);
                }
            }
        }
        System.out.println("Java " + System.getProperty("java.version") + ": " + passed + " passed, " + failed + " failed");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }

    /** The handler fails with this. */
    static void failed(String type, String message, Call test) {
        HandlerFailedException failed = thrown(HandlerFailedException.class, test);
        equal(type + ": " + message, failed.typeName() + ": " + failed.getMessage(), "the failure");
    }

    /** The handler is none, because of this. */
    static void refused(Handler handler, String why) {
        IllegalArgumentException refused = thrown(IllegalArgumentException.class, () -> new Harness<>(handler));
        equal(handler.getClass().getName() + " cannot be a handler: " + why, refused.getMessage(), "why it is refused");
    }

    /** Fails where they are not equal. */
    public static void equal(Object expected, Object found, String what) {
        if (!Objects.equals(expected, found)) {
            throw new AssertionError(what + ": expected " + expected + ", found " + found);
        }
    }

    /** What a call throws, which must be of this class. */
    public static <T extends Throwable> T thrown(Class<T> type, Call call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            if (type.isInstance(thrown)) {
                return type.cast(thrown);
            }
            throw new AssertionError("expected " + type + ", thrown was " + thrown, thrown);
        }
        throw new AssertionError("expected " + type + ", nothing was thrown");
    }

    /** What may throw. */
    public interface Call {
        /** Runs it. */
        void run() throws Throwable;
    }
}
