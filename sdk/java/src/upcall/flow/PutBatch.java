package upcall.flow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Objects for {@link Pool#putMany}, side by side. It may be cleared and used again. */
public final class PutBatch {
    private ByteBuffer bytes = ByteBuffer.allocate(1 << 10).order(ByteOrder.nativeOrder());
    private int count;

    // The key of the first that is put as text.
    private String text;

    /** An empty one. */
    public PutBatch() {}

    /** How many objects it holds. */
    public int count() {
        return count;
    }

    /** Adds an object, whose bytes are copied. */
    public PutBatch add(byte[] key, byte[] value) {
        int needed = Math.addExact(Math.addExact(2 * Integer.BYTES, key.length), value.length);
        if (bytes.remaining() < needed) {
            int room = Math.max(Math.addExact(bytes.position(), needed), (int) Math.min(2L * bytes.capacity(), 1 << 30));
            bytes = ByteBuffer.allocate(room).order(ByteOrder.nativeOrder()).put(bytes.flip());
        }
        bytes.putInt(key.length).putInt(value.length).put(key).put(value);
        count++;
        return this;
    }

    /** Adds an object of text. */
    public PutBatch add(String key, String value) {
        add(Utf8.bytes(key, "key"), Utf8.bytes(value, "value"));
        text = text == null ? key : text;
        return this;
    }

    /** Forgets the objects, and keeps the memory. */
    public void clear() {
        bytes.clear();
        count = 0;
        text = null;
    }

    Walk walk() {
        return new Walk(Arrays.copyOf(bytes.array(), bytes.position()), count, text);
    }

    /** The objects as they were, from one to the next. */
    static final class Walk {
        /** So many bytes are handed over at once, or one object: what there is no credit for is handed over again. */
        private static final int SOME = 1 << 16;

        private final byte[] all;
        private final ByteBuffer lengths;
        private final int count;
        private final String text;
        private int at;
        private int put;

        private Walk(byte[] all, int count, String text) {
            this.all = all;
            this.count = count;
            this.text = text;
            lengths = ByteBuffer.wrap(all).order(ByteOrder.nativeOrder());
        }

        boolean goesOn() {
            return at < all.length;
        }

        /** The next objects, whole ones. */
        byte[] some() {
            int end = behind(at);
            while (end < all.length && behind(end) - at <= SOME) {
                end = behind(end);
            }
            return Arrays.copyOfRange(all, at, end);
        }

        /** So many bytes of them are put. */
        int took(int bytes) {
            for (int end = at + bytes; at < end; ) {
                tookOne();
            }
            return bytes;
        }

        /** The next object is put. */
        void tookOne() {
            at = behind(at);
            put++;
        }

        byte[] key() {
            int key = at + 2 * Integer.BYTES;
            return Arrays.copyOfRange(all, key, key + lengths.getInt(at));
        }

        byte[] value() {
            int end = behind(at);
            return Arrays.copyOfRange(all, end - lengths.getInt(at + Integer.BYTES), end);
        }

        /** The key of the first that is put as text; null where none is. */
        String text() {
            return text;
        }

        /** How many are put. */
        int put() {
            return put;
        }

        /** How many there are. */
        int count() {
            return count;
        }

        private int behind(int object) {
            return object + 2 * Integer.BYTES + lengths.getInt(object) + lengths.getInt(object + Integer.BYTES);
        }
    }
}
