package upcall;

/**
 * Vertices that are updated together: all of the graph's in Jacobi's way, and so many of them, one interval after the other, in
 * Gauss-Seidel's.
 *
 * @param iteration the number of the iteration, from 0 on
 * @param first its first vertex
 * @param end the vertex behind its last
 * @param pass how often it was updated in this iteration before
 * @param updated how many of its vertices were updated in this pass; here and below 0 before they are
 * @param residual what they have added to the residual in it
 * @param total what they have added to the total in it
 */
public record Interval(long iteration, long first, long end, long pass, long updated, double residual, double total) {}
