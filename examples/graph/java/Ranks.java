import upcall.Description;
import upcall.GraphContext;
import upcall.Iteration;
import upcall.NumberType;
import upcall.Vertex;
import upcall.VertexContext;
import upcall.VertexProgram;

/** What all forms of PageRank have in common: a vertex keeps its rank. Of most it shows what it gives to each neighbour. */
abstract class Ranks implements VertexProgram {
    private double damping;
    private double tolerance;
    private long vertices;
    /** What each vertex is given by jumps. */
    private double jumps;

    @Override
    public NumberType own() {
        return NumberType.F64;
    }

    @Override
    public NumberType shown() {
        return NumberType.F64;
    }

    @Override
    public void describe(Description about) {
        about.parameter("damping", "f64", "0.85", null);
        about.parameter("tolerance", "f64", "1e-6", null);
    }

    @Override
    public void onOpen(GraphContext open) {
        damping = number(open, "damping", "0.85");
        tolerance = number(open, "tolerance", "1e-6");
        vertices = open.vertices();
    }

    @Override
    public void start(Vertex vertex, VertexContext context) {
        keep(vertex, context, 1.0 / context.vertices());
    }

    /** The total are the ranks of vertices that only jumps lead on from. */
    @Override
    public void beforeIteration(long iteration, double total) {
        jumps = (1.0 - damping + damping * total) * (1.0 / vertices);
    }

    /** Updates a vertex whose neighbours give so much. */
    final void rank(Vertex vertex, VertexContext context, double sum) {
        double rank = rank(sum);
        context.addResidual(Math.abs(rank - vertex.ownDouble()));
        keep(vertex, context, rank);
    }

    /** The rank of a vertex whose neighbours give so much. */
    final double rank(double sum) {
        return jumps + damping * sum;
    }

    @Override
    public boolean afterIteration(Iteration iteration) {
        return iteration.residual() <= tolerance;
    }

    private static double number(GraphContext open, String name, String otherwise) {
        String setting = open.setting(name, otherwise);
        try {
            return Double.parseDouble(setting);
        } catch (NumberFormatException exception) {
            throw new IllegalArgumentException("`" + name + "` is " + setting + ", which is no number", exception);
        }
    }

    private static void keep(Vertex vertex, VertexContext context, double rank) {
        vertex.setOwnDouble(rank);
        if (vertex.outDegree() == 0) {
            context.addTotal(rank);
            vertex.showDouble(0);
        } else {
            vertex.showDouble(rank / vertex.outDegree());
        }
    }
}
