// Made by upcall bindgen; do not edit.
package @PACKAGE@;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Memory, or an address: for JDK 17 what java.lang.foreign.MemorySegment is from JDK 22 on, as far as these
 * bindings need it. A segment has at most 2 GiB.
 */
public final class MemorySegment {
    /** The null address. */
    public static final MemorySegment NULL = new MemorySegment(0L, 0L, null, null, null, false);

    private final long address;
    private final long size;
    /** The bytes; null where there are none, and for arrays that are not of bytes. */
    private final ByteBuffer buffer;
    private final Object array;
    private final Arena arena;
    private final boolean readOnly;

    private MemorySegment(long address, long size, ByteBuffer buffer, Object array, Arena arena, boolean readOnly) {
        this.address = address;
        this.size = size;
        this.buffer = buffer == null ? null : buffer.order(ByteOrder.nativeOrder());
        this.array = array;
        this.arena = arena;
        this.readOnly = readOnly;
    }

    static MemorySegment of(ByteBuffer buffer, Arena arena) {
        long address = NativeLibrary.bufferAddress(buffer);
        return new MemorySegment(address, buffer.capacity(), buffer, null, arena, false);
    }

    /** An address, with no bytes until {@link #reinterpret(long)} says how many. */
    public static MemorySegment ofAddress(long address) {
        return address == 0L ? NULL : new MemorySegment(address, 0L, null, null, null, false);
    }

    public static MemorySegment ofArray(byte[] array) {
        return new MemorySegment(0L, array.length, ByteBuffer.wrap(array), array, null, false);
    }

    public static MemorySegment ofArray(short[] array) {
        return new MemorySegment(0L, array.length * 2L, null, array, null, false);
    }

    public static MemorySegment ofArray(int[] array) {
        return new MemorySegment(0L, array.length * 4L, null, array, null, false);
    }

    public static MemorySegment ofArray(long[] array) {
        return new MemorySegment(0L, array.length * 8L, null, array, null, false);
    }

    public static MemorySegment ofArray(float[] array) {
        return new MemorySegment(0L, array.length * 4L, null, array, null, false);
    }

    public static MemorySegment ofArray(double[] array) {
        return new MemorySegment(0L, array.length * 8L, null, array, null, false);
    }

    /** What is between its position and its limit. */
    public static MemorySegment ofBuffer(ByteBuffer buffer) {
        ByteBuffer bytes = buffer.slice();
        boolean readOnly = bytes.isReadOnly();
        // A heap buffer has no address, whether or not its array can be seen.
        Object array = bytes.isDirect() ? null : bytes;
        long address = bytes.isDirect() ? NativeLibrary.bufferAddress(bytes) : 0L;
        return new MemorySegment(address, bytes.capacity(), bytes, array, null, readOnly);
    }

    public boolean isReadOnly() {
        return readOnly;
    }

    public long address() {
        return address;
    }

    public long byteSize() {
        return size;
    }

    /** Whether it is not a Java array. */
    public boolean isNative() {
        return array == null;
    }

    public MemorySegment asReadOnly() {
        return new MemorySegment(address, size, buffer, array, arena, true);
    }

    public MemorySegment asSlice(long offset) {
        return asSlice(offset, size - offset);
    }

    public MemorySegment asSlice(long offset, long length) {
        Objects.checkFromIndexSize(offset, length, size);
        if (length == 0L) {
            return new MemorySegment(address + offset, 0L, null, null, arena, readOnly);
        }
        ByteBuffer slice = bytes().slice((int) offset, (int) length);
        return new MemorySegment(address + offset, length, slice, null, arena, readOnly);
    }

    /** The same address with another number of bytes. Nothing is checked. */
    public MemorySegment reinterpret(long length) {
        return reinterpret(length, arena, null);
    }

    /** As {@link #reinterpret(long)}, until the arena is closed. */
    public MemorySegment reinterpret(long length, Arena arena, Runnable cleanup) {
        if (cleanup != null) {
            throw new UnsupportedOperationException("there are no cleanups here");
        }
        if (length > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a segment of " + length + " bytes is too long for JNI");
        }
        ByteBuffer bytes = length == 0L ? null : NativeLibrary.buffer(address, length);
        return new MemorySegment(address, length, bytes, null, arena, readOnly);
    }

    private ByteBuffer bytes() {
        if (arena != null) {
            arena.check();
        }
        if (buffer == null) {
            if (array != null) {
                throw new UnsupportedOperationException("use the array itself");
            }
            throw new IndexOutOfBoundsException("the segment has no bytes: reinterpret it");
        }
        return buffer;
    }

    private ByteBuffer writable() {
        if (readOnly) {
            throw new IllegalArgumentException("the segment is read-only");
        }
        return bytes();
    }

    private static int at(long offset) {
        return offset >= 0L && offset <= Integer.MAX_VALUE ? (int) offset : -1;
    }

    public boolean get(ValueLayout.OfBoolean layout, long offset) {
        return bytes().get(at(offset)) != 0;
    }

    public byte get(ValueLayout.OfByte layout, long offset) {
        return bytes().get(at(offset));
    }

    public short get(ValueLayout.OfShort layout, long offset) {
        return bytes().getShort(at(offset));
    }

    public int get(ValueLayout.OfInt layout, long offset) {
        return bytes().getInt(at(offset));
    }

    public long get(ValueLayout.OfLong layout, long offset) {
        return bytes().getLong(at(offset));
    }

    public float get(ValueLayout.OfFloat layout, long offset) {
        return bytes().getFloat(at(offset));
    }

    public double get(ValueLayout.OfDouble layout, long offset) {
        return bytes().getDouble(at(offset));
    }

    public MemorySegment get(AddressLayout layout, long offset) {
        return ofAddress(bytes().getLong(at(offset)));
    }

    public void set(ValueLayout.OfBoolean layout, long offset, boolean value) {
        writable().put(at(offset), (byte) (value ? 1 : 0));
    }

    public void set(ValueLayout.OfByte layout, long offset, byte value) {
        writable().put(at(offset), value);
    }

    public void set(ValueLayout.OfShort layout, long offset, short value) {
        writable().putShort(at(offset), value);
    }

    public void set(ValueLayout.OfInt layout, long offset, int value) {
        writable().putInt(at(offset), value);
    }

    public void set(ValueLayout.OfLong layout, long offset, long value) {
        writable().putLong(at(offset), value);
    }

    public void set(ValueLayout.OfFloat layout, long offset, float value) {
        writable().putFloat(at(offset), value);
    }

    public void set(ValueLayout.OfDouble layout, long offset, double value) {
        writable().putDouble(at(offset), value);
    }

    public void set(AddressLayout layout, long offset, MemorySegment value) {
        writable().putLong(at(offset), value.address());
    }

    public byte getAtIndex(ValueLayout.OfByte layout, long index) {
        return get(layout, index);
    }

    public short getAtIndex(ValueLayout.OfShort layout, long index) {
        return get(layout, index * 2L);
    }

    public int getAtIndex(ValueLayout.OfInt layout, long index) {
        return get(layout, index * 4L);
    }

    public long getAtIndex(ValueLayout.OfLong layout, long index) {
        return get(layout, index * 8L);
    }

    public float getAtIndex(ValueLayout.OfFloat layout, long index) {
        return get(layout, index * 4L);
    }

    public double getAtIndex(ValueLayout.OfDouble layout, long index) {
        return get(layout, index * 8L);
    }

    public MemorySegment fill(byte value) {
        ByteBuffer bytes = size == 0L ? null : writable();
        for (int index = 0; index < size; index++) {
            bytes.put(index, value);
        }
        return this;
    }

    public MemorySegment copyFrom(MemorySegment from) {
        copy(from, 0L, this, 0L, from.size);
        return this;
    }

    /** A copy. */
    public byte[] toArray(ValueLayout.OfByte layout) {
        byte[] copy = new byte[Math.toIntExact(size)];
        if (size > 0L) {
            bytes().get(0, copy);
        }
        return copy;
    }

    /** The bytes themselves. */
    public ByteBuffer asByteBuffer() {
        ByteBuffer bytes = readOnly ? bytes().asReadOnlyBuffer() : bytes().duplicate();
        return bytes.order(ByteOrder.nativeOrder());
    }

    /** The first byte that differs, or -1. */
    public long mismatch(MemorySegment other) {
        int found = bytes().duplicate().rewind().mismatch(other.bytes().duplicate().rewind());
        return found;
    }

    public static void copy(byte[] from, int start, MemorySegment to, ValueLayout.OfByte layout, long offset, int length) {
        if (length > 0) {
            to.writable().put(at(offset), from, start, length);
        }
    }

    public static void copy(MemorySegment from, long start, MemorySegment to, long offset, long length) {
        if (length == 0L) {
            return;
        }
        if (to.array != null && to.buffer == null) {
            to.checkWhole(offset, length);
            ByteBuffer bytes = from.bytes().slice(at(start), (int) length).order(ByteOrder.nativeOrder());
            if (to.array instanceof short[] array) {
                bytes.asShortBuffer().get(array);
            } else if (to.array instanceof int[] array) {
                bytes.asIntBuffer().get(array);
            } else if (to.array instanceof long[] array) {
                bytes.asLongBuffer().get(array);
            } else if (to.array instanceof float[] array) {
                bytes.asFloatBuffer().get(array);
            } else if (to.array instanceof double[] array) {
                bytes.asDoubleBuffer().get(array);
            }
        } else if (from.array != null && from.buffer == null) {
            from.checkWhole(start, length);
            ByteBuffer bytes = to.writable().slice(at(offset), (int) length).order(ByteOrder.nativeOrder());
            if (from.array instanceof short[] array) {
                bytes.asShortBuffer().put(array);
            } else if (from.array instanceof int[] array) {
                bytes.asIntBuffer().put(array);
            } else if (from.array instanceof long[] array) {
                bytes.asLongBuffer().put(array);
            } else if (from.array instanceof float[] array) {
                bytes.asFloatBuffer().put(array);
            } else if (from.array instanceof double[] array) {
                bytes.asDoubleBuffer().put(array);
            }
        } else {
            to.writable().put(at(offset), from.bytes(), at(start), (int) length);
        }
    }

    private void checkWhole(long offset, long length) {
        if (offset != 0L || length != size) {
            throw new UnsupportedOperationException("arrays are copied as a whole here");
        }
    }
}
