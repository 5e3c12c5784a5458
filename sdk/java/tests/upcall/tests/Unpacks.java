package upcall.tests;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Unpacks the jar that is its key into the folder that is its value. */
public final class Unpacks implements ObjectHandler {
    @Override
    public void onObject(FlowObject object, Emitter out) throws Exception {
        Path folder = Path.of(object.valueText());
        try (JarFile jar = new JarFile(object.keyText())) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                if (!entry.isDirectory()) {
                    Path file = folder.resolve(entry.getName());
                    Files.createDirectories(file.getParent());
                    try (InputStream bytes = jar.getInputStream(entry)) {
                        Files.write(file, bytes.readAllBytes());
                    }
                }
            }
        }
    }
}
