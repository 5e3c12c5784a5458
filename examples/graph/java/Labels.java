import java.util.Arrays;
import upcall.Iteration;
import upcall.Neighbours;
import upcall.NumberType;
import upcall.Vertex;
import upcall.VertexContext;
import upcall.VertexHandler;

/**
 * Communities by label propagation, as Graphalytics has it (CDLP): each vertex shows the label that most of its neighbours show, of
 * several the least; at first its own number. Each edge counts, in both directions.
 */
public final class Labels implements VertexHandler {
    private long[] labels = new long[64];

    @Override
    public NumberType shown() {
        return NumberType.U64;
    }

    @Override
    public boolean outgoing() {
        return true;
    }

    @Override
    public void start(Vertex vertex, VertexContext context) {
        vertex.showLong(vertex.id());
    }

    @Override
    public void update(Vertex vertex, VertexContext context) {
        int count = add(vertex.incoming(), 0);
        if (context.directed()) {
            count = add(vertex.outgoing(), count);
        }
        Arrays.sort(labels, 0, count);
        long label = vertex.shownLong();
        int most = 0;
        int begin = 0;
        for (int end = 1; end <= count; end++) {
            if (end == count || labels[end] != labels[begin]) {
                if (end - begin > most) {
                    most = end - begin;
                    label = labels[begin];
                }
                begin = end;
            }
        }
        if (label != vertex.shownLong()) {
            context.addResidual(1);
            vertex.showLong(label);
        }
    }

    @Override
    public boolean afterIteration(Iteration iteration) {
        return iteration.residual() == 0;
    }

    /** Puts what neighbours show behind so many labels. Returns how many there are then. */
    private int add(Neighbours neighbours, int count) {
        int all = Math.addExact(count, neighbours.length());
        if (all > labels.length) {
            labels = Arrays.copyOf(labels, Math.max(all, 2 * labels.length));
        }
        for (int index = 0; index < neighbours.length(); index++) {
            labels[count + index] = neighbours.shownLong(index);
        }
        return all;
    }
}
