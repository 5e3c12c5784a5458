package upcall;

/**
 * What all vertex programs have: a function that sees one vertex of a graph, its edges and what its neighbours show, run for every
 * vertex, again and again. A program implements one of {@link VertexHandler}, {@link GatherHandler} and {@link IntervalHandler}.
 *
 * <p>Iterations are Jacobi's: whatever a vertex shows, its neighbours see in the next iteration. Each worker has an instance of its
 * own, so nothing that a vertex changes in the program's fields is seen by all others.
 */
public interface VertexProgram extends Handler {
    /** The type of what a vertex shows to its neighbours. The same whenever it is asked. */
    NumberType shown();

    /** The type of what a vertex keeps to itself; null for nothing. */
    default NumberType own() {
        return null;
    }

    /** The type of the values of edges; null where the program neither looks at them nor {@linkplain #writes() sets} them. */
    default NumberType edge() {
        return null;
    }

    /** Whether it looks at outgoing edges, which not every graph's file has. */
    default boolean outgoing() {
        return false;
    }

    /**
     * Whether it sets the values of outgoing edges, at which it looks then, too: {@link Neighbours#setValueDouble}. Values are kept for
     * the run, in which they begin as the graph's file has them, or at 0; the file stays as it is.
     */
    default boolean writes() {
        return false;
    }

    /**
     * Whether only those vertices are updated that see a changed value: a neighbour at the other end of an incoming edge (or of an
     * outgoing one, if {@link #outgoing} says that the program looks at these) showed another in the last iteration, or set another to
     * an incoming edge. In the first iteration, those are updated that {@link #start} has scheduled.
     */
    default boolean selective() {
        return false;
    }

    /** Called once, before anything else. What it throws stops the engine. */
    default void onOpen(GraphContext open) throws Exception {}

    /**
     * What a vertex begins with: called once per vertex, in no particular order; zeroes without it. Of edges only the degrees are
     * known.
     */
    default void start(Vertex vertex, VertexContext context) throws Exception {}

    /**
     * Called before an instance updates its first vertex of an iteration, for what is the same for all of them.
     *
     * @param iteration the iteration's number, from 0 on
     * @param total what vertices have added to the total in the last one, or at the start
     */
    default void beforeIteration(long iteration, double total) throws Exception {}

    /** Called of each instance that updates vertices of an interval, before the first of them; also before each further pass. */
    default void beforeInterval(Interval interval) throws Exception {}

    /** Called of one instance when all vertices of an interval were updated, with what they have come to. */
    default void afterInterval(Interval interval) throws Exception {}

    /**
     * Called after {@link #afterInterval}, of the same instance. The interval's vertices see, when they are updated once more, what all
     * of them show now. Of a {@link #selective} program, those are updated that have seen a change or were scheduled; where there are
     * none, the interval is done. A program that {@linkplain #writes() sets} values of edges cannot repeat: the engine ends the run.
     *
     * @return whether they are to be updated once more before others are
     */
    default boolean repeatUpdates(Interval interval) throws Exception {
        return false;
    }

    /**
     * Called between iterations, of every instance and with the same numbers: so what it changes in the program is the same in all.
     *
     * @return whether this was the last iteration
     */
    default boolean afterIteration(Iteration iteration) throws Exception {
        return false;
    }
}
