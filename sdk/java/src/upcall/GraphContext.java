package upcall;

/** What a vertex program learns when it is opened. May be kept. */
public final class GraphContext extends Context {
    private final long vertices;
    private final long edges;
    private final boolean directed;

    GraphContext(long frame, Log log, long added) {
        super(frame, log);
        vertices = Memory.getLong(added + Abi.VertexOpen.VERTICES);
        edges = Memory.getLong(added + Abi.VertexOpen.EDGES);
        directed = Memory.getInt(added + Abi.VertexOpen.DIRECTED) != 0;
    }

    /** How many vertices the graph has. */
    public long vertices() {
        return vertices;
    }

    /** How many edges it has, each direction counted where they have none. */
    public long edges() {
        return edges;
    }

    /** Whether edges have a direction. If they have none, those that come in and those that go out are the same. */
    public boolean directed() {
        return directed;
    }
}
