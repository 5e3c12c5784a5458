import upcall.Iteration;
import upcall.Neighbours;
import upcall.NumberType;
import upcall.Vertex;
import upcall.VertexContext;
import upcall.VertexHandler;

/**
 * {@link PageRank} whose ranks travel as values of edges: a vertex sets each outgoing one to what it gives to a neighbour, and adds up
 * incoming ones. It keeps and shows its rank. In the first iteration edges are only set, so that iteration k + 1 comes to what
 * iteration k of {@link PageRank} comes to.
 */
public final class PageRankEdges extends Ranks implements VertexHandler {
    @Override
    public NumberType edge() {
        return NumberType.F64;
    }

    @Override
    public boolean writes() {
        return true;
    }

    @Override
    public void start(Vertex vertex, VertexContext context) {
        double rank = 1.0 / context.vertices();
        vertex.setOwnDouble(rank);
        vertex.showDouble(rank);
    }

    @Override
    public void update(Vertex vertex, VertexContext context) {
        double rank = context.iteration() == 0 ? vertex.ownDouble() : rank(sum(vertex.incoming()));
        context.addResidual(Math.abs(rank - vertex.ownDouble()));
        vertex.setOwnDouble(rank);
        vertex.showDouble(rank);
        if (vertex.outDegree() == 0) {
            context.addTotal(rank);
        }
        double share = rank / vertex.outDegree();
        Neighbours outgoing = vertex.outgoing();
        for (int index = 0; index < outgoing.length(); index++) {
            outgoing.setValueDouble(index, share);
        }
    }

    @Override
    public boolean afterIteration(Iteration iteration) {
        return iteration.number() > 0 && super.afterIteration(iteration);
    }

    private static double sum(Neighbours incoming) {
        double sum = 0;
        for (int index = 0; index < incoming.length(); index++) {
            sum += incoming.valueDouble(index);
        }
        return sum;
    }
}
