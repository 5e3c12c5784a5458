package upcall.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import upcall.bindings.UpcallMpiElementType;

/**
 * A type of elements as programs in other languages have it: what messages of a {@link Checked} communicator compare, and what a
 * {@link Datatype} is made of. Numbers of Java's have theirs; a struct, which is bytes in a buffer here, is described:
 *
 * <pre>{@code
 * ElementType reading = ElementType.named("Reading", 16).field("sensor", "u32", 0, 4).field("value", "f64", 8, 8);
 * }</pre>
 *
 * <p>Types are the same where their names, sizes and fields are: of a struct in Rust its own names.
 */
public final class ElementType {
    private record Field(String name, String type, int offset, int size) {}

    private final String name;
    private final int size;
    private final List<Field> fields;
    private volatile UpcallMpiElementType made;

    private ElementType(String name, int size, List<Field> fields) {
        this.name = Objects.requireNonNull(name, "name");
        this.size = size;
        this.fields = fields;
    }

    /** One by its name, a number's as in Rust ({@code f64}) or a struct's, with so many bytes. */
    public static ElementType named(String name, int size) {
        if (size <= 0) {
            throw new IllegalArgumentException("name a type of elements: " + name + " has " + size + " bytes");
        }
        return new ElementType(name, size, List.of());
    }

    /**
     * That of a class of numbers or of arrays of them.
     *
     * @throws IllegalArgumentException it is none
     */
    public static ElementType of(Class<?> type) {
        Elements elements = Elements.of(type);
        if (elements == null) {
            throw new IllegalArgumentException(type.getName() + " is no number and no array of them; describe it: ElementType.named");
        }
        return OF_NUMBERS.get(elements.ordinal());
    }

    private static final List<ElementType> OF_NUMBERS = ofNumbers();

    private static List<ElementType> ofNumbers() {
        List<ElementType> types = new ArrayList<>();
        for (Elements elements : Elements.values()) {
            types.add(named(elements.number(), elements.size()));
        }
        return types;
    }

    /**
     * The same with the next field of its table.
     *
     * @param type the name of its type in Rust; of an array, of the array's elements
     * @param offset bytes from the start of the struct
     * @param size its bytes
     */
    public ElementType field(String name, String type, int offset, int size) {
        List<Field> more = new ArrayList<>(fields);
        more.add(new Field(name, type, offset, size));
        return new ElementType(this.name, this.size, List.copyOf(more));
    }

    /** The bytes of an element. */
    public int size() {
        return size;
    }

    /** The library's, for good. */
    UpcallMpiElementType handle() {
        UpcallMpiElementType known = made;
        if (known != null) {
            return known;
        }
        synchronized (this) {
            if (made == null) {
                made = MpiException.of(() -> {
                    UpcallMpiElementType type = new UpcallMpiElementType(name, size);
                    fields.forEach(field -> type.field(field.name(), field.type(), field.offset(), field.size()));
                    return type;
                });
            }
            return made;
        }
    }
}
