package upcall;

/** What the incoming neighbours of a vertex come to. Used again for the next vertex. */
public final class Gathered {
    private final VertexCall call;
    private final NumberType type;
    private final int kind;

    // Of the frame, 0 where it has none, and where in it.
    private long gathered;
    private long index;

    Gathered(VertexCall call, NumberType type) {
        this.call = call;
        this.type = type;
        kind = NumberType.kindOf(type);
    }

    /** Bytes of one. */
    long bytes() {
        return NumberType.bytesOf(type);
    }

    void enter(long gathered) {
        this.gathered = gathered;
    }

    void leave() {
        gathered = 0;
    }

    void move(long index) {
        this.index = index;
    }

    /** Of a sum or a number of neighbours, and of the least or the largest {@code f64}. */
    public double getDouble() {
        return Memory.getDouble(at(NumberType.Kind.DOUBLE, 3));
    }

    /** Of the least or the largest {@code f32}. */
    public float getFloat() {
        return Memory.getFloat(at(NumberType.Kind.FLOAT, 2));
    }

    /** Of the least or the largest {@code i64} or {@code u64}. */
    public long getLong() {
        return Memory.getLong(at(NumberType.Kind.LONG, 3));
    }

    /** Of the least or the largest {@code i32} or {@code u32}. */
    public int getInt() {
        return Memory.getInt(at(NumberType.Kind.INT, 2));
    }

    private long at(int as, int shift) {
        call.check();
        if (kind != as) {
            throw VertexTypes.wrong("gathered", type, as);
        }
        if (gathered == 0) {
            throw new IllegalStateException("look at what neighbours come to in start: it is there in updates only");
        }
        return gathered + (index << shift);
    }
}
