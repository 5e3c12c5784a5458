package upcall;

import java.util.List;

/**
 * Writes what a handler emits into the engine's memory, and reads pools. Ends with the call.
 *
 * <p>A key, and a value, may be given as a {@code byte[]}, a {@link View} or a {@link String}, which is written as UTF-8
 * and is no value of a pool of numbers.
 */
public final class Emitter extends Emits<Found, View> {
    private final Session session;
    private final long call;
    private final long frame;
    private final long out;

    // Where the record that is being written ends.
    private long end;

    Emitter(Session session, long frame) {
        this.session = session;
        this.call = session.call;
        this.frame = frame;
        this.out = frame + Abi.FlowFrame.OUT;
    }

    /** The same emitter for values of one type: see {@link TypedHandler}. */
    public <T> TypedEmitter<T> of(Class<T> type) {
        session.check(call);
        return new TypedEmitter<>(this, Form.of(type));
    }

    @Override
    Found read(PoolId pool, byte[] key, int asOf, long at) {
        session.check(call);
        return session.reader.read(pool, key, asOf, at);
    }

    @Override
    List<View> keys(PoolId pool, byte[] prefix) {
        session.check(call);
        return session.reader.list(pool, prefix);
    }

    @Override
    void agree(Form form, int pool) {
        session.agree(form, pool);
    }

    @Override
    Session session() {
        return session;
    }

    @Override
    int first() {
        return session.first();
    }

    @Override
    int checked(PoolId pool) {
        return session.checked(pool);
    }

    @Override
    PoolId find(String path, PoolAccess use) {
        return session.find(path, use);
    }

    @Override
    void write(int pool, byte[] key, byte[] value) {
        long room = room(pool, key.length, value.length);
        Memory.copy(value, 0, room, value.length);
        Memory.copy(key, 0, room + value.length, key.length);
        publish();
    }

    @Override
    void write(int pool, View key, byte[] value) {
        long from = key.address();
        int length = key.length();
        long room = room(pool, length, value.length);
        Memory.copy(value, 0, room, value.length);
        Memory.copy(from, room + value.length, length);
        publish();
    }

    @Override
    void write(int pool, byte[] key, View value) {
        long from = value.address();
        int length = value.length();
        long room = room(pool, key.length, length);
        Memory.copy(from, room, length);
        Memory.copy(key, 0, room + length, key.length);
        publish();
    }

    @Override
    void write(int pool, View key, View value) {
        long fromKey = key.address();
        long fromValue = value.address();
        int length = value.length();
        long room = room(pool, key.length(), length);
        Memory.copy(fromValue, room, length);
        Memory.copy(fromKey, room + length, key.length());
        publish();
    }

    @Override
    void write(int pool, byte[] key, long value, int bytes) {
        long room = room(pool, key.length, bytes);
        number(room, value, bytes);
        Memory.copy(key, 0, room + bytes, key.length);
        publish();
    }

    @Override
    void write(int pool, View key, long value, int bytes) {
        long from = key.address();
        long room = room(pool, key.length(), bytes);
        number(room, value, bytes);
        Memory.copy(from, room + bytes, key.length());
        publish();
    }

    @Override
    void write(int pool, byte[] key, Form form, Object value) {
        if (form.size == 0) {
            super.write(pool, key, form, value);
            return;
        }
        long at = Memory.getLong(out + Abi.Output.AT);
        int chunk = Memory.getInt(out + Abi.Output.CHUNK);
        long room = room(pool, key.length, form.size);
        // Before its value: what the value's own code emits comes behind it.
        publish();
        try {
            form.write(value, room);
            Memory.copy(key, 0, room + form.size, key.length);
        } catch (Throwable thrown) {
            takeBack(at, chunk);
            throw thrown;
        }
    }

    @Override
    void write(int pool, View key, Form form, Object value) {
        if (form.size == 0) {
            super.write(pool, key, form, value);
            return;
        }
        long from = key.address();
        long at = Memory.getLong(out + Abi.Output.AT);
        int chunk = Memory.getInt(out + Abi.Output.CHUNK);
        long room = room(pool, key.length(), form.size);
        publish();
        try {
            form.write(value, room);
            Memory.copy(from, room + form.size, key.length());
        } catch (Throwable thrown) {
            takeBack(at, chunk);
            throw thrown;
        }
    }

    @Override
    void conditionally(long previous, Runnable write) {
        session.check(call);
        session.checkCondition();
        long at = Memory.getLong(out + Abi.Output.AT);
        int chunk = Memory.getInt(out + Abi.Output.CHUNK);
        Memory.putLong(room(Abi.Record.CONDITION, 0, Long.BYTES), previous);
        publish();
        try {
            write.run();
            session.conditional = true;
        } finally {
            if (!session.conditional) {
                // It does not stay behind alone.
                takeBack(at, chunk);
            }
        }
    }

    private static void number(long at, long value, int bytes) {
        if (bytes == Long.BYTES) {
            Memory.putLong(at, value);
        } else {
            Memory.putInt(at, (int) value);
        }
    }

    /** Forgets what was written since the output stood here. */
    private void takeBack(long at, int chunk) {
        if (Memory.getInt(out + Abi.Output.CHUNK) != chunk) {
            Memory.putLong(out + Abi.Output.END, at);
        }
        Memory.putLong(out + Abi.Output.AT, at);
        Memory.putInt(out + Abi.Output.CHUNK, chunk);
    }

    /** Writes the head of a record; the room behind it is for the value and then the key. It counts from {@link #publish} on. */
    private long room(int pool, int keyLength, int valueLength) {
        session.check(call);
        long bytes = (Abi.Record.BYTES + (long) valueLength + keyLength + 7) & ~7L;
        long at = Memory.getLong(out + Abi.Output.AT);
        if (Memory.getLong(out + Abi.Output.END) - at < bytes) {
            grow(bytes);
            at = Memory.getLong(out + Abi.Output.AT);
        }
        long record = Memory.getLong(frame + Abi.FrameHead.BASE_OUTPUT) + at;
        Memory.putInt(record + Abi.Record.POOL, pool);
        Memory.putInt(record + Abi.Record.ITEM, session.item);
        Memory.putInt(record + Abi.Record.VALUE_LEN, valueLength);
        Memory.putInt(record + Abi.Record.KEY_LEN, keyLength);
        end = at + bytes;
        return record + Abi.Record.BYTES;
    }

    /** The record is there. Behind its head, so that whoever finds it after a death finds no stale record. */
    private void publish() {
        Memory.publishLong(out + Abi.Output.AT, end);
    }

    private void grow(long need) {
        long function = Memory.getLong(out + Abi.Output.GROW);
        if (function == 0 || Calls.to.grow(function, frame, need) != Abi.Status.OK) {
            throw new OutOfMemoryError("emit " + need
                    + " bytes: the engine has no more output memory; emit less for one object, or give the flow more `memory`");
        }
    }
}
