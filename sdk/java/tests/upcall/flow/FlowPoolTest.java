package upcall.flow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
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
        }
        thrown(PoolTypeException.class, () -> Flow.describe().pool("/p", Object.class));
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
