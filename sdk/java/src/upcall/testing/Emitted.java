package upcall.testing;

import java.nio.charset.StandardCharsets;
import upcall.Shown;
import upcall.TestEngine;

/**
 * One object that the handler emitted.
 *
 * @param pool the pool's path
 * @param key the key
 * @param value the value
 * @param previous of an emission on condition: the version that its key must have, 0 for none; else null
 */
public record Emitted(String pool, byte[] key, byte[] value, Long previous) {
    /** The key as text. */
    public String keyText() {
        return new String(key, StandardCharsets.UTF_8);
    }

    /** The value as text. */
    public String valueText() {
        return new String(value, StandardCharsets.UTF_8);
    }

    /**
     * The value as what a typed handler emits.
     *
     * @throws IllegalArgumentException the bytes are no value of that type
     */
    public <T> T valueAs(Class<T> type) {
        return TestEngine.value(value, type);
    }

    /** With the value as text where it is text, else its bytes in hexadecimal; the beginning of a long one. */
    @Override
    public String toString() {
        return pool + " " + keyText() + " " + Shown.of(value);
    }
}
