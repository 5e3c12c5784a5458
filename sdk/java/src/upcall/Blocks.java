package upcall;

import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;

/** Native memory of one call, as an engine's is: nothing in it moves. */
final class Blocks {
    /** So many bytes of zero. */
    long of(long bytes) {
        long whole = Math.max(bytes + 7 & ~7L, 8);
        long at = Memory.allocate(this, whole);
        for (long offset = 0; offset < whole; offset += Long.BYTES) {
            Memory.putLong(at + offset, 0);
        }
        return at;
    }

    /** Makes a slice that of these bytes. */
    void slice(long slice, byte[] bytes) {
        long at = of(bytes.length);
        Memory.copy(bytes, 0, at, bytes.length);
        slice(slice, at, bytes.length);
    }

    /** Makes a slice that of this text. */
    void slice(long slice, String text) {
        slice(slice, text.getBytes(StandardCharsets.UTF_8));
    }

    static void slice(long slice, long at, long length) {
        Memory.putLong(slice + Abi.Rel.OFFSET, at);
        Memory.putLong(slice + Abi.Rel.LEN, length);
    }

    /** It has been needed up to here. */
    void end() {
        Reference.reachabilityFence(this);
    }
}
