package upcall.flow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Numbers as values: as they lie in memory, which is little-endian on all machines that Upcall runs on. */
final class Numbers {
    private Numbers() {}

    static byte[] bytes(long number) {
        return room(Long.BYTES).putLong(number).array();
    }

    static byte[] bytes(int number) {
        return room(Integer.BYTES).putInt(number).array();
    }

    static byte[] bytes(double number) {
        return bytes(Double.doubleToRawLongBits(number));
    }

    static long longOf(byte[] value) {
        return checked(value, Long.BYTES, "a long").getLong();
    }

    static int intOf(byte[] value) {
        return checked(value, Integer.BYTES, "an int").getInt();
    }

    static double doubleOf(byte[] value) {
        return Double.longBitsToDouble(checked(value, Long.BYTES, "a double").getLong());
    }

    private static ByteBuffer room(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer checked(byte[] value, int bytes, String type) {
        if (value.length != bytes) {
            throw new IllegalStateException("read a value of " + value.length + " bytes as " + type + ", which has " + bytes
                    + ": read it as what the pool's type says");
        }
        return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    }
}
