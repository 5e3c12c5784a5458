import upcall.Description;
import upcall.GraphContext;
import upcall.Iteration;
import upcall.Neighbours;
import upcall.NumberType;
import upcall.Vertex;
import upcall.VertexContext;
import upcall.VertexHandler;

/**
 * How far each vertex is from one of them, by the values of edges; infinite where there is no way. Where a cycle of negative length
 * can be reached it stops after as many iterations as there are vertices.
 */
public final class ShortestPaths implements VertexHandler {
    private long from;
    private long vertices;

    @Override
    public NumberType shown() {
        return NumberType.F64;
    }

    @Override
    public NumberType edge() {
        return NumberType.F64;
    }

    @Override
    public boolean selective() {
        return true;
    }

    @Override
    public void describe(Description about) {
        about.parameter("from", "u64", null, "the number of a vertex");
    }

    @Override
    public void onOpen(GraphContext open) {
        String setting = open.setting("from");
        if (setting == null) {
            throw new IllegalArgumentException("set `from` to the vertex where paths begin");
        }
        vertices = open.vertices();
        try {
            from = Long.parseLong(setting);
        } catch (NumberFormatException exception) {
            throw new IllegalArgumentException("`from` is " + setting + ", which is no number of a vertex", exception);
        }
        if (from < 0 || from >= vertices) {
            throw new IllegalArgumentException("`from` is " + from + ", and the graph has " + vertices + " vertices");
        }
    }

    @Override
    public void start(Vertex vertex, VertexContext context) {
        vertex.showDouble(Double.POSITIVE_INFINITY);
        if (vertex.id() == from) {
            vertex.schedule();
        }
    }

    @Override
    public void update(Vertex vertex, VertexContext context) {
        double shown = vertex.shownDouble();
        double shortest = vertex.id() == from && shown > 0 ? 0 : shown;
        Neighbours incoming = vertex.incoming();
        for (int index = 0; index < incoming.length(); index++) {
            double length = incoming.shownDouble(index) + incoming.valueDouble(index);
            // What is no number is no shorter way.
            if (length < shortest) {
                shortest = length;
            }
        }
        if (shortest < shown) {
            vertex.showDouble(shortest);
        }
    }

    @Override
    public boolean afterIteration(Iteration iteration) {
        return iteration.number() > vertices && iteration.scheduled() > 0;
    }
}
