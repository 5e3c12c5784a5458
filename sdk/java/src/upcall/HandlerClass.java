package upcall;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A handler's class, found and checked, with a class loader of its own. */
final class HandlerClass implements HandlerModule {
    private static final String SUFFIX = ".class";

    private final Constructor<?> constructor;
    private final ClassLoader loader;

    private HandlerClass(Constructor<?> constructor, ClassLoader loader) {
        this.constructor = constructor;
        this.loader = loader;
    }

    /** From a jar or a folder of classes; the path is absolute. */
    static HandlerClass load(String path, String name) throws LoadException {
        File file = new File(path);
        List<String> classes = classes(file);
        ClassLoader loader = loader(file);
        Class<?> type;
        try {
            type = Class.forName(name, false, loader);
        } catch (ClassNotFoundException exception) {
            throw missing(loader, classes, "there is no such class");
        } catch (UnsupportedClassVersionError error) {
            throw tooNew(error);
        } catch (LinkageError error) {
            // A name in other letters leads to the file on some systems, and a `/` to another class.
            throw name.indexOf('/') >= 0 || !classes.contains(name)
                    ? missing(loader, classes, "there is no such class")
                    : unlinked(error);
        }
        if (!Drivers.drives(type)) {
            throw missing(loader, classes, "it is not a handler; " + Drivers.ADVICE);
        }
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            throw missing(loader, classes, "it is abstract; name a class that can be made");
        }
        String wrong = Drivers.wrong(type);
        if (wrong != null) {
            throw missing(loader, classes, wrong);
        }
        return new HandlerClass(constructor(type), loader);
    }

    /** Makes an instance; what its constructor throws comes out as it is. */
    @Override
    public Driver instantiate() throws Throwable {
        try {
            return Drivers.of(constructor.newInstance());
        } catch (InvocationTargetException exception) {
            throw exception.getCause();
        }
    }

    @Override
    public ClassLoader loader() {
        return loader;
    }

    private static Constructor<?> constructor(Class<?> type) throws LoadException {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException exception) {
            throw new LoadException(
                    Abi.Refusal.CONSTRUCTOR_FAILED,
                    type.isMemberClass() && !Modifier.isStatic(type.getModifiers())
                            ? "it belongs to an object of the class around it; make it static"
                            : "it has no constructor without parameters; add one and take settings in onOpen");
        } catch (LinkageError error) {
            throw unlinked(error);
        }
    }

    private static ClassLoader loader(File file) throws LoadException {
        try {
            URL[] urls = {file.toURI().toURL()};
            // The classes of Upcall are shared, or its interfaces would be other types.
            return new URLClassLoader("handler " + file.getName(), urls, HandlerClass.class.getClassLoader());
        } catch (MalformedURLException exception) {
            throw new LoadException(Abi.Refusal.FILE_INVALID, "its path is no address: " + exception.getMessage());
        }
    }

    /** The names of the classes in a jar or folder. */
    private static List<String> classes(File file) throws LoadException {
        if (!file.exists()) {
            throw new LoadException(Abi.Refusal.FILE_MISSING, "there is no such file; build the handler first");
        }
        if (file.isDirectory()) {
            Path root = file.toPath();
            try (Stream<Path> files = Files.walk(root)) {
                return names(files.filter(Files::isRegularFile)
                        .map(path -> root.relativize(path).toString().replace(File.separatorChar, '/')));
            } catch (IOException | RuntimeException exception) {
                throw new LoadException(Abi.Refusal.FILE_MISSING, "its files cannot be listed: " + exception.getMessage());
            }
        }
        try (JarFile jar = new JarFile(file)) {
            return names(jar.stream().map(JarEntry::getName));
        } catch (IOException exception) {
            throw new LoadException(
                    Abi.Refusal.FILE_INVALID,
                    "it is not a jar: " + exception.getMessage() + "; name a jar, or the folder that javac wrote classes to");
        }
    }

    private static List<String> names(Stream<String> paths) {
        return paths.filter(path -> path.endsWith(SUFFIX) && !path.startsWith("META-INF/") && !path.endsWith("-info.class"))
                .map(path -> path.substring(0, path.length() - SUFFIX.length()).replace('/', '.'))
                .sorted()
                .collect(Collectors.toList());
    }

    /** Why the class is none, and each handler that there is, on a line of its own. */
    private static LoadException missing(ClassLoader loader, List<String> classes, String why) {
        Stream<String> handlers = classes.stream().filter(name -> isHandler(loader, name));
        String text = Stream.concat(Stream.of(why), handlers).collect(Collectors.joining("\n"));
        return new LoadException(Abi.Refusal.HANDLER_MISSING, text);
    }

    private static boolean isHandler(ClassLoader loader, String name) {
        try {
            Class<?> type = Class.forName(name, false, loader);
            return Drivers.drives(type) && !type.isAnonymousClass() && !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
        } catch (ClassNotFoundException | LinkageError unusable) {
            return false;
        }
    }

    private static LoadException tooNew(UnsupportedClassVersionError error) {
        int feature = Runtime.version().feature();
        return new LoadException(
                Abi.Refusal.FILE_INVALID,
                "it was compiled for a newer Java than " + feature + ", which runs: " + error.getMessage()
                        + "; compile it for this one, by `upcall build --java " + System.getProperty("java.home")
                        + "` or javac's `--release " + feature + "`, or run a newer Java");
    }

    private static LoadException unlinked(LinkageError error) {
        return new LoadException(
                Abi.Refusal.FILE_INVALID,
                "it does not load: " + error + "; put what it needs into the jar, or on the class path of the flow");
    }
}
