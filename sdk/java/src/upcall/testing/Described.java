package upcall.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a handler says of itself. */
public final class Described {
    private final List<ValueShape> gives = new ArrayList<>();
    private final List<Parameter> parameters = new ArrayList<>();
    private final Map<String, String> values = new TreeMap<>();
    private final Set<String> needs = new TreeSet<>();
    private String kind = "";
    private String form = "";
    private String gather = "";
    private ValueShape takes;
    private boolean commutative;
    private boolean answersLater;

    Described() {}

    /**
     * A type of values.
     *
     * @param name as pools name it
     * @param size bytes of a value, where all have as many; else null
     */
    public record ValueShape(String name, Integer size) {}

    /**
     * A setting that a handler understands.
     *
     * @param name its name
     * @param type the type of its values
     * @param defaultValue what it is when nobody sets it, which may be empty; null where there is no such value
     * @param range which values it may have; null for any
     */
    public record Parameter(String name, String type, String defaultValue, String range) {}

    /** The kind of batch that it takes: {@code FLOW}, {@code COMBINE}, {@code VERTEX}. */
    public String kind() {
        return kind;
    }

    /**
     * How it likes a flow's objects: {@code object} or {@code batch}; a graph's vertices: {@code vertex}, {@code gather} or
     * {@code interval}; empty for other kinds.
     */
    public String form() {
        return form;
    }

    /** The type of the values it takes; null for any bytes. */
    public ValueShape takes() {
        return takes;
    }

    /** The types of the values it gives; empty for any bytes. */
    public List<ValueShape> gives() {
        return List.copyOf(gives);
    }

    /** Whether combining is commutative. */
    public boolean commutative() {
        return commutative;
    }

    /** Whether it may answer later. */
    public boolean answersLater() {
        return answersLater;
    }

    /** The types of a vertex program's values, {@code f64} and so on, by {@code own}, {@code shown} and {@code edge}. */
    public Map<String, String> values() {
        return Map.copyOf(values);
    }

    /** What a vertex program needs: {@code outgoing}, {@code writes}, {@code selective}. */
    public Set<String> needs() {
        return Set.copyOf(needs);
    }

    /** By what a vertex program has neighbours put together; empty where it does not. */
    public String gather() {
        return gather;
    }

    /** The settings that it understands. */
    public List<Parameter> parameters() {
        return List.copyOf(parameters);
    }

    void add(int what, String key, String value) {
        switch (what) {
            case 1 -> kind = key;
            case 2 -> form = key;
            case 3 -> takes = shape(key, value);
            case 4 -> gives.add(shape(key, value));
            case 5 -> commutative = true;
            case 6 -> answersLater = true;
            case 8 -> {
                String[] lines = value.split("\n", 3);
                parameters.add(new Parameter(
                        key, lines[0], lines[1].startsWith("=") ? lines[1].substring(1) : null, lines[2].isEmpty() ? null : lines[2]));
            }
            case 9 -> values.put(key, value);
            case 10 -> needs.add(key);
            case 11 -> gather = key;
            default -> {
                // Of a newer handler.
            }
        }
    }

    private static ValueShape shape(String name, String size) {
        return new ValueShape(name, size.isEmpty() ? null : Integer.valueOf(size));
    }
}
