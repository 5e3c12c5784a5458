package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs on ranks of both MPIs, each rank a virtual machine of this version. */
public final class MpiTest {
    private static final List<String> LAUNCHERS = List.of("mpirun.openmpi", "mpirun.mpich");

    private MpiTest() {}

    static void allIsWellOnRanksOfBothMpis() throws Exception {
        for (String launcher : LAUNCHERS) {
            for (int ranks : new int[] {1, 2, 3, 5}) {
                for (String threads : ranks == 2 ? List.of("FUNNELED", "MULTIPLE") : List.of("FUNNELED")) {
                    Ended ended = ended(launch(launcher, ranks, Ranks.class.getName(), threads), Map.of());
                    long well = ended.printed().split("well", -1).length - 1;
                    equal(0, ended.code(), ranks + " ranks of " + launcher + ":\n" + ended.printed());
                    equal((long) ranks, well, ranks + " ranks of " + launcher + ":\n" + ended.printed());
                }
            }
        }
    }

    static void whatAProgramThrowsEndsTheJob() throws Exception {
        for (String launcher : LAUNCHERS) {
            Ended ended = ended(launch(launcher, 2, Throws.class.getName()), Map.of());
            equal(true, ended.code() != 0, launcher + " has ended with 0:\n" + ended.printed());
            equal(true, ended.printed().contains("IllegalStateException: thrown by rank 1"), launcher + ":\n" + ended.printed());
        }
    }

    static void withoutAnMpiThereIsAnError() throws Exception {
        Ended ended = ended(java(Missing.class.getName()), Map.of("UPCALL_MPI", "/nowhere/mpicc"));
        equal(0, ended.code(), ended.printed());
        equal(true, ended.printed().startsWith("MISSING") && ended.printed().contains("/nowhere/mpicc"), ended.printed());
    }

    static void theProgramOfTheReadmePrintsWhatItSays() throws Exception {
        Path root = root();
        String section = Files.readString(root.resolve("sdk/java/README.md")).split("## Passing messages", 2)[1];
        Path folder = Files.createTempDirectory("upcall-readme");
        String programs = System.getenv("UPCALL_PROGRAMS");
        Path commands = programs == null ? root.resolve("target/release") : Path.of(programs);
        Map<String, String> environment = Map.of(
                "UPCALL_JAR", root.resolve("build/upcall.jar").toString(),
                "PATH", String.join(File.pathSeparator, commands.toString(), home("bin"), System.getenv("PATH")));
        // Newer Javas warn of native access, each rank for itself: that is not what the program prints.
        ProcessBuilder program = new ProcessBuilder("sh", "-ec", "exec 2>errors.txt\n" + block(section, "sh"));
        Ended ended = ended(program.directory(folder.toFile()), environment);
        List<String> printed = ended.printed().lines().map(String::strip).filter(line -> !line.isEmpty()).sorted().toList();
        equal(block(section, "text").lines().sorted().toList(), printed,
                ended.printed() + Files.readString(folder.resolve("errors.txt")));
    }

    private static String block(String section, String language) {
        return section.split("```" + language + "\n", 2)[1].split("```", 2)[0];
    }

    /** The repository, whose build folder has the jar. */
    private static Path root() {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.endsWith("upcall.jar")) {
                return Path.of(entry).toAbsolutePath().getParent().getParent();
            }
        }
        throw new AssertionError("no upcall.jar on the class path");
    }

    private static String home(String name) {
        return System.getProperty("java.home") + File.separator + name;
    }

    private static ProcessBuilder launch(String launcher, int ranks, String... program) {
        List<String> command = new ArrayList<>(List.of(launcher));
        if (launcher.endsWith("openmpi")) {
            // More ranks than cores, as root.
            command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--timeout", "240",
                    "--mca", "mpi_yield_when_idle", "1"));
        }
        command.addAll(List.of("-n", Integer.toString(ranks)));
        command.addAll(java(program).command());
        return new ProcessBuilder(command);
    }

    private static ProcessBuilder java(String... program) {
        List<String> command = new ArrayList<>(List.of(home("bin") + File.separator + "java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        // Programs of a second or two, several to a core.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(program));
        return new ProcessBuilder(command);
    }

    /** How a program has ended, and all that it has printed. */
    private record Ended(int code, String printed) {}

    private static Ended ended(ProcessBuilder program, Map<String, String> environment) throws Exception {
        program.environment().remove("UPCALL_MPI");
        program.environment().put("MPIEXEC_TIMEOUT", "240");
        program.environment().putAll(environment);
        Process process = program.redirectErrorStream(true).start();
        StringBuilder printed = new StringBuilder();
        Thread reading = new Thread(
                () -> process.inputReader(StandardCharsets.UTF_8).lines().forEach(line -> printed.append(line).append('\n')));
        reading.start();
        boolean ended = process.waitFor(300, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        reading.join();
        equal(true, ended, program.command() + " has ended:\n" + printed);
        return new Ended(process.exitValue(), printed.toString());
    }

    /** A program of which one rank throws while the other waits for it. */
    static final class Throws {
        private Throws() {}

        /** One rank's. */
        public static void main(String[] arguments) {
            Environment.run(world -> {
                if (world.rank() == 1) {
                    throw new IllegalStateException("thrown by rank 1");
                }
                world.barrier();
            });
        }
    }

    /** A program that finds no MPI. */
    static final class Missing {
        private Missing() {}

        /** Says why. */
        public static void main(String[] arguments) {
            MpiException missing = thrown(MpiException.class, Environment::start);
            System.out.println(missing.error() + ": " + missing.getMessage());
        }
    }
}
