package upcall;

import java.util.BitSet;

/** The values of edges in a test harness, of a program that sets them: those of the last iteration, and those of the next. */
final class TestValues {
    private final TestEdge.Side incoming;
    private final TestEdge.Side outgoing;
    private final TestCells given;
    private final TestCells last;
    private final TestCells next;

    /** In the order of the edges that go out, where frames have them; those that come in say where theirs are. */
    TestValues(Blocks blocks, TestEdge.Side incoming, TestEdge.Side outgoing) {
        this.incoming = incoming;
        this.outgoing = outgoing;
        last = outgoing.values();
        given = TestCells.of(blocks, last.type(), outgoing.count);
        next = TestCells.of(blocks, last.type(), outgoing.count);
        copy(last, given);
    }

    /** As the graph has them. */
    void begin() {
        copy(given, last);
        copy(given, next);
    }

    /** Has a frame begin with those of the last iteration. */
    void fill(Blocks call, long frame, int[] vertices) {
        int edges = 0;
        for (int vertex : vertices) {
            edges += outgoing.end(vertex) - outgoing.begin(vertex);
        }
        TestCells cells = TestCells.of(call, last.type(), edges);
        int index = 0;
        for (int vertex : vertices) {
            for (int edge = outgoing.begin(vertex); edge < outgoing.end(vertex); edge++) {
                cells.put(index++, last.bits(edge));
            }
        }
        Blocks.slice(frame + Abi.VertexFrame.NEXT_VALUES, cells.at(), edges * NumberType.bytesOf(last.type()));
    }

    /** Takes what a frame has set, and schedules who is at the other end of what has changed. */
    void take(long frame, int[] vertices, BitSet scheduled) {
        TestCells cells = new TestCells(last.type(), Memory.getLong(frame + Abi.VertexFrame.NEXT_VALUES));
        int index = 0;
        for (int vertex : vertices) {
            for (int edge = outgoing.begin(vertex); edge < outgoing.end(vertex); edge++) {
                long bits = cells.bits(index++);
                next.put(edge, bits);
                if (bits != last.bits(edge)) {
                    scheduled.set(outgoing.other(edge));
                }
            }
        }
    }

    /** An iteration has ended. */
    void end() {
        copy(next, last);
    }

    /** Those of the last iteration, in the order of edges that come in: an array of the type's own. */
    Object array() {
        Blocks blocks = new Blocks();
        TestCells all = TestCells.of(blocks, last.type(), incoming.count);
        for (int edge = 0; edge < incoming.count; edge++) {
            all.put(edge, last.bits(incoming.place(edge)));
        }
        Object array = all.array(incoming.count);
        blocks.end();
        return array;
    }

    private void copy(TestCells from, TestCells to) {
        for (int edge = 0; edge < outgoing.count; edge++) {
            to.put(edge, from.bits(edge));
        }
    }
}
