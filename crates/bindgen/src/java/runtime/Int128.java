// Made by upcall bindgen; do not edit.
package @PACKAGE@;

import java.math.BigInteger;

/**
 * 128 bits.
 *
 * @param high the upper half, with the sign
 * @param low the lower half
 */
public record Int128(long high, long low) {
    /** The lowest 128 bits of a number. */
    public static Int128 of(BigInteger number) {
        return new Int128(number.shiftRight(64).longValue(), number.longValue());
    }

    /** The number, taken as signed. */
    public BigInteger signed() {
        return BigInteger.valueOf(high).shiftLeft(64).or(unsigned(low));
    }

    /** The number, taken as unsigned. */
    public BigInteger unsigned() {
        return unsigned(high).shiftLeft(64).or(unsigned(low));
    }

    private static BigInteger unsigned(long half) {
        return BigInteger.valueOf(half).and(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
    }
}
