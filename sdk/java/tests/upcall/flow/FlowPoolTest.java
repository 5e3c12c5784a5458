package upcall.flow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import upcall.Check;
import upcall.FlowObject;
import upcall.ObjectHandler;
import upcall.PoolTypeException;
import upcall.TypedEmitter;
import upcall.TypedHandler;

/** What a pool takes and gives at the edges. */
public final class FlowPoolTest {
    private FlowPoolTest() {}

    record Reading(long sensor, double celsius) {}

    record Name(String text) {
        byte[] pack() {
            return text.getBytes(UTF_8);
        }

        static Name unpack(byte[] bytes) {
            return new Name(new String(bytes, UTF_8));
        }
    }

    static final class Fahrenheit implements TypedHandler<Reading, Double> {
        @Override
        public void onObject(Reading reading, FlowObject object, TypedEmitter<Double> out) {
            out.put(object.key(), reading.celsius() * 1.8 + 32);
            out.of(Name.class).put("/names", object.key(), new Name("sensor " + reading.sensor()));
        }
    }

    static void aDescribedPoolHasTheTypeOfAClass() throws Exception {
        try (Flow flow = Flow.describe().pool("/readings", PoolKind.TRIGGER, Reading.class).pool("/fahrenheit", Double.class)
                .pool("/names", PoolKind.VOLATILE, Name.class, 2).pool("/counts", long.class).pool("/texts", String.class)
                .pool("/any", byte[].class).pool("/flags", boolean.class)
                .on("/readings", "/fahrenheit", Fahrenheit.class, new HandlerOptions().alsoTo("/names"))
                .start()) {
            ByteBuffer reading = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(7).putDouble(100.0);
            flow.pool("/readings").put("roof", reading.array());
            flow.drain();
            equal(212.0, flow.pool("/fahrenheit").get("roof").valueDouble(), "its value");
            equal("sensor 7", flow.pool("/names").get("roof").valueText(), "a packed value");
            List<String> types = List.of("/readings", "/fahrenheit", "/names", "/counts", "/texts", "/any", "/flags").stream()
                    .map(path -> flow.pool(path).valueType()).toList();
            equal(List.of("blittable Reading 16", "f64", "packed Name", "i64", "text", "bytes", "blittable bool 1"), types, "the types");
            equal(FlowError.BAD_VALUE, FlowTest.failure(() -> flow.pool("/readings").put("roof", "short")), "another size");
            Watch watch = flow.watch("/names");
            flow.pool("/readings").putValue("attic", new Reading(9, 10.0));
            flow.pool("/names").putValue("cat", new Name("Tom"));
            flow.drain();
            equal(50.0, flow.pool("/fahrenheit").get("attic").valueAs(Double.class), "a number");
            equal(new Name("sensor 9"), flow.pool("/names").get("attic").valueAs(Name.class), "a packed value");
            equal(2L, watch.next(Duration.ofSeconds(5)).stream()
                    .filter(event -> event instanceof FlowEvent.Put put && put.valueAs(Name.class).text().length() > 2).count(), "events");
            thrown(PoolTypeException.class, () -> flow.pool("/names").putValue("cat", new Object()));
        }
        thrown(PoolTypeException.class, () -> Flow.describe().pool("/p", Object.class));
    }

    /** With padding. */
    record Padded(byte small, long large) {}

    static void aValueWithPaddingIsNotPut() throws Exception {
        String why = ": there is padding between its fields, which is memory that nobody has written; fill it with fields, or let "
                + "`upcall bindgen` write the type";
        PoolTypeException type = thrown(PoolTypeException.class, () -> Flow.describe().pool("/padded", Padded.class));
        equal("upcall.flow.FlowPoolTest$Padded cannot be the type of pool /padded" + why, type.getMessage(), "as a pool's type");
        try (Flow flow = Flow.describe().pool("/any").start()) {
            PoolTypeException value =
                    thrown(PoolTypeException.class, () -> flow.pool("/any").putValue("k", new Padded((byte) 1, 2)));
            equal("upcall.flow.FlowPoolTest$Padded cannot be put" + why, value.getMessage(), "as a value");
            flow.drain();
            equal(List.of(), flow.pool("/any").list(), "what is there");
        }
    }

    static void whatThereIsNoCreditForIsHandedOverAgainInSlicesOfWholeObjects() throws Exception {
        PutBatch batch = new PutBatch();
        for (int number = 0; number < 10_000; number++) {
            batch.add("k" + number, "0123456789");
        }
        batch.add("large".getBytes(UTF_8), new byte[100_000]).add("last", "l");
        PutBatch.Walk walk = batch.walk();
        List<Integer> sizes = new ArrayList<>();
        while (walk.goesOn()) {
            sizes.add(walk.took(walk.some().length));
        }
        equal(65_527, sizes.stream().filter(size -> size < 100_000).reduce(0, Math::max), "the largest");
        equal(List.of(100_013, 13), sizes.subList(4, sizes.size()), "the large one, and what follows");
        equal(10_002, walk.put(), "objects");
        try (Flow flow = Flow.describe().credit(1 << 20, 100).pool("/in", PoolKind.TRIGGER).pool("/out")
                .on("/in", "/out", (object, out) -> out.put(object.key(), object.value())).start()) {
            flow.pool("/in").putMany(batch);
            flow.drain();
            Pool out = flow.pool("/out");
            equal(10_002, out.list().size(), "what was put for lack of credit a few at a time");
            equal("0123456789", out.get("k9999").valueText(), "one of the many");
            equal(100_000, out.get("large").value().length, "the large one");
            equal("l", out.get("last").valueText(), "the last one");
        }
    }

    static void anObjectOfManyThatThePoolDoesNotTakeIsToldWithHowManyArePut() throws Exception {
        try (Flow flow = Flow.describe().pool("/numbers", "u64").start()) {
            byte[] eight = "12345678".getBytes(UTF_8);
            PutBatch batch = new PutBatch().add("a".getBytes(UTF_8), eight).add("b".getBytes(UTF_8), eight)
                    .add("c".getBytes(UTF_8), new byte[100_000]).add("d".getBytes(UTF_8), eight);
            FlowException refused = thrown(FlowException.class, () -> flow.pool("/numbers").putMany(batch));
            equal(FlowError.BAD_VALUE, refused.error(), refused.getMessage());
            equal(true, refused.getMessage().endsWith("; 2 of 4 objects are put"), refused.getMessage());
            flow.drain();
            equal(List.of("a", "b"), flow.pool("/numbers").list(), "what is put");
        }
    }

    static void aKeyThatIsNotThereHasNoVersions() throws Exception {
        try (Flow flow = Flow.describe().pool("/stock").start()) {
            equal(List.of(), flow.pool("/stock").versions("nobody"), "the versions");
        }
    }

    static void numbersArePutEmittedReadAndWatched() throws Exception {
        try (Flow flow = Flow.describe().pool("/celsius", "f64").pool("/fahrenheit", "f64").pool("/counts", "u64")
                .pool("/small", "i32")
                .on("/celsius", "/fahrenheit", (object, out) -> out.putDouble(object.key(), object.value().getDouble(0) * 1.8 + 32))
                .start()) {
            Watch watch = flow.watch("/fahrenheit");
            flow.pool("/celsius").putDouble("oslo", -40.0);
            flow.pool("/celsius").putDouble("rome".getBytes(UTF_8), 20.5);
            Pool counts = flow.pool("/counts");
            counts.putLong("a", Long.MAX_VALUE);
            counts.putLong("b".getBytes(UTF_8), 1);
            long second = counts.putLongIf("c", 2, 0);
            counts.putLongIf("c".getBytes(UTF_8), 3, second);
            flow.pool("/small").putInt("a", -7);
            flow.pool("/small").putInt("b".getBytes(UTF_8), 8);
            flow.drain();
            equal(-40.0, flow.pool("/fahrenheit").get("oslo").valueDouble(), "cold");
            equal(68.9, flow.pool("/fahrenheit").get("rome").valueDouble(), "warm");
            equal(Long.MAX_VALUE, counts.get("a").valueLong(), "a large number");
            equal(3L, counts.get("c").valueLong(), "on condition");
            equal(-7, flow.pool("/small").get("a").valueInt(), "a small number");
            FlowEvent.Put seen = (FlowEvent.Put) watch.next(Duration.ofSeconds(20)).get(0);
            equal(seen.key().equals("oslo") ? -40.0 : 68.9, seen.valueDouble(), "what is watched");
            equal("read a value of 4 bytes as a long, which has 8: read it as what the pool's type says",
                    thrown(IllegalStateException.class, () -> flow.pool("/small").get("a").valueLong()).getMessage(), "another type");
            equal(FlowError.BAD_VALUE, FlowTest.failure(() -> flow.pool("/small").putLong("a", 1)), "too many bytes for the pool");
        }
    }

    static void aTextIsRefusedByAPoolOfNumbersThoughItHasAsManyBytes() throws Exception {
        try (Flow flow = Flow.describe().pool("/u64", "u64").pool("/f32", "f32").pool("/text", "text").pool("/any").start()) {
            Pool pool = flow.pool("/u64");
            PutBatch batch = new PutBatch().add("a".getBytes(UTF_8), new byte[8]).add("k", "12345678").add("l", "12345678");
            String said = "put text into pool /u64, key k: its values are u64; use putLong and its like";
            refused(said, () -> pool.put("k", "12345678"), () -> pool.tryPut("k", "12345678"), () -> pool.trigger("k", "12345678"),
                    () -> pool.putIf("k", "12345678", 0), () -> now(pool.putAsync("k", "12345678")),
                    () -> now(pool.putIfAsync("k", "12345678", 0)), () -> now(pool.triggerAsync("k", "12345678")));
            refused(said + "; 0 of 3 objects are put", () -> pool.putMany(batch));
            refused("put text into pool /f32, key k: its values are f32; put one as its bytes", () -> flow.pool("/f32").put("k", "1234"));
            batch.clear();
            pool.putMany(batch.add("a".getBytes(UTF_8), new byte[8]));
            pool.put("b", "12345678".getBytes(UTF_8));
            for (String path : List.of("/text", "/any")) {
                flow.pool(path).put("k", "12345678");
                flow.pool(path).putMany(new PutBatch().add("l", "12345678"));
            }
            flow.drain();
            equal(List.of("a", "b"), pool.list(), "numbers as bytes");
            equal(List.of("k", "l"), flow.pool("/text").list(), "texts");
            equal(List.of("k", "l"), flow.pool("/any").list(), "any bytes");
        }
    }

    static void aNumberOfAnotherTypeThanThePoolsIsRefusedThoughItHasAsManyBytes() throws Exception {
        try (Flow flow = Flow.describe().pool("/f64", "f64").pool("/i64", "i64").pool("/u32", "u32").pool("/text", "text")
                .pool("/name", PoolKind.VOLATILE, Name.class, 1).pool("/any").start()) {
            refused("put a long into pool /f64: its values are f64; use putDouble and its like",
                    () -> flow.pool("/f64").putLong("k", 1), () -> flow.pool("/f64").tryPutLong("k", 1),
                    () -> flow.pool("/f64").putLongIf("k", 1, 0), () -> now(flow.pool("/f64").putLongAsync("k", 1)),
                    () -> now(flow.pool("/f64").putLongIfAsync("k", 1, 0)));
            refused("put a double into pool /i64: its values are i64; use putLong and its like",
                    () -> flow.pool("/i64").putDouble("k", 1), () -> flow.pool("/i64").tryPutDouble("k", 1));
            refused("put an int into pool /i64: its values are i64; use putLong and its like", () -> flow.pool("/i64").putInt("k", 1));
            refused("put a long into pool /u32: its values are u32; use putInt and its like", () -> flow.pool("/u32").putLong("k", 1));
            refused("put a long into pool /text: its values are text; put one as its bytes", () -> flow.pool("/text").putLong("k", 1));
            refused("put a double into pool /name: its values are packed Name; put one as its bytes",
                    () -> flow.pool("/name").putDouble("k", 1));
            flow.pool("/any").putLong("k", 1);
            flow.settle();
            equal(1L, flow.pool("/any").get("k").valueLong(), "in a pool that takes any bytes");
            equal(List.of(), flow.pool("/f64").list(), "what was refused");
        }
    }

    static void aHandlerEmitsNoNumberOfAnotherTypeThanThePools() throws Exception {
        List<ObjectHandler> wrong = List.of(
                (object, out) -> out.putLong(object.key(), 1), (object, out) -> out.putInt(object.keyText(), 1),
                (object, out) -> out.putLongIf(object.keyText(), 1, 0));
        for (ObjectHandler handler : wrong) {
            try (Flow flow = Flow.describe().pool("/in", PoolKind.TRIGGER).pool("/f64", "f64").on("/in", "/f64", handler).start()) {
                flow.pool("/in").put("k", "");
                flow.drain();
                DeadLetter letter = flow.deadLetters("/in").get(0);
                equal("upcall.PoolTypeException", letter.typeName(), letter.message());
                equal(true, letter.message().startsWith("pool /f64 has the type f64 of 8 bytes, and the handler emits i"), letter.message());
                equal(List.of(), flow.pool("/f64").list(), "what was emitted");
            }
        }
    }

    static void numbersArePutInEveryWay() throws Exception {
        try (Flow flow = Flow.describe().pool("/i64", "i64").pool("/i32", "i32").pool("/f64", "f64").start()) {
            Pool longs = flow.pool("/i64");
            Pool ints = flow.pool("/i32");
            Pool doubles = flow.pool("/f64");
            equal(true, longs.tryPutLong("try", -1) && ints.tryPutInt("try", -2) && doubles.tryPutDouble("try", -0.5), "tried");
            byte[] key = "bytes".getBytes(UTF_8);
            equal(true, longs.tryPutLong(key, -1) && ints.tryPutInt(key, -2) && doubles.tryPutDouble(key, -0.5), "tried");
            long first = now(longs.putLongAsync("k", 1));
            equal(first, longs.get("k").version(), "its version");
            now(longs.putLongIfAsync("k", 2, first));
            now(ints.putIntIfAsync("k", 4, now(ints.putIntAsync("k", 3))));
            now(doubles.putDoubleIfAsync("k", 0.75, doubles.putDoubleIf("k", 0.5, 0)));
            ints.putIntIf(key, 5, ints.putIntIf("condition", 5, 0) > 0 ? ints.get(key).version() : 0);
            now(doubles.putDoubleAsync(key, 1.5));
            flow.settle();
            equal("2 4 0.75", longs.get("k").valueLong() + " " + ints.get("k").valueInt() + " " + doubles.get("k").valueDouble(), "k");
            equal("-1 -2 -0.5", longs.get("try").valueLong() + " " + ints.get("try").valueInt() + " " + doubles.get("try").valueDouble(),
                    "what was tried");
            equal("5 1.5", ints.get(key).valueInt() + " " + doubles.get(key).valueDouble(), "by bytes");
        }
    }

    static void halfOfASurrogatePairIsRefusedAndNotReplaced() throws Exception {
        try (Flow flow = Flow.describe().pool("/in").pool("/numbers", "i64").pool("/texts", "text").start()) {
            Pool pool = flow.pool("/in");
            List<Check.Call> halves = List.of(
                    () -> pool.put("a\ud800", "v"), () -> pool.tryPut("k", "b\udc00c"), () -> pool.get("a\ud800"),
                    () -> pool.putAsync("\ud800\ud800", "v"), () -> pool.remove("\udc00"), () -> pool.list("\ud800x"),
                    () -> flow.pool("/numbers").putLong("\ud800", 1), () -> new PutBatch().add("\ud800", "v"));
            for (Check.Call half : halves) {
                String said = thrown(IllegalArgumentException.class, half).getMessage();
                equal(true, said.contains("which is half of a surrogate pair and has no UTF-8"), said);
            }
            equal("a text has \\ud800 at 1, which is half of a surrogate pair and has no UTF-8: give a whole pair, or bytes",
                    thrown(IllegalArgumentException.class, halves.get(0)).getMessage(), "the place");
            pool.put("\ud83d\ude00", "v");
            flow.settle();
            equal(List.of("\ud83d\ude00"), pool.list(), "a whole pair");
        }
        List<ObjectHandler> emits = List.of(
                (object, out) -> out.put("\ud800", "v"), (object, out) -> out.put(object.key(), "\ud800"),
                (object, out) -> out.of(String.class).put(object.key(), "\udc00"),
                (object, out) -> out.put(object.key(), "why? ".repeat(20) + "\ud83d"), (object, out) -> out.put("1234567\udc00", "v"), (object, out) -> out.putIf("\ud800", "v", 0));
        for (ObjectHandler handler : emits) {
            try (Flow flow = Flow.describe().pool("/in", PoolKind.TRIGGER).pool("/out").on("/in", "/out", handler).start()) {
                flow.pool("/in").put("k", "");
                flow.drain();
                String said = flow.deadLetters("/in").get(0).message();
                equal(true, said.contains("which is half of a surrogate pair"), said);
                equal(List.of(), flow.pool("/out").list(), "what was emitted");
            }
        }
    }

    static void valuesArePrintedAsTextOrInHexadecimal() throws Exception {
        try (Flow flow = Flow.describe().pool("/in").pool("/out").on("/in", "/out", (object, out) -> {
            throw new IllegalStateException("no");
        }).start()) {
            Watch watch = flow.watch("/in");
            Pool pool = flow.pool("/in");
            pool.put("text", "grüße");
            pool.put("bytes".getBytes(UTF_8), new byte[] {1, (byte) 0xff});
            pool.put("line", "a\n");
            pool.put("long", "x".repeat(63) + "ü" + "x");
            flow.drain();
            String stored = pool.get("text").toString();
            equal(true, stored.startsWith("Stored[value=\"grüße\", version="), stored);
            equal(true, pool.get("bytes").toString().startsWith("Stored[value=0x01ff, version="), pool.get("bytes").toString());
            equal(true, pool.get("line").toString().startsWith("Stored[value=0x610a, version="), pool.get("line").toString());
            String cut = "value=\"" + "x".repeat(63) + "\"… (66 bytes), ";
            equal(true, pool.get("long").toString().contains(cut), pool.get("long").toString());
            String events = watch.next(Duration.ofSeconds(20)).toString();
            equal(true, events.contains("Put[pool=/in, key=text, value=\"grüße\", version="), events);
            String letters = flow.deadLetters("/in").toString();
            equal(true, letters.contains("key=text, value=\"grüße\", version=") && letters.contains("message=no, stack="), letters);
        }
    }

    private static void refused(String why, Check.Call... calls) {
        for (Check.Call call : calls) {
            FlowException refused = thrown(FlowException.class, call);
            equal(FlowError.BAD_VALUE + ": " + why, refused.error() + ": " + refused.getMessage(), "what is refused");
        }
    }

    /** What a future comes to, or the exception that it has failed with. */
    private static <T> T now(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    static void whatIsNullIsNamed() throws Exception {
        try (Flow flow = Flow.describe().pool("/p").start()) {
            Pool pool = flow.pool("/p");
            byte[] none = null;
            byte[] some = {1};
            String text = null;
            named("key", () -> pool.put(none, some), () -> pool.put(text, "v"), () -> pool.put(text, some),
                    () -> pool.putLong(text, 1), () -> pool.put(null, ByteBuffer.wrap(some)), () -> pool.tryPut(none, some),
                    () -> pool.putAsync(text, "v"), () -> pool.putAsync(none, some), () -> pool.putIf(none, some, 0),
                    () -> pool.trigger(text, "v"), () -> pool.remove(none), () -> pool.remove(text), () -> pool.get(none),
                    () -> pool.get(text), () -> pool.getAt(text, 1), () -> pool.versions(none), () -> pool.versions(text));
            named("value", () -> pool.put("k", text), () -> pool.put("k", none), () -> pool.put(some, none),
                    () -> pool.put(ByteBuffer.wrap(some), null), () -> pool.putIfAsync("k", text, 0), () -> pool.tryPut("k", text));
            named("prefix", () -> pool.list(null));
            equal(List.of(), pool.list(), "what was put");
        }
    }

    static void anImpossibleVersionIsRefused() throws Exception {
        try (Flow flow = Flow.describe().pool("/p").start()) {
            Pool pool = flow.pool("/p");
            String why = "-1 is not a version: give the one that was read, or 0 where the key has none";
            equal(why, thrown(IllegalArgumentException.class, () -> pool.putIf("k", "v", -1)).getMessage(), "putIf");
            equal(why, thrown(IllegalArgumentException.class, () -> pool.putIfAsync("k", "v", -1)).getMessage(), "putIfAsync");
            equal(why, thrown(IllegalArgumentException.class, () -> pool.putLongIf("k", 1, -1)).getMessage(), "putLongIf");
        }
    }

    static void aHandlerOnNothingOrIntoNullIsRefusedWithWords() {
        ObjectHandler handler = (object, out) -> {};
        equal("add a handler: the pool that it emits to is null; leave it out where it emits nothing: on(\"/in\", handler)",
                thrown(IllegalArgumentException.class, () -> Flow.describe().on("/in", null, handler)).getMessage(), "into null");
        equal("add a handler: the pool that it watches is null; name it: on(\"/in\", handler)",
                thrown(IllegalArgumentException.class, () -> Flow.describe().on(null, handler)).getMessage(), "on null");
        ObjectHandler none = null;
        equal("handler", thrown(NullPointerException.class, () -> Flow.describe().on("/in", none)).getMessage(), "no handler");
    }

    private static void named(String parameter, Check.Call... calls) {
        for (int index = 0; index < calls.length; index++) {
            equal(parameter, thrown(NullPointerException.class, calls[index]).getMessage(), "call " + index);
        }
    }
}
