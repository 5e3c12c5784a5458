package upcall.mpi;

/** How alike two groups or communicators are. */
public enum Comparison {
    /** They are one and the same. */
    IDENTICAL,

    /** Two communicators of the same processes in the same order. */
    CONGRUENT,

    /** The same processes in another order. */
    SIMILAR,

    /** Other processes. */
    UNEQUAL;

    static Comparison of(int number) {
        return values()[number];
    }
}
