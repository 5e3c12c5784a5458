package upcall;

import java.util.Arrays;

/** The vertices that a frame's vertices schedule. */
final class Wakes {
    private final boolean selective;
    private final VertexContext context;

    private long frame;
    private long woken;
    private long room;
    private long count;

    Wakes(boolean selective, VertexContext context) {
        this.selective = selective;
        this.context = context;
    }

    void enter(long frame) {
        this.frame = frame;
        room = Memory.getLong(frame + Abi.VertexFrame.WOKEN + Abi.Rel.LEN);
        woken = VertexCall.slice(frame, Abi.VertexFrame.WOKEN, Abi.FrameHead.BASE_OUTPUT, 0);
        count = Memory.getLong(frame + Abi.VertexFrame.WAKES);
    }

    void leave() {
        room = 0;
    }

    void add(long vertex) {
        if (vertex < 0 || vertex >= context.vertices()) {
            throw new IllegalArgumentException("schedule vertex " + vertex + ": the graph has " + context.vertices()
                    + " vertices, whose numbers begin with 0");
        }
        if (!selective) {
            return;
        }
        if (count >= room) {
            dropRepeated();
        }
        Memory.putInt(woken + (count << 2), (int) vertex);
        count++;
        Memory.putLong(frame + Abi.VertexFrame.WAKES, count);
    }

    /** Makes room for one more; throws where all that are scheduled are different. */
    private void dropRepeated() {
        if (count <= Integer.MAX_VALUE - 8) {
            int[] all = new int[(int) count];
            for (int index = 0; index < all.length; index++) {
                all[index] = Memory.getInt(woken + 4L * index);
            }
            Arrays.sort(all);
            int kept = 0;
            for (int index = 0; index < all.length; index++) {
                if (index == 0 || all[index] != all[index - 1]) {
                    Memory.putInt(woken + 4L * kept++, all[index]);
                }
            }
            count = kept;
        }
        if (count >= room) {
            throw new IllegalStateException("schedule more than " + room + " vertices in one call: the engine has room for no more; "
                    + "have vertices schedule fewer");
        }
    }
}
