// Made by upcall bindgen; do not edit.
package @PACKAGE@;

//ffm
import java.lang.foreign.Arena;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
//end
import java.util.HexFormat;

/** Passes every type through the echo library. */
final class Check {
    private static boolean failed;

    private Check() {}

    public static void main(String[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
@CALLS@        }
        System.out.println("checked @TYPES@ types");
        System.exit(failed ? 1 : 0);
    }

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    static MemorySegment memory(Arena arena, byte[] bytes, long align) {
        return arena.allocate(bytes.length, align).copyFrom(MemorySegment.ofArray(bytes));
    }

    static void wrong(String type, String what, Object expected, Object found) {
        failed = true;
        System.out.println(type + ": " + what + ": expected " + expected + ", found " + found);
    }

    static boolean expect(String type, String what, boolean expected, boolean found) {
        if (expected != found) {
            wrong(type, what, expected, found);
        }
        return expected == found;
    }

    static boolean expect(String type, String what, long expected, long found) {
        if (expected != found) {
            wrong(type, what, expected, found);
        }
        return expected == found;
    }

//ffm
    /** Bitfields, and fields that share bytes, have no layout of their own: they are copied one by one instead. */
    static void offset(String type, GroupLayout layout, String field, long expected) {
        for (MemoryLayout member : layout.memberLayouts()) {
            if (member.name().filter(field::equals).isPresent()) {
                long found = layout.byteOffset(MemoryLayout.PathElement.groupElement(field));
                expect(type, "offset of " + field, expected, found);
            }
        }
    }

//end
    /** What the library says of the last call. */
    static void mismatch(String type, String what) {
        int byteIndex = UpcallEcho.upcallEchoMismatch();
        if (byteIndex != -1) {
            wrong(type, what, "every byte as sent", "another one at " + byteIndex);
        }
    }

    static void compare(String type, String what, byte[] expected, byte[] mask, MemorySegment found) {
        byte[] bytes = found.asSlice(0L, expected.length).toArray(Native.BYTE);
        for (int index = 0; index < expected.length; index++) {
            if (((expected[index] ^ bytes[index]) & mask[index]) != 0) {
                wrong(type, what, HexFormat.of().formatHex(expected), HexFormat.of().formatHex(bytes));
                return;
            }
        }
    }

    /** One field was written into an empty value: its bytes are in its place, and nowhere else. */
    static void place(
            String type, String field, int offset, int size, byte[] sent, byte[] mask, MemorySegment found) {
        byte[] expected = new byte[sent.length];
        byte[] bytes = found.asSlice(0L, sent.length).toArray(Native.BYTE);
        for (int index = 0; index < sent.length; index++) {
            boolean within = index >= offset && index < offset + size;
            expected[index] = within ? (byte) (sent[index] & mask[index]) : 0;
            bytes[index] &= within ? mask[index] : (byte) 0xff;
        }
        if (!java.util.Arrays.equals(expected, bytes)) {
            wrong(type, "place of " + field, HexFormat.of().formatHex(expected), HexFormat.of().formatHex(bytes));
        }
    }
}
