package upcall;

/**
 * A handler that combines arrays: the operation of a reduction.
 *
 * <p>{@code T} is an array of numbers: {@code double[]}, {@code float[]}, {@code long[]}, {@code int[]}, {@code short[]} or
 * {@code byte[]}, signed or not. The arrays are copies, used again by the next call; the second is copied back.
 *
 * <pre>{@code
 * public class Largest implements Combine<double[]> {
 *     public void combine(double[] from, double[] into, int count) {
 *         for (int index = 0; index < count; index++) {
 *             into[index] = Math.max(from[index], into[index]);
 *         }
 *     }
 * }
 * }</pre>
 *
 * @param <T> the arrays
 */
public interface Combine<T> extends Handler {
    /**
     * Combines each element of the first array with that of the second, into the second.
     *
     * @param from what is added
     * @param into what it is added to
     * @param count how many elements there are; the arrays may be longer
     */
    void combine(T from, T into, int count) throws Exception;

    /** Whether the order in which arrays are combined changes nothing. */
    default boolean commutative() {
        return false;
    }

    /** Called once, before anything else. What it throws stops the engine. */
    default void onOpen(Context open) throws Exception {}
}
