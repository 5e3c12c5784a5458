import upcall.Neighbours;
import upcall.Vertex;
import upcall.VertexContext;
import upcall.VertexHandler;

/**
 * The share of time that somebody spends at a vertex who follows edges at random, and now and then jumps to any vertex.
 *
 * <p>It is kept as what is the vertex's own; shown is what it gives to each neighbour.
 */
public final class PageRank extends Ranks implements VertexHandler {
    @Override
    public void update(Vertex vertex, VertexContext context) {
        double sum = 0;
        Neighbours incoming = vertex.incoming();
        for (int index = 0; index < incoming.length(); index++) {
            sum += incoming.shownDouble(index);
        }
        rank(vertex, context, sum);
    }
}
