package upcall.mpi;

import java.util.OptionalInt;
import upcall.bindings.NativeBuffer;
import upcall.bindings.UpcallMpiCommunicator;
import upcall.bindings.ValueLayout;

/**
 * A communicator whose ranks lie on a grid, in the order of rows: the last coordinate changes first. The neighbors of a rank are, for
 * each dimension, the one before and the one behind.
 */
public final class Cartesian extends Neighborhood {
    private final int[] sizes;
    private final boolean[] periodic;
    private final int[] coordinates;

    Cartesian(UpcallMpiCommunicator comm, Serializer serializer) {
        super(comm, serializer);
        sizes = Values.ints(MpiException.of(comm::cartesianSizes));
        periodic = new boolean[sizes.length];
        try (NativeBuffer flags = MpiException.of(comm::cartesianPeriodic)) {
            for (int index = 0; index < periodic.length; index++) {
                periodic[index] = flags.elements().get(ValueLayout.JAVA_BYTE, index) != 0;
            }
        }
        coordinates = coordinatesOf(rank());
    }

    /** How many ranks lie along each dimension. */
    public int[] sizes() {
        return sizes.clone();
    }

    /** Of each dimension, whether the last rank's neighbor is the first. */
    public boolean[] periodic() {
        return periodic.clone();
    }

    /** Where this rank is. */
    public int[] coordinates() {
        return coordinates.clone();
    }

    /**
     * Where a rank is.
     *
     * @throws MpiException there is no such rank
     */
    public int[] coordinatesOf(int rank) {
        return Values.ints(MpiException.of(() -> comm.cartesianCoordinates(rank)));
    }

    /**
     * Who is there; empty where nobody is.
     *
     * @throws MpiException there are not as many coordinates as dimensions
     */
    public OptionalInt rankOf(int... at) {
        int rank = MpiException.of(() -> comm.cartesianRank(at));
        return rank < 0 ? OptionalInt.empty() : OptionalInt.of(rank);
    }

    /**
     * The two ends of a {@link #shift}; -1 where nobody is.
     *
     * @param source the rank that comes to this rank's place
     * @param target the one whose place this rank takes
     */
    public record Shift(int source, int target) {}

    /**
     * Whom this rank receives from and whom it sends to, where all move so many steps along a dimension.
     *
     * @throws MpiException there is no such dimension
     */
    public Shift shift(int dimension, int steps) {
        int[] ends = Values.ints(MpiException.of(() -> comm.cartesianShift(dimension, steps)));
        return new Shift(ends[0], ends[1]);
    }

    /**
     * This rank's part of the grid with the dimensions that are kept: of rows and columns, {@code subGrid(false, true)} is its row.
     * Collective.
     *
     * @throws MpiException it is not said of each dimension
     */
    public Cartesian subGrid(boolean... kept) {
        return new Cartesian(MpiException.of(() -> comm.cartesianPart(bytes(kept))), serializer());
    }

    /** The same grid, whose messages never meet those of this one. Collective. */
    @Override
    public Cartesian duplicate() {
        return new Cartesian(MpiException.of(comm::duplicate), serializer());
    }
}
