package upcall;

/** The vertices that an {@link IntervalHandler} updates in one call. It ends with the call. */
public final class Vertices {
    private final VertexCall call;
    private final Vertex vertex;
    private long count;

    Vertices(VertexCall call, Vertex vertex) {
        this.call = call;
        this.vertex = vertex;
    }

    void enter(long count) {
        this.count = count;
    }

    /** How many there are. */
    public int count() {
        call.check();
        return (int) count;
    }

    /**
     * One of them, in ascending order of their numbers: the same object each time, which is this vertex until the next call. What is
     * {@linkplain VertexContext#addResidual added} is added for it.
     *
     * @throws IndexOutOfBoundsException there are fewer
     */
    public Vertex at(int index) {
        call.check();
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("vertex at " + index + " of " + count + ": there is no such vertex");
        }
        vertex.move(index);
        return vertex;
    }
}
