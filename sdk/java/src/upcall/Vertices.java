package upcall;

/** The vertices that an {@link IntervalHandler} updates in one call. It ends with the call. */
public final class Vertices {
    private final VertexCall call;
    private final Vertex vertex;
    private int count;

    Vertices(VertexCall call, Vertex vertex) {
        this.call = call;
        this.vertex = vertex;
    }

    void enter(long count) {
        if (count > Integer.MAX_VALUE) {
            throw new IllegalStateException("the frame has " + count + " vertices: a program in Java takes up to " + Integer.MAX_VALUE
                    + " in one call");
        }
        this.count = (int) count;
    }

    void leave() {
        count = 0;
    }

    /** How many there are. */
    public int count() {
        call.check();
        return count;
    }

    /**
     * One of them, in ascending order of their numbers: the same object each time, which is this vertex until the next call. What is
     * {@linkplain VertexContext#addResidual added} is added for it.
     *
     * @throws IndexOutOfBoundsException there are fewer
     */
    public Vertex at(int index) {
        call.check();
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("vertex at " + index + " of " + count + ": there is no such vertex");
        }
        vertex.move(index);
        return vertex;
    }

    /** Copies what each of them keeps to itself, an {@code f64}. The array may be longer; so below. */
    public void readOwn(double[] into) {
        vertex.readOwn(NumberType.Kind.DOUBLE, into, checked(into.length));
    }

    /** Copies what each of them keeps to itself, an {@code f32}. */
    public void readOwn(float[] into) {
        vertex.readOwn(NumberType.Kind.FLOAT, into, checked(into.length));
    }

    /** Copies what each of them keeps to itself, an {@code i64} or {@code u64}. */
    public void readOwn(long[] into) {
        vertex.readOwn(NumberType.Kind.LONG, into, checked(into.length));
    }

    /** Copies what each of them keeps to itself, an {@code i32} or {@code u32}. */
    public void readOwn(int[] into) {
        vertex.readOwn(NumberType.Kind.INT, into, checked(into.length));
    }

    /** Has each of them keep one of these to itself, an {@code f64}. */
    public void writeOwn(double[] from) {
        vertex.writeOwn(NumberType.Kind.DOUBLE, from, checked(from.length));
    }

    /** Has each of them keep one of these to itself, an {@code f32}. */
    public void writeOwn(float[] from) {
        vertex.writeOwn(NumberType.Kind.FLOAT, from, checked(from.length));
    }

    /** Has each of them keep one of these to itself, an {@code i64} or {@code u64}. */
    public void writeOwn(long[] from) {
        vertex.writeOwn(NumberType.Kind.LONG, from, checked(from.length));
    }

    /** Has each of them keep one of these to itself, an {@code i32} or {@code u32}. */
    public void writeOwn(int[] from) {
        vertex.writeOwn(NumberType.Kind.INT, from, checked(from.length));
    }

    /** Copies what each of them showed in the last iteration, an {@code f64}. */
    public void readShown(double[] into) {
        vertex.readShown(NumberType.Kind.DOUBLE, into, checked(into.length));
    }

    /** Copies what each of them showed in the last iteration, an {@code f32}. */
    public void readShown(float[] into) {
        vertex.readShown(NumberType.Kind.FLOAT, into, checked(into.length));
    }

    /** Copies what each of them showed in the last iteration, an {@code i64} or {@code u64}. */
    public void readShown(long[] into) {
        vertex.readShown(NumberType.Kind.LONG, into, checked(into.length));
    }

    /** Copies what each of them showed in the last iteration, an {@code i32} or {@code u32}. */
    public void readShown(int[] into) {
        vertex.readShown(NumberType.Kind.INT, into, checked(into.length));
    }

    /** Has each of them show one of these, an {@code f64}. */
    public void show(double[] from) {
        vertex.show(NumberType.Kind.DOUBLE, from, checked(from.length));
    }

    /** Has each of them show one of these, an {@code f32}. */
    public void show(float[] from) {
        vertex.show(NumberType.Kind.FLOAT, from, checked(from.length));
    }

    /** Has each of them show one of these, an {@code i64} or {@code u64}. */
    public void show(long[] from) {
        vertex.show(NumberType.Kind.LONG, from, checked(from.length));
    }

    /** Has each of them show one of these, an {@code i32} or {@code u32}. */
    public void show(int[] from) {
        vertex.show(NumberType.Kind.INT, from, checked(from.length));
    }

    /**
     * How many values {@link #readNextValues} and {@link #writeNextValues} copy: one for each outgoing edge of these vertices, where
     * the program says that it {@linkplain VertexProgram#writes sets} them.
     */
    public int nextValues() {
        call.check();
        return vertex.nextValues().count();
    }

    /**
     * Copies what values outgoing edges have from the next iteration on, {@code f64}, which are as they were until they are set: one
     * vertex's behind those of the one before. The array may be longer; so below.
     */
    public void readNextValues(double[] into) {
        call.check();
        vertex.nextValues().read(NumberType.Kind.DOUBLE, into, into.length);
    }

    /** Copies what values outgoing edges have from the next iteration on, {@code f32}. */
    public void readNextValues(float[] into) {
        call.check();
        vertex.nextValues().read(NumberType.Kind.FLOAT, into, into.length);
    }

    /** Copies what values outgoing edges have from the next iteration on, {@code i64} or {@code u64}. */
    public void readNextValues(long[] into) {
        call.check();
        vertex.nextValues().read(NumberType.Kind.LONG, into, into.length);
    }

    /** Copies what values outgoing edges have from the next iteration on, {@code i32} or {@code u32}. */
    public void readNextValues(int[] into) {
        call.check();
        vertex.nextValues().read(NumberType.Kind.INT, into, into.length);
    }

    /** Has outgoing edges have these values from the next iteration on, {@code f64}. */
    public void writeNextValues(double[] from) {
        call.check();
        vertex.nextValues().write(NumberType.Kind.DOUBLE, from, from.length);
    }

    /** Has outgoing edges have these values from the next iteration on, {@code f32}. */
    public void writeNextValues(float[] from) {
        call.check();
        vertex.nextValues().write(NumberType.Kind.FLOAT, from, from.length);
    }

    /** Has outgoing edges have these values from the next iteration on, {@code i64} or {@code u64}. */
    public void writeNextValues(long[] from) {
        call.check();
        vertex.nextValues().write(NumberType.Kind.LONG, from, from.length);
    }

    /** Has outgoing edges have these values from the next iteration on, {@code i32} or {@code u32}. */
    public void writeNextValues(int[] from) {
        call.check();
        vertex.nextValues().write(NumberType.Kind.INT, from, from.length);
    }

    /** How many there are, which an array has to have. */
    private int checked(int length) {
        call.check();
        if (length < count) {
            throw new IllegalArgumentException("an array of " + length + " for " + count + " vertices: make it as long");
        }
        return count;
    }
}
