package upcall.mpi;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Numbers and their places, which may be ranks or indices: what {@link Operation#MIN_WITH_PLACE} and {@link
 * Operation#MAX_WITH_PLACE} combine. {@code new Placed<>(3.5, rank)} is one, and {@code new Placed<>(new double[] {…}, new int[]
 * {…})} are several, each number with the place at its index.
 *
 * <pre>{@code
 * Placed<Double> warmest = world.allReduce(new Placed<>(temperature, world.rank()), Operation.MAX_WITH_PLACE);
 * }</pre>
 *
 * @param <A> a number's class, or that of an array of numbers
 */
public final class Placed<A> {
    private final A values;
    private final int[] places;

    /** One number. */
    public Placed(A value, int place) {
        this(value, new int[] {place}, false);
    }

    /**
     * Several numbers, in arrays that are not copied.
     *
     * @throws IllegalArgumentException the arrays have different lengths, or the first is no array of numbers
     */
    public Placed(A values, int[] places) {
        this(values, places, true);
    }

    private Placed(A values, int[] places, boolean isArray) {
        Elements elements = values == null ? null : Elements.of(values.getClass());
        if (elements == null || values instanceof Buffer || values.getClass().isArray() != isArray) {
            throw new IllegalArgumentException("place a " + (values == null ? "null" : values.getClass().getName())
                    + ": it is no " + (isArray ? "array of numbers" : "number"));
        }
        if (isArray && Array.getLength(values) != places.length) {
            throw new IllegalArgumentException("place numbers: there are " + Array.getLength(values) + ", and places for "
                    + places.length);
        }
        this.values = values;
        this.places = places;
    }

    /** The numbers, or the one number. */
    public A values() {
        return values;
    }

    /** Where they are. */
    public int[] places() {
        return places;
    }

    /** Where the first is. */
    public int place() {
        return places[0];
    }

    // As C lays them out: the number, its place, and padding up to a multiple of the larger one.
    private static int placeAt(Elements elements) {
        return Math.max(elements.size(), Integer.BYTES);
    }

    private static int pairSize(Elements elements) {
        int align = Math.max(elements.size(), Integer.BYTES);
        return (placeAt(elements) + Integer.BYTES + align - 1) / align * align;
    }

    /** As MPI's pairs, with their padding zeroed. */
    ByteBuffer pairs(Elements elements) {
        int size = pairSize(elements);
        ByteBuffer pairs = ByteBuffer.allocate(Math.multiplyExact(places.length, size)).order(ByteOrder.nativeOrder());
        ByteBuffer numbers = ByteBuffer.allocate(places.length * elements.size()).order(ByteOrder.nativeOrder());
        elements.put(elements.asArray(values), numbers.duplicate().order(ByteOrder.nativeOrder()));
        for (int index = 0; index < places.length; index++) {
            pairs.put(index * size, numbers, index * elements.size(), elements.size());
            pairs.putInt(index * size + placeAt(elements), places[index]);
        }
        return pairs;
    }

    /** Of MPI's pairs. */
    static Placed<?> of(ByteBuffer pairs, Elements elements, boolean isArray) {
        int size = pairSize(elements);
        int count = pairs.remaining() / size;
        ByteBuffer numbers = ByteBuffer.allocate(count * elements.size()).order(ByteOrder.nativeOrder());
        int[] places = new int[count];
        for (int index = 0; index < count; index++) {
            numbers.put(index * elements.size(), pairs, index * size, elements.size());
            places[index] = pairs.getInt(index * size + placeAt(elements));
        }
        Object values = elements.make(count);
        elements.get(numbers, values, count);
        return isArray ? new Placed<>(values, places) : new Placed<>(Array.get(values, 0), places[0]);
    }

    @Override
    public String toString() {
        String shown = values.getClass().isArray() ? Arrays.deepToString(new Object[] {values}) : "[" + values + "]";
        return shown + " at " + Arrays.toString(places);
    }
}
