package upcall.flow;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;

/** Text as bytes, and bytes as text that people read. */
final class Utf8 {
    /** Bytes of a value that are shown. */
    private static final int SHOWN = 64;

    private Utf8() {}

    /**
     * A text as UTF-8, and nothing that is none: Java would write a question mark in place of half a surrogate pair, so that two
     * keys would be one.
     *
     * @throws IllegalArgumentException it has half of a surrogate pair
     */
    static byte[] bytes(String text) {
        int length = text.length();
        for (int at = 0; at < length; at++) {
            char letter = text.charAt(at);
            if (Character.isSurrogate(letter)) {
                if (Character.isLowSurrogate(letter) || at + 1 == length || !Character.isLowSurrogate(text.charAt(at + 1))) {
                    throw new IllegalArgumentException("a text has \\u" + Integer.toHexString(letter) + " at " + at
                            + ", which is half of a surrogate pair and has no UTF-8: give a whole pair, or bytes");
                }
                at++;
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The same, of a parameter that must not be null. */
    static byte[] bytes(String text, String parameter) {
        return bytes(Objects.requireNonNull(text, parameter));
    }

    /** A value as people read it: its text in quotation marks, or its bytes in hexadecimal; the beginning of a long one. */
    static String shown(byte[] value) {
        String rest = value.length > SHOWN ? "… (" + value.length + " bytes)" : "";
        int most = Math.min(value.length, SHOWN);
        // A character that is cut in two is left out.
        int least = rest.isEmpty() ? most : most - 3;
        for (int length = most; length >= least; length--) {
            try {
                String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value, 0, length)).toString();
                if (text.chars().noneMatch(Character::isISOControl)) {
                    return '"' + text + '"' + rest;
                }
            } catch (CharacterCodingException other) {
                // Perhaps one byte less is text.
            }
        }
        return "0x" + HexFormat.of().formatHex(value, 0, most) + rest;
    }
}
