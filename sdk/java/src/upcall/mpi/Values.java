package upcall.mpi;

import java.io.IOException;
import java.nio.ByteBuffer;
import upcall.bindings.MemorySegment;
import upcall.bindings.NativeBuffer;
import upcall.bindings.ValueLayout;

/** Values as bytes: numbers as they are, all else by a serializer. */
final class Values {
    private Values() {}

    /** A value as what {@link Room#from} takes. */
    static Object written(Object value, Serializer serializer) {
        if (value instanceof ByteBuffer) {
            return value;
        }
        Elements elements = value == null ? null : Elements.of(value.getClass());
        if (elements != null) {
            return elements.asArray(value);
        }
        try {
            return serializer.write(value);
        } catch (IOException | RuntimeException failed) {
            throw new MpiException(MpiError.TYPE, "write a " + (value == null ? "null" : value.getClass().getName())
                    + " as bytes: " + failed, failed);
        }
    }

    /** The class that values like this one are read as. */
    static Class<?> typeOf(Object value) {
        if (value instanceof ByteBuffer) {
            return ByteBuffer.class;
        }
        return value == null || Elements.of(value.getClass()) == null ? Object.class : value.getClass();
    }

    /** A value of a class from bytes. */
    static Object read(MemorySegment bytes, Class<?> type, Serializer serializer) {
        Elements elements = Elements.of(type);
        if (elements != null) {
            return elements.read(Room.view(bytes), type);
        }
        byte[] copy = bytes.byteSize() == 0 ? new byte[0] : bytes.toArray(ValueLayout.JAVA_BYTE);
        if (type == ByteBuffer.class) {
            return ByteBuffer.wrap(copy);
        }
        Object value;
        try {
            value = serializer.read(copy, type);
        } catch (IOException | ClassNotFoundException | RuntimeException failed) {
            throw new MpiException(MpiError.TYPE, "read " + copy.length + " bytes as a " + type.getName() + ": " + failed, failed);
        }
        if (value != null && !type.isInstance(value)) {
            throw new MpiException(MpiError.TYPE, "receive a " + type.getName() + ": a " + value.getClass().getName() + " has come");
        }
        return value;
    }

    /** The same, of a buffer that is given back. */
    @SuppressWarnings("unchecked")
    static <T> T take(NativeBuffer buffer, Class<?> type, Serializer serializer) {
        try (buffer) {
            return (T) read(buffer.elements(), type, serializer);
        }
    }

    /** Numbers of the library's, whose memory is given back. */
    static int[] ints(NativeBuffer buffer) {
        try (buffer) {
            return (int[]) Elements.INTS.read(Room.view(buffer.elements()), int[].class);
        }
    }
}
