package upcall.flow;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The text of a flow's file, as code describes it. */
final class FlowText {
    // The flow's own keys come before all tables.
    private final StringBuilder own = new StringBuilder();
    private final StringBuilder tables = new StringBuilder();

    /** The flow's own keys, which come before the text of a file. */
    String keys() {
        return own.toString();
    }

    /** The text of a file, and what is added behind it. */
    String of(String file) {
        return file + "\n" + tables;
    }

    void own(String key, Object value) {
        line(own, key, value);
    }

    void table(String head) {
        tables.append('\n').append(head).append('\n');
    }

    /** A line of the table that was begun last; none for null. */
    void line(String key, Object value) {
        if (value != null) {
            line(tables, key, value);
        }
    }

    /** A key or a value as TOML's basic string. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\') {
                quoted.append('\\').append(letter);
            } else if (letter < ' ' || letter == 0x7f) {
                quoted.append(String.format("\\u%04x", (int) letter));
            } else {
                quoted.append(letter);
            }
        }
        return quoted.append('"').toString();
    }

    private static void line(StringBuilder to, String key, Object value) {
        to.append(key).append(" = ").append(value(value)).append('\n');
    }

    private static String value(Object value) {
        if (value instanceof String text) {
            return quoted(text);
        }
        if (value instanceof Boolean || value instanceof Byte || value instanceof Short || value instanceof Integer
                || value instanceof Long) {
            return value.toString();
        }
        if (value instanceof Float || value instanceof Double) {
            double number = ((Number) value).doubleValue();
            return Double.isNaN(number) ? "nan" : Double.isInfinite(number) ? number > 0 ? "inf" : "-inf" : value.toString();
        }
        if (value instanceof Duration time) {
            return quoted(time.getSeconds() * 1_000_000 + time.getNano() / 1000 + " us");
        }
        if (value instanceof List<?> values) {
            return values.stream().map(FlowText::value).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Map<?, ?> table) {
            return table.entrySet().stream()
                    .map(entry -> quoted(entry.getKey().toString()) + " = " + value(entry.getValue()))
                    .collect(Collectors.joining(", ", "{ ", " }"));
        }
        throw new IllegalArgumentException("a flow's file has no value like " + value + ", a "
                + (value == null ? "null" : value.getClass().getName()) + ": give text, a number or a boolean");
    }
}
