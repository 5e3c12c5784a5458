package upcall.mpi;

/** Who else may lock the same rank's memory. */
public enum Lock {
    /** Others that share it. */
    SHARED,

    /** Nobody. */
    EXCLUSIVE
}
