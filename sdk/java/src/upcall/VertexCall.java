package upcall;

/** Who may use what a vertex program is given: the thread of a call, until it ends. */
final class VertexCall {
    /** The thread of the call; null between calls. One comparison tells both. */
    Thread thread;

    void check() {
        if (Thread.currentThread() != thread) {
            throw ended();
        }
    }

    IllegalStateException ended() {
        return new IllegalStateException(thread == null
                ? "use what a handler is given after its call: it has ended; copy what is to be kept"
                : "use what a handler is given on another thread than its own: copy what is needed there");
    }

    /** Where a slice of the frame begins that has at least so many elements; throws where it has not. */
    static long slice(long frame, int field, int base, long elements) {
        long length = Memory.getLong(frame + field + Abi.Rel.LEN);
        if (Long.compareUnsigned(length, elements) < 0) {
            throw new IllegalStateException("the frame has " + Long.toUnsignedString(length) + " at offset " + field + " where "
                    + elements + " are needed: the engine breaks the rules");
        }
        return Memory.getLong(frame + base) + Memory.getLong(frame + field);
    }
}
