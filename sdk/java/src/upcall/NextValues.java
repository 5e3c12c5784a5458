package upcall;

/**
 * The values that outgoing edges of a frame's vertices have from the next iteration on, of a program that sets them: one vertex's
 * behind those of the one before.
 */
final class NextValues {
    private final VertexTypes types;

    // Why they cannot be set; null where they can.
    private String refused;

    // Of the frame: where they begin, and how many there are.
    private long begin;
    private long count;

    // How many there are before those of each vertex.
    private long[] before = {};

    NextValues(VertexTypes types) {
        this.types = types;
    }

    /** Has those of a frame with so many vertices. */
    void enter(long frame, long vertices, boolean start) {
        count = 0;
        refused = !types.writes() ? "set values of edges, which the program has not said: override writes() to return true"
                : start ? "set values of edges in start: set them in updates"
                : null;
        if (refused != null) {
            return;
        }
        int outgoing = Abi.VertexFrame.OUTGOING;
        long begins = VertexCall.slice(frame, outgoing + Abi.Edges.BEGINS, Abi.FrameHead.BASE_FILES, vertices);
        long ends = VertexCall.slice(frame, outgoing + Abi.Edges.ENDS, Abi.FrameHead.BASE_FILES, vertices);
        boolean there = Integer.compareUnsigned(
                Memory.getInt(frame + Abi.FrameHead.SIZE), Abi.VertexFrame.NEXT_VALUES + Abi.Rel.BYTES) >= 0;
        long room = there ? Memory.getLong(frame + Abi.VertexFrame.NEXT_VALUES + Abi.Rel.LEN) >>> types.edge().shift : 0;
        if (before.length < vertices) {
            before = new long[Math.toIntExact(vertices)];
        }
        long sum = 0;
        for (int vertex = 0; vertex < vertices; vertex++) {
            before[vertex] = sum;
            long edges = Memory.getLong(ends + 8L * vertex) - Memory.getLong(begins + 8L * vertex);
            if (edges < 0 || edges > room - sum) {
                throw new IllegalStateException("the frame has values of " + room + " outgoing edges, which are fewer than its vertices "
                        + "have: the engine breaks the rules");
            }
            sum += edges;
        }
        begin = there ? VertexCall.slice(frame, Abi.VertexFrame.NEXT_VALUES, Abi.FrameHead.BASE_OUTPUT, 0) : 0;
        count = sum;
    }

    /** Has none. */
    void leave() {
        count = 0;
    }

    /** Where those of a vertex begin, by its index in the frame. */
    long at(long index) {
        return begin + (before[(int) index] << types.edge().shift);
    }

    /** Throws where they cannot be set. */
    void check() {
        if (refused != null) {
            throw new IllegalStateException(refused);
        }
    }

    /** How many there are of all vertices. */
    int count() {
        check();
        if (count > Integer.MAX_VALUE) {
            throw new IllegalStateException("values of " + count + " edges: an array in Java holds up to " + Integer.MAX_VALUE
                    + "; set each by setValue of its vertex");
        }
        return (int) count;
    }

    void read(int as, Object into, int length) {
        NumberArrays.read(as, begin, into, checked(as, length));
    }

    void write(int as, Object from, int length) {
        NumberArrays.write(as, from, begin, checked(as, length));
    }

    /** How many there are, which an array has to have. */
    private int checked(int as, int length) {
        int all = count();
        if (types.edge().kind != as) {
            throw VertexTypes.wrong("edge", types.edge(), as);
        }
        if (length < all) {
            throw new IllegalArgumentException("an array of " + length + " for the values of " + all + " edges: make it as long");
        }
        return all;
    }
}
