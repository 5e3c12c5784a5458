package upcall;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/**
 * Where the fields of a value lie, as C has it.
 *
 * @param size its bytes
 * @param alignment at multiples of which it lies in others
 * @param filled how many of its bytes belong to a field
 * @param read makes a value of memory: {@code (long)T}
 * @param write writes one: {@code (T,long)void}
 */
record Layout(int size, int alignment, int filled, MethodHandle read, MethodHandle write) {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodHandle PLUS;

    static {
        try {
            PLUS = LOOKUP.findStatic(Layout.class, "plus", MethodType.methodType(long.class, long.class, long.class));
        } catch (ReflectiveOperationException exception) {
            throw new ExceptionInInitializerError(exception);
        }
    }

    /** That of a number, an enum or a record; a {@link PoolTypeException} says why there is none. */
    static Layout of(Class<?> type) {
        try {
            return type.isPrimitive() ? number(type) : type.isEnum() ? enumeration(type) : record(type);
        } catch (ReflectiveOperationException exception) {
            throw new PoolTypeException("it cannot be looked into: " + exception.getMessage());
        }
    }

    private static Layout number(Class<?> type) throws ReflectiveOperationException {
        return switch (type.getName()) {
            case "long" -> stored(long.class, 8);
            case "int" -> stored(int.class, 4);
            case "short" -> stored(short.class, 2);
            case "byte" -> stored(byte.class, 1);
            case "double" -> converted(stored(long.class, 8), Double.class, "longBitsToDouble", "doubleToRawLongBits");
            case "float" -> converted(stored(int.class, 4), Float.class, "intBitsToFloat", "floatToRawIntBits");
            case "char" -> converted(stored(short.class, 2), Layout.class, "toChar", "toShort");
            default -> converted(stored(byte.class, 1), Layout.class, "toBoolean", "toByte");
        };
    }

    /** What memory is read and written as. */
    private static Layout stored(Class<?> type, int size) throws ReflectiveOperationException {
        String name = Character.toUpperCase(type.getName().charAt(0)) + type.getName().substring(1);
        MethodHandle read = LOOKUP.findStatic(Memory.class, "get" + name, MethodType.methodType(type, long.class));
        MethodHandle write = LOOKUP.findStatic(Memory.class, "put" + name, MethodType.methodType(void.class, long.class, type));
        MethodType turned = MethodType.methodType(void.class, type, long.class);
        return new Layout(size, size, size, read, MethodHandles.permuteArguments(write, turned, 1, 0));
    }

    private static Layout converted(Layout of, Class<?> by, String from, String to) throws ReflectiveOperationException {
        Class<?> stored = of.read.type().returnType();
        Method reads = Arrays.stream(by.getDeclaredMethods())
                .filter(method -> method.getName().equals(from))
                .findFirst()
                .orElseThrow();
        MethodType back = MethodType.methodType(stored, reads.getReturnType());
        return of.filtered(LOOKUP.unreflect(reads), LOOKUP.findStatic(by, to, back));
    }

    private Layout filtered(MethodHandle reads, MethodHandle writes) {
        return new Layout(
                size,
                alignment,
                filled,
                MethodHandles.filterReturnValue(read, reads),
                MethodHandles.filterArguments(write, 0, writes));
    }

    /** One with {@code value()} and {@code of(number)}, as bindgen writes it. */
    private static Layout enumeration(Class<?> type) throws ReflectiveOperationException {
        try {
            Method value = type.getDeclaredMethod("value");
            Method of = type.getDeclaredMethod("of", value.getReturnType());
            if (value.getReturnType().isPrimitive() && Modifier.isStatic(of.getModifiers()) && of.getReturnType() == type) {
                value.setAccessible(true);
                of.setAccessible(true);
                MethodHandle known = LOOKUP.findStatic(
                        Layout.class, "known", MethodType.methodType(Object.class, Object.class, String.class));
                known = MethodHandles.insertArguments(known, 1, type.getSimpleName());
                known = known.asType(MethodType.methodType(type, type));
                MethodHandle reads = MethodHandles.filterReturnValue(LOOKUP.unreflect(of), known);
                return number(value.getReturnType()).filtered(reads, LOOKUP.unreflect(value));
            }
        } catch (NoSuchMethodException exception) {
            // As below.
        }
        throw new PoolTypeException("it is an enum without value() and a static of(number)");
    }

    private static Layout record(Class<?> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        if (components.length == 0) {
            throw new PoolTypeException("it has no fields");
        }
        Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        var constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        MethodHandle[] reads = new MethodHandle[types.length];
        MethodHandle write = null;
        int end = 0;
        int alignment = 1;
        int filled = 0;
        for (int index = 0; index < types.length; index++) {
            Layout field = field(types[index]);
            int at = (end + field.alignment - 1) / field.alignment * field.alignment;
            MethodHandle place = MethodHandles.insertArguments(PLUS, 1, (long) at);
            reads[index] = MethodHandles.filterArguments(field.read, 0, place);
            Method accessor = components[index].getAccessor();
            accessor.setAccessible(true);
            MethodHandle component = LOOKUP.unreflect(accessor);
            if (types[index].isRecord()) {
                MethodHandle present = LOOKUP.findStatic(
                        Layout.class, "present", MethodType.methodType(Object.class, Object.class, String.class, String.class));
                present = MethodHandles.insertArguments(present, 1, type.getSimpleName(), components[index].getName());
                present = present.asType(MethodType.methodType(types[index], types[index]));
                component = MethodHandles.filterReturnValue(component, present);
            }
            MethodHandle one = MethodHandles.filterArguments(field.write, 0, component);
            one = MethodHandles.filterArguments(one, 1, place);
            write = write == null ? one : MethodHandles.foldArguments(one, write);
            end = at + field.size;
            alignment = Math.max(alignment, field.alignment);
            filled += field.filled;
        }
        MethodHandle read = MethodHandles.filterArguments(LOOKUP.unreflectConstructor(constructor), 0, reads);
        read = MethodHandles.permuteArguments(read, MethodType.methodType(type, long.class), new int[types.length]);
        int size = (end + alignment - 1) / alignment * alignment;
        return new Layout(size, alignment, filled, read, write);
    }

    private static Layout field(Class<?> type) {
        if (type == boolean.class || type.isEnum()) {
            throw new PoolTypeException(
                    "it holds a " + type.getSimpleName() + ", and not all bytes are one (hold its number instead)");
        }
        if (!type.isPrimitive() && !type.isRecord()) {
            throw new PoolTypeException("it holds a " + type.getSimpleName());
        }
        return of(type);
    }

    private static long plus(long at, long offset) {
        return at + offset;
    }

    private static char toChar(short bits) {
        return (char) bits;
    }

    private static short toShort(char value) {
        return (short) value;
    }

    private static boolean toBoolean(byte bits) {
        if ((bits & ~1) != 0) {
            throw new IllegalArgumentException("no boolean has these bytes, at byte 0");
        }
        return bits == 1;
    }

    private static byte toByte(boolean value) {
        return (byte) (value ? 1 : 0);
    }

    private static Object present(Object value, String type, String component) {
        if (value == null) {
            throw new NullPointerException(
                    "write a " + type + ": its " + component + " is null, for which there are no bytes; give it a value");
        }
        return value;
    }

    private static Object known(Object value, String type) {
        if (value == null) {
            throw new IllegalArgumentException("no " + type + " has these bytes, at byte 0");
        }
        return value;
    }
}
