package upcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The chunks that a call writes its records into, where there is no engine. */
final class Chunks implements AutoCloseable {
    private static final long CHUNK_BYTES = 64 * 1024;

    // By their frame, which is what a callback gets.
    private static final Map<Long, Chunks> CALLS = new ConcurrentHashMap<>();

    private final Blocks blocks = new Blocks();
    private final List<Long> starts = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();
    private final long frame;
    private final long out;

    Chunks(long frame, long out) {
        this.frame = frame;
        this.out = out;
        CALLS.put(frame, this);
        Memory.putLong(out + Abi.Output.GROW, TestCalls.GROW);
        begin(CHUNK_BYTES);
    }

    /** Sees a record. */
    interface See {
        void record(int pool, byte[] key, byte[] value);
    }

    /** Shows each record, in order. */
    void collect(See see) {
        int last = Memory.getInt(out + Abi.Output.CHUNK);
        for (int index = 0; index <= last; index++) {
            long at = starts.get(index);
            long end = index == last ? Memory.getLong(out + Abi.Output.AT) : ends.get(index);
            while (at < end) {
                byte[] value = new byte[Memory.getInt(at + Abi.Record.VALUE_LEN)];
                byte[] key = new byte[Memory.getInt(at + Abi.Record.KEY_LEN)];
                Memory.copy(at + Abi.Record.BYTES, value, value.length);
                Memory.copy(at + Abi.Record.BYTES + value.length, key, key.length);
                see.record(Memory.getInt(at + Abi.Record.POOL), key, value);
                at += Abi.Record.BYTES + value.length + key.length + 7 & ~7L;
            }
        }
        blocks.end();
    }

    @Override
    public void close() {
        CALLS.remove(frame);
    }

    static int grow(long frame, long need) {
        CALLS.get(frame).begin(need);
        return Abi.Status.OK;
    }

    private void begin(long need) {
        if (!starts.isEmpty()) {
            // What follows the current one was given up.
            int last = Memory.getInt(out + Abi.Output.CHUNK);
            ends.set(last, Memory.getLong(out + Abi.Output.AT));
            starts.subList(last + 1, starts.size()).clear();
            ends.subList(last + 1, ends.size()).clear();
        }
        long bytes = Math.max(need, CHUNK_BYTES);
        long start = blocks.of(bytes);
        Memory.putLong(out + Abi.Output.AT, start);
        Memory.putLong(out + Abi.Output.END, start + bytes);
        Memory.putInt(out + Abi.Output.CHUNK, starts.size());
        starts.add(start);
        ends.add(start);
    }
}
