package upcall.mpi;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import upcall.bindings.UpcallMpiGroup;

/**
 * Processes in an order: what a communicator is made of. It passes no messages by itself, and every call on it is of this process
 * alone. It is freed when it is closed, or at some time after it is forgotten.
 */
public final class Group implements AutoCloseable {
    private final UpcallMpiGroup group;

    Group(UpcallMpiGroup group) {
        this.group = group;
    }

    UpcallMpiGroup handle() {
        return group;
    }

    /** This process's rank in it; empty where it is not in it. */
    public OptionalInt rank() {
        int rank = MpiException.of(group::rank);
        return rank < 0 ? OptionalInt.empty() : OptionalInt.of(rank);
    }

    /** How many processes it has. */
    public int size() {
        return MpiException.of(group::size);
    }

    /** The processes of this one, and then those of the other that are not in it. */
    public Group union(Group other) {
        return new Group(MpiException.of(() -> group.union(other.group)));
    }

    /** The processes of this one that are in the other, too. */
    public Group intersection(Group other) {
        return new Group(MpiException.of(() -> group.intersection(other.group)));
    }

    /** The processes of this one that are not in the other. */
    public Group difference(Group other) {
        return new Group(MpiException.of(() -> group.difference(other.group)));
    }

    /**
     * Its processes of these ranks, in this order.
     *
     * @throws MpiException there is no such rank, or it is there twice
     */
    public Group include(int... ranks) {
        return new Group(MpiException.of(() -> group.include(ranks)));
    }

    /**
     * Its processes without those of these ranks.
     *
     * @throws MpiException there is no such rank, or it is there twice
     */
    public Group exclude(int... ranks) {
        return new Group(MpiException.of(() -> group.exclude(ranks)));
    }

    /**
     * Its processes of these ranges of ranks, in their order.
     *
     * @throws MpiException there is no such rank, one is there twice, or a step is 0
     */
    public Group includeRanges(RankRange... ranges) {
        return new Group(MpiException.of(() -> group.includeRanges(numbers(ranges))));
    }

    /**
     * Its processes without those of these ranges of ranks.
     *
     * @throws MpiException there is no such rank, one is there twice, or a step is 0
     */
    public Group excludeRanges(RankRange... ranges) {
        return new Group(MpiException.of(() -> group.excludeRanges(numbers(ranges))));
    }

    private static int[] numbers(RankRange... ranges) {
        return Arrays.stream(ranges).flatMapToInt(range -> IntStream.of(range.first(), range.last(), range.step())).toArray();
    }

    /**
     * Which ranks those of these ranks have in the other group; -1 for those that are not in it.
     *
     * @throws MpiException there is no such rank
     */
    public int[] translate(int[] ranks, Group other) {
        return Values.ints(MpiException.of(() -> group.translate(ranks, other.group)));
    }

    /** How alike the two are. */
    public Comparison compare(Group other) {
        return Comparison.of(MpiException.of(() -> group.compare(other.group)));
    }

    /** Frees it. */
    @Override
    public void close() {
        group.close();
    }
}
