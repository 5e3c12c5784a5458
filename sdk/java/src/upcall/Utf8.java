package upcall;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Text as bytes. */
final class Utf8 {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final int SHORT = 32;

    private Utf8() {}

    /**
     * A text as UTF-8, and nothing that is none: Java would write a question mark in place of half a surrogate pair, so that two
     * keys would be one.
     *
     * @throws IllegalArgumentException it has half of a surrogate pair
     */
    static byte[] bytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // Only where there is one can it stand for a half. A short text is looked at as quickly.
        if (bytes.length <= SHORT || hasQuestionMark(bytes)) {
            check(text);
        }
        return bytes;
    }

    private static boolean hasQuestionMark(byte[] bytes) {
        int at = 0;
        // Eight at a time: one of the differences is 0 where the lowest that borrows had no highest bit.
        for (; at <= bytes.length - Long.BYTES; at += Long.BYTES) {
            long different = (long) EIGHT.get(bytes, at) ^ 0x3f3f3f3f3f3f3f3fL;
            if (((different - 0x0101010101010101L) & ~different & 0x8080808080808080L) != 0) {
                return true;
            }
        }
        for (; at < bytes.length; at++) {
            if (bytes[at] == '?') {
                return true;
            }
        }
        return false;
    }

    private static void check(String text) {
        int length = text.length();
        for (int at = 0; at < length; at++) {
            char letter = text.charAt(at);
            if (!Character.isSurrogate(letter)) {
                continue;
            }
            if (Character.isLowSurrogate(letter) || at + 1 == length || !Character.isLowSurrogate(text.charAt(at + 1))) {
                throw new IllegalArgumentException("a text has \\u" + Integer.toHexString(letter) + " at " + at
                        + ", which is half of a surrogate pair and has no UTF-8: give a whole pair, or bytes");
            }
            at++;
        }
    }

    /** The first byte that belongs to no character; -1 where all do. */
    static int wrong(byte[] bytes) {
        int start = 0;
        while (start < bytes.length && bytes[start] >= 0) {
            start++;
        }
        if (start == bytes.length) {
            return -1;
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer from = ByteBuffer.wrap(bytes, start, bytes.length - start);
        CharBuffer to = CharBuffer.allocate(256);
        CoderResult result;
        do {
            to.clear();
            result = decoder.decode(from, to, true);
        } while (result.isOverflow());
        return result.isError() ? from.position() : -1;
    }
}
