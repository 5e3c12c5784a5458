import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import zstd.CCtx;
import zstd.CParameter;
import zstd.EndDirective;
import zstd.InBuffer;
import zstd.OutBuffer;
import zstd.Zstd;

/** Bytes, compressed in one call and piece by piece. */
final class Main {
    private static long checked(long code) {
        if (Zstd.isError(code) != 0) {
            throw new IllegalStateException(Zstd.getErrorName(code));
        }
        return code;
    }

    /** In one call. */
    private static byte[] compressed(byte[] source) {
        byte[] made = new byte[(int) Zstd.compressBound(source.length)];
        return Arrays.copyOf(made, (int) checked(Zstd.compress(made, made.length, source, source.length, 3)));
    }

    private static byte[] decompressed(byte[] source) {
        long size = Zstd.getFrameContentSize(source, source.length);
        if (size < 0L) {
            throw new IllegalStateException("not a frame of a known size");
        }
        byte[] made = new byte[(int) size];
        return Arrays.copyOf(made, (int) checked(Zstd.decompress(made, made.length, source, source.length)));
    }

    /** Piece by piece, in memory that the buffers point to. */
    private static byte[] streamed(byte[] source) {
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        try (Arena arena = Arena.ofConfined(); CCtx context = Zstd.createCCtx()) {
            checked(context.setParameter(CParameter.C_CHECKSUM_FLAG, 1));
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

    public static void main(String[] arguments) {
        byte[] source = "to be or not to be, that is the question; ".repeat(100).getBytes(StandardCharsets.UTF_8);
        boolean same = Zstd.versionString().equals(Zstd.VERSION_STRING);
        System.out.println("version " + (same ? "of the header" : Zstd.VERSION_STRING));
        byte[] whole = compressed(source);
        byte[] pieces = streamed(source);
        boolean small = whole.length * 10 <= source.length && pieces.length * 10 <= source.length;
        System.out.println(source.length + " bytes, a tenth or less: " + small);
        boolean equal = Arrays.equals(decompressed(whole), source) && Arrays.equals(decompressed(pieces), source);
        System.out.println("back " + decompressed(whole).length + ", " + (equal ? "the same" : "others"));
        try {
            checked(Zstd.decompress(new byte[1], 1L, whole, whole.length));
        } catch (IllegalStateException error) {
            System.out.println("error: " + error.getMessage());
        }
    }
}
