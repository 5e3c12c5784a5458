package upcall.tests;

import upcall.Gather;
import upcall.GatherHandler;
import upcall.Gathered;
import upcall.GraphContext;
import upcall.IntervalHandler;
import upcall.Iteration;
import upcall.Neighbours;
import upcall.NumberType;
import upcall.Vertex;
import upcall.VertexContext;
import upcall.VertexHandler;
import upcall.VertexProgram;
import upcall.Vertices;

/** PageRank in each of the three forms, and by values of edges, which come to the same bits. */
public abstract class Ranks implements VertexProgram {
    double damping;
    double tolerance;

    @Override
    public NumberType own() {
        return NumberType.F64;
    }

    @Override
    public NumberType shown() {
        return NumberType.F64;
    }

    @Override
    public void onOpen(GraphContext open) {
        damping = Double.parseDouble(open.setting("damping", "0.85"));
        tolerance = Double.parseDouble(open.setting("tolerance", "1e-6"));
        open.log().info(open.vertices() + " vertices, " + open.edges() + " edges, " + (open.directed() ? "directed" : "undirected"));
    }

    @Override
    public void start(Vertex vertex, VertexContext context) {
        keep(vertex, context, 1.0 / context.vertices());
    }

    @Override
    public boolean afterIteration(Iteration iteration) {
        return iteration.residual() <= tolerance;
    }

    double rank(double sum, VertexContext context) {
        return (1.0 - damping + damping * context.total()) * (1.0 / context.vertices()) + damping * sum;
    }

    void update(Vertex vertex, double sum, VertexContext context) {
        double rank = rank(sum, context);
        context.addResidual(Math.abs(rank - vertex.ownDouble()));
        keep(vertex, context, rank);
    }

    static double sum(Neighbours incoming) {
        double sum = 0;
        for (int index = 0; index < incoming.length(); index++) {
            sum += incoming.shownDouble(index);
        }
        return sum;
    }

    private static void keep(Vertex vertex, VertexContext context, double rank) {
        vertex.setOwnDouble(rank);
        if (vertex.outDegree() == 0) {
            context.addTotal(rank);
        }
        vertex.showDouble(vertex.outDegree() == 0 ? 0 : rank / vertex.outDegree());
    }

    /** One by one. */
    public static final class Each extends Ranks implements VertexHandler {
        @Override
        public void update(Vertex vertex, VertexContext context) {
            update(vertex, sum(vertex.incoming()), context);
        }
    }

    /** With what the engine has summed up. */
    public static final class Sums extends Ranks implements GatherHandler {
        @Override
        public Gather gather() {
            return Gather.SUM;
        }

        @Override
        public void apply(Vertex vertex, Gathered gathered, VertexContext context) {
            update(vertex, gathered.getDouble(), context);
        }
    }

    /** Ranks travel as values of edges, which are seen one iteration later. */
    private abstract static class Travelling extends Ranks {
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
            vertex.setOwnDouble(1.0 / context.vertices());
        }

        /** Updates a vertex. Returns what it gives to each neighbour. */
        double share(Vertex vertex, VertexContext context) {
            if (context.iteration() > 0) {
                double sum = 0;
                for (int index = 0; index < vertex.incoming().length(); index++) {
                    sum += vertex.incoming().valueDouble(index);
                }
                vertex.setOwnDouble(rank(sum, context));
            }
            if (vertex.outDegree() == 0) {
                context.addTotal(vertex.ownDouble());
            }
            return vertex.ownDouble() / vertex.outDegree();
        }

        @Override
        public boolean afterIteration(Iteration iteration) {
            return false;
        }
    }

    /** As values of edges, vertex by vertex. */
    public static final class Edges extends Travelling implements VertexHandler {
        @Override
        public void update(Vertex vertex, VertexContext context) {
            double share = share(vertex, context);
            for (int index = 0; index < vertex.outgoing().length(); index++) {
                vertex.outgoing().setValueDouble(index, share);
            }
        }
    }

    /** As values of edges, all at once. */
    public static final class EdgeArrays extends Travelling implements IntervalHandler {
        @Override
        public void interval(Vertices vertices, VertexContext context) {
            double[] next = new double[vertices.nextValues()];
            int behind = 0;
            for (int index = 0; index < vertices.count(); index++) {
                double share = share(vertices.at(index), context);
                int begin = behind;
                behind += (int) vertices.at(index).outDegree();
                java.util.Arrays.fill(next, begin, behind, share);
            }
            vertices.writeNextValues(next);
        }
    }

    /** All at once, in arrays. */
    public static final class Arrays extends Ranks implements IntervalHandler {
        private double[] own = {};
        private double[] shown = {};

        @Override
        public void interval(Vertices vertices, VertexContext context) {
            if (own.length < vertices.count()) {
                own = new double[vertices.count()];
                shown = new double[vertices.count()];
            }
            vertices.readOwn(own);
            for (int index = 0; index < vertices.count(); index++) {
                Vertex vertex = vertices.at(index);
                double rank = rank(sum(vertex.incoming()), context);
                context.addResidual(Math.abs(rank - own[index]));
                own[index] = rank;
                if (vertex.outDegree() == 0) {
                    context.addTotal(rank);
                }
                shown[index] = vertex.outDegree() == 0 ? 0 : rank / vertex.outDegree();
            }
            vertices.writeOwn(own);
            vertices.show(shown);
        }
    }
}
