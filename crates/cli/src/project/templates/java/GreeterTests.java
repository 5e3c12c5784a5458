import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import upcall.testing.HandlerFailedException;
import upcall.testing.Harness;

/** A program that {@code upcall test} compiles and runs. A test is a name and what must not throw. */
public final class GreeterTests {
    private GreeterTests() {}

    public static void main(String[] arguments) {
        Map<String, Runnable> tests = new LinkedHashMap<>();
        tests.put("a name is greeted", () -> {
            try (var harness = new Harness<>(new Greeter()).emits("/greetings")) {
                harness.put("1", "Ada");
                equal("Hello, Ada!", harness.emitted().get(0).valueText());
            }
        });
        tests.put("a blank line fails", () -> {
            try (var harness = new Harness<>(new Greeter()).emits("/greetings")) {
                equal("nobody is named", fails(() -> harness.put("1", " ")));
                equal(0, harness.emitted().size());
            }
        });

        int failed = 0;
        for (var test : tests.entrySet()) {
            try {
                test.getValue().run();
                System.out.println("ok      " + test.getKey());
            } catch (RuntimeException | AssertionError exception) {
                failed++;
                System.out.println("FAILED  " + test.getKey() + "\n" + exception);
            }
        }
        System.out.println(tests.size() - failed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void equal(Object expected, Object found) {
        if (!Objects.equals(expected, found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    private static String fails(Runnable action) {
        try {
            action.run();
        } catch (HandlerFailedException failed) {
            return failed.getMessage();
        }
        throw new AssertionError("the handler did not fail");
    }
}
