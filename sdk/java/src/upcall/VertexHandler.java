package upcall;

/**
 * A vertex program that updates vertices one by one.
 *
 * <pre>{@code
 * public final class Largest implements VertexHandler {
 *     public NumberType shown() {
 *         return NumberType.I64;
 *     }
 *
 *     public boolean selective() {
 *         return true;
 *     }
 *
 *     public void start(Vertex vertex, VertexContext context) {
 *         vertex.showLong(vertex.id());
 *         vertex.schedule();
 *     }
 *
 *     public void update(Vertex vertex, VertexContext context) {
 *         long largest = vertex.shownLong();
 *         Neighbours incoming = vertex.incoming();
 *         for (int index = 0; index < incoming.length(); index++) {
 *             largest = Math.max(largest, incoming.shownLong(index));
 *         }
 *         vertex.showLong(largest);
 *     }
 * }
 * }</pre>
 */
public interface VertexHandler extends VertexProgram {
    /**
     * Updates one vertex. Both are used again for the next: they end with the call.
     *
     * @param vertex the vertex
     * @param context what is the same for all vertices
     */
    void update(Vertex vertex, VertexContext context) throws Exception;
}
