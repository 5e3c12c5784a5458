package upcall;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Text as bytes. */
final class Utf8 {
    private Utf8() {}

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
