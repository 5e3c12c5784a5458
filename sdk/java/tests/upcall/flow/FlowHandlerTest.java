package upcall.flow;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;
import upcall.Batch;
import upcall.BatchHandler;
import upcall.Description;
import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;
import upcall.OpenContext;
import upcall.TypedEmitter;
import upcall.TypedHandler;

/** Handlers that a program gives, and what they throw. */
public final class FlowHandlerTest {
    private static final int MANY = 2000;

    private FlowHandlerTest() {}

    static void ofAClassAndASupplierEachWorkerHasItsOwn() throws Exception {
        Counts.OPENED.set(0);
        Counts.CLOSED.set(0);
        try (Flow flow = Flow.describe().workers(2).pool("/in", PoolKind.TRIGGER).pool("/a", "u64").pool("/b", "u64")
                .on("/in", "/a", Counts.class)
                .on("/in", "/b", Counts::new, new HandlerOptions().order(HandlerOrder.SINGLE))
                .start()) {
            equal(3, Counts.OPENED.get(), "two instances of the class, one of the supplier's");
            for (int number = 0; number < MANY; number++) {
                flow.pool("/in").put("k" + number % 10, "");
            }
            flow.drain();
            long most = flow.pool("/b").list().stream().mapToLong(key -> FlowTest.number(flow.pool("/b").get(key))).max().getAsLong();
            equal((long) MANY, most, "what a single instance has counted");
        }
        equal(3, Counts.CLOSED.get(), "closed");
    }

    static void batchesAndClassesOfJarsWorkToo() throws Exception {
        String classes = new File(FlowHandlerTest.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
        String text = "[pool.\"/in\"]\nkind = \"trigger\"\n[pool.\"/sizes\"]\ntype = \"u64\"\n[pool.\"/counts\"]\ntype = \"u64\"\n"
                + "[[handler]]\nname = \"sizes\"\non = \"/in\"\nto = \"/sizes\"\n"
                + "[[handler]]\nname = \"counts\"\non = \"/in\"\nto = \"/counts\"\njava = '" + classes + "'\nclass = \"upcall.flow.Counts\"\n";
        BatchHandler sizes = (Batch batch, Emitter out) -> {
            for (FlowObject object : batch) {
                out.putLong(object.key(), object.value().length());
            }
        };
        try (Flow flow = Flow.fromToml(text).giveBatch("sizes", sizes).start()) {
            flow.pool("/in").put("k", "four");
            flow.drain();
            equal(4L, FlowTest.number(flow.pool("/sizes").get("k")), "by a batch");
            equal(1L, FlowTest.number(flow.pool("/counts").get("k")), "by a class of a jar, loaded by its own loader");
        }
    }

    /** A handler as a file names it: tells where it finds what is provided beside its file only. */
    public static final class Finds implements ObjectHandler {
        static final List<String> SEEN = new CopyOnWriteArrayList<>();

        /** Looks. */
        public Finds() {
            look("constructor");
        }

        private static void look(String where) {
            SEEN.add(where + " " + ServiceLoader.load(IntSupplier.class).stream().count());
        }

        @Override
        public void describe(Description about) {
            look("describe");
        }

        @Override
        public void onOpen(OpenContext open) {
            look("open");
        }

        @Override
        public void onObject(FlowObject object, Emitter out) {
            look("object");
            out.put(object.key(), object.value());
        }

        @Override
        public void onFlush(Emitter out) {
            look("flush");
        }

        @Override
        public void onClose() {
            look("close");
        }
    }

    /** What is provided. */
    public static final class Provided implements IntSupplier {
        @Override
        public int getAsInt() {
            return 1;
        }
    }

    static void librariesFindTheServicesOfAHandlersFile() throws Exception {
        Path folder = Files.createTempDirectory("upcall-services");
        Path services = Files.createDirectories(folder.resolve("META-INF/services")).resolve(IntSupplier.class.getName());
        Files.writeString(services, Provided.class.getName() + "\n");
        String text = "workers = 1\n[pool.\"/in\"]\nkind = \"trigger\"\n[pool.\"/out\"]\nkind = \"trigger\"\n"
                + "[[handler]]\nname = \"finds\"\non = \"/in\"\nto = \"/out\"\njava = '" + folder + "'\nclass = '" + Finds.class.getName()
                + "'\n[[handler]]\nname = \"given\"\non = \"/out\"\n";
        Set<ClassLoader> given = ConcurrentHashMap.newKeySet();
        ClassLoader own = new URLClassLoader(new URL[0]);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        Finds.SEEN.clear();
        thread.setContextClassLoader(own);
        try {
            FlowBuilder builder = Flow.fromToml(text).give("given", (object, out) -> given.add(Thread.currentThread().getContextClassLoader()));
            try (Flow flow = builder.start()) {
                for (int number = 0; number < 3; number++) {
                    flow.pool("/in").put("k", "v");
                    flow.settle();
                }
                flow.drain();
            }
            equal(own, thread.getContextClassLoader(), "the context of who starts the flow");
        } finally {
            thread.setContextClassLoader(before);
            Files.delete(services);
            Files.delete(services.getParent());
            Files.delete(services.getParent().getParent());
            Files.delete(folder);
        }
        equal(Set.of(own), given, "what a given handler has, on the same worker");
        equal(Set.of("constructor 1", "describe 1", "open 1", "object 1", "flush 1", "close 1"), Set.copyOf(Finds.SEEN), "what is found");
    }

    static void workersAreDaemonsWithTheirNames() throws Exception {
        Set<String> names = ConcurrentHashMap.newKeySet();
        try (Flow flow = Flow.describe().workers(2).pool("/in", PoolKind.TRIGGER).pool("/out")
                .on("/in", "/out", (object, out) -> names.add(Thread.currentThread().getName() + Thread.currentThread().isDaemon()))
                .start()) {
            for (int number = 0; number < 100; number++) {
                flow.pool("/in").put("k" + number, "");
            }
            flow.drain();
        }
        equal(Set.of("upcall-0true", "upcall-1true"), names, "the threads");
    }

    static void aLambdaThatThrowsOnEveryCallBuriesEveryObjectAndTheFlowGoesOn() throws Exception {
        Object[] causes = {null, new StackOverflowError("deep"), new Exception("checked"), new ThreadDeath()};
        try (Flow flow = Flow.describe().pool("/in", PoolKind.TRIGGER).pool("/out")
                .on("/in", "/out", (object, out) -> {
                    out.put(object.key(), "forgotten");
                    Throwable cause = (Throwable) causes[(int) (object.version() % causes.length)];
                    FlowHandlerTest.<RuntimeException>sneak(cause == null ? new NullPointerException() : cause);
                })
                .start()) {
            for (int number = 0; number < MANY; number++) {
                flow.pool("/in").put("k" + number, "v");
            }
            flow.drain();
            flow.check();
            equal(MANY, flow.deadLetters("/in").size(), "letters");
            equal(List.of(), flow.pool("/out").list(), "nothing that they emitted counts");
        }
    }

    static void aRealNullAndARealOverflowAreExceptionsOnTheEnginesThreads() throws Exception {
        try (Flow flow = Flow.describe().pool("/in", PoolKind.TRIGGER).pool("/out")
                .on("/in", "/out", (object, out) -> {
                    if (object.version() % 2 == 0) {
                        deeper(0);
                    }
                    String none = object.version() < 0 ? "" : null;
                    none.length();
                })
                .start()) {
            for (int number = 0; number < 40; number++) {
                flow.pool("/in").put("k" + number, "v");
            }
            flow.drain();
            List<DeadLetter> letters = flow.deadLetters("/in");
            equal(20L, letters.stream().filter(letter -> letter.typeName().equals("java.lang.NullPointerException")).count(), "nulls");
            equal(20L, letters.stream().filter(letter -> letter.typeName().equals("java.lang.StackOverflowError")).count(), "overflows");
        }
    }

    static void anInterruptionEndsWithItsCall() throws Exception {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        ObjectHandler handler = (object, out) -> {
            seen.add("object " + Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
            if (object.version() % 2 == 0) {
                throw new IllegalStateException("interrupted too");
            }
        };
        BatchHandler batches = (batch, out) -> {
            seen.add("batch " + Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
        };
        try (Flow flow = Flow.describe().workers(1).pool("/in", PoolKind.TRIGGER)
                .on("/in", handler).onBatch("/in", batches).start()) {
            for (int number = 0; number < 100; number++) {
                flow.pool("/in").put("k" + number, "");
            }
            flow.drain();
        }
        equal(Set.of("object false", "batch false"), seen, "what the calls have found");
    }

    static void anExceptionGoesThroughThreeLayers() throws Exception {
        ObjectHandler starts = (object, out) -> {
            // A flow inside a handler, whose own handler cannot be made.
            Flow.describe().pool("/a", PoolKind.TRIGGER).pool("/b")
                    .on("/a", "/b", () -> {
                        throw new UnsupportedOperationException("the innermost");
                    })
                    .start();
        };
        try (Flow flow = Flow.describe().pool("/in", PoolKind.TRIGGER).pool("/out").on("/in", "/out", starts).start()) {
            flow.pool("/in").put("k", "v");
            flow.drain();
            DeadLetter letter = flow.deadLetters("/in").get(0);
            equal("upcall.flow.FlowException", letter.typeName(), letter.message());
            equal(true, letter.message().contains("java.lang.UnsupportedOperationException: the innermost"), letter.message());
        }
    }

    static void mistakesInADescriptionAreToldWithoutAFileThatIsNotThere() {
        FlowException twice = thrown(FlowException.class, () -> Flow.describe().pool("/a").pool("/a", PoolKind.TRIGGER).start());
        equal(FlowError.INVALID, twice.error(), twice.getMessage());
        boolean placed = twice.getMessage().contains("pool /a is described twice\n --> the flow's description:");
        equal(true, placed && !twice.getMessage().contains(".toml"), twice.getMessage());
        FlowException lost = thrown(FlowException.class, () -> FlowTest.lengths()
                .on("/linse", (object, out) -> {}, new HandlerOptions().name("lost")).start());
        placed = lost.getMessage().contains("did you mean `/lines`?") && lost.getMessage().contains("the flow's description:");
        equal(true, placed, lost.getMessage());
        String text = "[pool.\"/in\"]\n[[handler]]\nname = \"greet\"\non = \"/in\"\n";
        FlowException misnamed = thrown(FlowException.class, () -> Flow.fromToml(text).give("gret", (object, out) -> {}).start());
        equal("give handler gret: the flow has no such handler; it has greet; did you mean greet?", misnamed.getMessage(), "misnamed");
        FlowException again = thrown(FlowException.class, () -> Flow.fromToml(text)
                .give("greet", (object, out) -> {}).give("greet", (object, out) -> {}).start());
        equal("give handler greet: it is given twice; give it once", again.getMessage(), "given twice");
    }

    static void whatIsNoHandlerAndWhatIsNullIsSaidAtTheStart() {
        FlowException none = thrown(FlowException.class, () -> FlowTest.lengths().on("/lines", "/lengths", () -> null).start());
        equal(FlowError.LOAD, none.error(), none.getMessage());
        equal(true, none.getMessage().contains("the function that makes the handler returned null"), none.getMessage());
        equal(false, none.getMessage().contains("constructor failed"), none.getMessage());
        FlowException inner = thrown(FlowException.class, () -> FlowTest.lengths().on("/lines", "/lengths", Inner.class).start());
        equal(true, inner.getMessage().contains("make it static"), inner.getMessage());
        thrown(NullPointerException.class, () -> FlowTest.lengths().on("/lines", "/lengths", (ObjectHandler) null));
    }

    record Padded(byte small, long large) {}

    static final class Pads implements TypedHandler<byte[], Padded> {
        @Override
        public void onObject(byte[] value, FlowObject object, TypedEmitter<Padded> out) {}
    }

    static void aHandlerThatCannotBeOneHasNotFailedInItsConstructor() {
        FlowException refused = thrown(FlowException.class, () -> FlowTest.lengths().on("/lines", "/lengths", Pads.class).start());
        equal(FlowError.LOAD, refused.error(), refused.getMessage());
        String said = "upcall.flow.FlowHandlerTest$Pads cannot be a handler: upcall.flow.FlowHandlerTest$Padded cannot be emitted: "
                + "there is padding between its fields";
        equal(true, refused.getMessage().contains(said), refused.getMessage());
        equal(false, refused.getMessage().contains("constructor failed"), refused.getMessage());
    }

    static void aHandlerThatOnlyTheEngineHoldsIsNotCollectedAndGoesWithTheFlow() throws Exception {
        WeakReference<ObjectHandler> held;
        try (Flow flow = Flow.describe().pool("/in", PoolKind.TRIGGER).pool("/out").on("/in", "/out", new Holds()).start()) {
            for (int round = 0; round < 5; round++) {
                System.gc();
                flow.pool("/in").put("k" + round, "v");
                flow.drain();
            }
            equal(5, flow.pool("/out").list().size(), "after collections");
            held = Holds.last;
            equal(true, held.get() != null, "the engine holds it");
        }
        for (int round = 0; round < 50 && held.get() != null; round++) {
            System.gc();
            Thread.sleep(20);
        }
        equal(null, held.get(), "after the flow");
    }

    final class Inner implements ObjectHandler {
        @Override
        public void onObject(FlowObject object, Emitter out) {}
    }

    static final class Holds implements ObjectHandler {
        static WeakReference<ObjectHandler> last;

        private final byte[] much = new byte[1 << 20];

        Holds() {
            last = new WeakReference<>(this);
        }

        @Override
        public void onObject(FlowObject object, Emitter out) {
            out.put(object.key(), Integer.toString(much.length));
        }
    }

    private static int deeper(int depth) {
        return deeper(depth + 1) + 1;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    static void aHandlerMayHaveNoOutput() throws Exception {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        ObjectHandler one = (object, out) -> seen.add("an object");
        HandlerOptions elsewhere = new HandlerOptions().alsoTo("/out");
        try (Flow flow = Flow.describe().pool("/in", PoolKind.TRIGGER).pool("/out")
                .on("/in", (object, out) -> seen.add("a lambda"))
                .on("/in", one, elsewhere)
                .on("/in", () -> one)
                .on("/in", Silent.class)
                .on("/in", Silent::new, new HandlerOptions().name("silent"))
                .onBatch("/in", (batch, out) -> seen.add("a batch"))
                .on("/in", (object, out) -> out.put(object.key(), "nowhere"), new HandlerOptions().name("lost"))
                .on("/in", (object, out) -> out.put("/out", object.key(), "by path"), elsewhere)
                .start()) {
            flow.pool("/in").put("k", "v");
            flow.drain();
            equal(Set.of("a lambda", "an object", "a batch"), seen, "what was called");
            equal("by path", flow.pool("/out").get("k").valueText(), "what was emitted by path");
            List<DeadLetter> letters = flow.deadLetters("/in");
            equal(1, letters.size(), "failures: " + letters);
            equal(true, letters.get(0).trace().toString().contains("lost"), letters.toString());
        }
    }

    /** Emits nothing. */
    static final class Silent implements ObjectHandler {
        @Override
        public void onObject(FlowObject object, Emitter out) {}
    }

    static void aLambdaReadsPoolsByTheirPaths() throws Exception {
        try (Flow flow = Flow.describe().pool("/asked", PoolKind.TRIGGER).pool("/stock", PoolKind.VOLATILE, "text", 3).pool("/answers")
                .on("/asked", "/answers", (object, out) -> {
                    String[] of = object.valueText().split(" ");
                    long version = Long.parseLong(of[0]);
                    long time = Long.parseLong(of[1]);
                    out.put("now", out.get("/stock", object.keyText()).text() + out.get("/stock", object.keyBytes()).text());
                    out.put("then", out.getAt("/stock", object.keyText(), version).text()
                            + out.getAt("/stock", object.keyBytes(), version).text());
                    out.put("at a time", out.getByTime("/stock", object.keyText(), time).text()
                            + out.getByTime("/stock", object.keyBytes(), time).text());
                    out.put("keys", out.list("/stock", "app").toString());
                    out.put("typed", out.of(String.class).get("/stock", "apples").text());
                    out.put("nobody", "" + out.get("/stock", "nobody"));
                    out.put("wrong", thrown(upcall.PoolNotDeclaredException.class, () -> out.get("/stocks", "a")).getMessage());
                }, new HandlerOptions().reads("/stock"))
                .start()) {
            Pool stock = flow.pool("/stock");
            long first = stock.putIf("apples", "1", 0);
            stock.putIf("apples", "2", first);
            flow.pool("/asked").put("apples", first + " " + stock.versions("apples").get(0).time());
            flow.drain();
            equal(List.of(), flow.deadLetters("/asked"), "failures");
            Pool answers = flow.pool("/answers");
            equal("22", answers.get("now").valueText(), "now");
            equal("11", answers.get("then").valueText(), "at a version");
            equal("11", answers.get("at a time").valueText(), "at a time");
            equal("[apples]", answers.get("keys").valueText(), "the keys");
            equal("2", answers.get("typed").valueText(), "by a typed emitter");
            equal("null", answers.get("nobody").valueText(), "a key that is not there");
            equal("pool /stocks is not declared by this handler", answers.get("wrong").valueText().split(";")[0], "a wrong path");
        }
    }
}
