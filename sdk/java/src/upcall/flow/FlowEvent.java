package upcall.flow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import upcall.Shown;
import upcall.bindings.Functions;
import upcall.bindings.UpcallEvent;

/** What a {@link Watch} has seen. */
public sealed interface FlowEvent {
    /** The pool's path. */
    String pool();

    /**
     * An object was put, emitted or triggered.
     *
     * @param pool the pool's path
     * @param key its key
     * @param value its value, copied
     * @param version its version
     * @param time nanoseconds since the Unix epoch
     */
    record Put(String pool, String key, byte[] value, long version, long time) implements FlowEvent {
        /** With the value as text where it is text, else its bytes in hexadecimal; the beginning of a long one. */
        @Override
        public String toString() {
            return "Put[pool=" + pool + ", key=" + key + ", value=" + Shown.of(value) + ", version=" + version + ", time=" + time
                    + "]";
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

    /**
     * A key was removed.
     *
     * @param pool the pool's path
     * @param key the key
     * @param version the version that removed it
     */
    record Removed(String pool, String key, long version) implements FlowEvent {}

    /**
     * The watch was too slow, and some events of the pool were dropped.
     *
     * @param pool the pool's path
     * @param count how many
     * @param first the smallest version among them
     * @param last the largest
     */
    record Missed(String pool, long count, long first, long last) implements FlowEvent {}

    /** The events that a watch has handed over: of each its head, path, key and value, to a multiple of 8. */
    static List<FlowEvent> all(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        List<FlowEvent> events = new ArrayList<>();
        for (int at = 0; at < bytes.length; ) {
            int what = from.getInt(at);
            int poolLength = from.getInt(at + 4);
            int keyLength = from.getInt(at + 8);
            int valueLength = from.getInt(at + 12);
            long version = from.getLong(at + 16);
            long time = from.getLong(at + 24);
            long missed = from.getLong(at + 32);
            int start = at + (int) UpcallEvent.SIZE;
            String pool = new String(bytes, start, poolLength, StandardCharsets.UTF_8);
            String key = new String(bytes, start += poolLength, keyLength, StandardCharsets.UTF_8);
            int value = start + keyLength;
            at = (value + valueLength + 7) & ~7;
            events.add(
                    what == Functions.UPCALL_EVENT_PUT
                            ? new Put(pool, key, java.util.Arrays.copyOfRange(bytes, value, value + valueLength), version, time)
                            : what == Functions.UPCALL_EVENT_REMOVED
                                    ? new Removed(pool, key, version)
                                    : new Missed(pool, missed, version, time));
        }
        return events;
    }
}
