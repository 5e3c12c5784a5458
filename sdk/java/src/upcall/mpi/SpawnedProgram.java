package upcall.mpi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import upcall.bindings.UpcallMpiPrograms;

/**
 * A program to start by {@link Communicator#spawn}, how often, and where.
 *
 * @param path its path, or a name that is on {@code PATH}
 * @param processes how many of it to start
 * @param arguments what it is called with
 * @param directory the folder that it starts in; null for the launcher's
 * @param hosts the hosts that it starts on, by their names; none for the launcher's
 * @param info something else that the launcher is told, by names that it knows
 */
public record SpawnedProgram(
        String path, int processes, List<String> arguments, String directory, List<String> hosts, Map<String, String> info) {
    /** Makes one. */
    public SpawnedProgram {
        Objects.requireNonNull(path, "path");
        arguments = List.copyOf(arguments);
        hosts = List.copyOf(hosts);
        info = new LinkedHashMap<>(info);
    }

    /** So many processes of the program at a path, or by a name that is on {@code PATH}, where the launcher starts them. */
    public SpawnedProgram(String path, int processes, String... arguments) {
        this(path, processes, List.of(arguments), null, List.of(), Map.of());
    }

    /** The same in a folder. */
    public SpawnedProgram in(String directory) {
        return new SpawnedProgram(path, processes, arguments, directory, hosts, info);
    }

    /** The same on these hosts. */
    public SpawnedProgram on(String... hosts) {
        return new SpawnedProgram(path, processes, arguments, directory, List.of(hosts), info);
    }

    void describe(UpcallMpiPrograms programs) {
        programs.add(path, processes);
        arguments.forEach(programs::argument);
        if (directory != null) {
            programs.directory(directory);
        }
        hosts.forEach(programs::host);
        info.forEach(programs::info);
    }
}
