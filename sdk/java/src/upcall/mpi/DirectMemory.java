package upcall.mpi;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** Memory that is not the virtual machine's, as buffers over it. */
abstract class DirectMemory {
    /** Its bytes: a direct buffer from the first to the last, in this machine's order. */
    public abstract ByteBuffer bytes();

    /** The same as shorts. */
    public final ShortBuffer shorts() {
        return bytes().asShortBuffer();
    }

    /** The same as ints. */
    public final IntBuffer ints() {
        return bytes().asIntBuffer();
    }

    /** The same as longs. */
    public final LongBuffer longs() {
        return bytes().asLongBuffer();
    }

    /** The same as floats. */
    public final FloatBuffer floats() {
        return bytes().asFloatBuffer();
    }

    /** The same as doubles. */
    public final DoubleBuffer doubles() {
        return bytes().asDoubleBuffer();
    }
}
