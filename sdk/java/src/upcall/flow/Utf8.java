package upcall.flow;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Text as bytes. */
final class Utf8 {
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
}
