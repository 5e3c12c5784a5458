import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import zlib.ZStream;
import zlib.Zlib;

/** Text made small and large again, by zlib.h: in one call, and piece by piece. */
final class Main {
    private static void check(int code) {
        if (code != Zlib.Z_OK) {
            throw new IllegalStateException(Zlib.zError(code));
        }
    }

    /** The data in zlib's format. */
    private static byte[] compressed(byte[] source) {
        byte[] made = new byte[(int) Zlib.compressBound(source.length)];
        long[] length = {made.length};
        check(Zlib.compress(made, length, source, source.length));
        return Arrays.copyOf(made, (int) length[0]);
    }

    /** What was compressed: at most so many bytes. */
    private static byte[] uncompressed(byte[] source, int most) {
        byte[] made = new byte[most];
        long[] length = {most};
        check(Zlib.uncompress(made, length, source, source.length));
        return Arrays.copyOf(made, (int) length[0]);
    }

    /** The data in zlib's format, made in pieces of 64 bytes: memory that zlib keeps between its calls. */
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

    private static String yes(boolean right) {
        return right ? "yes" : "no";
    }

    public static void main(String[] arguments) {
        byte[] text = "The quick brown fox jumps over the lazy dog. ".repeat(100).getBytes(StandardCharsets.UTF_8);
        byte[][] small = {compressed(text), deflated(text)};
        boolean all = Stream.of(small).allMatch(data -> data.length < 100);
        System.out.println(text.length + " bytes, compressed to less than 100: " + yes(all));
        System.out.printf("checksum %08x%n", Zlib.crc32(0L, text, text.length));
        boolean same = Stream.of(small).allMatch(data -> Arrays.equals(uncompressed(data, text.length), text));
        System.out.println("the same again: " + yes(same));
        try {
            uncompressed("no zlib stream".getBytes(StandardCharsets.UTF_8), 100);
        } catch (IllegalStateException error) {
            System.out.println("error: " + error.getMessage());
        }
    }
}
