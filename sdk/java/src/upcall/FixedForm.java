package upcall;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.List;

/** Values that all have as many bytes: numbers, enums of them, and records of them, which lie as C lays out structs. */
final class FixedForm extends Form {
    private static final ThreadLocal<Room> ROOMS = ThreadLocal.withInitial(Room::new);

    private final MethodHandle read;
    private final MethodHandle write;
    private final boolean padded;

    private FixedForm(Class<?> type, List<String> names, Layout layout) {
        super(type, names, layout.size());
        read = layout.read().asType(MethodType.methodType(Object.class, long.class));
        write = layout.write().asType(MethodType.methodType(void.class, Object.class, long.class));
        padded = layout.filled() != layout.size();
    }

    /** That of a type, or why there is none. */
    static FixedForm of(Class<?> type) {
        try {
            Class<?> number = MethodType.methodType(type).unwrap().returnType();
            if (number.isPrimitive() && number != void.class) {
                return new FixedForm(type, names(number), Layout.of(number));
            }
            if (type.isEnum() || type.isRecord()) {
                return new FixedForm(type, List.of(PackedForm.nameOf(type)), Layout.of(type));
            }
            throw new PoolTypeException("it is not a record of numbers");
        } catch (PoolTypeException exception) {
            throw new PoolTypeException(type.getName() + " cannot be used as a value type: " + exception.getMessage()
                    + ", and it has no static unpack(byte[]) and pack(); let `upcall bindgen` write it");
        }
    }

    private static List<String> names(Class<?> number) {
        return switch (number.getName()) {
            case "long" -> List.of("i64", "u64");
            case "int" -> List.of("i32", "u32");
            case "short" -> List.of("i16", "u16");
            case "byte" -> List.of("i8", "u8");
            case "double" -> List.of("f64");
            case "float" -> List.of("f32");
            case "boolean" -> List.of("bool");
            default -> List.of("Utf16Char");
        };
    }

    @Override
    Object decode(byte[] bytes) {
        long at = ROOMS.get().of(bytes.length);
        Memory.copy(bytes, 0, at, bytes.length);
        return decode(at, bytes.length);
    }

    @Override
    Object decode(long at, int length) {
        if (length != size) {
            throw new IllegalArgumentException("it has " + length + " bytes, not " + size);
        }
        try {
            return (Object) read.invokeExact(at);
        } catch (Throwable thrown) {
            throw Memory.rethrown(thrown);
        }
    }

    @Override
    void write(Object value, long to) {
        try {
            write.invokeExact(value, to);
        } catch (Throwable thrown) {
            throw Memory.rethrown(thrown);
        }
    }

    @Override
    byte[] pack(Object value) {
        long at = ROOMS.get().of(size);
        byte[] bytes = new byte[size];
        if (padded) {
            // A test may give one to a handler that takes what other languages emit.
            Memory.copy(bytes, 0, at, size);
        }
        write(value, at);
        Memory.copy(at, bytes, size);
        return bytes;
    }

    @Override
    String unwritable(String what) {
        return padded
                ? type.getName() + " cannot be " + what + ": there is padding between its fields, which is memory that nobody has "
                        + "written; fill it with fields, or let `upcall bindgen` write the type"
                : null;
    }
}
