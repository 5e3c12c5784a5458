package upcall.testing;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import upcall.Combine;
import upcall.TestCombine;

/**
 * Runs a handler that combines without an engine, for its tests: the real driver, the real frames, one worker.
 *
 * <pre>{@code
 * try (var harness = new CombineHarness<>(new Largest())) {
 *     double[] into = {1, 5};
 *     harness.combine(new double[] {3, 2}, into);
 *     assertArrayEquals(new double[] {3, 5}, into);
 * }
 * }</pre>
 *
 * @param <T> the arrays
 */
public final class CombineHarness<T> implements AutoCloseable {
    private final Engine engine;
    private final List<Logged> logged = new ArrayList<>();
    private Described described = new Described();

    /** A harness for a handler. */
    public CombineHarness(Combine<T> handler) {
        engine = new Engine(handler, null, 0);
    }

    /** A harness whose engine says that elements have another type, to see that the handler refuses them. */
    CombineHarness(Combine<T> handler, String element, int size) {
        engine = new Engine(handler, element, size);
    }

    /** What was logged so far. */
    public List<Logged> logged() {
        return List.copyOf(logged);
    }

    /** A setting. Before the first call. */
    public CombineHarness<T> setting(String name, String value) {
        engine.set(name, value);
        return this;
    }

    /** What the handler says of itself. */
    public Described describe() {
        described = new Described();
        engine.describe();
        return described;
    }

    /**
     * Has the handler combine the first array into the second, which is as long.
     *
     * @throws HandlerFailedException the handler failed; {@code into} is as it was
     */
    public void combine(T from, T into) {
        if (Array.getLength(from) != Array.getLength(into)) {
            throw new IllegalArgumentException("combine " + Array.getLength(from) + " elements into " + Array.getLength(into)
                    + ": both arrays have the same length");
        }
        engine.run(from, into);
    }

    /** Closes the handler. */
    @Override
    public void close() {
        engine.close();
    }

    private final class Engine extends TestCombine {
        Engine(Combine<T> handler, String element, int size) {
            super(handler, element, size);
        }

        @Override
        protected void logged(int level, String text) {
            logged.add(new Logged(level, text));
        }

        @Override
        protected void described(int what, String key, String value) {
            described.add(what, key, value);
        }

        @Override
        protected RuntimeException failed(String type, String message, String stack, int done, int item) {
            return new HandlerFailedException(type, message, stack, done, item);
        }
    }
}
