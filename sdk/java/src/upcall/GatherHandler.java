package upcall;

/** A vertex program that has the engine put together what the incoming neighbours of a vertex show, which is faster. */
public interface GatherHandler extends VertexProgram {
    /** By what they are put together. The same whenever it is asked. */
    Gather gather();

    /**
     * Updates one vertex. All three are used again for the next: they end with the call.
     *
     * @param vertex the vertex
     * @param gathered what its incoming neighbours come to
     * @param context what is the same for all vertices
     */
    void apply(Vertex vertex, Gathered gathered, VertexContext context) throws Exception;
}
