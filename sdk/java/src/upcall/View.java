package upcall;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes in the engine's memory: a key or a value. It ends with the call that it was given in: what is to be kept is copied.
 * Numbers are read as they lie in memory, which is little-endian on all machines that Upcall runs on.
 *
 * <p>Used after the call, or on another thread, each method throws an {@link IllegalStateException}.
 */
public final class View {
    private final Session session;
    private final long call;
    private final long address;
    private final int length;

    View(Session session, long address, int length) {
        this.session = session;
        this.call = session.call;
        this.address = address;
        this.length = length;
    }

    /** How many bytes there are. */
    public int length() {
        session.check(call);
        return length;
    }

    /**
     * One byte.
     *
     * @throws IndexOutOfBoundsException there is none at this index
     */
    public byte get(int index) {
        return Memory.getByte(place(index, Byte.BYTES));
    }

    /** Two bytes from an index on, as a number. */
    public short getShort(int index) {
        return Memory.getShort(place(index, Short.BYTES));
    }

    /** Four bytes from an index on, as a number. */
    public int getInt(int index) {
        return Memory.getInt(place(index, Integer.BYTES));
    }

    /** Eight bytes from an index on, as a number. */
    public long getLong(int index) {
        return Memory.getLong(place(index, Long.BYTES));
    }

    /** Four bytes from an index on, as a number. */
    public float getFloat(int index) {
        return Float.intBitsToFloat(getInt(index));
    }

    /** Eight bytes from an index on, as a number. */
    public double getDouble(int index) {
        return Double.longBitsToDouble(getLong(index));
    }

    /** A part of it. */
    public View slice(int start, int length) {
        return new View(session, place(start, length), length);
    }

    /** A copy of the bytes. */
    public byte[] toArray() {
        session.check(call);
        byte[] bytes = new byte[length];
        Memory.copy(address, bytes, length);
        return bytes;
    }

    /**
     * Copies the bytes to the beginning of an array.
     *
     * @throws IndexOutOfBoundsException the array is shorter
     */
    public void copyTo(byte[] array) {
        session.check(call);
        if (array.length < length) {
            throw new IndexOutOfBoundsException(
                    "copy a view of " + length + " bytes to an array of " + array.length + ": it is too short");
        }
        Memory.copy(address, array, length);
    }

    /**
     * Puts the bytes into a buffer.
     *
     * @throws BufferOverflowException there is less room in it
     */
    public void copyTo(ByteBuffer buffer) {
        if (buffer.remaining() < length()) {
            throw new BufferOverflowException();
        }
        if (buffer.hasArray()) {
            byte[] bytes = toArray();
            buffer.put(bytes);
            return;
        }
        for (int index = 0; index < length; index++) {
            buffer.put(Memory.getByte(address + index));
        }
    }

    /** The bytes as text, read as UTF-8; what is none is replaced. */
    public String text() {
        session.check(call);
        byte[] room = session.room(length);
        Memory.copy(address, room, length);
        return new String(room, 0, length, StandardCharsets.UTF_8);
    }

    /** Whether it holds the same bytes. */
    public boolean contentEquals(byte[] bytes) {
        session.check(call);
        if (bytes.length != length) {
            return false;
        }
        for (int index = 0; index < length; index++) {
            if (Memory.getByte(address + index) != bytes[index]) {
                return false;
            }
        }
        return true;
    }

    /** Whether it is this text in UTF-8. */
    public boolean contentEquals(String text) {
        return contentEquals(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether another view holds the same bytes. */
    @Override
    public boolean equals(Object other) {
        return other instanceof View view && length() == view.length() && Arrays.equals(toArray(), view.toArray());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(toArray());
    }

    /** The bytes as text, as {@link #text}; what is said of it where it has ended. */
    @Override
    public String toString() {
        return session.lives(call) ? text() : "a view that has ended";
    }

    /** Where it lies; it is not used after the call. */
    long address() {
        session.check(call);
        return address;
    }

    private long place(int index, int bytes) {
        session.check(call);
        if ((index | bytes) < 0 || index > length - bytes) {
            throw outside(index, bytes);
        }
        return address + index;
    }

    private IndexOutOfBoundsException outside(int index, int bytes) {
        return new IndexOutOfBoundsException("read " + bytes + " bytes at " + index + " of a view of " + length + " bytes");
    }
}
