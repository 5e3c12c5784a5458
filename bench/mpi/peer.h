/*
 * What a program in C does with MPI, batch by batch: compiled by the MPI's own mpicc and loaded into the program that is
 * measured, so that both take turns on the same memory.
 *
 * Each runs so many times with `count` elements at `data` and returns an error code of MPI's. Rank 0 begins, and rank 1
 * answers; of reductions the first half of `data` is what a rank brings, the second half the result.
 */
#ifndef UPCALL_BENCH_PEER_H
#define UPCALL_BENCH_PEER_H

#include <mpi.h>

typedef int batch(int rank, void *data, long count, long times);

/* Back and forth, as bytes: NetPIPE. */
batch upcall_bench_bytes;
/* The same, where who receives knows the size only when the message is there: as MPI 3 has it, and as older programs have it. */
batch upcall_bench_matched, upcall_bench_probed;
/* Structs of a float, 4 bytes of padding and a double, described to MPI field by field. */
batch upcall_bench_structs;
/* Doubles, by MPI_SUM and by a function of the program's. */
batch upcall_bench_sum, upcall_bench_function;

/* Frees what the others have made, before MPI is finalized. */
int upcall_bench_end(void);

/* What the reductions have made. */
int free_op(void);

#define TRY(call)                    \
    do {                             \
        int tried = (call);          \
        if (tried != MPI_SUCCESS)    \
            return tried;            \
    } while (0)

#endif
