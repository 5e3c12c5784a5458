package upcall.mpi;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import upcall.bindings.UpcallMpiFile;
import upcall.bindings.UpcallMpiSeek;

/**
 * A file that the ranks of a communicator have opened together: MPI-IO.
 *
 * <pre>{@code
 * try (File file = File.options().read(true).write(true).create(true).open(world, Path.of("numbers"))) {
 *     // Rank 0 has the first 100, rank 1 the next, and so on, round and round.
 *     file.viewBlocks(double[].class, 0, 100);
 *     file.writeAtAll(mine, 0);
 * }
 * }</pre>
 *
 * <p>Offsets count the elements of the view, which are bytes until {@link #view} or one of its kin says otherwise; a rank's view may be
 * a part of the file, and differ from the others'. What one rank writes is seen by another when both have called {@link #sync}, the
 * first after writing and the other before reading, or when the file is {@link #setAtomic atomic}.
 *
 * <p>What is collective is called by all ranks, in one order. Closing is: a file that is forgotten stays open until MPI is finalized,
 * which closes it; and a rank that leaves the block by an exception waits for the others there, unless it {@link Communicator#abort
 * ends} the job before. Calls on a closed one are an {@link MpiError#USAGE}.
 */
public final class File extends FileAccess implements AutoCloseable {
    private final Path path;

    File(UpcallMpiFile file, Path path) {
        super(file);
        this.path = path;
    }

    /** How to open a file. */
    public static FileOptions options() {
        return new FileOptions();
    }

    /** Opens a file to read. Collective. */
    public static File open(Communicator comm, Path path) {
        return options().read(true).open(comm, path);
    }

    /** Opens a file to write, without what may be in it. Collective. */
    public static File create(Communicator comm, Path path) {
        return options().write(true).create(true).truncate(true).open(comm, path);
    }

    /**
     * Deletes a file: one rank does that, when none has it open.
     *
     * @throws MpiException there is none ({@link MpiError#NOT_FOUND}), or it may not be deleted
     */
    public static void delete(Communicator comm, Path path) {
        MpiException.of(() -> comm.handle().fileDelete(path.toString()));
    }

    /** Its path, as it was opened. */
    public Path path() {
        return path;
    }

    /** Its bytes. */
    public long size() {
        return MpiException.of(file::size);
    }

    /** Makes it as large: what is behind is cut off, what is new is zero. Collective. */
    public void setSize(long bytes) {
        MpiException.of(() -> file.setSize(bytes));
    }

    /** Takes room for so many bytes, so that writing them does not find the disk full; a larger file stays as it is. Collective. */
    public void preallocate(long bytes) {
        MpiException.of(() -> file.preallocate(bytes));
    }

    /** Brings what was written to the disk, and what others have brought there to this rank's eyes. Collective. */
    public void sync() {
        MpiException.of(file::sync);
    }

    /** Whether each read and write is done at once, as others see it, without {@link #sync}. Off at first. Collective. */
    public void setAtomic(boolean atomic) {
        MpiException.of(() -> file.setAtomic(atomic));
    }

    /** Whether it is. */
    public boolean isAtomic() {
        return MpiException.of(file::isAtomic);
    }

    /** The hints in use, by name: what MPI has made of those that it was opened with, and its own. */
    public Map<String, String> hints() {
        Map<String, String> hints = new LinkedHashMap<>();
        MpiException.of(file::hints).lines().forEach(line -> {
            int end = line.indexOf('=');
            if (end > 0) {
                hints.put(line.substring(0, end), line.substring(end + 1));
            }
        });
        return hints;
    }

    /** From where a pointer is moved. */
    public enum From {
        /** The start of the view. */
        START(UpcallMpiSeek.START),
        /** Where it is. */
        CURRENT(UpcallMpiSeek.CURRENT),
        /** The file's end. */
        END(UpcallMpiSeek.END);

        private final int number;

        From(int number) {
            this.number = number;
        }
    }

    /**
     * Moves this rank's pointer: where it is then, in elements of the view.
     *
     * @throws MpiException it would be before the start
     */
    public long seek(long offset, From from) {
        return MpiException.of(() -> file.seek(offset, from.number, false));
    }

    /** Moves the pointer that all ranks have. Collective. */
    public long seekShared(long offset, From from) {
        return MpiException.of(() -> file.seek(offset, from.number, true));
    }

    /** Where this rank's pointer is, in elements of the view. */
    public long position() {
        return MpiException.of(() -> file.position(false));
    }

    /** Where the pointer is that all ranks have. */
    public long positionShared() {
        return MpiException.of(() -> file.position(true));
    }

    /**
     * Sees the file as elements, from a place in bytes on: offsets count these, and pointers are at the start. Collective, as all views
     * are; what is wrong on one rank is an error on all.
     *
     * @param elements their class, as {@code double[].class}
     */
    public void view(Class<?> elements, long place) {
        view(sizeOf(elements), place);
    }

    /** The same with elements of so many bytes. */
    public void view(int bytes, long place) {
        MpiException.of(() -> file.view(bytes, place));
    }

    /**
     * Shares the file out in blocks of so many elements, from a place in bytes on: the first is rank 0's, the next rank 1's, and behind
     * that of the last rank comes rank 0's next. Each rank sees its own, side by side.
     */
    public void viewBlocks(Class<?> elements, long place, long block) {
        viewBlocks(sizeOf(elements), place, block);
    }

    /** The same with elements of so many bytes. */
    public void viewBlocks(int bytes, long place, long block) {
        MpiException.of(() -> file.viewBlocks(bytes, place, block));
    }

    /**
     * Sees, from a place in bytes on, {@code block} of each {@code stride} elements, of which it skips {@code first}: {@code (0, 2, 1,
     * 10)} sees column 2 of a table with 10. Each rank says what it sees itself.
     */
    public void viewStrided(Class<?> elements, long place, long first, long block, long stride) {
        viewStrided(sizeOf(elements), place, first, block, stride);
    }

    /** The same with elements of so many bytes. */
    public void viewStrided(int bytes, long place, long first, long block, long stride) {
        MpiException.of(() -> file.viewStrided(bytes, place, first, block, stride));
    }

    /**
     * Sees a part of an array that lies in the file, from a place in bytes on, its last index next to each other.
     *
     * @param sizes those of the array
     * @param part those of what this rank sees
     * @param starts where that begins
     */
    public void viewSubarray(Class<?> elements, long place, long[] sizes, long[] part, long[] starts) {
        viewSubarray(sizeOf(elements), place, sizes, part, starts);
    }

    /** The same with elements of so many bytes. */
    public void viewSubarray(int bytes, long place, long[] sizes, long[] part, long[] starts) {
        MpiException.of(() -> file.viewSubarray(bytes, place, sizes, part, starts));
    }

    private static int sizeOf(Class<?> type) {
        return elements(type).size();
    }

    /**
     * Closes it, when all that was begun has ended. Collective. A second call does nothing.
     *
     * @throws MpiException the disk is full, or MPI refuses
     */
    @Override
    public void close() {
        MpiException.of(file::close_);
    }
}
