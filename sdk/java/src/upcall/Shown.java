package upcall;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Values as people read them, for what {@link upcall.flow} and {@link upcall.testing} print. Not for programs. */
public final class Shown {
    /** Bytes of a value that are shown. */
    private static final int SHOWN = 64;

    private Shown() {}

    /** The text of a value in quotation marks, or its bytes in hexadecimal; the beginning of a long one. */
    public static String of(byte[] value) {
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
