package upcall;

import java.io.File;
import java.lang.invoke.MethodType;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What {@link upcall.flow} is given by the drivers of handlers: this virtual machine as the guest of its engine. Not for programs. */
public final class Embedded {
    private static final String PROPERTY = "upcall.library";

    static {
        String library = find();
        // The bindings look there too.
        System.setProperty(PROPERTY, library);
        load(library);
    }

    private Embedded() {}

    /** Has {@code libupcall} loaded, where the bindings look for it too. */
    public static void load() {
        // The class has done it.
    }

    /** The address of the table through which the engine makes and calls handlers of this virtual machine. */
    public static native long table();

    /** The number of a module of that table: instances are what {@code make} makes, once per worker and on its thread. */
    public static long give(Supplier<?> make) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return Exports.keep(new Given(make, context == null ? ClassLoader.getSystemClassLoader() : context));
    }

    /** Its threads have the context of the one that gives it, as threads that it started would. */
    private record Given(Supplier<?> make, ClassLoader loader) implements HandlerModule {
        @Override
        public Driver instantiate() throws LoadException {
            Object handler = make.get();
            if (handler == null) {
                throw new LoadException(Abi.Refusal.CONSTRUCTOR_FAILED, "the function that makes the handler returned null");
            }
            String refused = Drivers.refused(handler.getClass());
            if (refused != null) {
                // It was made: no constructor has failed.
                throw new LoadException(Abi.Refusal.HANDLER_MISSING, refused);
            }
            return Drivers.of(handler);
        }
    }

    /** Whether handlers were made on this thread, given ones or those of files: it is a worker of some flow's, or was. */
    public static boolean makesHandlersHere() {
        return Exports.makesHandlersHere();
    }

    /** What a flow's file calls values of a type, which a pool is to have: a word, or a table; null where they are any bytes. */
    public static Object poolType(String path, Class<?> type) {
        Form form = written(Form.of(type), "the type of pool " + path);
        if (form.names.isEmpty()) {
            return null;
        }
        String name = form.names.get(0);
        Class<?> number = MethodType.methodType(type).unwrap().returnType();
        // Those that a flow's file has words for.
        if (type == String.class || number.isPrimitive() && number != boolean.class && number != char.class) {
            return name;
        }
        return form.size == 0 ? Map.of("packed", name) : Map.of("blittable", name, "size", form.size);
    }

    /** Whether a pool that declares this type has numbers. */
    public static boolean isNumber(String declared) {
        return Form.isNumber(declared);
    }

    /** How values of the type that a pool declares are put, as the end of a message. */
    public static String help(String declared) {
        return Form.help(declared);
    }

    /** The bytes of a value of a type that values may have. */
    public static byte[] pack(Object value) {
        return written(Form.ofValue(value), "put").pack(value);
    }

    private static Form written(Form form, String what) {
        String wrong = form.unwritable(what);
        if (wrong != null) {
            throw new PoolTypeException(wrong);
        }
        return form;
    }

    /** The value of a type that these bytes are. */
    @SuppressWarnings("unchecked")
    public static <T> T unpack(Class<T> type, byte[] bytes) {
        return (T) Form.of(type).decode(bytes);
    }

    @SuppressWarnings({"restricted", "all"})
    private static void load(String library) {
        System.load(library);
    }

    /** The path of {@code libupcall}. */
    private static String find() {
        String named = System.getProperty(PROPERTY, System.getenv("UPCALL_LIBRARY"));
        if (named != null && !named.isEmpty()) {
            return Path.of(named).toAbsolutePath().toString();
        }
        String file = System.mapLibraryName("upcall");
        List<Path> places = new ArrayList<>();
        CodeSource source = Embedded.class.getProtectionDomain().getCodeSource();
        if (source != null && source.getLocation() != null && "file".equals(source.getLocation().getProtocol())) {
            Path classes = Path.of(URI.create(source.getLocation().toString()));
            places.add(Files.isDirectory(classes) ? classes : classes.getParent());
            for (Path above = classes.getParent(); above != null; above = above.getParent()) {
                places.add(above.resolve("build"));
            }
        }
        String home = System.getenv("UPCALL_HOME");
        if (home != null && !home.isEmpty()) {
            places.add(Path.of(home, "build").toAbsolutePath());
        }
        for (Path place : places) {
            if (Files.exists(place.resolve(file))) {
                return place.resolve(file).toString();
            }
        }
        String looked = String.join(File.pathSeparator, places.stream().map(Path::toString).toList());
        throw new UnsatisfiedLinkError(
                "find " + file + ": it is in none of " + looked + "; run `cargo xtask build`, set UPCALL_HOME to the repository, or "
                        + "name the file with -D" + PROPERTY);
    }
}
