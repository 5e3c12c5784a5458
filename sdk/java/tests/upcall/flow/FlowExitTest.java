package upcall.flow;

import static upcall.Check.equal;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs that end while a flow runs: each is a virtual machine of its own, several times. */
public final class FlowExitTest {
    private static final int TIMES = 3;

    private FlowExitTest() {}

    static void aProgramWhoseMainReturnsEndsWhileAFlowRuns() throws Exception {
        ends("returns", 0, "");
    }

    static void aProgramThatExitsEndsWithItsCodeWhileAFlowRuns() throws Exception {
        ends("exits", 7, "");
    }

    static void aProgramWhoseMainThrowsEndsWithOneWhileAFlowRuns() throws Exception {
        ends("throws", 1, "");
    }

    static void aHandlerMayExitTheProgram() throws Exception {
        ends("handler", 5, "");
    }

    static void aProgramMayExitWhileItStartsAFlow() throws Exception {
        ends("starting", 3, "");
    }

    static void aHookDrainsAndClosesAtATermination() throws Exception {
        // 128 and 15.
        ends("hook", 143, "handled 100, closed");
    }

    private static void ends(String how, int code, String last) throws Exception {
        for (int time = 0; time < TIMES; time++) {
            List<String> command = new ArrayList<>();
            command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Ends.class.getName(), how));
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            StringBuilder printed = new StringBuilder();
            Thread reading = new Thread(() -> process.inputReader(StandardCharsets.UTF_8).lines().forEach(line -> {
                printed.append(line).append('\n');
                if (line.equals("ready")) {
                    // Not its own method, which closes what it prints.
                    process.toHandle().destroy();
                }
            }));
            reading.start();
            boolean ended = process.waitFor(60, TimeUnit.SECONDS);
            process.destroyForcibly();
            reading.join();
            equal(true, ended, how + " has ended:\n" + printed);
            equal(code, process.exitValue(), how + ":\n" + printed);
            equal(true, printed.toString().trim().endsWith(last), how + ":\n" + printed);
        }
    }

    /** The programs. */
    static final class Ends {
        private Ends() {}

        /** Ends as it is told. */
        public static void main(String[] arguments) throws Exception {
            // Emissions, watches and futures are under way when it ends.
            Flow flow = Flow.describe().pool("/in", PoolKind.TRIGGER).pool("/out", "u64")
                    .on("/in", "/out", Counts::new)
                    .on("/in", "/out", (object, out) -> {
                        if (arguments[0].equals("handler") && object.version() > 1000) {
                            System.exit(5);
                        }
                        out.putLong(object.key(), object.version());
                    })
                    .start();
            if (arguments[0].equals("hook")) {
                hook(flow);
                return;
            }
            WatchTest.Told told = new WatchTest.Told();
            flow.watch("/out").subscribe(told);
            told.next();
            told.subscription.request(Long.MAX_VALUE);
            Thread putting = new Thread(() -> {
                for (long number = 0; ; number++) {
                    flow.pool("/in").putAsync("k" + number % 100, "v");
                }
            });
            putting.setDaemon(true);
            putting.start();
            told.next();
            switch (arguments[0]) {
                case "exits" -> System.exit(7);
                case "throws" -> throw new IllegalStateException("thrown by main");
                case "handler" -> putting.join();
                case "starting" -> {
                    for (int number = 0; number < 20; number++) {
                        FlowTest.lengths().startAsync();
                    }
                    System.exit(3);
                }
                default -> {}
            }
        }

        private static void hook(Flow flow) throws InterruptedException {
            Pool out = flow.pool("/out");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    flow.drain();
                    flow.close();
                    System.out.println("handled " + out.list().size() + ", closed");
                } catch (InterruptedException thrown) {
                    System.out.println(thrown);
                }
            }));
            for (int number = 0; number < 100; number++) {
                flow.pool("/in").put("k" + number, "v");
            }
            System.out.println("ready");
            Thread.currentThread().join();
        }
    }
}
