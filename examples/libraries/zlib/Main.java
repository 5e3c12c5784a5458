import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import zlib.ZStream;
import zlib.Zlib;

/** Bytes, compressed in one call and piece by piece. */
final class Main {
    private static void check(int code) {
        if (code != Zlib.Z_OK) {
            throw new IllegalStateException(Zlib.zError(code));
        }
    }

    /** In one call. */
    private static byte[] compressed(byte[] source) {
        byte[] made = new byte[(int) Zlib.compressBound(source.length)];
        long[] length = {made.length};
        check(Zlib.compress(made, length, source, source.length));
        return Arrays.copyOf(made, (int) length[0]);
    }

    private static byte[] uncompressed(byte[] source, int size) {
        byte[] made = new byte[size];
        long[] length = {size};
        check(Zlib.uncompress(made, length, source, source.length));
        return Arrays.copyOf(made, (int) length[0]);
    }

    /** Piece by piece, in memory that zlib keeps between its calls. */
    private static byte[] deflated(byte[] source) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(64L);
            ZStream stream = ZStream.allocate(arena);
            stream.nextIn(arena.allocateFrom(ValueLayout.JAVA_BYTE, source)).availIn(source.length);
            check(Zlib.deflateInit_(stream, Zlib.Z_DEFAULT_COMPRESSION, Zlib.ZLIB_VERSION, (int) ZStream.SIZE));
            ByteArrayOutputStream made = new ByteArrayOutputStream();
            int code = Zlib.Z_OK;
            while (code == Zlib.Z_OK) {
                stream.nextOut(room).availOut((int) room.byteSize());
                code = Zlib.deflate(stream, Zlib.Z_FINISH);
                made.writeBytes(room.asSlice(0L, room.byteSize() - stream.availOut()).toArray(ValueLayout.JAVA_BYTE));
            }
            if (code != Zlib.Z_STREAM_END) {
                check(code);
            }
            check(Zlib.deflateEnd(stream));
            return made.toByteArray();
        }
    }

    public static void main(String[] arguments) {
        byte[] source = "to be or not to be, that is the question; ".repeat(100).getBytes(StandardCharsets.UTF_8);
        boolean same = Zlib.zlibVersion().equals(Zlib.ZLIB_VERSION);
        System.out.println("version " + (same ? "of the header" : Zlib.ZLIB_VERSION));
        byte[] whole = compressed(source);
        byte[] pieces = deflated(source);
        boolean small = whole.length * 10 <= source.length && pieces.length * 10 <= source.length;
        System.out.println(source.length + " bytes, a tenth or less: " + small);
        byte[] back = uncompressed(pieces, source.length);
        boolean equal = Zlib.crc32(0L, back, back.length) == Zlib.crc32(0L, source, source.length);
        System.out.println("back " + back.length + ", " + (equal ? "the same" : "others"));
        try {
            uncompressed(source, source.length);
        } catch (IllegalStateException error) {
            System.out.println("error: " + error.getMessage());
        }
    }
}
