package upcall;

/**
 * Has what neighbours show fetched before a program looks at it: it lies anywhere, and a core waits for its look-ups once some dozen are
 * under way. Java has no instruction for it, so that one call asks for many.
 */
final class Ahead {
    // Of how many edges at a time, at least and at most: what a core's own cache holds.
    private static final long LEAST = 1024;
    private static final long MOST = 4096;

    // How many edges before the last of those that were asked for the next ones are.
    private static final long LEAD = 256;

    private final int bytes;

    // Of the frame: where edges say at which place their other ends show, and where that is.
    private long at;
    private long shown;

    // Where the last vertex's edges end; 0 where those behind a vertex are not the next one's.
    private long last;

    // The edges before were asked for; and with which edge the next ones are.
    private long asked;
    private long due = Long.MAX_VALUE;

    /** Of values of so many bytes. */
    Ahead(int bytes) {
        this.bytes = bytes;
    }

    /** Asks for nothing. */
    void leave() {
        due = Long.MAX_VALUE;
    }

    /** Has the edges of a frame's vertices, the last of which ends at {@code last}. */
    void enter(long frame, long vertices, long at, long shown, long last) {
        this.at = at;
        this.shown = shown;
        long span = vertices;
        if (vertices > 0 && Memory.getLong(frame + Abi.VertexFrame.IDS + Abi.Rel.LEN) >= vertices) {
            long ids = VertexCall.slice(frame, Abi.VertexFrame.IDS, Abi.FrameHead.BASE_BATCH, vertices);
            span = Memory.getInt(ids + (vertices - 1 << 2)) - Memory.getInt(ids) + 1L;
        }
        this.last = vertices >= span >> 2 ? last : 0;
        asked = 0;
        due = 0;
    }

    /** Whether what is at the other ends of edges before this one was asked for, and of some behind it. */
    boolean covers(long end) {
        return end <= due;
    }

    /** Asks for what is at the other ends of a vertex's edges, all of which are within, and of those behind it. */
    void ask(long begin, long end) {
        long from = Math.max(asked, begin);
        long to = Math.min(Math.max(end, Math.min(from + LEAST, last)), from + MOST);
        if (to > from) {
            Calls.to.fetch(at + (from << 2), to - from, shown, bytes);
        }
        asked = to;
        due = to > from + LEAD ? to - LEAD : to;
    }
}
