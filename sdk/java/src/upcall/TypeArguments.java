package upcall;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.stream.Stream;

/** What a class gives for the parameters of a generic interface that it implements, directly or not. */
final class TypeArguments {
    private TypeArguments() {}

    /** None where the class does not say: a lambda, or a class that gives none. */
    static Type[] of(Type type, Class<?> wanted) {
        Class<?> raw = raw(type);
        Type[] given = type instanceof ParameterizedType generic ? generic.getActualTypeArguments() : new Type[0];
        if (raw == wanted) {
            return given;
        }
        return Stream.concat(Stream.of(raw.getGenericInterfaces()), Stream.ofNullable(raw.getGenericSuperclass()))
                .filter(above -> wanted.isAssignableFrom(raw(above)))
                .findFirst()
                .map(above -> replaced(of(above, wanted), raw.getTypeParameters(), given))
                .orElse(new Type[0]);
    }

    /** The class of a type; null where it may be several. */
    static Class<?> raw(Type type) {
        return type instanceof Class<?> plain ? plain
                : type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType()
                : null;
    }

    private static Type[] replaced(Type[] found, TypeVariable<?>[] names, Type[] given) {
        return Arrays.stream(found)
                .map(type -> {
                    int index = Arrays.asList(names).indexOf(type);
                    return index >= 0 && index < given.length ? given[index] : type;
                })
                .toArray(Type[]::new);
    }
}
