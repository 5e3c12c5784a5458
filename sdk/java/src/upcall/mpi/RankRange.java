package upcall.mpi;

/**
 * Ranks of a group, one in so many.
 *
 * @param first where they begin
 * @param last where they end, where a step comes there
 * @param step from one to the next: not 0
 */
public record RankRange(int first, int last, int step) {
    /** All from one to another. */
    public RankRange(int first, int last) {
        this(first, last, 1);
    }
}
