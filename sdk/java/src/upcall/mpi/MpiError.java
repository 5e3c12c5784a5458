package upcall.mpi;

import upcall.bindings.Functions;

/** What kind of failure an {@link MpiException} is. */
public enum MpiError {
    /** There is no MPI, or no compiler of its own. */
    MISSING(Functions.UPCALL_MPI_MISSING),

    /** The MPI cannot be loaded or started. */
    LOAD(Functions.UPCALL_MPI_LOAD),

    /** MPI was not started, was started before in this process, or has been finalized; or what is used is closed. */
    LIFECYCLE(Functions.UPCALL_MPI_LIFECYCLE),

    /** A call that the thread level, or the shape of what it was given, does not allow. */
    USAGE(Functions.UPCALL_MPI_USAGE),

    /** There is no such rank in the communicator. */
    RANK(Functions.UPCALL_MPI_RANK),

    /** A tag that is negative or too large. */
    TAG(Functions.UPCALL_MPI_TAG),

    /** A message was larger than the room for it. */
    TRUNCATED(Functions.UPCALL_MPI_TRUNCATED),

    /** What has arrived is of another size or form than what was asked for. */
    TYPE(Functions.UPCALL_MPI_TYPE),

    /** More elements than the MPI can count. */
    COUNT(Functions.UPCALL_MPI_COUNT),

    /** An operation failed; what it threw on this rank is the cause. */
    OPERATION(Functions.UPCALL_MPI_OPERATION),

    /** A process has died. */
    PROCESS_FAILED(Functions.UPCALL_MPI_PROCESS_FAILED),

    /** The MPI in use does not have it. */
    UNSUPPORTED(Functions.UPCALL_MPI_UNSUPPORTED),

    /** A place outside of a window or file. */
    RANGE(Functions.UPCALL_MPI_RANGE),

    /** There is no such file. */
    NOT_FOUND(Functions.UPCALL_MPI_NOT_FOUND),

    /** There is such a file already. */
    EXISTS(Functions.UPCALL_MPI_EXISTS),

    /** A file may not be read or written so. */
    ACCESS(Functions.UPCALL_MPI_ACCESS),

    /** The disk is full. */
    NO_SPACE(Functions.UPCALL_MPI_NO_SPACE),

    /** A file could not be read or written. */
    IO(Functions.UPCALL_MPI_IO),

    /** A call outside of an epoch, or in the wrong one; or MPI is to be finalized within one. */
    SYNCHRONIZATION(Functions.UPCALL_MPI_SYNCHRONIZATION),

    /** There is no room for a buffered send. */
    BUFFER(Functions.UPCALL_MPI_BUFFER),

    /** The communicator was revoked. */
    REVOKED(Functions.UPCALL_MPI_REVOKED),

    /** A process could not be started. */
    SPAWN(Functions.UPCALL_MPI_SPAWN),

    /** There is no such port or service. */
    PORT(Functions.UPCALL_MPI_PORT),

    /** The message has MPI's own words. */
    OTHER(Functions.UPCALL_MPI_OTHER);

    private final int code;

    MpiError(int code) {
        this.code = code;
    }

    static MpiError of(int code) {
        for (MpiError error : values()) {
            if (error.code == code) {
                return error;
            }
        }
        // Upcall's own are negative: arguments that the library refuses.
        return code < 0 ? USAGE : OTHER;
    }
}
