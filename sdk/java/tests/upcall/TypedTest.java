package upcall;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import upcall.testing.Emitted;
import upcall.testing.Harness;

/** Handlers that take and give values of a type. */
final class TypedTest {
    private TypedTest() {}

    /** Blittable. */
    record Reading(long sensor, double celsius) {}

    /** With padding. */
    record Padded(byte small, long large) {}

    /** Of records. */
    record Pair(Reading first, Reading second) {}

    /** Not all bytes are one. */
    record Flag(long number, boolean set) {}

    /** An enum as bindgen writes it. */
    enum Level {
        LOW((byte) 1),
        HIGH((byte) 2);

        private final byte value;

        Level(byte value) {
            this.value = value;
        }

        byte value() {
            return value;
        }

        static Level of(byte value) {
            return value == 1 ? LOW : value == 2 ? HIGH : null;
        }
    }

    /** Packed, as its length and text; bindgen's source calls it otherwise. */
    record Name(String text) {
        static final String POOL_NAME = "PersonName";

        byte[] pack() {
            return ("+" + text).getBytes(StandardCharsets.UTF_8);
        }

        static Name unpack(byte[] bytes) {
            String all = new String(bytes, StandardCharsets.UTF_8);
            if (all.equals("null")) {
                return null;
            }
            if (!all.startsWith("+")) {
                throw new IllegalStateException("no plus at byte 0");
            }
            return new Name(all.substring(1));
        }
    }

    /** A packed union. */
    sealed interface Shape {
        record Square(double side) implements Shape {}

        record Circle(double radius) implements Shape {}

        default byte[] pack() {
            return toString().getBytes(StandardCharsets.UTF_8);
        }

        static Shape unpack(byte[] bytes) {
            return bytes[0] == 'S' ? new Square(1) : new Circle(1);
        }
    }

    private static final class Fahrenheit implements TypedHandler<Reading, Double> {
        @Override
        public void onObject(Reading value, FlowObject object, TypedEmitter<Double> out) {
            out.put(object.key(), value.celsius() * 1.8 + 32);
        }
    }

    static void blittableRecordsAreReadAsTheyLie() {
        try (Harness<Fahrenheit> harness =
                new Harness<>(new Fahrenheit()).emits("/f").declares("/in", "Reading", 16).declares("/f", "f64")) {
            byte[] bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(7).putDouble(100).array();
            harness.put("roof".getBytes(StandardCharsets.UTF_8), bytes);
            harness.putValue("cellar", new Reading(8, 10));
            Check.equal(Map.of("roof", 212.0, "cellar", 50.0), harness.numbers("/f"), "fahrenheit");
            Check.failed(
                    "java.lang.IllegalArgumentException",
                    "read the value of short as Reading: it has 3 bytes, not 16",
                    () -> harness.put("short", "abc"));
            Check.equal("ValueShape[name=Reading, size=16]", harness.describe().takes().toString(), "takes");
            Check.equal("[ValueShape[name=f64, size=8]]", harness.describe().gives().toString(), "gives");
        }
    }

    static void aValueThatThrowsWhileItIsWrittenLeavesNoRecord() {
        ObjectHandler handler = (object, out) -> {
            Pair broken = new Pair(new Reading(1, 2), null);
            out.put("before", "kept");
            for (Check.Call put : List.<Check.Call>of(
                    () -> out.of(Pair.class).put("text", broken),
                    () -> out.of(Pair.class).put(object.key(), broken),
                    () -> out.of(Pair.class).putIf("if".getBytes(StandardCharsets.UTF_8), broken, 0))) {
                Check.thrown(NullPointerException.class, put);
            }
            out.put("after", "kept");
        };
        try (Harness<ObjectHandler> harness = new Harness<>(handler).emits("/out")) {
            harness.put("a", "b");
            Check.equal("[/out before \"kept\", /out after \"kept\"]", harness.emitted().toString(), "what was emitted");
        }
    }

    static void aRecordInARecordThatIsNullIsNamed() {
        String said = "write a Pair: its second is null, for which there are no bytes; give it a value";
        ObjectHandler handler = (object, out) -> out.of(Pair.class).put("k", new Pair(new Reading(1, 2), null));
        try (Harness<ObjectHandler> harness = new Harness<>(handler).emits("/out")) {
            Check.failed("java.lang.NullPointerException", said, () -> harness.put("a", "b"));
            NullPointerException put =
                    Check.thrown(NullPointerException.class, () -> harness.putValue("a", new Pair(new Reading(1, 2), null)));
            Check.equal(said, put.getMessage(), "given from outside");
        }
    }

    /** Its accessor emits, and then throws where it is told to. */
    record Emits(long number) {
        private static Runnable first;

        @Override
        public long number() {
            first.run();
            return number;
        }
    }

    static void whatAValueEmitsWhileItIsWrittenHasRoomOfItsOwn() {
        ObjectHandler handler = (object, out) -> {
            Emits.first = () -> out.put("inner", "text");
            out.of(Emits.class).put("outer", new Emits(7));
            Emits.first = () -> {
                // More than what is left of the chunk.
                out.put("large", new byte[100_000]);
                throw new IllegalStateException();
            };
            Check.thrown(IllegalStateException.class, () -> out.of(Emits.class).put("broken", new Emits(8)));
            out.put("after", "kept");
        };
        try (Harness<ObjectHandler> harness = new Harness<>(handler).emits("/out")) {
            harness.put("a", "b");
            Check.equal(List.of("outer", "inner", "after"), harness.emitted().stream().map(Emitted::keyText).toList(), "the keys");
            Check.equal(7L, harness.emitted().get(0).valueAs(Long.class), "the outer value");
        }
    }

    /** Takes a type by a class between. */
    private abstract static class Between<A, B> implements TypedHandler<B, A> {}

    private static final class Passes extends Between<Pair, Pair> {
        @Override
        public void onObject(Pair value, FlowObject object, TypedEmitter<Pair> out) {
            out.put(object.keyText(), new Pair(value.second(), value.first()));
        }
    }

    static void recordsOfRecordsAreWrittenAsTheyLie() {
        try (Harness<Passes> harness = new Harness<>(new Passes()).emits("/out").declares("/out", "Pair", 32)) {
            harness.putValue("a", new Pair(new Reading(1, 2), new Reading(3, 4)));
            Emitted emitted = harness.emitted().get(0);
            Check.equal(new Pair(new Reading(3, 4), new Reading(1, 2)), emitted.valueAs(Pair.class), "turned");
            Check.equal(3L, ByteBuffer.wrap(emitted.value()).order(ByteOrder.LITTLE_ENDIAN).getLong(), "its first field");
        }
    }

    private static final class Greets implements TypedHandler<Name, String> {
        private PoolId others;

        @Override
        public void onOpen(OpenContext open) {
            others = open.pool("/others");
        }

        @Override
        public void onObject(Name value, FlowObject object, TypedEmitter<String> out) {
            out.put(object.key(), "Hello, " + value.text());
            out.of(Name.class).put(others, object.keyBytes(), value);
            out.bytes().put("/others", "raw", "+bytes");
        }

        @Override
        public void onFlush(TypedEmitter<String> out) {
            out.put("/out", "end", "bye");
        }
    }

    static void packedValuesAndTextAndSeveralTypes() {
        try (Harness<Greets> harness =
                new Harness<>(new Greets()).emits("/out", "/others").declares("/in", "PersonName").declares("/others", "PersonName")) {
            harness.putValue("a", new Name("Ada"));
            harness.flush();
            Check.equal("[/out a \"Hello, Ada\", /others a \"+Ada\", /others raw \"+bytes\", /out end \"bye\"]", harness.emitted().toString(), "");
            Check.failed("java.lang.IllegalArgumentException", "read the value of b as Name: no plus at byte 0",
                    () -> harness.put("b", "Bob"));
            Check.failed("java.lang.IllegalArgumentException", "read the value of b as Name: it is null at byte 0",
                    () -> harness.put("b", "null"));
        }
        try (Harness<Greets> harness = new Harness<>(new Greets()).emits("/out", "/others").declares("/others", "Order")) {
            Check.failed(
                    "upcall.PoolTypeException",
                    "pool /others has the type Order, and the handler emits PersonName: change the pool's `type` or the handler's",
                    () -> harness.putValue("a", new Name("Ada")));
        }
    }

    static void aPoolOfAnotherTypeIsRefusedAtTheStart() {
        try (Harness<Fahrenheit> harness = new Harness<>(new Fahrenheit()).emits("/f").declares("/in", "Order")) {
            Check.failed(
                    "upcall.PoolTypeException",
                    "pool /in has the type Order, and the handler takes Reading of 16 bytes: change the pool's `type` or the handler's",
                    harness::open);
        }
        try (Harness<Fahrenheit> harness = new Harness<>(new Fahrenheit()).emits("/f").declares("/in", "Reading", 24)) {
            Check.failed(
                    "upcall.PoolTypeException",
                    "pool /in has the type Reading of 24 bytes, and the handler takes Reading of 16 bytes: change the pool's "
                            + "`type` or the handler's",
                    harness::open);
        }
        try (Harness<Fahrenheit> harness = new Harness<>(new Fahrenheit()).emits("/f").declares("/f", "u64")) {
            Check.failed(
                    "upcall.PoolTypeException",
                    "pool /f has the type u64 of 8 bytes, and the handler emits f64 of 8 bytes: change the pool's `type` or the "
                            + "handler's",
                    harness::open);
        }
    }

    private static final class Unions implements TypedHandler<Shape, Shape> {
        @Override
        public void onObject(Shape value, FlowObject object, TypedEmitter<Shape> out) {
            out.put(object.key(), value);
        }
    }

    static void aCaseOfAUnionIsPackedAsTheUnion() {
        try (Harness<Unions> harness = new Harness<>(new Unions()).emits("/out")) {
            harness.putValue("a", new Shape.Square(2));
            Check.equal("Square[side=1.0]", harness.emitted().get(0).valueText(), "by its interface");
            Check.equal("Shape", harness.describe().takes().name(), "its name");
        }
    }

    private static final class Counts implements TypedHandler<Long, Level> {
        private PoolId kept;

        @Override
        public void onOpen(OpenContext open) {
            kept = open.pool("/kept");
        }

        @Override
        public void onObject(Long value, FlowObject object, TypedEmitter<Level> out) {
            Found found = out.get(kept, object.keyBytes());
            long before = found == null ? 0 : found.valueAs(Long.class);
            out.putIf(object.keyBytes(), before + value > 10 ? Level.HIGH : Level.LOW, found == null ? 0 : found.version());
        }
    }

    static void numbersEnumsReadsAndConditions() {
        try (Harness<Counts> harness = new Harness<>(new Counts())
                .emits("/out")
                .declares("/in", "u64")
                .readsValues("/kept", Map.entry("a", 9L), Map.entry("b", 1L))) {
            harness.putValue("a", 2L);
            harness.putValue("b", 2L);
            harness.putValue("c", 2L);
            Check.equal(List.of(Level.HIGH, Level.LOW, Level.LOW),
                    harness.emitted().stream().map(each -> each.valueAs(Level.class)).toList(), "levels");
            Check.equal("[1, 2, 0]", harness.emitted().stream().map(Emitted::previous).toList().toString(), "conditions");
            IllegalArgumentException none = Check.thrown(
                    IllegalArgumentException.class,
                    () -> new Emitted("/out", new byte[0], new byte[] {3}, null).valueAs(Level.class));
            Check.equal("no Level has these bytes, at byte 0", none.getMessage(), "no level");
        }
        try (Harness<Counts> harness = new Harness<>(new Counts()).emits("/out").readsValues("/kept", Map.entry("a", "text"))) {
            Check.failed(
                    "upcall.PoolTypeException",
                    "pool /kept has the type text, and the handler reads i64 of 8 bytes: change the pool's `type` or the handler's",
                    () -> harness.putValue("a", 2L));
        }
    }

    static void typesThatCannotBeValuesAreNamed() {
        Check.refused(
                new TypedHandler<Flag, byte[]>() {
                    @Override
                    public void onObject(Flag value, FlowObject object, TypedEmitter<byte[]> out) {}
                },
                "upcall.TypedTest$Flag cannot be used as a value type: it holds a boolean, and not all bytes are one (hold its "
                        + "number instead), and it has no static unpack(byte[]) and pack(); let `upcall bindgen` write it");
        Check.refused(
                new TypedHandler<byte[], Padded>() {
                    @Override
                    public void onObject(byte[] value, FlowObject object, TypedEmitter<Padded> out) {}
                },
                "upcall.TypedTest$Padded cannot be emitted: there is padding between its fields, which is memory that nobody has "
                        + "written; fill it with fields, or let `upcall bindgen` write the type");
        Check.refused(
                new TypedHandler<List<String>, String>() {
                    @Override
                    public void onObject(List<String> value, FlowObject object, TypedEmitter<String> out) {}
                },
                "java.util.List cannot be used as a value type: it is not a record of numbers, and it has no static "
                        + "unpack(byte[]) and pack(); let `upcall bindgen` write it");
        TypedHandler<String, String> lambda = (value, object, out) -> out.put(object.key(), value);
        Check.refused(lambda, "its types are not known; implement TypedHandler<I, O> with a class for each");
    }

    static void textThatIsNoneFailsItsObject() {
        ObjectHandler reads = (object, out) -> out.put(object.key(), object.valueAs(String.class));
        try (Harness<ObjectHandler> harness = new Harness<>(reads).emits("/out")) {
            Check.failed(
                    "java.lang.IllegalArgumentException",
                    "read the value of k as String: it is not UTF-8 at byte 1",
                    () -> harness.put(new byte[] {'k'}, new byte[] {'a', (byte) 0xC3}));
        }
    }
}
