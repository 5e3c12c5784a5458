package upcall;

import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** Asks the flow for what is in pools, during a call. */
final class PoolReader {
    private final Session session;
    private final Room room = new Room();
    private long services;

    PoolReader(Session session) {
        this.session = session;
    }

    void open(long services) {
        this.services = services;
    }

    long services() {
        return services;
    }

    /** The flow no longer answers. */
    void close() {
        services = 0;
    }

    /** What a key is, or was; null when there is none. */
    Found read(PoolId pool, byte[] key, int asOf, long at) {
        long query = ask(pool, key, asOf, at);
        long found = query + Abi.Query.BYTES;
        Memory.putLong(found + Abi.Item.TAG, 0);
        Memory.putLong(found + Abi.Item.VERSION, 0);
        if (call(Abi.PoolServices.READ, query, found) != Abi.Status.OK) {
            String text = new String(key, StandardCharsets.UTF_8);
            throw switch ((int) Memory.getLong(found + Abi.Item.TAG)) {
                case Abi.Missing.NO_ROOM -> noRoom("read " + text, "it");
                case Abi.Missing.COMPACTED -> new VersionNotKeptException(text);
                case Abi.Missing.UNKNOWN_AS_OF -> new UnsupportedOperationException("read " + text
                        + " as it was: this engine does not know how; run it with one as new as the handler");
                default -> unreadable(pool);
            };
        }
        long version = Memory.getLong(found + Abi.Item.VERSION);
        if (version == 0) {
            return null;
        }
        long value = found + Abi.Item.VALUE;
        View view = new View(session, session.origin + Memory.getLong(value), Memory.length(value));
        return new Found(session, pool, key, view, version, Memory.getLong(found + Abi.Item.TIME));
    }

    /** The keys that begin with a prefix. */
    List<View> list(PoolId pool, byte[] prefix) {
        long query = ask(pool, prefix, Abi.AsOf.NOW, 0);
        long found = query + Abi.Query.BYTES;
        Memory.putLong(found, 0);
        if (call(Abi.PoolServices.LIST, query, found) != Abi.Status.OK) {
            throw Memory.getLong(found) == Abi.Missing.NO_ROOM ? noRoom("list keys", "them") : unreadable(pool);
        }
        return new Keys(session, session.origin + Memory.getLong(found), Memory.length(found));
    }

    private int call(int function, long query, long found) {
        if (services == 0) {
            return Abi.Status.FAILED;
        }
        long context = Memory.getLong(services + Abi.PoolServices.CONTEXT);
        return Calls.to.ask(Memory.getLong(services + function), context, query, found);
    }

    /** The query, with room for what is found behind it, and then the key. */
    private long ask(PoolId pool, byte[] key, int asOf, long at) {
        session.check(session.call);
        long behind = Abi.Query.BYTES + Abi.Item.BYTES;
        long query = room.of(behind + key.length);
        Memory.copy(key, 0, query + behind, key.length);
        Memory.putLong(query + Abi.Query.KEY, query + behind);
        Memory.putLong(query + Abi.Query.KEY_LEN, key.length);
        Memory.putInt(query + Abi.Query.POOL, pool.value);
        Memory.putInt(query + Abi.Query.AS_OF, asOf);
        Memory.putLong(query + Abi.Query.AT, at);
        return query;
    }

    /** The memory that the handler sees is full. */
    private static IllegalStateException noRoom(String what, String of) {
        return new IllegalStateException(what + ": the handler's memory has no room for " + of
                + "; raise its `memory`, or read less in one call");
    }

    private PoolNotDeclaredException unreadable(PoolId id) {
        for (Pool pool : session.pools) {
            if (pool.id().equals(id) && !pool.access().contains(PoolAccess.READ)) {
                return session.notDeclared(pool.path(), PoolAccess.READ);
            }
        }
        return new PoolNotDeclaredException("read a pool that this handler does not declare; it has " + session.known(PoolAccess.READ)
                + ": add the pool to its `read`, and take its id from pool(path) in onOpen");
    }

    /** The keys of a list, which are views. */
    private static final class Keys extends AbstractList<View> implements RandomAccess {
        private final Session session;
        private final long call;
        private final long keys;
        private final int count;

        Keys(Session session, long keys, int count) {
            this.session = session;
            this.call = session.call;
            this.keys = keys;
            this.count = count;
        }

        @Override
        public View get(int index) {
            session.check(call);
            if (index < 0 || index >= count) {
                throw new IndexOutOfBoundsException("key " + index + " of " + count);
            }
            long key = keys + (long) index * Abi.Rel.BYTES;
            return new View(session, session.origin + Memory.getLong(key), Memory.length(key));
        }

        @Override
        public int size() {
            return count;
        }
    }
}
