package upcall.flow;

import java.nio.charset.StandardCharsets;
import upcall.Shown;

/**
 * A value that a pool stores, copied.
 *
 * @param value the value
 * @param version its version
 * @param time nanoseconds since the Unix epoch
 */
public record Stored(byte[] value, long version, long time) {
    /** The value as text where it is text, else its bytes in hexadecimal; the beginning of a long one. */
    @Override
    public String toString() {
        return "Stored[value=" + Shown.of(value) + ", version=" + version + ", time=" + time + "]";
    }

    /** The value as text. */
    public String valueText() {
        return new String(value, StandardCharsets.UTF_8);
    }

    /**
     * The value as one of a type, as a {@link upcall.TypedHandler} takes it.
     *
     * @throws IllegalArgumentException the bytes are no value of the type
     * @throws upcall.PoolTypeException the type cannot be used for values
     */
    public <T> T valueAs(Class<T> type) {
        return upcall.Embedded.unpack(type, value);
    }

    /** The value as a number of eight bytes: of a pool of {@code u64} or {@code i64}. */
    public long valueLong() {
        return Numbers.longOf(value);
    }

    /** The value as a number of four bytes: of a pool of {@code u32} or {@code i32}. */
    public int valueInt() {
        return Numbers.intOf(value);
    }

    /** The value as a number of eight bytes: of a pool of {@code f64}. */
    public double valueDouble() {
        return Numbers.doubleOf(value);
    }
}
