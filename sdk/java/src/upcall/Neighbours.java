package upcall;

/**
 * The vertices at the other ends of a vertex's edges in one direction, in ascending order of their numbers. Used again for the next
 * vertex.
 */
public final class Neighbours {
    private final VertexCall call;
    private final Vertex vertex;
    private final VertexTypes types;
    private final int shownKind;
    private final int edgeKind;

    // What is set of their values; null of edges that come in.
    private final NextValues nextValues;

    private final Ahead ahead;

    // What is said where there are edges and they cannot be looked at.
    private String absent;

    // Of the frame: where arrays of edges begin, and how long they are. `begins` is 0 where nothing is known of them.
    private long begins;
    private long ends;
    private long ids;
    private long at;
    private long length;
    private long shown;
    private long values;
    private long valuesBytes;
    private long places;

    // Of the vertex: its first edge, where it says at which place its other end shows, how many there are, and how many of them can be
    // looked at: all or none. Where none can, `begin` is the vertex's index until it is asked how many there are.
    private long begin;
    private long placed;
    private long degree;
    private int count;

    // The degree of a vertex that nobody has asked for, and where nothing is known of it.
    private static final long UNASKED = -2;
    private static final long UNKNOWN = -1;

    // Of the vertex: where what is set of its edges' values begins, and of how many it can be: all or none.
    private long next;
    private int settable;

    Neighbours(VertexCall call, Vertex vertex, VertexTypes types, NextValues nextValues) {
        this.call = call;
        this.vertex = vertex;
        this.types = types;
        this.nextValues = nextValues;
        ahead = new Ahead(1 << types.shown().shift);
        shownKind = types.shown().kind;
        edgeKind = NumberType.kindOf(types.edge());
    }

    /** Has the edges of a frame, of which {@code edges} are the slices. */
    void enter(long frame, int edges, long vertices, String absent) {
        if (Memory.getLong(frame + edges + Abi.Edges.BEGINS + Abi.Rel.LEN) == 0) {
            close(absent);
            return;
        }
        this.absent = absent;
        begins = VertexCall.slice(frame, edges + Abi.Edges.BEGINS, Abi.FrameHead.BASE_FILES, vertices);
        ends = VertexCall.slice(frame, edges + Abi.Edges.ENDS, Abi.FrameHead.BASE_FILES, vertices);
        length = Memory.getLong(frame + edges + Abi.Edges.AT + Abi.Rel.LEN);
        count = 0;
        ids = VertexCall.slice(frame, edges + Abi.Edges.IDS, Abi.FrameHead.BASE_FILES, length);
        at = VertexCall.slice(frame, edges + Abi.Edges.AT, Abi.FrameHead.BASE_COLUMNS, length);
        shown = VertexCall.slice(frame, Abi.VertexFrame.SHOWN, Abi.FrameHead.BASE_COLUMNS, 0);
        values = VertexCall.slice(frame, edges + Abi.Edges.VALUES, Abi.FrameHead.BASE_FILES, 0);
        valuesBytes = Memory.getLong(frame + edges + Abi.Edges.VALUES + Abi.Rel.LEN);
        boolean placed = Memory.getLong(frame + edges + Abi.Edges.PLACES + Abi.Rel.LEN) != 0;
        // Edges whose values are set are looked at for these, and not for what others show.
        if (nextValues == null && !types.writes() && vertices > 0 && length > 0) {
            long last = Memory.getLong(ends + (vertices - 1 << 3));
            ahead.enter(frame, vertices, at, shown, Math.min(Math.max(last, 0), length));
        } else {
            ahead.leave();
        }
        places = placed ? VertexCall.slice(frame, edges + Abi.Edges.PLACES, Abi.FrameHead.BASE_FILES, length) : 0;
    }

    /** Has none, and says why. */
    void close(String absent) {
        this.absent = absent;
        begins = 0;
        degree = UNKNOWN;
        count = 0;
        settable = 0;
    }

    void move(long index) {
        if (begins == 0) {
            return;
        }
        if (length == 0) {
            begin = index;
            degree = UNASKED;
            return;
        }
        long first = Memory.getLong(begins + (index << 3));
        long behind = Memory.getLong(ends + (index << 3));
        long edges = behind - first;
        if ((first | edges | length - behind) < 0 || edges > Integer.MAX_VALUE) {
            count = 0;
            settable = 0;
            throw unusable(first, behind);
        } else {
            count = (int) edges;
        }
        begin = first;
        placed = at + (first << 2);
        degree = edges;
        if (!ahead.covers(behind)) {
            ahead.ask(first, behind);
        }
    }

    /** After {@link #move}: has what is set of its edges' values. There is nothing to be set where they cannot be looked at. */
    void moveNext(long index) {
        settable = count;
        next = count == 0 ? 0 : nextValues.at(index);
    }

    /** How many there are, whether or not they can be looked at. */
    long degree() {
        call.check();
        return counted();
    }

    private long counted() {
        if (degree == UNASKED) {
            degree = Memory.getLong(ends + (begin << 3)) - Memory.getLong(begins + (begin << 3));
        }
        if (degree < 0) {
            throw new IllegalStateException(absent);
        }
        return degree;
    }

    /** How many there are. */
    public int length() {
        if (count != degree && (degree != UNASKED || counted() != 0)) {
            throw refused(0);
        }
        return count;
    }

    /**
     * The number of one of them.
     *
     * @throws IndexOutOfBoundsException there are fewer, here and below
     */
    public long id(int index) {
        check(index);
        return Integer.toUnsignedLong(Memory.getInt(ids + (begin + index << 2) & Memory.ADDRESS));
    }

    /** What one of them shows, an {@code f64}. */
    public double shownDouble(int index) {
        return Memory.getDouble(shown + (place(index, NumberType.Kind.DOUBLE) << 3) & Memory.ADDRESS);
    }

    /** What one of them shows, an {@code f32}. */
    public float shownFloat(int index) {
        return Memory.getFloat(shown + (place(index, NumberType.Kind.FLOAT) << 2) & Memory.ADDRESS);
    }

    /** What one of them shows, an {@code i64} or {@code u64}. */
    public long shownLong(int index) {
        return Memory.getLong(shown + (place(index, NumberType.Kind.LONG) << 3) & Memory.ADDRESS);
    }

    /** What one of them shows, an {@code i32} or {@code u32}. */
    public int shownInt(int index) {
        return Memory.getInt(shown + (place(index, NumberType.Kind.INT) << 2) & Memory.ADDRESS);
    }

    /** The value of the edge to one of them, an {@code f64}. */
    public double valueDouble(int index) {
        return Memory.getDouble(value(index, NumberType.Kind.DOUBLE, 3));
    }

    /** The value of the edge to one of them, an {@code f32}. */
    public float valueFloat(int index) {
        return Memory.getFloat(value(index, NumberType.Kind.FLOAT, 2));
    }

    /** The value of the edge to one of them, an {@code i64} or {@code u64}. */
    public long valueLong(int index) {
        return Memory.getLong(value(index, NumberType.Kind.LONG, 3));
    }

    /** The value of the edge to one of them, an {@code i32} or {@code u32}. */
    public int valueInt(int index) {
        return Memory.getInt(value(index, NumberType.Kind.INT, 2));
    }

    /**
     * Sets the value of the edge to one of them, an {@code f64}, from the next iteration on: for the vertex at its other end, and for
     * this one. Otherwise it stays as it is. Where edges have no direction, each has a value in each. For outgoing edges, in updates of
     * a program that says that it {@linkplain VertexProgram#writes sets} them; so below.
     */
    public void setValueDouble(int index, double value) {
        Memory.putDouble(next(index, NumberType.Kind.DOUBLE, 3), value);
    }

    /** Sets the value of the edge to one of them, an {@code f32}. */
    public void setValueFloat(int index, float value) {
        Memory.putFloat(next(index, NumberType.Kind.FLOAT, 2), value);
    }

    /** Sets the value of the edge to one of them, an {@code i64} or {@code u64}. */
    public void setValueLong(int index, long value) {
        Memory.putLong(next(index, NumberType.Kind.LONG, 3), value);
    }

    /** Sets the value of the edge to one of them, an {@code i32} or {@code u32}. */
    public void setValueInt(int index, int value) {
        Memory.putInt(next(index, NumberType.Kind.INT, 2), value);
    }

    private void check(int index) {
        if (index < 0 || index >= count || Thread.currentThread() != call.thread) {
            throw refused(index);
        }
    }

    private long place(int index, int as) {
        check(index);
        if (shownKind != as) {
            throw VertexTypes.wrong("shown", types.shown(), as);
        }
        return Integer.toUnsignedLong(Memory.getInt(placed + ((long) index << 2) & Memory.ADDRESS));
    }

    private long value(int index, int as, int shift) {
        check(index);
        if (edgeKind != as) {
            throw VertexTypes.wrong("edge", types.edge(), as);
        }
        long place = begin + index;
        if (places != 0) {
            place = Memory.getLong(places + (place << 3) & Memory.ADDRESS);
        }
        if (Long.compareUnsigned(place, valuesBytes >>> shift) >= 0) {
            throw new IllegalStateException("an edge has the value at " + Long.toUnsignedString(place) + " of "
                    + (valuesBytes >>> shift) + ": the graph's file is damaged");
        }
        return values + (place << shift) & Memory.ADDRESS;
    }

    private long next(int index, int as, int shift) {
        if (index < 0 || index >= settable || Thread.currentThread() != call.thread) {
            throw unsettable(index);
        }
        if (edgeKind != as) {
            throw VertexTypes.wrong("edge", types.edge(), as);
        }
        return next + ((long) index << shift) & Memory.ADDRESS;
    }

    private RuntimeException unsettable(int index) {
        call.check();
        if (nextValues == null) {
            return new IllegalStateException("set the value of an incoming edge: values are set on outgoing edges");
        }
        nextValues.check();
        return refused(index);
    }

    private RuntimeException refused(int index) {
        call.check();
        return count != counted()
                ? new IllegalStateException(absent)
                : new IndexOutOfBoundsException("neighbour " + index + " of vertex " + vertex.number() + ", which has " + count
                        + ": there is no such neighbour");
    }

    private IllegalStateException unusable(long first, long behind) {
        return new IllegalStateException(behind - first > Integer.MAX_VALUE
                ? "vertex " + vertex.number() + " has " + (behind - first) + " edges: a program in Java looks at up to " + Integer.MAX_VALUE
                : "the edges of vertex " + vertex.number() + " are " + Long.toUnsignedString(first) + " to " + Long.toUnsignedString(behind)
                        + ", of which the frame does not have all: the engine breaks the rules");
    }
}
