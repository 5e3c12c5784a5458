package upcall;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A flow of one handler, as {@link TestEngine} is an engine. Pool 0 is the watched one, {@code /in}. */
public abstract class TestFlow extends TestEngine {
    // What a thread was given, until it asks again.
    private static final ThreadLocal<Blocks> GIVEN = new ThreadLocal<>();

    private final List<TestPool> pools = new ArrayList<>(List.of(new TestPool("/in", PoolAccess.WATCH.bit)));

    // The pools to emit to, in the order in which they were named: the first is the default.
    private final List<String> to = new ArrayList<>();
    private final Form takes;
    private Blocks call = new Blocks();
    private Duration deadline;
    private long version;

    protected TestFlow(Object handler) {
        super(handler, Abi.Kind.FLOW);
        Class<?> kind = handler instanceof TypedHandler ? TypedHandler.class : AsyncTypedHandler.class;
        takes = kind.isInstance(handler) ? Typing.of(handler.getClass(), kind).takes() : null;
    }

    /** What the handler has emitted; {@code previous} is null where it is without a condition. */
    protected abstract void emitted(String pool, byte[] key, byte[] value, Long previous);

    /** A pool is one, as in a flow, also when a handler both reads it and emits to it. */
    public final void declare(String path, PoolAccess access) {
        if (access == PoolAccess.EMIT) {
            to.add(path);
        }
        for (TestPool pool : pools) {
            if (pool.path.equals(path)) {
                pool.access |= access.bit;
                return;
            }
        }
        pools.add(new TestPool(path, access.bit));
    }

    /** The type of a pool's values. */
    public final void declare(String path, String type, int size) {
        TestPool pool = pool(path);
        pool.type = type;
        pool.size = size;
    }

    /** The type of a pool's values; empty where none is declared. */
    public final String typeOf(String path) {
        return pool(path).type;
    }

    /** Puts an object into a pool that the handler may read. */
    public final void store(String path, String key, byte[] value) {
        pool(path).add(key, value);
    }

    /** The same with a value, whose type the pool then has, where none was declared. */
    public final void store(String path, String key, Object value) {
        TestPool pool = pool(path);
        if (value == null) {
            throw new NullPointerException(
                    "pool " + path + ", key " + key + ": the value is null, which no handler takes: leave the key out");
        }
        Form form = Form.ofValue(value);
        if (pool.type.isEmpty() && !form.names.isEmpty()) {
            declare(path, form.name(), form.size);
        } else if (form.disagrees(described(pool, 0), "") != null) {
            throw new IllegalArgumentException("pool " + path + " declares the type " + pool.type + ", and is given values of "
                    + form.name() + ": give it values of its type, or declare theirs");
        }
        pool.add(key, form.pack(value));
    }

    /** What keys of a pool were before this version is no longer kept. */
    public final void forget(String path, long before) {
        pool(path).oldest = before;
    }

    /** The bytes of a value that the handler takes. */
    public final byte[] input(Object value) {
        Objects.requireNonNull(value, "value");
        return (takes != null && takes.type.isInstance(value) ? takes : Form.ofValue(value)).pack(value);
    }

    /** A batch; where the handler answers later, its objects at once. */
    public final void run(List<byte[]> keys, List<byte[]> values) {
        if (!(driver instanceof AsyncDriver)) {
            run(Abi.Kind.FLOW, keys, values);
            return;
        }
        List<CompletableFuture<Void>> begun = new ArrayList<>();
        for (int index = 0; index < keys.size(); index++) {
            begun.add(begin(keys.get(index), values.get(index)));
        }
        try {
            CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException exception) {
            throw (RuntimeException) exception.getCause();
        }
    }

    /** Hands an object over, and comes to the handler's answer. */
    public final CompletableFuture<Void> begin(byte[] key, byte[] value) {
        if (!(driver instanceof AsyncDriver)) {
            run(Abi.Kind.FLOW, List.of(key), List.of(value));
            return CompletableFuture.completedFuture(null);
        }
        synchronized (gate) {
            open();
            TestCall begun = new TestCall(this, key, value);
            // Before the call, which may last.
            if (deadline != null) {
                CompletableFuture.delayedExecutor(deadline.toNanos(), TimeUnit.NANOSECONDS)
                        .execute(() -> cancel(begun, Over.TIMED_OUT));
            }
            int status = call(begun.frame);
            if (status != Abi.Status.PENDING) {
                begun.answered(status);
            }
            return begun.answered;
        }
    }

    /** How long an answer may take. */
    public final void limit(Duration deadline) {
        this.deadline = deadline;
    }

    /** Cancels what is open, as a flow does that is being stopped. */
    public final void cancel() {
        TestCall.of(this).forEach(each -> cancel(each, Over.FROM_OUTSIDE));
    }

    private void cancel(TestCall begun, Over why) {
        synchronized (gate) {
            if (!begun.isOpen()) {
                return;
            }
            begun.over(why);
            Blocks blocks = new Blocks();
            long frame = frame(blocks, Abi.Kind.CANCEL, Abi.CancelFrame.BYTES);
            Memory.putLong(frame + Abi.CancelFrame.CALL, begun.frame);
            Memory.putInt(
                    frame + Abi.CancelFrame.WHY,
                    why == Over.TIMED_OUT ? Abi.Cancelled.TIMED_OUT : Abi.Cancelled.FROM_OUTSIDE);
            check(call(frame), frame, 0);
            blocks.end();
        }
    }

    @Override
    final void closing() {
        TestCall.of(this).forEach(each -> each.over(Over.CLOSED));
    }

    /** FLUSH: the input has ended. */
    public final void flush() {
        run(Abi.Kind.FLUSH, List.of(), List.of());
    }

    /** The sample of a flow's {@code warm}: what it emits is forgotten. */
    public final void warm(byte[] key, byte[] value) {
        open();
        call = new Blocks();
        long frame = frame(call, Abi.Kind.FLOW, Abi.FlowFrame.BYTES);
        fill(call, frame, List.of(key), List.of(value));
        Memory.putLong(Memory.getLong(frame + Abi.FlowFrame.ITEMS) + Abi.Item.VERSION, 0);
        Chunks forgotten = new Chunks(frame, frame + Abi.FlowFrame.OUT);
        try {
            check(call(frame), frame, Memory.getInt(frame + Abi.FlowFrame.DONE));
        } finally {
            forgotten.close();
        }
        call.end();
    }

    private void run(int kind, List<byte[]> keys, List<byte[]> values) {
        open();
        call = new Blocks();
        long frame = frame(call, kind, Abi.FlowFrame.BYTES);
        fill(call, frame, keys, values);
        try (Chunks chunks = new Chunks(frame, frame + Abi.FlowFrame.OUT)) {
            int status = call(frame);
            collect(chunks);
            check(status, frame, Memory.getInt(frame + Abi.FlowFrame.DONE));
        }
        call.end();
    }

    /** Takes what a call has emitted. */
    final void collect(Chunks chunks) {
        Long[] previous = {null};
        synchronized (pools) {
            chunks.collect((pool, key, value) -> {
                if (pool == Abi.Record.CONDITION) {
                    previous[0] = value(value, Long.class);
                } else {
                    emitted(pools.get(pool).path, key, value, previous[0]);
                    previous[0] = null;
                }
            });
        }
    }

    final void fill(Blocks call, long frame, List<byte[]> keys, List<byte[]> values) {
        long item = call.of((long) keys.size() * Abi.Item.BYTES);
        Blocks.slice(frame + Abi.FlowFrame.ITEMS, item, keys.size());
        for (int index = 0; index < keys.size(); index++, item += Abi.Item.BYTES) {
            call.slice(item + Abi.Item.KEY, keys.get(index));
            call.slice(item + Abi.Item.VALUE, values.get(index));
            Memory.putLong(item + Abi.Item.VERSION, ++version);
        }
    }

    @Override
    final void add(Blocks call, Blocks lent, long slice) {
        long added = call.of(Abi.FlowOpen.BYTES);
        Blocks.slice(slice, added, Abi.FlowOpen.BYTES);
        Memory.putInt(added, Abi.FlowOpen.BYTES);
        long entry = call.of((long) pools.size() * Abi.PoolEntry.BYTES);
        Blocks.slice(added + Abi.FlowOpen.POOLS, entry, pools.size());
        List<TestPool> sorted = new ArrayList<>(pools);
        sorted.sort(Comparator.comparing(pool -> to.indexOf(pool.path)));
        for (TestPool pool : sorted) {
            pool.check();
            call.slice(entry + Abi.PoolEntry.PATH, pool.path);
            call.slice(entry + Abi.PoolEntry.VALUE_TYPE, pool.type);
            Memory.putInt(entry + Abi.PoolEntry.VALUE_SIZE, pool.size);
            Memory.putInt(entry + Abi.PoolEntry.ID, pools.indexOf(pool));
            Memory.putInt(entry + Abi.PoolEntry.ACCESS, pool.access);
            entry += Abi.PoolEntry.BYTES;
        }
        long sender = call.of(Abi.Rel.BYTES);
        call.slice(sender, "harness");
        Blocks.slice(added + Abi.FlowOpen.SENDERS, sender, 1);
        long services = lent.of(Abi.PoolServices.BYTES);
        Memory.putInt(services, Abi.PoolServices.BYTES);
        Memory.putLong(services + Abi.PoolServices.CONTEXT, context);
        Memory.putLong(services + Abi.PoolServices.READ, TestCalls.READ);
        Memory.putLong(services + Abi.PoolServices.LIST, TestCalls.LIST);
        Memory.putLong(added + Abi.FlowOpen.POOL_SERVICES, services);
    }

    @Override
    final int ask(boolean list, long query, long found) {
        int id = Memory.getInt(query + Abi.Query.POOL);
        if (id < 0 || id >= pools.size() || !pools.get(id).readable()) {
            return Abi.Status.FAILED;
        }
        TestPool pool = pools.get(id);
        byte[] key = new byte[(int) Memory.getLong(query + Abi.Query.KEY_LEN)];
        Memory.copy(Memory.getLong(query + Abi.Query.KEY), key, key.length);
        if (list) {
            List<byte[]> keys = pool.keys(key);
            Blocks lends = lends();
            long each = lends.of((long) keys.size() * Abi.Rel.BYTES);
            Blocks.slice(found, each, keys.size());
            for (byte[] one : keys) {
                lends.slice(each, one);
                each += Abi.Rel.BYTES;
            }
            return Abi.Status.OK;
        }
        boolean now = Memory.getInt(query + Abi.Query.AS_OF) == Abi.AsOf.NOW;
        long until = now ? Long.MAX_VALUE : Memory.getLong(query + Abi.Query.AT);
        if (until < pool.oldest) {
            Memory.putLong(found + Abi.Item.TAG, Abi.Missing.COMPACTED);
            return Abi.Status.FAILED;
        }
        int version = pool.find(key, until);
        if (version > 0) {
            lends().slice(found + Abi.Item.VALUE, pool.value(version));
        }
        Memory.putLong(found + Abi.Item.VERSION, version);
        Memory.putLong(found + Abi.Item.TIME, version);
        return Abi.Status.OK;
    }

    /** Where what a handler reads is put. */
    private Blocks lends() {
        if (driver instanceof AsyncDriver) {
            Blocks given = new Blocks();
            GIVEN.set(given);
            return given;
        }
        return call;
    }

    private TestPool pool(String path) {
        return pools.stream().filter(pool -> pool.path.equals(path)).findFirst().orElseThrow(() -> {
            String known = pools.stream().map(pool -> pool.path).collect(Collectors.joining(", "));
            return new IllegalArgumentException("the harness has no pool " + path + "; it has " + known
                    + ": declare it with emits or reads first");
        });
    }

    private static Pool described(TestPool pool, int id) {
        return new Pool(new PoolId(id), pool.path, pool.type, pool.size, Set.of());
    }
}
