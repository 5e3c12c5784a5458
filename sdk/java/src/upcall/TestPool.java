package upcall;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/** A pool of a test harness, and what is in it: every version, counted from 1. A version is also its time. */
final class TestPool {
    final String path;
    int access;
    String type = "";
    int size;

    /** The oldest version of which it is known what the keys were. */
    long oldest;

    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();

    TestPool(String path, int access) {
        this.path = path;
        this.access = access;
    }

    boolean readable() {
        return (access & PoolAccess.READ.bit) != 0;
    }

    void add(String key, byte[] value) {
        keys.add(key.getBytes(StandardCharsets.UTF_8));
        values.add(value);
    }

    /** Throws when a value cannot be of the type that the pool declares. */
    void check() {
        for (int index = 0; index < keys.size(); index++) {
            int length = values.get(index).length;
            if (size != 0 && length != size) {
                String key = new String(keys.get(index), StandardCharsets.UTF_8);
                throw new IllegalArgumentException("pool " + path + ", key " + key + ": the value has " + length
                        + " bytes, and the type " + type + " of the pool " + size + ": give values of that type with readsValues");
            }
        }
    }

    /** The newest version of a key up to another; 0 for none. */
    int find(byte[] key, long until) {
        int version = (int) Math.min(until, keys.size());
        while (version > 0 && !Arrays.equals(key, keys.get(version - 1))) {
            version--;
        }
        return version;
    }

    byte[] value(int version) {
        return values.get(version - 1);
    }

    /** The keys that begin with a prefix, sorted by their bytes. */
    List<byte[]> keys(byte[] prefix) {
        TreeSet<byte[]> found = new TreeSet<>(Arrays::compareUnsigned);
        for (byte[] key : keys) {
            if (key.length >= prefix.length && Arrays.equals(prefix, 0, prefix.length, key, 0, prefix.length)) {
                found.add(key);
            }
        }
        return List.copyOf(found);
    }
}
