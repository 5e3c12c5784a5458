package upcall;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;

/** Runs the tests that need no engine, on the Java that runs this. */
public final class Check {
    private static final Class<?>[] TESTS = {LayoutTest.class, MemoryTest.class, StubTest.class};

    private Check() {}

    /** Exits with 1 when one has failed. */
    public static void main(String[] arguments) throws Exception {
        int passed = 0;
        int failed = 0;
        for (Class<?> tests : TESTS) {
            for (Method test : tests.getDeclaredMethods()) {
                if (!Modifier.isStatic(test.getModifiers()) || Modifier.isPrivate(test.getModifiers())) {
                    continue;
                }
                try {
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

    static void equal(Object expected, Object found, String what) {
        if (!Objects.equals(expected, found)) {
            throw new AssertionError(what + ": expected " + expected + ", found " + found);
        }
    }
}
