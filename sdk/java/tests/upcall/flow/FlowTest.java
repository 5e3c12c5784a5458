package upcall.flow;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

/** Describing a flow, putting into its pools and reading them. */
public final class FlowTest {
    private FlowTest() {}

    static void whatIsPutReachesTheHandlerAndWhatItEmitsIsRead() throws Exception {
        try (Flow flow = lengths().start()) {
            flow.pool("/lines").put("1", "In the beginning");
            flow.drain();
            equal(16L, number(flow.pool("/lengths").get("1")), "the length");
            equal(List.of("/lines", "/lengths"), flow.pools(), "the pools");
            equal("u64", flow.pool("/lengths").valueType(), "the type");
            equal(null, flow.pool("/lengths").get("2"), "a key that is not there");
            equal(0L, flow.inFlight(), "objects in flight");
        }
    }

    static void versionsAreReadAsTheyWereAndAfterARemoval() throws Exception {
        try (Flow flow = Flow.describe().pool("/stock", PoolKind.VOLATILE, "text", 3).start()) {
            Pool stock = flow.pool("/stock");
            long first = stock.putAsync("apples", "10").get();
            long second = stock.putIf("apples", "9", first);
            equal("9", stock.get("apples").valueText(), "the newest");
            equal("10", stock.getAt("apples", first).valueText(), "the one before");
            equal("10", stock.getByTime("apples", stock.versions("apples").get(0).time()).valueText(), "the one of a time");
            long third = stock.remove("apples");
            equal(null, stock.get("apples"), "after the removal");
            List<SeenVersion> seen = stock.versions("apples");
            equal(List.of(first, second, third), seen.stream().map(SeenVersion::version).toList(), "the versions");
            equal(List.of(false, false, true), seen.stream().map(SeenVersion::removed).toList(), "which removed");
            stock.put("pears", "4");
            stock.put("apple trees", "1".getBytes(StandardCharsets.UTF_8));
            flow.settle();
            equal(List.of("apple trees"), stock.list("app"), "the keys of a prefix");
            equal(List.of("apple trees", "pears"), stock.list(), "all keys");
            equal("text", stock.valueType(), "the type");
            stock.putIf("apples", "8", 0);
            equal(FlowError.COMPACTED, failure(() -> stock.getAt("apples", first)), "a version that is no longer kept");
        }
    }

    static void aConflictSaysSoToWhoWaitsAndToTheFuture() throws Exception {
        try (Flow flow = Flow.describe().pool("/stock").start()) {
            Pool stock = flow.pool("/stock");
            stock.putIf("apples", "1", 0);
            equal(FlowError.CONFLICT, failure(() -> stock.putIf("apples", "2", 0)), "the second");
            ExecutionException late = thrown(ExecutionException.class, () -> stock.putIfAsync("apples", "2", 0).get());
            equal(FlowError.CONFLICT, ((FlowException) late.getCause()).error(), "the future");
        }
    }

    static void buffersAndBatchesPutWhatStringsDo() throws Exception {
        try (Flow flow = Flow.describe().pool("/p").credit(1 << 20, 64).start()) {
            Pool pool = flow.pool("/p");
            ByteBuffer direct = ByteBuffer.allocateDirect(8).put(new byte[] {9, 1, 2, 3}).flip().position(1);
            pool.put(ByteBuffer.wrap("a".getBytes(StandardCharsets.UTF_8)), direct);
            equal(1, direct.position(), "the position");
            pool.putAsync(ByteBuffer.wrap(new byte[] {'x', 'b'}, 1, 1), direct).get();
            equal(ByteBuffer.wrap(new byte[] {1, 2, 3}), ByteBuffer.wrap(pool.get("a").value()), "a direct buffer");
            equal(ByteBuffer.wrap(new byte[] {1, 2, 3}), ByteBuffer.wrap(pool.get("b").value()), "by a future");
            PutBatch batch = new PutBatch();
            IntStream.range(0, 5000).forEach(number -> batch.add("n" + number, "v".repeat(number % 300)));
            equal(5000, batch.count(), "objects in the batch");
            pool.putMany(batch);
            flow.settle();
            equal(5000, pool.list("n").size(), "objects of the batch");
            equal(299, pool.get("n4799").value().length, "a value above 256 bytes fits too");
            batch.clear();
            pool.putMany(batch.add("again", "1"));
            equal("1", pool.get("again").valueText(), "a batch that is used again");
        }
    }

    static void aTriggerPoolRunsHandlersAndStoresNothing() throws Exception {
        try (Flow flow = lengths().start()) {
            Pool lines = flow.pool("/lines");
            lines.trigger("1", "12345");
            lines.triggerAsync("2".getBytes(StandardCharsets.UTF_8), new byte[2]).get();
            flow.drain();
            equal(5L, number(flow.pool("/lengths").get("1")), "by trigger");
            equal(2L, number(flow.pool("/lengths").get("2")), "by its future");
            equal(FlowError.STORES_NOTHING, failure(() -> lines.get("1")), "a read");
        }
    }

    static void whatIsWrongWithADescriptionIsSaidAtItsPlace() {
        FlowException wrong = thrown(FlowException.class, () -> Flow.fromToml("[pool.\"/a\"]\nkeeps = 1\n", "my.toml").start());
        equal(FlowError.INVALID, wrong.error(), wrong.getMessage());
        equal(true, wrong.getMessage().contains("my.toml:2"), wrong.getMessage());
        ExecutionException late = thrown(ExecutionException.class, () -> lengths().on("/no", "/where", Counts.class).startAsync().get());
        equal(FlowError.INVALID, ((FlowException) late.getCause()).error(), late.getMessage());
        thrown(IllegalArgumentException.class,
                () -> lengths().on("/lines", "/lengths", Counts::new, new HandlerOptions().setting("a", new Object())));
    }

    static void aFileTakesGivenHandlersAndWordsWithQuotes() throws Exception {
        String text = "[pool.\"/a \\\"b\\\"\"]\nkind = \"trigger\"\n[pool.\"/c\"]\n"
                + "[[handler]]\nname = \"see\"\non = \"/a \\\"b\\\"\"\nto = \"/c\"\n";
        try (Flow flow = Flow.fromToml(text).give("see", (object, out) -> out.put(object.key(), "seen")).start()) {
            flow.pool("/a \"b\"").put("k", "v");
            flow.drain();
            equal("seen", flow.pool("/c").get("k").valueText(), "what it emitted");
        }
        try (Flow flow = Flow.describe().pool("/a \"b\"", PoolKind.TRIGGER).pool("/c \\")
                .on("/a \"b\"", "/c \\", (object, out) -> out.put(object.key(), "seen"))
                .start()) {
            equal(List.of("/a \"b\"", "/c \\"), flow.pools(), "the same by code");
        }
    }

    static void theReportAndDeadLettersAreRead() throws Exception {
        try (Flow flow = Flow.describe().name("bad days").pool("/in", PoolKind.TRIGGER).pool("/out")
                .on("/in", "/out", (object, out) -> {
                    throw new IllegalStateException("no “" + object.valueText() + "”\n");
                }, new HandlerOptions().name("fail").retry(1))
                .start()) {
            flow.pool("/in").put("k", "\u0001\"ü");
            flow.drain();
            List<DeadLetter> letters = flow.deadLetters("/in");
            equal(1, letters.size(), "letters");
            DeadLetter letter = letters.get(0);
            equal("k", letter.key(), "the key");
            equal("\u0001\"ü", new String(letter.value(), StandardCharsets.UTF_8), "the value");
            equal("java.lang.IllegalStateException", letter.typeName(), "the type");
            equal("no “\u0001\"ü”\n", letter.message(), "the message");
            equal(2, letter.attempts(), "the attempts");
            equal(true, letter.stack().contains("FlowTest"), letter.stack());
            equal(true, letter.trace().get(letter.trace().size() - 1).contains("fail"), letter.trace().toString());
            Map<String, Object> report = flow.report();
            equal("bad days", report.get("flow"), "the flow's name");
            equal(true, report.get("seconds") instanceof Double, "a number with a fraction");
            equal(FlowError.NO_POOL, failure(() -> flow.deadLetters("/nowhere")), "a pool that is not there");
        }
    }

    static FlowBuilder lengths() {
        return Flow.describe().pool("/lines", PoolKind.TRIGGER).pool("/lengths", "u64")
                .on("/lines", "/lengths", (line, out) -> out.putLong(line.key(), line.value().length()));
    }

    static long number(Stored stored) {
        return stored.valueLong();
    }

    static FlowError failure(upcall.Check.Call call) {
        return thrown(FlowException.class, call).error();
    }
}
