package upcall.testing;

import java.util.ArrayList;
import java.util.List;
import upcall.Iteration;
import upcall.TestEdge;
import upcall.TestVertex;
import upcall.VertexProgram;

/**
 * Runs a vertex program over a small graph without an engine, for its tests: the real driver, the real frames, one worker.
 *
 * <pre>{@code
 * try (var harness = new VertexHarness(new Largest(), 4).edge(0, 1).edge(1, 2).edge(3, 1)) {
 *     harness.run();
 *     assertArrayEquals(new long[] {0, 3, 3, 3}, harness.shown(long[].class));
 * }
 * }</pre>
 */
public final class VertexHarness implements AutoCloseable {
    private final Engine engine;
    private final int vertices;
    private final List<TestEdge> edges = new ArrayList<>();
    private final List<Logged> logged = new ArrayList<>();
    private Described described = new Described();
    private boolean directed = true;
    private boolean built;

    /** A harness for a program, and a graph with so many vertices. */
    public VertexHarness(VertexProgram program, int vertices) {
        if (vertices < 0) {
            throw new IllegalArgumentException("a graph of " + vertices + " vertices: it has none or more");
        }
        engine = new Engine(program);
        this.vertices = vertices;
    }

    /** An edge without a value, or with 0 where the program looks at values. Before the first run, as all below. */
    public VertexHarness edge(int source, int target) {
        return edge(source, target, null);
    }

    /** An edge with a value. */
    public VertexHarness edge(int source, int target, Number value) {
        if (source < 0 || source >= vertices || target < 0 || target >= vertices) {
            throw new IllegalArgumentException("an edge from " + source + " to " + target + ": the graph has " + vertices
                    + " vertices, whose numbers begin with 0");
        }
        refuseBuilt();
        edges.add(new TestEdge(source, target, value));
        return this;
    }

    /** Edges have no direction: each is there in both. */
    public VertexHarness undirected() {
        refuseBuilt();
        directed = false;
        return this;
    }

    /** A setting. */
    public VertexHarness setting(String name, String value) {
        refuseBuilt();
        engine.set(name, value);
        return this;
    }

    /** What was logged so far. */
    public List<Logged> logged() {
        return List.copyOf(logged);
    }

    /** What the program says of itself. */
    public Described describe() {
        described = new Described();
        engine.describe();
        return described;
    }

    /** Runs the program until it ends; one that never does has 1,000 iterations. */
    public List<Iteration> run() {
        return run(1000);
    }

    /**
     * Runs the program from the start, for so many iterations at most. All vertices are one interval, which is updated again as often as
     * the program says.
     *
     * @return what each iteration came to
     * @throws HandlerFailedException the program failed
     * @throws IllegalStateException it sets values of edges and has its updates repeated
     */
    public List<Iteration> run(int most) {
        if (!built) {
            engine.graph(vertices, directed, edges);
            built = true;
        }
        return engine.run(most);
    }

    /**
     * What vertices show after a run.
     *
     * @param type {@code double[].class} for {@code f64} and so on
     * @param <T> the array
     */
    public <T> T shown(Class<T> type) {
        return type.cast(engine.shown());
    }

    /** What vertices keep to themselves after a run, as {@link #shown}. */
    public <T> T own(Class<T> type) {
        return type.cast(engine.own());
    }

    /**
     * The values of edges after a run of a program that sets them, as {@link #shown}: in ascending order of where they lead to, and then
     * of where they come from. An edge without a direction has one in each.
     */
    public <T> T edges(Class<T> type) {
        return type.cast(engine.edges());
    }

    /** Closes the program. */
    @Override
    public void close() {
        engine.close();
    }

    private void refuseBuilt() {
        if (built) {
            throw new IllegalStateException("change what has been run: make another harness");
        }
    }

    private final class Engine extends TestVertex {
        Engine(VertexProgram program) {
            super(program);
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
