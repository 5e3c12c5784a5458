package upcall;

/**
 * A vertex that begins or is updated. Used again for the next one: it ends with the call.
 *
 * <p>A value has accessors for each type that it may have; those of another type than the program's throw an
 * {@link IllegalStateException}.
 */
public final class Vertex {
    private final VertexCall call;
    private final VertexTypes types;
    private final int ownKind;
    private final int shownKind;
    private final Neighbours incoming;
    private final Neighbours outgoing;
    private final VertexContext context;
    private final Wakes wakes;
    private final NextValues nextValues;
    private final boolean writes;

    // Of the frame: where what is each vertex's begins.
    private long first;
    private long ids;
    private long own;
    private long before;
    private long next;
    private long outDegrees;

    // Which it is: in the frame, and of the graph.
    private long index;
    private long id;

    Vertex(VertexCall call, VertexTypes types, VertexContext context) {
        this.call = call;
        this.types = types;
        this.context = context;
        ownKind = NumberType.kindOf(types.own());
        shownKind = types.shown().kind;
        nextValues = new NextValues(types);
        writes = types.writes();
        incoming = new Neighbours(call, this, types, null);
        outgoing = new Neighbours(call, this, types, nextValues);
        wakes = new Wakes(types.selective(), context);
    }

    /** Has the vertices of a frame. Returns how many there are. */
    long enter(long frame, boolean start) {
        long count = Memory.getLong(frame + Abi.VertexFrame.COUNT);
        if (count < 0 || count > 1L << 32) {
            throw new IllegalStateException("the frame has " + Long.toUnsignedString(count) + " vertices: the engine breaks the rules");
        }
        index = -1;
        first = Memory.getLong(frame + Abi.VertexFrame.FIRST);
        boolean listed = Memory.getLong(frame + Abi.VertexFrame.IDS + Abi.Rel.LEN) != 0;
        ids = listed ? VertexCall.slice(frame, Abi.VertexFrame.IDS, Abi.FrameHead.BASE_BATCH, count) : 0;
        long ownBytes = count * NumberType.bytesOf(types.own());
        long shownBytes = count * NumberType.bytesOf(types.shown());
        own = VertexCall.slice(frame, Abi.VertexFrame.OWN, Abi.FrameHead.BASE_OUTPUT, ownBytes);
        next = VertexCall.slice(frame, Abi.VertexFrame.NEXT, Abi.FrameHead.BASE_OUTPUT, shownBytes);
        before = start ? 0 : VertexCall.slice(frame, Abi.VertexFrame.BEFORE, Abi.FrameHead.BASE_BATCH, shownBytes);
        outDegrees = VertexCall.slice(frame, Abi.VertexFrame.OUT_DEGREES, Abi.FrameHead.BASE_BATCH, count);
        if (start) {
            // What the program does not write is zero, whatever the engine's memory held.
            Memory.zero(own, ownBytes);
            Memory.zero(next, shownBytes);
        }
        String absent = start
                ? "look at neighbours in start: only the degrees are known there; look at them in updates"
                : "look at neighbours, which the engine does not give to this program: to look at each, implement VertexHandler";
        incoming.enter(frame, Abi.VertexFrame.INCOMING, count, absent);
        if (types.looksOut()) {
            outgoing.enter(frame, Abi.VertexFrame.OUTGOING, count, absent);
        } else {
            outgoing.close("look at outgoing edges, which the program has not said: override outgoing() to return true, or writes() if it "
                    + "sets their values");
        }
        nextValues.enter(frame, count, start);
        context.enter(frame, count == 0 ? first : idAt(count - 1));
        wakes.enter(frame);
        return count;
    }

    /** What it is given has ended. */
    void leave() {
        incoming.close("");
        outgoing.close("");
        nextValues.leave();
        wakes.leave();
    }

    /** Becomes the vertex at an index of the frame. */
    void move(long index) {
        this.index = index;
        long number = idAt(index);
        id = number;
        incoming.move(index);
        outgoing.move(index);
        if (writes) {
            outgoing.moveNext(index);
        }
        context.move(number);
    }

    private long idAt(long index) {
        return ids == 0 ? first + index : Integer.toUnsignedLong(Memory.getInt(ids + (index << 2)));
    }

    /** The index in the frame; -1 before the first one. */
    long index() {
        return index;
    }

    /** As {@link #id}, whoever asks. */
    long number() {
        return id;
    }

    /** Its number. */
    public long id() {
        call.check();
        return id;
    }

    /** How many edges come in, in the whole graph. */
    public long inDegree() {
        return incoming.degree();
    }

    /** How many edges go out of it, in the whole graph, whether or not the program looks at them. */
    public long outDegree() {
        call.check();
        return Integer.toUnsignedLong(Memory.getInt(outDegrees + (index << 2)));
    }

    /** The vertices that it has edges from. */
    public Neighbours incoming() {
        return incoming;
    }

    /**
     * The vertices that it has edges to, where the program says that it {@linkplain VertexProgram#outgoing looks at them}, or
     * {@linkplain VertexProgram#writes sets} their values.
     */
    public Neighbours outgoing() {
        return outgoing;
    }

    /** What it keeps to itself, an {@code f64}. */
    public double ownDouble() {
        return Memory.getDouble(own(NumberType.Kind.DOUBLE, 3));
    }

    /** What it keeps to itself, an {@code f32}. */
    public float ownFloat() {
        return Memory.getFloat(own(NumberType.Kind.FLOAT, 2));
    }

    /** What it keeps to itself, an {@code i64} or {@code u64}. */
    public long ownLong() {
        return Memory.getLong(own(NumberType.Kind.LONG, 3));
    }

    /** What it keeps to itself, an {@code i32} or {@code u32}. */
    public int ownInt() {
        return Memory.getInt(own(NumberType.Kind.INT, 2));
    }

    /** Keeps an {@code f64} to itself. */
    public void setOwnDouble(double value) {
        Memory.putDouble(own(NumberType.Kind.DOUBLE, 3), value);
    }

    /** Keeps an {@code f32} to itself. */
    public void setOwnFloat(float value) {
        Memory.putFloat(own(NumberType.Kind.FLOAT, 2), value);
    }

    /** Keeps an {@code i64} or {@code u64} to itself. */
    public void setOwnLong(long value) {
        Memory.putLong(own(NumberType.Kind.LONG, 3), value);
    }

    /** Keeps an {@code i32} or {@code u32} to itself. */
    public void setOwnInt(int value) {
        Memory.putInt(own(NumberType.Kind.INT, 2), value);
    }

    /** What it showed in the last iteration, an {@code f64}; 0 in {@link VertexProgram#start}. */
    public double shownDouble() {
        long at = shown(NumberType.Kind.DOUBLE, 3);
        return at == 0 ? 0 : Memory.getDouble(at);
    }

    /** What it showed in the last iteration, an {@code f32}; 0 in {@link VertexProgram#start}. */
    public float shownFloat() {
        long at = shown(NumberType.Kind.FLOAT, 2);
        return at == 0 ? 0 : Memory.getFloat(at);
    }

    /** What it showed in the last iteration, an {@code i64} or {@code u64}; 0 in {@link VertexProgram#start}. */
    public long shownLong() {
        long at = shown(NumberType.Kind.LONG, 3);
        return at == 0 ? 0 : Memory.getLong(at);
    }

    /** What it showed in the last iteration, an {@code i32} or {@code u32}; 0 in {@link VertexProgram#start}. */
    public int shownInt() {
        long at = shown(NumberType.Kind.INT, 2);
        return at == 0 ? 0 : Memory.getInt(at);
    }

    /** Shows an {@code f64} to its neighbours, from the next iteration on. Otherwise it goes on showing what it did; so below. */
    public void showDouble(double value) {
        Memory.putDouble(next(NumberType.Kind.DOUBLE, 3), value);
    }

    /** Shows an {@code f32} to its neighbours. */
    public void showFloat(float value) {
        Memory.putFloat(next(NumberType.Kind.FLOAT, 2), value);
    }

    /** Shows an {@code i64} or {@code u64} to its neighbours. */
    public void showLong(long value) {
        Memory.putLong(next(NumberType.Kind.LONG, 3), value);
    }

    /** Shows an {@code i32} or {@code u32} to its neighbours. */
    public void showInt(int value) {
        Memory.putInt(next(NumberType.Kind.INT, 2), value);
    }

    /**
     * Has it updated in the next iteration of a {@linkplain VertexProgram#selective selective} program, whether or not it sees a
     * change. Other programs update all anyway.
     */
    public void schedule() {
        call.check();
        wakes.add(id);
    }

    /**
     * Has any vertex updated in the next iteration, as {@link #schedule()}.
     *
     * @throws IllegalArgumentException there is no such vertex
     */
    public void schedule(long vertex) {
        call.check();
        wakes.add(vertex);
    }

    /** What is set of the values of the frame's edges. */
    NextValues nextValues() {
        return nextValues;
    }

    /** Copies what the first vertices of the frame keep to themselves; so below. */
    void readOwn(int as, Object into, int count) {
        checkOwn(as);
        NumberArrays.read(as, own, into, count);
    }

    void writeOwn(int as, Object from, int count) {
        checkOwn(as);
        NumberArrays.write(as, from, own, count);
    }

    void readShown(int as, Object into, int count) {
        checkShown(as);
        NumberArrays.read(as, before, into, count);
    }

    void show(int as, Object from, int count) {
        checkShown(as);
        NumberArrays.write(as, from, next, count);
    }

    private long own(int as, int shift) {
        checkOwn(as);
        return own + (index << shift);
    }

    /** 0 at the start. */
    private long shown(int as, int shift) {
        checkShown(as);
        return before == 0 ? 0 : before + (index << shift);
    }

    private long next(int as, int shift) {
        checkShown(as);
        return next + (index << shift);
    }

    private void checkOwn(int as) {
        call.check();
        if (ownKind != as) {
            throw VertexTypes.wrong("own", types.own(), as);
        }
    }

    private void checkShown(int as) {
        call.check();
        if (shownKind != as) {
            throw VertexTypes.wrong("shown", types.shown(), as);
        }
    }
}
