package upcall.mpi;

import upcall.bindings.UpcallMpiCommunicator;
import upcall.bindings.UpcallMpiExactSum;
import upcall.bindings.UpcallMpiReal;

/**
 * A sum that is exact until it is read: the same bits in whichever order, and in whatever parts, numbers are added. Its {@link
 * #value} is the number that is nearest to it, as if it had been computed with infinite precision and rounded once. Infinite
 * numbers make it infinite, or NaN where both are among them.
 *
 * <p>It is used by one thread at a time, and released when it is closed or forgotten.
 */
public final class ExactSum implements AutoCloseable {
    private final UpcallMpiExactSum sum;
    private final boolean isSingle;

    private ExactSum(int real) {
        sum = MpiException.of(() -> new UpcallMpiExactSum(real));
        isSingle = real == UpcallMpiReal.SINGLE;
    }

    /** One of doubles, of nothing: 0. */
    public static ExactSum ofDoubles() {
        return new ExactSum(UpcallMpiReal.DOUBLE);
    }

    /** One of floats, whose value is one. */
    public static ExactSum ofFloats() {
        return new ExactSum(UpcallMpiReal.SINGLE);
    }

    /** Adds a number, which of a sum of floats is made one before. */
    public void add(double number) {
        MpiException.of(() -> sum.add(number));
    }

    /** Adds numbers: a {@code double[]}, or a {@code float[]} of a sum of floats. */
    public void addAll(Object numbers) {
        if ((real(numbers) == UpcallMpiReal.SINGLE) != isSingle) {
            throw new MpiException(MpiError.USAGE, "add a " + numbers.getClass().getSimpleName() + " to an exact sum: it is one of "
                    + (isSingle ? "floats" : "doubles"));
        }
        try (Room room = Room.from(numbers)) {
            MpiException.of(() -> sum.addAll(room.segment()));
        }
    }

    /** Adds what another of the same numbers has. */
    public void merge(ExactSum other) {
        if (other == this) {
            throw new MpiException(MpiError.USAGE, "merge an exact sum with itself: make another");
        }
        MpiException.of(() -> sum.merge(other.sum));
    }

    /** The number that is nearest to the sum; of two that are as near, the even one. */
    public double value() {
        return MpiException.of(sum::value);
    }

    void allReduce(UpcallMpiCommunicator comm) {
        MpiException.of(() -> sum.allReduce(comm));
    }

    /** What an array's numbers are. */
    static int real(Object values) {
        if (values instanceof double[]) {
            return UpcallMpiReal.DOUBLE;
        }
        if (values instanceof float[]) {
            return UpcallMpiReal.SINGLE;
        }
        throw new MpiException(MpiError.USAGE, "sum a " + (values == null ? "null" : values.getClass().getSimpleName())
                + " reproducibly: it is no double[] and no float[]");
    }

    @Override
    public void close() {
        sum.close();
    }
}
