package upcall;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Compares the offsets of {@link Abi} with those that the compiler has given the structs: {@code build/layouts.txt}. */
final class LayoutTest {
    private LayoutTest() {}

    static void everyOffsetIsThatOfTheStruct() throws Exception {
        Map<String, Integer> layouts = new HashMap<>();
        String struct = "";
        for (String line : Files.readAllLines(Path.of(System.getProperty("upcall.layouts")))) {
            String[] words = line.split(" ");
            if (words[0].equals("struct")) {
                struct = words[1].replace("<u8>", "");
                layouts.put(struct, Integer.parseInt(words[2]));
            } else {
                layouts.put(struct + "." + words[1], Integer.parseInt(words[2]));
            }
        }
        int compared = 0;
        for (Class<?> type : Abi.class.getDeclaredClasses()) {
            String name = type.getSimpleName();
            if (!layouts.containsKey(name)) {
                continue;
            }
            for (Field field : type.getDeclaredFields()) {
                String of = field.getName().toLowerCase(Locale.ROOT);
                Integer expected = switch (of) {
                    case "bytes" -> layouts.get(name);
                    case "base_batch" -> layouts.get(name + ".base");
                    case "base_files" -> layouts.get(name + ".base") + Long.BYTES;
                    case "base_columns" -> layouts.get(name + ".base") + 2 * Long.BYTES;
                    case "base_output" -> layouts.get(name + ".base") + 3 * Long.BYTES;
                    default -> layouts.get(name + "." + of);
                };
                // Numbers that are no offsets have names that no field has.
                if (expected != null) {
                    Check.equal(expected, field.getInt(null), name + "." + of);
                    compared++;
                }
            }
        }
        Check.equal(true, compared > 110, compared + " were compared");
    }
}
