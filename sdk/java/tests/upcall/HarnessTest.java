package upcall;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import upcall.testing.CombineHarness;
import upcall.testing.Emitted;
import upcall.testing.HandlerFailedException;
import upcall.testing.Harness;
import upcall.testing.Logged;
import upcall.tests.Conditions;
import upcall.tests.Keeps;
import upcall.tests.Pairs;
import upcall.tests.Reads;
import upcall.tests.Shout;

/** Handlers in a harness: as in a flow. */
final class HarnessTest {
    private HarnessTest() {}

    static void whatIsEmittedIsSeen() {
        try (Harness<Shout> harness = new Harness<>(new Shout()).emits("/loud")) {
            harness.put("a", "hello");
            Check.equal("[/loud A \"hello\"]", harness.emitted().toString(), "emitted");
        }
    }

    static void anEmissionIsPrintedAsTextOrInHexadecimal() {
        byte[] key = {'k'};
        Check.equal("/out k 0x0700000000000000", new Emitted("/out", key, new byte[] {7, 0, 0, 0, 0, 0, 0, 0}, null).toString(), "a number");
        Check.equal("/out k \"grün\"", new Emitted("/out", key, "grün".getBytes(StandardCharsets.UTF_8), 1L).toString(), "a text");
    }

    static void whatThrowsIsAFailureWithTypeMessageAndStack() {
        try (Harness<Pairs> harness = new Harness<>(new Pairs()).emits("/out")) {
            HandlerFailedException failed = Check.thrown(
                    HandlerFailedException.class,
                    () -> harness.batch(
                            Map.entry("a", "1"), Map.entry("b", "2"), Map.entry("c", "3"), Map.entry("d", "fail")));
            Check.equal("java.lang.IllegalArgumentException", failed.typeName(), "its type");
            Check.equal("will not pass on d", failed.getMessage(), "its message");
            Check.equal(true, failed.handlerStack().startsWith("at upcall.tests.Pairs.onBatch(Pairs.java:"), "its stack");
            Check.equal(2, failed.done(), "done");
            Check.equal(-1, failed.item(), "no object in particular");
            Check.equal(List.of("a", "a", "b", "b"), harness.emitted().stream().map(Emitted::keyText).toList(), "what is kept");
        }
    }

    static void poolsAreReadAsTheyAreAndWere() {
        try (Harness<Reads> harness = new Harness<>(new Reads()).emits("/out").reads(
                "/kept", Map.entry("a", "one"), Map.entry("b", "two"), Map.entry("a", "three")).forgets("/kept", 1)) {
            for (String question : List.of("now", "at 2", "time 1", "list")) {
                harness.put("a", question);
            }
            harness.put("z", "now");
            List<String> found = harness.emitted().stream().map(Emitted::valueText).toList();
            Check.equal(List.of("three 3", "one 1", "one 1", "a", "nothing"), found, "what was found");
            Check.failed("upcall.VersionNotKeptException",
                    "read a as it was: that is no longer kept; raise `keep` of the pool", () -> harness.put("a", "at 0"));
            Check.failed(
                    "upcall.PoolNotDeclaredException",
                    "pool /in is not declared by this handler; it has /kept: add /in to its `read`",
                    () -> harness.put("a", "other"));
        }
        IllegalArgumentException unknown = Check.thrown(
                IllegalArgumentException.class, () -> new Harness<>(new Reads()).forgets("/other", 1));
        Check.equal("the harness has no pool /other; it has /in: declare it with emits or reads first", unknown.getMessage(), "");
    }

    static void aPoolThatIsNotDeclaredIsToldWithThoseForTheSameUse() {
        ObjectHandler handler = (object, out) -> {
            switch (object.keyText()) {
                case "emit" -> out.put("/other", "k", "v");
                case "typed" -> out.of(Long.class).put("/other", "k", 1L);
                case "watched" -> out.put("/in", "k", "v");
                default -> out.get("/other", "k");
            }
        };
        try (Harness<ObjectHandler> harness = new Harness<>(handler).emits("/out", "/text").reads("/kept")) {
            for (String key : List.of("emit", "typed")) {
                Check.failed("upcall.PoolNotDeclaredException",
                        "pool /other is not declared by this handler; it has /out, /text: add /other to its `to`", () -> harness.put(key, ""));
            }
            Check.failed("upcall.PoolNotDeclaredException",
                    "pool /in is not declared by this handler; it has /out, /text: add /in to its `to`", () -> harness.put("watched", ""));
            Check.failed("upcall.PoolNotDeclaredException",
                    "pool /other is not declared by this handler; it has /kept: add /other to its `read`", () -> harness.put("read", ""));
        }
    }

    static void aTextIsNotEmittedIntoAPoolOfNumbersThoughItHasAsManyBytes() {
        byte[] key = {'k'};
        ObjectHandler handler = (object, out) -> {
            for (Check.Call put : List.<Check.Call>of(
                    () -> out.put("k", "12345678"), () -> out.put(object.key(), "12345678"), () -> out.put("/out", key, "12345678"),
                    () -> out.putIf(key, "12345678", 0), () -> out.putIf("k", "12345678", 0))) {
                PoolTypeException refused = Check.thrown(PoolTypeException.class, put);
                Check.equal("put text into pool /out, key k: its values are u64; use putLong and its like", refused.getMessage(), "why");
            }
            out.put("/out", "bytes", "12345678".getBytes(StandardCharsets.UTF_8));
            out.put("/any", "any", "12345678");
        };
        AsyncObjectHandler later = (object, out) -> {
            Check.thrown(PoolTypeException.class, () -> out.put("k", "12345678"));
            out.put("/any", "later", "12345678");
            return CompletableFuture.completedFuture(null);
        };
        for (Handler each : List.of(handler, later)) {
            try (Harness<Handler> harness = new Harness<>(each).emits("/out", "/any").declares("/out", "u64")) {
                harness.put("k", "");
                List<String> keys = harness.emitted().stream().map(Emitted::keyText).toList();
                Check.equal(each == handler ? List.of("bytes", "any") : List.of("later"), keys, "what came out");
            }
        }
    }

    static void conditionsSayTheVersion() {
        try (Harness<Conditions> harness = new Harness<>(new Conditions()).emits("/out")) {
            harness.put("a", "1");
            Check.equal(true, harness.emitted().stream().anyMatch(each -> each.previous() != null), "a condition");
        }
    }

    static void numbersAreTheNewestOfEachKey() {
        ObjectHandler counts = (object, out) -> out.putLong(object.key(), object.value().length());
        try (Harness<ObjectHandler> harness = new Harness<>(counts).emits("/counts").declares("/counts", "u64")) {
            harness.batch(Map.entry("a", "x"), Map.entry("b", "xy"), Map.entry("a", "xyz"));
            Check.equal(Map.of("a", 3L, "b", 2L), harness.numbers("/counts"), "numbers");
        }
        try (Harness<ObjectHandler> harness = new Harness<>(counts).emits("/counts")) {
            harness.put("a", "x");
            IllegalStateException none = Check.thrown(IllegalStateException.class, () -> harness.numbers("/counts"));
            Check.equal(
                    "pool /counts declares no number: say which, as declares(\"/counts\", \"u64\")", none.getMessage(), "no type");
        }
    }

    /** Says what it hears. */
    private static final class Life implements ObjectHandler {
        private String closed = "";

        @Override
        public void onOpen(OpenContext open) {
            open.log().info(open.name() + " " + open.setting("greeting") + " " + open.senders());
        }

        @Override
        public void onObject(FlowObject object, Emitter out) {
            out.put("seen", object.version() + " " + object.poolPath() + " " + object.senderName());
        }

        @Override
        public void onFlush(Emitter out) {
            out.put("end", "flushed");
        }

        @Override
        public void onClose() {
            closed += "closed";
        }

        @Override
        public void describe(Description about) {
            about.parameter("greeting", "text", "hello", null);
        }
    }

    static void theWholeLifeIsSeen() {
        Harness<Life> harness = new Harness<>(new Life()).emits("/out").setting("greeting", "hi");
        Check.equal("FLOW object", harness.describe().kind() + " " + harness.describe().form(), "described");
        Check.equal("[Parameter[name=greeting, type=text, defaultValue=hello, range=null]]",
                harness.describe().parameters().toString(), "its settings");
        harness.put("a", "1");
        harness.warm("sample", "s");
        harness.flush();
        Check.equal(List.of(new Logged(3, "handler hi [harness]")), harness.logged(), "logged");
        Check.equal("[/out seen \"1 /in harness\", /out end \"flushed\"]", harness.emitted().toString(), "emitted");
        harness.close();
        harness.close();
        Check.equal("closed", harness.handler().closed, "closed once");
    }

    static void muchIsEmittedInChunks() {
        byte[] large = new byte[50_000];
        ObjectHandler emits = (object, out) -> {
            for (int index = 0; index < 10; index++) {
                out.put(Integer.toString(index), large);
            }
            if (object.value().contentEquals("fail")) {
                throw new IllegalStateException("no");
            }
        };
        try (Harness<ObjectHandler> harness = new Harness<>(emits).emits("/out")) {
            harness.put("a", "ok");
            Check.equal(10, harness.emitted().size(), "all of them");
            Check.failed("java.lang.IllegalStateException", "no", () -> harness.put("a", "fail"));
            Check.equal(10, harness.emitted().size(), "none of the failed one");
            Check.equal(50_000, harness.emitted().get(9).value().length, "whole");
        }
    }

    static void whatAHandlerIsGivenEndsWithItsCall() {
        try (Harness<Keeps> harness = new Harness<>(new Keeps()).emits("/out")) {
            harness.put("keep", "1");
            for (String later : List.of("object", "view", "emitter")) {
                Check.failed(
                        "java.lang.IllegalStateException",
                        "use what a handler is given after its call: it has ended; copy what is to be kept",
                        () -> harness.put(later, "2"));
            }
        }
    }

    /** Adds. */
    private static final class Adds implements Combine<int[]> {
        @Override
        public void combine(int[] from, int[] into, int count) {
            for (int index = 0; index < count; index++) {
                into[index] = Math.addExact(from[index], into[index]);
            }
        }

        @Override
        public boolean commutative() {
            return true;
        }
    }

    /** An engine that breaks the rules. */
    private static final class Engine extends TestCombine {
        Engine() {
            super(new Adds(), null, 0);
        }

        @Override
        protected void logged(int level, String text) {}

        @Override
        protected void described(int what, String key, String value) {}

        @Override
        protected RuntimeException failed(String type, String message, String stack, int done, int item) {
            return new IllegalStateException(message);
        }

        /** Combines two elements, where the frame says that there are others. */
        String says(long count, long fromBytes, long intoBytes) {
            Blocks call = new Blocks();
            long frame = frame(call, Abi.Kind.COMBINE, Abi.CombineFrame.BYTES);
            long from = call.of(2 * Integer.BYTES);
            long into = call.of(2 * Integer.BYTES);
            for (int index = 0; index < 2; index++) {
                Memory.putInt(from + index * Integer.BYTES, 10);
                Memory.putInt(into + index * Integer.BYTES, index);
            }
            // Each array has a base of its own; that of the second is the error's too.
            Memory.putLong(frame + Abi.FrameHead.BASE_BATCH, from);
            Memory.putLong(frame + Abi.FrameHead.BASE_OUTPUT, into);
            long text = frame + Abi.FrameHead.ERROR + Abi.ErrorSlot.TEXT + Abi.Rel.OFFSET;
            Memory.putLong(text, Memory.getLong(text) - into);
            Blocks.slice(frame + Abi.CombineFrame.FROM, 0, fromBytes);
            Blocks.slice(frame + Abi.CombineFrame.INTO, 0, intoBytes);
            Memory.putLong(frame + Abi.CombineFrame.COUNT, count);
            int status = call(frame);
            String found = Memory.getInt(into) + " " + Memory.getInt(into + Integer.BYTES);
            Memory.putLong(text, Memory.getLong(text) + into);
            Memory.putLong(frame + Abi.FrameHead.BASE_OUTPUT, 0);
            try {
                check(status, frame, 0);
                return found;
            } catch (IllegalStateException failed) {
                return failed.getMessage() + ", " + found;
            } finally {
                call.end();
            }
        }
    }

    static void arraysThatAreNotAsLongAsTheFrameSaysAreNotWrittenInto() {
        try (Engine engine = new Engine()) {
            Check.equal("the handler was called before OPEN, which agrees on the elements' type, 0 1", engine.says(2, 8, 8), "early");
            engine.open();
            Check.equal("10 11", engine.says(2, 8, 8), "each by its base");
            String broken = "the frame's arrays are not %d elements of i32 each: the engine breaks the rules, 0 1";
            Check.equal(broken.formatted(2), engine.says(2, 8, 4), "the second is short");
            Check.equal(broken.formatted(2), engine.says(2, 4, 8), "the first is short");
            Check.equal(broken.formatted(1), engine.says(1, 8, 8), "both are long");
            Check.equal("combine 18446744073709551615 elements: an array holds at most 2147483647; combine them in parts, 0 1",
                    engine.says(-1, 8, 8), "more than an array holds");
        }
    }

    static void arraysAreCombined() {
        try (CombineHarness<int[]> harness = new CombineHarness<>(new Adds())) {
            int[] into = {1, 2, 3};
            harness.combine(new int[] {10, 20, 30}, into);
            Check.equal("[11, 22, 33]", Arrays.toString(into), "added");
            Check.equal("true i32 4",
                    harness.describe().commutative() + " " + harness.describe().takes().name() + " "
                            + harness.describe().takes().size(), "described");
            Check.failed("java.lang.ArithmeticException", "integer overflow",
                    () -> harness.combine(new int[] {Integer.MAX_VALUE}, new int[] {1}));
            IllegalArgumentException uneven = Check.thrown(
                    IllegalArgumentException.class, () -> harness.combine(new int[2], new int[1]));
            Check.equal("combine 2 elements into 1: both arrays have the same length", uneven.getMessage(), "uneven");
        }
    }

    static void textOfAnyLengthIsChecked() {
        Check.equal(-1, Utf8.wrong("äöü".repeat(1000).getBytes(StandardCharsets.UTF_8)), "right");
        Check.equal(3, Utf8.wrong(new byte[] {'a', 'b', 'c', (byte) 0xFF}), "wrong");
        byte[] half = (" ".repeat(10) + "ä".repeat(1000)).getBytes(StandardCharsets.UTF_8);
        Check.equal(half.length - 2, Utf8.wrong(Arrays.copyOf(half, half.length - 1)), "cut");
    }
}
