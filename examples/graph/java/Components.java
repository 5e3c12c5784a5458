import upcall.Neighbours;
import upcall.NumberType;
import upcall.Vertex;
import upcall.VertexContext;
import upcall.VertexHandler;

/** Which vertices are connected, whatever the direction of edges: each shows the least one of its component. */
public final class Components implements VertexHandler {
    @Override
    public NumberType shown() {
        return NumberType.U64;
    }

    @Override
    public boolean outgoing() {
        return true;
    }

    @Override
    public boolean selective() {
        return true;
    }

    @Override
    public void start(Vertex vertex, VertexContext context) {
        vertex.showLong(vertex.id());
        vertex.schedule();
    }

    @Override
    public void update(Vertex vertex, VertexContext context) {
        long least = least(vertex.incoming(), vertex.shownLong());
        vertex.showLong(context.directed() ? least(vertex.outgoing(), least) : least);
    }

    private static long least(Neighbours neighbours, long of) {
        long least = of;
        for (int index = 0; index < neighbours.length(); index++) {
            least = Math.min(least, neighbours.shownLong(index));
        }
        return least;
    }
}
