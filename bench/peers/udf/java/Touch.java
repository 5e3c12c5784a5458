import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A number and the length of a text, as one writes it for JNI. */
public final class Touch {
    private Touch() {}

    /** Of one row. */
    public static long touch(long number, String text) {
        return number + text.length();
    }

    /** Of each row of a batch: a number, the length of a text and the text. */
    public static void rows(ByteBuffer taken, int rows, ByteBuffer given) {
        taken.order(ByteOrder.LITTLE_ENDIAN);
        given.order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0, at = 0; row < rows; row++) {
            int length = taken.getInt(at + 8);
            given.putLong(row * 8, taken.getLong(at) + length);
            at += 12 + length;
        }
    }
}
