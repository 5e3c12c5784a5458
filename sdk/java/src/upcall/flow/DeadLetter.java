package upcall.flow;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import upcall.Shown;

/**
 * An object that no handler could handle, and why.
 *
 * @param pool the pool that it was put into
 * @param key its key
 * @param value its value
 * @param version its version
 * @param time its time, in nanoseconds since the Unix epoch
 * @param trace who put it, the pool, the handler that failed
 * @param attempts how often it was tried; a batch that failed as a whole counts once
 * @param typeName the class of the handler's exception
 * @param message what the exception said
 * @param stack where it was thrown
 */
public record DeadLetter(
        String pool,
        String key,
        byte[] value,
        long version,
        long time,
        List<String> trace,
        int attempts,
        String typeName,
        String message,
        String stack) {
    /** With the value as text where it is text, else its bytes in hexadecimal; the beginning of a long one. */
    @Override
    public String toString() {
        return "DeadLetter[pool=" + pool + ", key=" + key + ", value=" + Shown.of(value) + ", version=" + version + ", time=" + time
                + ", trace=" + trace + ", attempts=" + attempts + ", typeName=" + typeName + ", message=" + message + ", stack=" + stack
                + "]";
    }

    static List<DeadLetter> all(String json) {
        return ((List<?>) Json.parse(json)).stream().map(letter -> of((Map<?, ?>) letter)).toList();
    }

    private static DeadLetter of(Map<?, ?> letter) {
        Map<?, ?> cause = (Map<?, ?>) letter.get("cause");
        return new DeadLetter(
                (String) letter.get("pool"),
                (String) letter.get("key"),
                Base64.getDecoder().decode((String) letter.get("value")),
                (Long) letter.get("version"),
                (Long) letter.get("time"),
                ((List<?>) letter.get("trace")).stream().map(String.class::cast).toList(),
                Math.toIntExact((Long) letter.get("attempts")),
                (String) cause.get("type"),
                (String) cause.get("message"),
                (String) cause.get("stack"));
    }
}
