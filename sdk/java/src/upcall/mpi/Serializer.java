package upcall.mpi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/**
 * How objects become bytes and objects again: everything but arrays of numbers, single numbers and buffers, which go as they
 * are. All ranks of a communicator use the same. It may be called by several threads at once.
 */
public interface Serializer {
    /** Java's own: of what is {@link java.io.Serializable}. It trusts the other ranks. */
    Serializer JAVA = new JavaSerializer();

    /**
     * The bytes of an object, which may be null.
     *
     * @throws IOException it has no such form
     */
    byte[] write(Object value) throws IOException;

    /**
     * The object that some bytes are.
     *
     * @param type what is expected; {@code Object} where nobody has said
     * @throws IOException they are no such object
     * @throws ClassNotFoundException this rank does not have its class
     */
    Object read(byte[] bytes, Class<?> type) throws IOException, ClassNotFoundException;
}

final class JavaSerializer implements Serializer {
    @Override
    public byte[] write(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    @Override
    public Object read(byte[] bytes, Class<?> type) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }
}
