package upcall.mpi;

import upcall.bindings.UpcallMpiDatatype;

/**
 * A struct as MPI knows it: its fields, each a number at its place. What C programs make with {@code MPI_Type_create_struct}
 * matches it where their numbers do, in the order of the fields, wherever these lie. Padding does not travel.
 *
 * <p>It is freed when it is closed or forgotten.
 */
public final class Datatype implements AutoCloseable {
    private final UpcallMpiDatatype datatype;

    /**
     * That of a type whose fields are numbers.
     *
     * @throws MpiException a field lies on another one, or is no number; or MPI refuses
     */
    public Datatype(Communicator communicator, ElementType type) {
        datatype = MpiException.of(() -> new UpcallMpiDatatype(communicator.comm, type.handle()));
    }

    UpcallMpiDatatype handle() {
        return datatype;
    }

    /** Bytes from one element to the next. */
    public int extent() {
        return Math.toIntExact(MpiException.of(datatype::extent));
    }

    @Override
    public void close() {
        datatype.close();
    }
}
