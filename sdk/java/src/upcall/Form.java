package upcall;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** How values of a type become bytes and back: found once for each type. */
abstract class Form {
    private static final ClassValue<Form> FORMS = new ClassValue<>() {
        @Override
        protected Form computeValue(Class<?> type) {
            return make(type);
        }
    };

    final Class<?> type;

    /** What pools call it, the first of which is told; none where it is any bytes. */
    final List<String> names;

    /** Bytes of a value where all have as many, else 0. */
    final int size;

    Form(Class<?> type, List<String> names, int size) {
        this.type = type;
        this.names = names;
        this.size = size;
    }

    /**
     * That of a type.
     *
     * @throws PoolTypeException it cannot be used for values
     */
    static Form of(Class<?> type) {
        return FORMS.get(type);
    }

    /** That of a value: of a union's case that of the union. */
    static Form ofValue(Object value) {
        Class<?> type = value instanceof Enum<?> one ? one.getDeclaringClass() : value.getClass();
        if (PackedForm.of(type) == null) {
            for (Class<?> above : type.getInterfaces()) {
                if (PackedForm.of(above) != null) {
                    return of(above);
                }
            }
        }
        return of(type);
    }

    private static Form make(Class<?> type) {
        if (type == byte[].class) {
            return new Bytes();
        }
        if (type == String.class) {
            return new Text();
        }
        Form packed = PackedForm.of(type);
        return packed != null ? packed : FixedForm.of(type);
    }

    /** The value in these bytes; what they are not is an exception that says so. */
    abstract Object decode(byte[] bytes);

    /** The same, where they lie in native memory. */
    Object decode(long at, int length) {
        byte[] bytes = new byte[length];
        Memory.copy(at, bytes, length);
        return decode(bytes);
    }

    /** The bytes of a value. */
    abstract byte[] pack(Object value);

    /** Writes a value into native memory, where all values have as many bytes. */
    void write(Object value, long to) {
        throw new UnsupportedOperationException(type + " has no size");
    }

    /** Why its values, which leave memory unwritten, cannot be {@code what}: emitted, put; null when they can. */
    String unwritable(String what) {
        return null;
    }

    /** The value of a key. */
    final Object read(Object key, byte[] bytes) {
        return read(key, () -> decode(bytes));
    }

    /** The same, where it lies in native memory. */
    final Object read(Object key, long at, int length) {
        return read(key, () -> decode(at, length));
    }

    private Object read(Object key, Supplier<Object> decode) {
        try {
            Object value = decode.get();
            if (value == null) {
                throw new IllegalArgumentException("it is null at byte 0");
            }
            return value;
        } catch (RuntimeException exception) {
            String text = "read the value of " + key + " as " + type.getSimpleName() + ": " + exception.getMessage();
            throw new IllegalArgumentException(text, exception);
        }
    }

    /** A value that is to be emitted. */
    final Object checked(Object value) {
        if (value == null) {
            throw new NullPointerException("emit a " + name() + ": it is null, which no handler takes");
        }
        return value;
    }

    final String name() {
        return names.isEmpty() ? "bytes" : names.get(0);
    }

    /** What is wrong with values of the pool being of this type; null when nothing is. */
    final String disagrees(Pool pool, String side) {
        boolean any = names.isEmpty() || pool.valueType().isEmpty();
        boolean sized = pool.valueSize() == 0 || size == 0 || pool.valueSize() == size;
        if (any || (names.contains(pool.valueType()) && sized)) {
            return null;
        }
        return "pool " + pool.path() + " has the type " + pool.valueType() + sized(pool.valueSize()) + ", and the handler " + side
                + " " + name() + sized(size) + ": change the pool's `type` or the handler's";
    }

    private static String sized(int size) {
        return size == 0 ? "" : " of " + size + " bytes";
    }

    /** Whether a pool that declares this type has numbers, of which no text is one, though it may have as many bytes. */
    static boolean isNumber(String declared) {
        return switch (declared) {
            case "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64" -> true;
            default -> false;
        };
    }

    /** How values of the type that a pool declares are put, as the end of a message. */
    static String help(String declared) {
        return switch (declared) {
            case "u64", "i64" -> "; use putLong and its like";
            case "u32", "i32" -> "; use putInt and its like";
            case "f64" -> "; use putDouble and its like";
            default -> "; put one as its bytes";
        };
    }

    /** Any bytes: a copy. */
    private static final class Bytes extends Form {
        Bytes() {
            super(byte[].class, List.of(), 0);
        }

        @Override
        Object decode(byte[] bytes) {
            return bytes.clone();
        }

        @Override
        byte[] pack(Object value) {
            return (byte[]) value;
        }
    }

    /** UTF-8. */
    private static final class Text extends Form {
        Text() {
            super(String.class, List.of("text"), 0);
        }

        @Override
        Object decode(byte[] bytes) {
            int wrong = Utf8.wrong(bytes);
            if (wrong >= 0) {
                throw new IllegalArgumentException("it is not UTF-8 at byte " + wrong);
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        byte[] pack(Object value) {
            return Utf8.bytes((String) value);
        }
    }
}
