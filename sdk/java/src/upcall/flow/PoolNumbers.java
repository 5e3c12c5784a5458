package upcall.flow;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import upcall.Embedded;

/** What a pool takes of numbers, of which each is the value of a type: a pool that declares another refuses it. */
abstract class PoolNumbers {
    /** What the pool declares, once it was asked for. */
    private String declared;

    PoolNumbers() {}

    public abstract String path();

    public abstract String valueType();

    public abstract void put(byte[] key, byte[] value) throws InterruptedException;

    public abstract boolean tryPut(byte[] key, byte[] value);

    public abstract CompletableFuture<Long> putAsync(byte[] key, byte[] value);

    public abstract long putIf(byte[] key, byte[] value, long previous) throws InterruptedException;

    public abstract CompletableFuture<Long> putIfAsync(byte[] key, byte[] value, long previous);

    /**
     * Puts a number, a value of eight bytes, as a pool of {@code u64} or {@code i64} has. Waits for credit.
     *
     * @throws FlowException the pool declares another type, or the flow has stopped
     */
    public final void putLong(byte[] key, long value) throws InterruptedException {
        put(key, longs(value));
    }

    /** As {@link #putLong(byte[], long)}. */
    public final void putLong(String key, long value) throws InterruptedException {
        putLong(key(key), value);
    }

    /** As {@link #putLong(byte[], long)}, if there is credit. Returns whether there was. */
    public final boolean tryPutLong(byte[] key, long value) {
        return tryPut(key, longs(value));
    }

    /** As {@link #tryPutLong(byte[], long)}. */
    public final boolean tryPutLong(String key, long value) {
        return tryPutLong(key(key), value);
    }

    /** As {@link #putLong(byte[], long)}, without holding up a thread; completed with its version. */
    public final CompletableFuture<Long> putLongAsync(byte[] key, long value) {
        return later(() -> putAsync(key, longs(value)));
    }

    /** As {@link #putLongAsync(byte[], long)}. */
    public final CompletableFuture<Long> putLongAsync(String key, long value) {
        return putLongAsync(key(key), value);
    }

    /** As {@link Pool#putIf(byte[], byte[], long)}, of a number, a value of eight bytes. */
    public final long putLongIf(byte[] key, long value, long previous) throws InterruptedException {
        return putIf(key, longs(value), previous);
    }

    /** As {@link #putLongIf(byte[], long, long)}. */
    public final long putLongIf(String key, long value, long previous) throws InterruptedException {
        return putLongIf(key(key), value, previous);
    }

    /** As {@link #putLongIf(byte[], long, long)}, without a thread that waits. */
    public final CompletableFuture<Long> putLongIfAsync(byte[] key, long value, long previous) {
        return later(() -> putIfAsync(key, longs(value), previous));
    }

    /** As {@link #putLongIfAsync(byte[], long, long)}. */
    public final CompletableFuture<Long> putLongIfAsync(String key, long value, long previous) {
        return putLongIfAsync(key(key), value, previous);
    }

    /**
     * Puts a number, a value of four bytes, as a pool of {@code u32} or {@code i32} has. Waits for credit.
     *
     * @throws FlowException the pool declares another type, or the flow has stopped
     */
    public final void putInt(byte[] key, int value) throws InterruptedException {
        put(key, ints(value));
    }

    /** As {@link #putInt(byte[], int)}. */
    public final void putInt(String key, int value) throws InterruptedException {
        putInt(key(key), value);
    }

    /** As {@link #putInt(byte[], int)}, if there is credit. Returns whether there was. */
    public final boolean tryPutInt(byte[] key, int value) {
        return tryPut(key, ints(value));
    }

    /** As {@link #tryPutInt(byte[], int)}. */
    public final boolean tryPutInt(String key, int value) {
        return tryPutInt(key(key), value);
    }

    /** As {@link #putInt(byte[], int)}, without holding up a thread; completed with its version. */
    public final CompletableFuture<Long> putIntAsync(byte[] key, int value) {
        return later(() -> putAsync(key, ints(value)));
    }

    /** As {@link #putIntAsync(byte[], int)}. */
    public final CompletableFuture<Long> putIntAsync(String key, int value) {
        return putIntAsync(key(key), value);
    }

    /** As {@link Pool#putIf(byte[], byte[], long)}, of a number, a value of four bytes. */
    public final long putIntIf(byte[] key, int value, long previous) throws InterruptedException {
        return putIf(key, ints(value), previous);
    }

    /** As {@link #putIntIf(byte[], int, long)}. */
    public final long putIntIf(String key, int value, long previous) throws InterruptedException {
        return putIntIf(key(key), value, previous);
    }

    /** As {@link #putIntIf(byte[], int, long)}, without a thread that waits. */
    public final CompletableFuture<Long> putIntIfAsync(byte[] key, int value, long previous) {
        return later(() -> putIfAsync(key, ints(value), previous));
    }

    /** As {@link #putIntIfAsync(byte[], int, long)}. */
    public final CompletableFuture<Long> putIntIfAsync(String key, int value, long previous) {
        return putIntIfAsync(key(key), value, previous);
    }

    /**
     * Puts a number, a value of eight bytes, as a pool of {@code f64} has. Waits for credit.
     *
     * @throws FlowException the pool declares another type, or the flow has stopped
     */
    public final void putDouble(byte[] key, double value) throws InterruptedException {
        put(key, doubles(value));
    }

    /** As {@link #putDouble(byte[], double)}. */
    public final void putDouble(String key, double value) throws InterruptedException {
        putDouble(key(key), value);
    }

    /** As {@link #putDouble(byte[], double)}, if there is credit. Returns whether there was. */
    public final boolean tryPutDouble(byte[] key, double value) {
        return tryPut(key, doubles(value));
    }

    /** As {@link #tryPutDouble(byte[], double)}. */
    public final boolean tryPutDouble(String key, double value) {
        return tryPutDouble(key(key), value);
    }

    /** As {@link #putDouble(byte[], double)}, without holding up a thread; completed with its version. */
    public final CompletableFuture<Long> putDoubleAsync(byte[] key, double value) {
        return later(() -> putAsync(key, doubles(value)));
    }

    /** As {@link #putDoubleAsync(byte[], double)}. */
    public final CompletableFuture<Long> putDoubleAsync(String key, double value) {
        return putDoubleAsync(key(key), value);
    }

    /** As {@link Pool#putIf(byte[], byte[], long)}, of a number, a value of eight bytes. */
    public final long putDoubleIf(byte[] key, double value, long previous) throws InterruptedException {
        return putIf(key, doubles(value), previous);
    }

    /** As {@link #putDoubleIf(byte[], double, long)}. */
    public final long putDoubleIf(String key, double value, long previous) throws InterruptedException {
        return putDoubleIf(key(key), value, previous);
    }

    /** As {@link #putDoubleIf(byte[], double, long)}, without a thread that waits. */
    public final CompletableFuture<Long> putDoubleIfAsync(byte[] key, double value, long previous) {
        return later(() -> putIfAsync(key, doubles(value), previous));
    }

    /** As {@link #putDoubleIfAsync(byte[], double, long)}. */
    public final CompletableFuture<Long> putDoubleIfAsync(String key, double value, long previous) {
        return putDoubleIfAsync(key(key), value, previous);
    }

    /** A future, also of what is refused at once. */
    static <T> CompletableFuture<T> later(Supplier<CompletableFuture<T>> put) {
        try {
            return put.get();
        } catch (FlowException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private byte[] longs(long value) {
        check("a long", "u64", "i64");
        return Numbers.bytes(value);
    }

    private byte[] ints(int value) {
        check("an int", "u32", "i32");
        return Numbers.bytes(value);
    }

    private byte[] doubles(double value) {
        check("a double", "f64", "f64");
        return Numbers.bytes(value);
    }

    /** Refuses a number where the pool declares a type that it is no value of, though it may have as many bytes. */
    private void check(String number, String one, String other) {
        String type = declared();
        if (!type.equals(one) && !type.equals(other) && !type.equals("bytes")) {
            throw new FlowException(FlowError.BAD_VALUE, "put " + number + " into pool " + path() + ": its values are " + type + Embedded.help(type));
        }
    }

    /** The bytes of a text that is put under a key. */
    final byte[] text(String key, String value) {
        checkText(key);
        return Utf8.bytes(value, "value");
    }

    /** Refuses a text where the pool declares numbers, though it may have as many bytes. */
    final void checkText(String key) {
        String type = declared();
        if (Embedded.isNumber(type)) {
            throw new FlowException(
                    FlowError.BAD_VALUE,
                    "put text into pool " + path() + ", key " + key + ": its values are " + type + Embedded.help(type));
        }
    }

    private String declared() {
        String type = declared;
        if (type == null) {
            // Whichever thread asks first: the answer is the same.
            declared = type = valueType();
        }
        return type;
    }

    private static byte[] key(String text) {
        return Utf8.bytes(text, "key");
    }
}
