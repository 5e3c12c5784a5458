// Made by upcall bindgen; do not edit.
package @PACKAGE@;

import java.net.URI;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;

/** The library, loaded when it is first needed, and the glue library, which JNI calls. */
@SuppressWarnings("restricted")
final class NativeLibrary {
    private static final String NAME = @NAME@ + "_jni";
    private static final String PROPERTY = @PROPERTY@;
    private static final String VARIABLE = @VARIABLE@;

    private NativeLibrary() {}

    static {
        String library = System.getProperty(PROPERTY, System.getenv(VARIABLE));
        String glue = System.getProperty(PROPERTY + ".jni", System.getenv(VARIABLE + "_JNI"));
        Path beside = beside(library);
        if (glue != null && !glue.isEmpty()) {
            System.load(Path.of(glue).toAbsolutePath().toString());
        } else if (beside != null) {
            System.load(beside.toAbsolutePath().toString());
        } else {
            System.loadLibrary(NAME);
        }
        String message = open(library == null || library.isEmpty() ? null : library.getBytes(StandardCharsets.UTF_8));
        if (message != null) {
            throw new UnsatisfiedLinkError(message);
        }
    }

    /** Does nothing but have this class initialised. */
    static void load() {}

    /** The glue's file beside the library, or beside these classes. */
    private static Path beside(String library) {
        String file = System.mapLibraryName(NAME);
        if (library != null && !library.isEmpty()) {
            Path glue = Path.of(library).resolveSibling(file);
            if (Files.exists(glue)) {
                return glue;
            }
        }
        CodeSource source = NativeLibrary.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null || !"file".equals(source.getLocation().getProtocol())) {
            return null;
        }
        Path place = Path.of(URI.create(source.getLocation().toString()));
        Path folder = Files.isDirectory(place) ? place : place.getParent();
        Path glue = folder.resolve(file);
        return Files.exists(glue) ? glue : null;
    }

    /** Opens the library: null, or why it could not. */
    private static native String open(byte[] path);

    static native long bufferAddress(Buffer buffer);

    static native ByteBuffer buffer(long address, long size);

    static native void release(long function, long data, long length, long capacity);

    static native void releaseFailure(long failure);

    /** The address of what calls the method `release` of this class, for functions that native code keeps. */
    static native long keptRelease(Class<?> target);

    /** The address of a trampoline that calls the method `upcall` of a class with this cell; 0 if none is free. Without a cell, of one for all functions that
     * native code keeps. */
    static native long stub(int callback, NativeStubs.Cell<?> cell, Class<?> target, String signature);
}
