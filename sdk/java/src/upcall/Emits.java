package upcall;

import java.nio.charset.StandardCharsets;

/**
 * What can be emitted, and where to.
 *
 * @param <F> what a read finds
 * @param <K> a key that is listed
 */
abstract class Emits<F, K> extends Reads<F, K> {
    private static final Form LONG = Form.of(long.class);
    private static final Form INT = Form.of(int.class);
    private static final Form DOUBLE = Form.of(double.class);

    Emits() {}

    abstract Session session();

    abstract int first();

    abstract int checked(PoolId pool);

    final int output(String path) {
        return checked(find(path, PoolAccess.EMIT));
    }

    abstract void write(int pool, byte[] key, byte[] value);

    abstract void write(int pool, View key, byte[] value);

    abstract void write(int pool, byte[] key, View value);

    abstract void write(int pool, View key, View value);

    /** A number of four or eight bytes. */
    abstract void write(int pool, byte[] key, long value, int bytes);

    abstract void write(int pool, View key, long value, int bytes);

    /** A value, which its form turns into bytes. */
    void write(int pool, byte[] key, Form form, Object value) {
        write(pool, key, form.pack(value));
    }

    /** A value, which its form turns into bytes. */
    void write(int pool, View key, Form form, Object value) {
        write(pool, key, form.pack(value));
    }

    /** Throws when values of this form are not emitted, or the pool declares another one. */
    abstract void agree(Form form, int pool);

    /** What {@code write} emits counts only if the newest version of its key is the previous one when it arrives. */
    abstract void conditionally(long previous, Runnable write);

    static byte[] utf8(String text) {
        return Utf8.bytes(text);
    }

    private void text(int pool, byte[] key, String value) {
        if (session().refusesText(pool)) {
            throw session().noText(pool, new String(key, StandardCharsets.UTF_8));
        }
        write(pool, key, utf8(value));
    }

    private void text(int pool, View key, String value) {
        if (session().refusesText(pool)) {
            throw session().noText(pool, key.text());
        }
        write(pool, key, utf8(value));
    }

    /** A pool whose values are numbers of this form. */
    private int of(Form number, int pool) {
        agree(number, pool);
        return pool;
    }

    /** Emits an object into the handler's first pool. */
    public final void put(byte[] key, byte[] value) {
        write(first(), key, value);
    }

    /** Emits an object into the handler's first pool. */
    public final void put(byte[] key, View value) {
        write(first(), key, value);
    }

    /** Emits an object into the handler's first pool. */
    public final void put(byte[] key, String value) {
        text(first(), key, value);
    }

    /** Emits an object into the handler's first pool. */
    public final void put(View key, byte[] value) {
        write(first(), key, value);
    }

    /** Emits an object into the handler's first pool. */
    public final void put(View key, View value) {
        write(first(), key, value);
    }

    /** Emits an object into the handler's first pool. */
    public final void put(View key, String value) {
        text(first(), key, value);
    }

    /** Emits an object into the handler's first pool. */
    public final void put(String key, byte[] value) {
        write(first(), utf8(key), value);
    }

    /** Emits an object into the handler's first pool. */
    public final void put(String key, View value) {
        write(first(), utf8(key), value);
    }

    /** Emits an object into the handler's first pool. */
    public final void put(String key, String value) {
        text(first(), utf8(key), value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, byte[] key, byte[] value) {
        write(checked(pool), key, value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, byte[] key, View value) {
        write(checked(pool), key, value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, byte[] key, String value) {
        text(checked(pool), key, value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, View key, byte[] value) {
        write(checked(pool), key, value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, View key, View value) {
        write(checked(pool), key, value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, View key, String value) {
        text(checked(pool), key, value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, String key, byte[] value) {
        write(checked(pool), utf8(key), value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, String key, View value) {
        write(checked(pool), utf8(key), value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, String key, String value) {
        text(checked(pool), utf8(key), value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, byte[] key, byte[] value) {
        write(output(path), key, value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, byte[] key, View value) {
        write(output(path), key, value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, byte[] key, String value) {
        text(output(path), key, value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, View key, byte[] value) {
        write(output(path), key, value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, View key, View value) {
        write(output(path), key, value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, View key, String value) {
        text(output(path), key, value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, String key, byte[] value) {
        write(output(path), utf8(key), value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, String key, View value) {
        write(output(path), utf8(key), value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, String key, String value) {
        text(output(path), utf8(key), value);
    }

    /** Emits a number, a value of eight bytes, into the handler's first pool. */
    public final void putLong(byte[] key, long value) {
        write(of(LONG, first()), key, value, Long.BYTES);
    }

    /** Emits a number, a value of eight bytes, into the handler's first pool. */
    public final void putLong(View key, long value) {
        write(of(LONG, first()), key, value, Long.BYTES);
    }

    /** Emits a number, a value of eight bytes, into the handler's first pool. */
    public final void putLong(String key, long value) {
        write(of(LONG, first()), utf8(key), value, Long.BYTES);
    }

    /** Emits a number, a value of eight bytes, into a pool that the handler declares. */
    public final void putLong(PoolId pool, byte[] key, long value) {
        write(of(LONG, checked(pool)), key, value, Long.BYTES);
    }

    /** Emits a number, a value of eight bytes, into a pool that the handler declares. */
    public final void putLong(PoolId pool, View key, long value) {
        write(of(LONG, checked(pool)), key, value, Long.BYTES);
    }

    /** Emits a number, a value of eight bytes, into a pool that the handler declares. */
    public final void putLong(PoolId pool, String key, long value) {
        write(of(LONG, checked(pool)), utf8(key), value, Long.BYTES);
    }

    /** Emits a number, a value of four bytes, into the handler's first pool. */
    public final void putInt(byte[] key, int value) {
        write(of(INT, first()), key, value, Integer.BYTES);
    }

    /** Emits a number, a value of four bytes, into the handler's first pool. */
    public final void putInt(View key, int value) {
        write(of(INT, first()), key, value, Integer.BYTES);
    }

    /** Emits a number, a value of four bytes, into the handler's first pool. */
    public final void putInt(String key, int value) {
        write(of(INT, first()), utf8(key), value, Integer.BYTES);
    }

    /** Emits a number, a value of four bytes, into a pool that the handler declares. */
    public final void putInt(PoolId pool, byte[] key, int value) {
        write(of(INT, checked(pool)), key, value, Integer.BYTES);
    }

    /** Emits a number, a value of four bytes, into a pool that the handler declares. */
    public final void putInt(PoolId pool, View key, int value) {
        write(of(INT, checked(pool)), key, value, Integer.BYTES);
    }

    /** Emits a number, a value of four bytes, into a pool that the handler declares. */
    public final void putInt(PoolId pool, String key, int value) {
        write(of(INT, checked(pool)), utf8(key), value, Integer.BYTES);
    }

    /** Emits a number, a value of eight bytes, into the handler's first pool. */
    public final void putDouble(byte[] key, double value) {
        write(of(DOUBLE, first()), key, Double.doubleToRawLongBits(value), Long.BYTES);
    }

    /** Emits a number, a value of eight bytes, into the handler's first pool. */
    public final void putDouble(View key, double value) {
        write(of(DOUBLE, first()), key, Double.doubleToRawLongBits(value), Long.BYTES);
    }

    /** Emits a number, a value of eight bytes, into the handler's first pool. */
    public final void putDouble(String key, double value) {
        write(of(DOUBLE, first()), utf8(key), Double.doubleToRawLongBits(value), Long.BYTES);
    }

    /** Emits a number, a value of eight bytes, into a pool that the handler declares. */
    public final void putDouble(PoolId pool, byte[] key, double value) {
        write(of(DOUBLE, checked(pool)), key, Double.doubleToRawLongBits(value), Long.BYTES);
    }

    /** Emits a number, a value of eight bytes, into a pool that the handler declares. */
    public final void putDouble(PoolId pool, View key, double value) {
        write(of(DOUBLE, checked(pool)), key, Double.doubleToRawLongBits(value), Long.BYTES);
    }

    /** Emits a number, a value of eight bytes, into a pool that the handler declares. */
    public final void putDouble(PoolId pool, String key, double value) {
        write(of(DOUBLE, checked(pool)), utf8(key), Double.doubleToRawLongBits(value), Long.BYTES);
    }

    /**
     * Emits an object into the handler's first pool if the newest version of its key is {@code previous} when
     * it arrives there, 0 for none. If it is not, the object that is being handled fails, and nothing counts of what it has
     * emitted; with {@code retry} it is handled again, and may read the key again. For each object one such emission.
     *
     * @throws IllegalStateException it is the second one of the object, or is made by a batch handler or at the flush: there
     *     is no object that could fail
     */
    public final void putIf(byte[] key, byte[] value, long previous) {
        int to = first();
        conditionally(previous, () -> write(to, key, value));
    }

    /** The same, into the handler's first pool. */
    public final void putIf(byte[] key, String value, long previous) {
        int to = first();
        conditionally(previous, () -> text(to, key, value));
    }

    /** The same for a number, a value of eight bytes, into the handler's first pool. */
    public final void putLongIf(byte[] key, long value, long previous) {
        int to = of(LONG, first());
        conditionally(previous, () -> write(to, key, value, Long.BYTES));
    }

    /** The same, into the handler's first pool. */
    public final void putIf(String key, byte[] value, long previous) {
        int to = first();
        conditionally(previous, () -> write(to, utf8(key), value));
    }

    /** The same, into the handler's first pool. */
    public final void putIf(String key, String value, long previous) {
        int to = first();
        conditionally(previous, () -> text(to, utf8(key), value));
    }

    /** The same for a number, a value of eight bytes, into the handler's first pool. */
    public final void putLongIf(String key, long value, long previous) {
        int to = of(LONG, first());
        conditionally(previous, () -> write(to, utf8(key), value, Long.BYTES));
    }

    /** The same, into a pool that the handler declares. */
    public final void putIf(PoolId pool, byte[] key, byte[] value, long previous) {
        int to = checked(pool);
        conditionally(previous, () -> write(to, key, value));
    }

    /** The same, into a pool that the handler declares. */
    public final void putIf(PoolId pool, byte[] key, String value, long previous) {
        int to = checked(pool);
        conditionally(previous, () -> text(to, key, value));
    }

    /** The same for a number, a value of eight bytes, into a pool that the handler declares. */
    public final void putLongIf(PoolId pool, byte[] key, long value, long previous) {
        int to = of(LONG, checked(pool));
        conditionally(previous, () -> write(to, key, value, Long.BYTES));
    }

    /** The same, into a pool that the handler declares. */
    public final void putIf(PoolId pool, String key, byte[] value, long previous) {
        int to = checked(pool);
        conditionally(previous, () -> write(to, utf8(key), value));
    }

    /** The same, into a pool that the handler declares. */
    public final void putIf(PoolId pool, String key, String value, long previous) {
        int to = checked(pool);
        conditionally(previous, () -> text(to, utf8(key), value));
    }

    /** The same for a number, a value of eight bytes, into a pool that the handler declares. */
    public final void putLongIf(PoolId pool, String key, long value, long previous) {
        int to = of(LONG, checked(pool));
        conditionally(previous, () -> write(to, utf8(key), value, Long.BYTES));
    }
}
