package upcall.testing;

/** The numbers that pools declare by name. */
final class Numbers {
    private Numbers() {}

    /** Bytes of a number; 0 where the type is none. */
    static int size(String type) {
        return switch (type) {
            case "i8", "u8" -> 1;
            case "i16", "u16" -> 2;
            case "i32", "u32", "f32" -> 4;
            case "i64", "u64", "f64" -> 8;
            default -> 0;
        };
    }

    static Number of(String pool, String type, Emitted emitted) {
        if (size(type) != emitted.value().length) {
            throw new IllegalStateException(size(type) == 0
                    ? "pool " + pool + " declares no number: say which, as declares(\"" + pool + "\", \"u64\")"
                    : emitted.keyText() + " has " + emitted.value().length + " bytes, and the type " + type + " of " + pool
                            + " takes " + size(type));
        }
        return switch (type) {
            case "i8" -> emitted.valueAs(Byte.class).longValue();
            case "u8" -> Byte.toUnsignedLong(emitted.valueAs(Byte.class));
            case "i16" -> emitted.valueAs(Short.class).longValue();
            case "u16" -> Short.toUnsignedLong(emitted.valueAs(Short.class));
            case "i32" -> emitted.valueAs(Integer.class).longValue();
            case "u32" -> Integer.toUnsignedLong(emitted.valueAs(Integer.class));
            case "f32" -> emitted.valueAs(Float.class).doubleValue();
            case "f64" -> emitted.valueAs(Double.class);
            default -> emitted.valueAs(Long.class);
        };
    }
}
