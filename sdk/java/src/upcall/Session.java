package upcall;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** What one instance knows from OPEN until CLOSE, and where it stands in its current frame. */
final class Session {
    private static final int NO_POOL = -1;

    Pool[] pools = {};
    String[] senders = {};

    /** Reads pools. */
    final PoolReader reader = new PoolReader(this);

    /** The thread that calls the handler. */
    Thread thread = Thread.currentThread();

    /** Counts the calls of the handler; what was given in another one has ended. */
    long call;

    /** What the batch's offsets are relative to. */
    long origin;

    /** The object being handled, or {@link Abi.Record#NO_ITEM}. */
    int item = Abi.Record.NO_ITEM;

    /** Whether the object being handled has emitted on condition. */
    boolean conditional;

    // Where the output stood before the object.
    private long markAt;
    private int markChunk;

    private int first = NO_POOL;
    private PoolId[] ids = {};

    // What was emitted last to each pool, and whether its values are numbers.
    private Form[] agreed = {};
    private boolean[] numbers = {};
    private byte[] room = new byte[256];

    Session() {}

    /** What belongs to one object of a handler that answers later. */
    Session(Session of) {
        pools = of.pools;
        senders = of.senders;
        ids = of.ids;
        first = of.first;
        agreed = new Form[of.agreed.length];
        numbers = of.numbers;
        reader.open(of.reader.services());
    }

    void open(long frame) {
        long origin = Memory.getLong(frame + Abi.FrameHead.BASE_BATCH);
        long added = origin + Memory.getLong(frame + Abi.OpenFrame.ADDED);
        Pool[] pools = new Pool[Memory.length(added + Abi.FlowOpen.POOLS)];
        long entry = origin + Memory.getLong(added + Abi.FlowOpen.POOLS);
        for (int index = 0; index < pools.length; index++, entry += Abi.PoolEntry.BYTES) {
            int access = Memory.getInt(entry + Abi.PoolEntry.ACCESS);
            Set<PoolAccess> accesses = EnumSet.noneOf(PoolAccess.class);
            for (PoolAccess one : PoolAccess.values()) {
                if ((access & one.bit) != 0) {
                    accesses.add(one);
                }
            }
            pools[index] = new Pool(
                    new PoolId(Memory.getInt(entry + Abi.PoolEntry.ID)),
                    Memory.text(entry + Abi.PoolEntry.PATH, origin),
                    Memory.text(entry + Abi.PoolEntry.VALUE_TYPE, origin),
                    Memory.getInt(entry + Abi.PoolEntry.VALUE_SIZE),
                    Set.copyOf(accesses));
        }
        String[] senders = new String[Memory.length(added + Abi.FlowOpen.SENDERS)];
        long sender = origin + Memory.getLong(added + Abi.FlowOpen.SENDERS);
        for (int index = 0; index < senders.length; index++, sender += Abi.Rel.BYTES) {
            senders[index] = Memory.text(sender, origin);
        }
        open(pools, senders);
        reader.open(Memory.getLong(added + Abi.FlowOpen.POOL_SERVICES));
    }

    private void open(Pool[] pools, String[] senders) {
        this.pools = pools;
        this.senders = senders;
        thread = Thread.currentThread();
        int count = Arrays.stream(pools).mapToInt(pool -> pool.id().value + 1).max().orElse(0);
        ids = new PoolId[count];
        agreed = new Form[count];
        numbers = new boolean[count];
        for (Pool pool : pools) {
            ids[pool.id().value] = pool.id();
            numbers[pool.id().value] = Form.isNumber(pool.valueType());
        }
        first = Arrays.stream(pools)
                .filter(pool -> pool.access().contains(PoolAccess.EMIT))
                .mapToInt(pool -> pool.id().value)
                .findFirst()
                .orElse(NO_POOL);
    }

    /** The next call of the handler: what the one before was given has ended. */
    void next() {
        call++;
    }

    /** Whether what was given in a call may be used now, here. */
    boolean lives(long call) {
        return call == this.call && Thread.currentThread() == thread;
    }

    /** Throws unless what was given in a call may be used now, here. */
    void check(long call) {
        if (call != this.call || Thread.currentThread() != thread) {
            throw ended(call);
        }
    }

    private IllegalStateException ended(long call) {
        return new IllegalStateException(call == this.call
                ? "use what a handler is given on another thread than its own: copy what is needed there"
                : "use what a handler is given after its call: it has ended; copy what is to be kept");
    }

    /** Room for the bytes of a text, used by one call after the other. */
    byte[] room(int length) {
        if (length > room.length) {
            room = new byte[Math.max(length, 2 * room.length)];
        }
        return room;
    }

    /** Remembers where the output stands. */
    void mark(long frame) {
        markAt = Memory.getLong(frame + Abi.FlowFrame.OUT + Abi.Output.AT);
        markChunk = Memory.getInt(frame + Abi.FlowFrame.OUT + Abi.Output.CHUNK);
    }

    /** Forgets what was written since {@link #mark}; the last thing done with an output. */
    void truncate(long frame) {
        Memory.putLong(frame + Abi.FlowFrame.OUT + Abi.Output.AT, markAt);
        Memory.putInt(frame + Abi.FlowFrame.OUT + Abi.Output.CHUNK, markChunk);
    }

    /** Throws when there is no object that could fail, or it has emitted on condition. */
    void checkCondition() {
        // The two messages are the same in the other SDKs.
        if (item == Abi.Record.NO_ITEM) {
            throw new IllegalStateException(
                    "emit on condition for no object in particular: there is none that could fail; "
                            + "emit on condition where one object is handled, not for a batch or at the flush");
        }
        if (conditional) {
            throw new IllegalStateException("emit on condition twice for one object: two conditions cannot be decided together; "
                    + "emit on condition once for each object");
        }
    }

    /** The handler's first pool to emit to. */
    int first() {
        if (first == NO_POOL) {
            throw new PoolNotDeclaredException("emit: this handler has no output pool; add one to its `to`");
        }
        return first;
    }

    /** A pool, which must be the handler's to emit to. */
    int checked(PoolId pool) {
        if (pool.value != first) {
            check(pool);
        }
        return pool.value;
    }

    private void check(PoolId id) {
        for (Pool pool : pools) {
            if (pool.id().value == id.value && pool.access().contains(PoolAccess.EMIT)) {
                return;
            }
        }
        throw notDeclared(pathOf(id.value), PoolAccess.EMIT);
    }

    /** Throws when values of this form are not emitted, or the pool declares another one. */
    void agree(Form form, int pool) {
        if (pool < agreed.length && agreed[pool] == form) {
            return;
        }
        String wrong = form.unwritable("emitted");
        for (Pool each : pools) {
            if (wrong == null && each.id().value == pool) {
                wrong = form.disagrees(each, "emits");
            }
        }
        if (wrong != null) {
            throw new PoolTypeException(wrong);
        }
        agreed[pool] = form;
    }

    /** Whether no text is a value of the pool. */
    boolean refusesText(int pool) {
        return numbers[pool];
    }

    /** What is thrown then. */
    PoolTypeException noText(int id, String key) {
        for (Pool pool : pools) {
            if (pool.id().value == id) {
                String type = pool.valueType();
                return new PoolTypeException(
                        "put text into pool " + pool.path() + ", key " + key + ": its values are " + type + Form.help(type));
            }
        }
        throw new IllegalStateException("no pool has the number " + id);
    }

    /** The same for the first pool to emit to, if there is one. */
    void agreeFirst(Form form) {
        if (first != NO_POOL) {
            agree(form, first);
        }
    }

    /** Throws when the pool, which is read, declares another type. */
    void agreeRead(Form form, PoolId pool) {
        for (Pool each : pools) {
            String wrong = each.id().equals(pool) ? form.disagrees(each, "reads") : null;
            if (wrong != null) {
                throw new PoolTypeException(wrong);
            }
        }
    }

    /** The pool with this path, and what for; null where it may be anything. */
    PoolId find(String path, PoolAccess use) {
        Objects.requireNonNull(path, "path");
        for (Pool pool : pools) {
            if (pool.path().equals(path)) {
                return pool.id();
            }
        }
        throw notDeclared(path, use);
    }

    /** Of the pools that there are it names those for the same use. */
    PoolNotDeclaredException notDeclared(String path, PoolAccess use) {
        String where = use == null ? "`to` or `read`" : use == PoolAccess.EMIT ? "`to`" : "`read`";
        return new PoolNotDeclaredException("pool " + path + " is not declared by this handler; it has " + known(use) + ": add " + path
                + " to its " + where);
    }

    /** The pools for a use, by their paths; where that is null all, and what they are for. */
    String known(PoolAccess use) {
        String known = Arrays.stream(pools)
                .filter(pool -> use == null || pool.access().contains(use))
                .map(use == null ? Session::described : Pool::path)
                .collect(Collectors.joining(", "));
        return known.isEmpty() ? "none" : known;
    }

    private static String described(Pool pool) {
        return pool.access().stream()
                .sorted()
                .map(access -> access.name().toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.joining(", ", pool.path() + " (", ")"));
    }

    PoolId idOf(int id) {
        return id >= 0 && id < ids.length && ids[id] != null ? ids[id] : new PoolId(id);
    }

    String pathOf(int id) {
        for (Pool pool : pools) {
            if (pool.id().value == id) {
                return pool.path();
            }
        }
        return "pool " + Integer.toUnsignedString(id);
    }

    String nameOf(int sender) {
        return sender >= 0 && sender < senders.length ? senders[sender] : "sender " + Integer.toUnsignedString(sender);
    }
}
