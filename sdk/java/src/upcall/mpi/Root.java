package upcall.mpi;

import upcall.bindings.Functions;

/**
 * Whose elements an {@link Intercommunicator} gives to the other group, or who gets those of the other group. The ranks of one
 * call say different things, so that one is root and everyone knows where.
 */
public final class Root {
    /** This process: what the root itself says. */
    public static final Root HERE = new Root(Functions.UPCALL_MPI_ROOT_HERE);

    /** Another of this group: what the others of the root's group say. They take no part, and what they give does not count. */
    public static final Root BESIDE = new Root(Functions.UPCALL_MPI_ROOT_BESIDE);

    private final int number;

    private Root(int number) {
        this.number = number;
    }

    /**
     * This rank of the other group: what all ranks of the other group say.
     *
     * @throws MpiException it is negative
     */
    public static Root remote(int rank) {
        if (rank < 0) {
            throw new MpiException(MpiError.RANK, "there is no root " + rank + " in the other group; its ranks count from 0 on");
        }
        return new Root(rank);
    }

    /** What MPI is told. */
    int number() {
        return number;
    }

    boolean isHere() {
        return this == HERE;
    }

    boolean isRemote() {
        return number >= 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Root root && root.number == number;
    }

    @Override
    public int hashCode() {
        return number;
    }

    @Override
    public String toString() {
        return isHere() ? "here" : isRemote() ? "rank " + number + " of the other group" : "beside";
    }
}
