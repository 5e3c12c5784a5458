package upcall;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;

/** Values with an {@code unpack} and a {@code pack} of their own, as {@code upcall bindgen} writes them. */
final class PackedForm extends Form {
    private final MethodHandle unpack;
    private final MethodHandle pack;

    private PackedForm(Class<?> type, MethodHandle unpack, MethodHandle pack) {
        super(type, List.of(nameOf(type)), 0);
        this.unpack = unpack;
        this.pack = pack;
    }

    /** Null where the type has none. */
    static PackedForm of(Class<?> type) {
        try {
            Method unpack = type.getDeclaredMethod("unpack", byte[].class);
            Method pack = type.getDeclaredMethod("pack");
            if (!Modifier.isStatic(unpack.getModifiers()) || unpack.getReturnType() != type
                    || Modifier.isStatic(pack.getModifiers()) || pack.getReturnType() != byte[].class) {
                return null;
            }
            unpack.setAccessible(true);
            pack.setAccessible(true);
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            return new PackedForm(
                    type,
                    lookup.unreflect(unpack).asType(MethodType.methodType(Object.class, byte[].class)),
                    lookup.unreflect(pack).asType(MethodType.methodType(byte[].class, Object.class)));
        } catch (NoSuchMethodException exception) {
            return null;
        } catch (IllegalAccessException exception) {
            throw new PoolTypeException(type.getName() + " cannot be used as a value type: " + exception.getMessage());
        }
    }

    /** The source's name, which bindgen writes down where Java's is another. */
    static String nameOf(Class<?> type) {
        try {
            Field name = type.getDeclaredField("POOL_NAME");
            name.setAccessible(true);
            return Modifier.isStatic(name.getModifiers()) && name.get(null) instanceof String text ? text : type.getSimpleName();
        } catch (ReflectiveOperationException exception) {
            return type.getSimpleName();
        }
    }

    @Override
    Object decode(byte[] bytes) {
        try {
            return (Object) unpack.invokeExact(bytes);
        } catch (Throwable thrown) {
            throw Memory.rethrown(thrown);
        }
    }

    @Override
    byte[] pack(Object value) {
        try {
            return (byte[]) pack.invokeExact(value);
        } catch (Throwable thrown) {
            throw Memory.rethrown(thrown);
        }
    }
}
