package upcall;

/** A vertex program that updates many vertices in one call, in whichever way it likes. */
public interface IntervalHandler extends VertexProgram {
    /**
     * Updates vertices. Both end with the call.
     *
     * @param vertices the vertices
     * @param context what is the same for all vertices
     */
    void interval(Vertices vertices, VertexContext context) throws Exception;
}
