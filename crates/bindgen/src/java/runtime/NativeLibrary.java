// Made by upcall bindgen; do not edit.
package @PACKAGE@;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;

/** The library, loaded when it is first needed. */
@SuppressWarnings("restricted")
final class NativeLibrary {
    private static final String NAME = @NAME@;
    private static final String PROPERTY = @PROPERTY@;
    private static final String VARIABLE = @VARIABLE@;

    private NativeLibrary() {}

    static MemorySegment symbol(String symbol) {
        return find(Library.LOADED, symbol);
    }

    static MemorySegment shimSymbol(String symbol) {
        return find(Shim.LOADED, symbol);
    }

    static MemorySegment inlineSymbol(String symbol) {
        return find(Inline.LOADED, symbol);
    }

    private static MemorySegment find(Loaded library, String symbol) {
        return library.lookup().find(symbol).orElseThrow(() ->
                new UnsatisfiedLinkError("the library " + library.file() + " has no symbol " + symbol));
    }

    private record Loaded(SymbolLookup lookup, String file) {}

    private static final class Library {
        static final Loaded LOADED = load();

        private static Loaded load() {
            long pointer = ValueLayout.ADDRESS.byteSize();
            long wide = Linker.nativeLinker().canonicalLayouts().get("long").byteSize();
            if (pointer != @POINTER@L || wide != @LONG@L) {
                throw new UnsatisfiedLinkError("these bindings were made for " + @TRIPLE@ + ", not for this system");
            }
            Loaded library = open(NAME, named(System.getProperty(PROPERTY), System.getenv(VARIABLE)));
@CHECK@            return library;
        }
    }

    /** What takes and returns by pointer what Java cannot pass by value; it opens the real library itself. */
    private static final class Shim {
        static final Loaded LOADED = load();

        private static Loaded load() {
            Loaded shim = second("shim");
            var open = shim.lookup().find("upcall_shim_open");
            if (open.isPresent()) {
                tell(open.get(), Library.LOADED.file());
            }
            return shim;
        }

        private static void tell(MemorySegment open, String path) {
            FunctionDescriptor descriptor = FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS);
            MemorySegment message;
            try (Arena arena = Arena.ofConfined()) {
                message = (MemorySegment) Linker.nativeLinker().downcallHandle(open, descriptor)
                        .invokeExact(arena.allocateFrom(path));
            } catch (Throwable thrown) {
                throw Native.thrown(thrown);
            }
            if (message.address() != 0L) {
                throw new UnsatisfiedLinkError(message.reinterpret(Long.MAX_VALUE).getString(0L));
            }
        }
    }

    /** The inline functions of the library's headers. */
    private static final class Inline {
        static final Loaded LOADED = second("inline");
    }

    /** A library beside the real one, if it is not named. */
    private static Loaded second(String kind) {
        String name = NAME + "_" + kind;
        Path beside = Path.of(Library.LOADED.file()).resolveSibling(System.mapLibraryName(name));
        String property = System.getProperty(PROPERTY + "." + kind);
        String file = named(property, System.getenv(VARIABLE + "_" + kind.toUpperCase(java.util.Locale.ROOT)));
        return open(name, file == null && Files.exists(beside) ? beside.toString() : file);
    }

    private static String named(String property, String variable) {
        return property != null && !property.isEmpty() ? property : variable;
    }

    /** From the file that is named, else beside these classes, else on java.library.path, else as the system does. */
    private static Loaded open(String name, String named) {
        String file = System.mapLibraryName(name);
        if (named != null && !named.isEmpty()) {
            return open(Path.of(named).toAbsolutePath());
        }
        Path beside = folder();
        if (beside != null && Files.exists(beside.resolve(file))) {
            return open(beside.resolve(file).toAbsolutePath());
        }
        for (String folder : System.getProperty("java.library.path", "").split(java.io.File.pathSeparator)) {
            if (!folder.isEmpty() && Files.exists(Path.of(folder, file))) {
                return open(Path.of(folder, file).toAbsolutePath());
            }
        }
        try {
            return new Loaded(SymbolLookup.libraryLookup(file, Arena.global()), file);
        } catch (IllegalArgumentException missing) {
            String kind = name.substring(NAME.length());
            throw failed("cannot find the library " + file + " beside the classes, in java.library.path ("
                    + System.getProperty("java.library.path") + ") or where the system looks; the property "
                    + PROPERTY + kind.replace('_', '.') + " or the environment variable "
                    + VARIABLE + kind.toUpperCase(java.util.Locale.ROOT) + " may name its file"
                    + (kind.equals("_inline") ? "; build it from the bindings' shims.c, as its first lines say" : ""), missing);
        }
    }

    private static Loaded open(Path file) {
        try {
            return new Loaded(SymbolLookup.libraryLookup(file, Arena.global()), file.toString());
        } catch (IllegalArgumentException missing) {
            throw failed("cannot load the library " + file, missing);
        }
    }

    private static UnsatisfiedLinkError failed(String message, Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
        error.initCause(cause);
        return error;
    }

    /** The folder of the jar, or that of the classes. */
    private static Path folder() {
        CodeSource source = NativeLibrary.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null || !"file".equals(source.getLocation().getProtocol())) {
            return null;
        }
        Path place = Path.of(URI.create(source.getLocation().toString()));
        return Files.isDirectory(place) ? place : place.getParent();
    }
}
