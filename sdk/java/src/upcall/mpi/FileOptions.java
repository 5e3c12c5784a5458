package upcall.mpi;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import upcall.bindings.Functions;
import upcall.bindings.UpcallMpiFile;

/** How a {@link File} is opened: all ranks say the same. */
public final class FileOptions {
    private final Map<String, String> hints = new LinkedHashMap<>();
    private int how;

    FileOptions() {}

    private FileOptions set(int flag, boolean on) {
        how = on ? how | flag : how & ~flag;
        return this;
    }

    /** It is to be read. */
    public FileOptions read(boolean read) {
        return set(Functions.UPCALL_MPI_FILE_READ, read);
    }

    /** It is to be written. */
    public FileOptions write(boolean write) {
        return set(Functions.UPCALL_MPI_FILE_WRITE, write);
    }

    /** It is to be written, and all pointers are at its end at first. What is written elsewhere is written there. */
    public FileOptions append(boolean append) {
        return set(Functions.UPCALL_MPI_FILE_APPEND, append);
    }

    /** It is made where there is none. */
    public FileOptions create(boolean create) {
        return set(Functions.UPCALL_MPI_FILE_CREATE, create);
    }

    /** It is made, and must not be there ({@link MpiError#EXISTS}). */
    public FileOptions createNew(boolean createNew) {
        return set(Functions.UPCALL_MPI_FILE_CREATE_NEW, createNew);
    }

    /** What is in it is thrown away. */
    public FileOptions truncate(boolean truncate) {
        return set(Functions.UPCALL_MPI_FILE_TRUNCATE, truncate);
    }

    /** It is deleted when it is closed. */
    public FileOptions deleteOnClose(boolean delete) {
        return set(Functions.UPCALL_MPI_FILE_DELETE_ON_CLOSE, delete);
    }

    /**
     * Tells MPI something that may make it faster, as its manual says: {@code ("striping_factor", "8")}. What it does not know it
     * ignores.
     */
    public FileOptions hint(String name, String value) {
        hints.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        return this;
    }

    /**
     * Opens it. Collective.
     *
     * @throws MpiException there is none ({@link MpiError#NOT_FOUND}) or one too many ({@link MpiError#EXISTS}), it may not be
     *     accessed so ({@link MpiError#ACCESS}), what is said here contradicts itself, or MPI refuses
     */
    public File open(Communicator comm, Path path) {
        String lines = hints.entrySet().stream().map(hint -> hint.getKey() + "=" + hint.getValue())
                .collect(Collectors.joining("\n"));
        UpcallMpiFile file = MpiException.of(() -> comm.handle().fileOpen(path.toString(), how, lines));
        return new File(file, path);
    }
}
