// Made by upcall bindgen; do not edit.
package @PACKAGE@;

import java.nio.Buffer;
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

$each type size: short 2, int 4, long 8, float 4, double 8
    public static MemorySegment ofArray($type[] array) {
        return new MemorySegment(0L, array.length * $sizeL, null, array, null, false);
    }

$end
    /** What is between its position and its limit. */
    public static MemorySegment ofBuffer(ByteBuffer buffer) {
        ByteBuffer bytes = buffer.slice();
        boolean readOnly = bytes.isReadOnly();
        // A heap buffer has no address, whether or not its array can be seen.
        Object array = bytes.isDirect() ? null : bytes;
        long address = bytes.isDirect() ? NativeLibrary.bufferAddress(bytes) : 0L;
        return new MemorySegment(address, bytes.capacity(), bytes, array, null, readOnly);
    }

    /**
     * The same of a direct buffer of numbers of so many bytes each, which does not stay for the segment's sake: whoever uses
     * that keeps it.
     */
    public static MemorySegment ofDirect(Buffer numbers, int each) {
        Buffer part = numbers.slice();
        if (!part.isDirect()) {
            throw new IllegalArgumentException("a buffer on the heap has no address");
        }
        long size = (long) part.capacity() * each;
        MemorySegment segment = ofAddress(NativeLibrary.bufferAddress(part)).reinterpret(size);
        return numbers.isReadOnly() ? segment.asReadOnly() : segment;
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
            return new MemorySegment(address + offset, 0L, null, array, arena, readOnly);
        }
        ByteBuffer slice = bytes().slice((int) offset, (int) length);
        return new MemorySegment(address + offset, length, slice, array, arena, readOnly);
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
        if (!isNative()) {
            throw new UnsupportedOperationException("memory on the heap has no address");
        }
        if (length > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a segment of " + length + " bytes is too long for JNI");
        }
        ByteBuffer bytes = length == 0L ? null : NativeLibrary.buffer(address, length);
        return new MemorySegment(address, length, bytes, null, arena, readOnly);
    }

    /** Throws if its arena is closed. */
    void check() {
        if (arena != null) {
            arena.check();
        }
    }

    private void checkWritable() {
        if (readOnly) {
            throw new IllegalArgumentException("the segment is read-only");
        }
    }

    private ByteBuffer bytes() {
        check();
        if (buffer == null) {
            if (array != null) {
                throw new UnsupportedOperationException("use the array itself");
            }
            throw new IndexOutOfBoundsException("the segment has no bytes: reinterpret it");
        }
        return buffer;
    }

    private ByteBuffer writable() {
        checkWritable();
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

$each type class: short Short, int Int, long Long, float Float, double Double
    public $type get(ValueLayout.Of$class layout, long offset) {
        return bytes().get$class(at(offset));
    }

    public void set(ValueLayout.Of$class layout, long offset, $type value) {
        writable().put$class(at(offset), value);
    }

$end
    public MemorySegment get(AddressLayout layout, long offset) {
        return ofAddress(bytes().getLong(at(offset)));
    }

    public void set(ValueLayout.OfBoolean layout, long offset, boolean value) {
        writable().put(at(offset), (byte) (value ? 1 : 0));
    }

    public void set(ValueLayout.OfByte layout, long offset, byte value) {
        writable().put(at(offset), value);
    }

    public void set(AddressLayout layout, long offset, MemorySegment value) {
        writable().putLong(at(offset), value.address());
    }

$each type class size: byte Byte 1, short Short 2, int Int 4, long Long 8, float Float 4, double Double 8
    public $type getAtIndex(ValueLayout.Of$class layout, long index) {
        return get(layout, index * $sizeL);
    }

$end
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

$each type class size: short Short 2, int Int 4, long Long 8, float Float 4, double Double 8
    public static void copy($type[] from, int start, MemorySegment to, ValueLayout.Of$class layout, long offset, int length) {
        if (length > 0) {
            part(to.writable(), offset, length * $sizeL).as$classBuffer().put(from, start, length);
        }
    }

$end
    public static void copy(MemorySegment from, long start, MemorySegment to, long offset, long length) {
        if (length == 0L) {
            return;
        }
        if (to.array != null && to.buffer == null) {
            to.checkWhole(offset, length);
            to.checkWritable();
            ByteBuffer bytes = part(from.bytes(), start, length);
$each type class: short Short, int Int, long Long, float Float, double Double
            if (to.array instanceof $type[] array) {
                bytes.as$classBuffer().get(array);
            }
$end
        } else if (from.array != null && from.buffer == null) {
            from.checkWhole(start, length);
$each type constant: short SHORT, int INT, long LONG, float FLOAT, double DOUBLE
            if (from.array instanceof $type[] array) {
                copy(array, 0, to, ValueLayout.JAVA_$constant, offset, array.length);
            }
$end
        } else {
            to.writable().put(at(offset), from.bytes(), at(start), (int) length);
        }
    }

    private static ByteBuffer part(ByteBuffer bytes, long offset, long length) {
        return bytes.slice(at(offset), (int) length).order(ByteOrder.nativeOrder());
    }

    private void checkWhole(long offset, long length) {
        if (offset != 0L || length != size) {
            throw new UnsupportedOperationException("arrays are copied as a whole here");
        }
    }
}
