/**
 * Message passing between processes, over the machine's MPI: Open MPI or MPICH. {@link upcall.mpi.Environment} starts it,
 * {@link upcall.mpi.Communicator} has the calls.
 */
package upcall.mpi;
