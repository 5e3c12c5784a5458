package upcall.flow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Objects for {@link Pool#putMany}, side by side. It may be cleared and used again. */
public final class PutBatch {
    private ByteBuffer bytes = ByteBuffer.allocate(1 << 10).order(ByteOrder.nativeOrder());
    private int count;

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
        return add(Utf8.bytes(key, "key"), Utf8.bytes(value, "value"));
    }

    /** Forgets the objects, and keeps the memory. */
    public void clear() {
        bytes.clear();
        count = 0;
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
