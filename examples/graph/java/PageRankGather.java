import upcall.Gather;
import upcall.GatherHandler;
import upcall.Gathered;
import upcall.Vertex;
import upcall.VertexContext;

/** {@link PageRank}, where the engine sums up what neighbours give. */
public final class PageRankGather extends Ranks implements GatherHandler {
    @Override
    public Gather gather() {
        return Gather.SUM;
    }

    @Override
    public void apply(Vertex vertex, Gathered gathered, VertexContext context) {
        rank(vertex, context, gathered.getDouble());
    }
}
