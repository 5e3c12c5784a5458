import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import zstd.CCtx;
import zstd.CParameter;
import zstd.EndDirective;
import zstd.InBuffer;
import zstd.OutBuffer;
import zstd.Zstd;

/** Text made small and large again, by zstd.h: in one call, and piece by piece. */
final class Main {
    private static long checked(long code) {
        if (Zstd.isError(code) != 0) {
            throw new IllegalStateException(Zstd.getErrorName(code));
        }
        return code;
    }

    /** The data as one frame. */
    private static byte[] compressed(byte[] source, int level) {
        byte[] made = new byte[(int) Zstd.compressBound(source.length)];
        return Arrays.copyOf(made, (int) checked(Zstd.compress(made, made.length, source, source.length, level)));
    }

    /** What is in a frame that says how much that is. */
    private static byte[] decompressed(byte[] frame) {
        byte[] made = new byte[(int) checked(Zstd.getFrameContentSize(frame, frame.length))];
        return Arrays.copyOf(made, (int) checked(Zstd.decompress(made, made.length, frame, frame.length)));
    }

    /** The data as one frame, made in pieces of 32 bytes: memory that the buffers point to. */
    private static byte[] compressedInPieces(byte[] source, int level) {
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        try (Arena arena = Arena.ofConfined(); CCtx context = Zstd.createCCtx()) {
            checked(context.setParameter(CParameter.C_COMPRESSION_LEVEL, level));
            MemorySegment room = arena.allocate(32L);
            MemorySegment all = arena.allocateFrom(ValueLayout.JAVA_BYTE, source);
            InBuffer input = InBuffer.allocate(arena).src(all).size(source.length);
            OutBuffer output = OutBuffer.allocate(arena).dst(room).size(room.byteSize());
            for (long left = 1L; left > 0L; ) {
                left = checked(context.compressStream2(output.pos(0L), input, EndDirective.E_END));
                made.writeBytes(room.asSlice(0L, output.pos()).toArray(ValueLayout.JAVA_BYTE));
            }
        }
        return made.toByteArray();
    }

    private static String yes(boolean right) {
        return right ? "yes" : "no";
    }

    public static void main(String[] arguments) {
        byte[] text = "The quick brown fox jumps over the lazy dog. ".repeat(100).getBytes(StandardCharsets.UTF_8);
        byte[][] small = {compressed(text, 19), compressedInPieces(text, 19)};
        boolean all = Stream.of(small).allMatch(frame -> frame.length < 100);
        System.out.println(text.length + " bytes, compressed to less than 100: " + yes(all));
        boolean same = Stream.of(small).allMatch(frame -> Arrays.equals(decompressed(frame), text));
        System.out.println("the same again: " + yes(same));
        try {
            decompressed("no zstd frame".getBytes(StandardCharsets.UTF_8));
        } catch (IllegalStateException error) {
            System.out.println("error: " + error.getMessage());
        }
    }
}
