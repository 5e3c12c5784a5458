package upcall;

/** What is the same for all vertices of an iteration, and what they add up. It ends with the call. */
public final class VertexContext {
    private final VertexCall call;
    private final GraphContext graph;

    // Of the frame.
    private long iteration;
    private double total;
    private long first;
    private int shift;
    private long tallies;

    // The sums of the vertex's block; 0 where there is no vertex.
    private long tally;

    VertexContext(VertexCall call, GraphContext graph) {
        this.call = call;
        this.graph = graph;
    }

    /** Has the sums of a frame whose last vertex has this number. */
    void enter(long frame, long last) {
        int block = Memory.getInt(frame + Abi.VertexFrame.BLOCK);
        iteration = Memory.getLong(frame + Abi.VertexFrame.ITERATION);
        total = Memory.getDouble(frame + Abi.VertexFrame.TOTAL);
        first = Memory.getLong(frame + Abi.VertexFrame.FIRST);
        shift = Integer.numberOfTrailingZeros(block);
        tallies = VertexCall.slice(
                frame, Abi.VertexFrame.TALLIES, Abi.FrameHead.BASE_OUTPUT, (last - first >>> shift) + 1);
        tally = 0;
    }

    void move(long id) {
        tally = tallies + ((id - first >>> shift) << 4);
    }

    /** Adds nothing until it has moved again. */
    void leaveVertex() {
        tally = 0;
    }

    /** The number of the iteration, from 0 on. */
    public long iteration() {
        call.check();
        return iteration;
    }

    /** How many vertices the graph has. */
    public long vertices() {
        return graph.vertices();
    }

    /** How many edges it has, each direction counted where they have none. */
    public long edges() {
        return graph.edges();
    }

    /** Whether edges have a direction. If they have none, incoming and outgoing edges are the same. */
    public boolean directed() {
        return graph.directed();
    }

    /** The total of the last iteration, or of the start. */
    public double total() {
        call.check();
        return total;
    }

    /** Adds to the iteration's residual, for the vertex: how far the program is from its end. */
    public void addResidual(double amount) {
        add(Abi.VertexTally.RESIDUAL, amount);
    }

    /** Adds to the iteration's total, for the vertex, which all vertices see in the next one. */
    public void addTotal(double amount) {
        add(Abi.VertexTally.TOTAL, amount);
    }

    /** The engine's log. */
    public Log log() {
        return graph.log();
    }

    private void add(int sum, double amount) {
        call.check();
        if (tally == 0) {
            throw new IllegalStateException("add for no vertex: say for which one, by vertices.at(index), before");
        }
        Memory.putDouble(tally + sum, Memory.getDouble(tally + sum) + amount);
    }
}
