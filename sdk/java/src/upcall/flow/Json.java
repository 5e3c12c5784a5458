package upcall.flow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the JSON that the engine writes. Java has no reader of its own. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Maps, lists, text, {@code Long} (above its range with its bits), {@code Double}, {@code Boolean} and null. */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        if (json.next() != 0) {
            throw json.wrong("its end");
        }
        return value;
    }

    private Object value() {
        return switch (next()) {
            case '{' -> map();
            case '[' -> list();
            case '"' -> text();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        for (boolean first = true; more('}', first); first = false) {
            String key = next() == '"' ? text() : null;
            if (key == null) {
                throw wrong("a name");
            }
            expect(':');
            map.put(key, value());
        }
        return map;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        for (boolean first = true; more(']', first); first = false) {
            list.add(value());
        }
        return list;
    }

    /** Whether another element follows, behind what opens the list or the element before. */
    private boolean more(char end, boolean first) {
        if (first) {
            at++;
        }
        if (next() == end) {
            at++;
            return false;
        }
        if (!first) {
            expect(',');
        }
        return true;
    }

    private String text() {
        StringBuilder read = new StringBuilder();
        for (at++; here() != '"'; at++) {
            char letter = here();
            if (letter == 0) {
                throw wrong("the end of a text");
            }
            if (letter != '\\') {
                read.append(letter);
                continue;
            }
            at++;
            switch (here()) {
                case 'b' -> read.append('\b');
                case 'f' -> read.append('\f');
                case 'n' -> read.append('\n');
                case 'r' -> read.append('\r');
                case 't' -> read.append('\t');
                case 'u' -> {
                    read.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                }
                default -> read.append(here());
            }
        }
        at++;
        return read.toString();
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong(word);
        }
        at += word.length();
        return value;
    }

    private Object number() {
        int start = at;
        while ("+-.0123456789eE".indexOf(here()) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        if (number.isEmpty()) {
            throw wrong("a value");
        }
        if (!number.chars().allMatch(letter -> letter == '-' || Character.isDigit(letter))) {
            return Double.valueOf(number);
        }
        return number.startsWith("-") ? Long.parseLong(number) : Long.parseUnsignedLong(number);
    }

    private void expect(char letter) {
        if (next() != letter) {
            throw wrong("`" + letter + "`");
        }
        at++;
    }

    /** The next letter that is no space; 0 at the end. */
    private char next() {
        while (Character.isWhitespace(here())) {
            at++;
        }
        return here();
    }

    private char here() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private IllegalStateException wrong(String missing) {
        return new IllegalStateException("read what the engine has written: " + missing + " is missing at " + at + " of " + text);
    }
}
