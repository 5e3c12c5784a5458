package upcall.mpi;

/** A part of MPI's standard, or an extension of it, that an MPI may lack. */
public enum OptionalPart {
    /** Counts of 64 bits (MPI 4). */
    LARGE_COUNTS,
    /** Collectives that are prepared once and started often (MPI 4). */
    PERSISTENT_COLLECTIVES,
    /** Sends and receives in partitions (MPI 4). */
    PARTITIONED,
    /** A send and a receive as one request (MPI 4). */
    NON_BLOCKING_SEND_RECEIVE,
    /** Sessions in place of one world (MPI 4). */
    SESSIONS,
    /** Going on where a process has died: the extension ULFM. */
    FAULT_TOLERANCE,
    /** The standard's own binary interface (MPI 5). */
    STANDARD_ABI
}
