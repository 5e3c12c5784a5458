/*
 * What upcall-mpi calls: one table of functions, the same whichever MPI the shim was compiled for.
 *
 * Handles are integers, counts have 64 bits, and what an MPI's header defines by itself (constants, classes of errors, the size
 * of a status) is told by the table. Every function returns an error code of MPI's, 0 where it has gone well.
 */
#ifndef UPCALL_MPI_H
#define UPCALL_MPI_H

#include <stdint.h>

/* The number of this file's version: it rises where the table is not only longer. */
#define UPCALL_MPI_ABI 1

/* Numbers of constants, for `constant`. */
enum upcall_mpi_constant {
    UPCALL_MPI_COMM_WORLD,
    UPCALL_MPI_COMM_SELF,
    UPCALL_MPI_COMM_NULL,
    UPCALL_MPI_REQUEST_NULL,
    UPCALL_MPI_ANY_SOURCE,
    UPCALL_MPI_ANY_TAG,
    UPCALL_MPI_UNDEFINED,
    UPCALL_MPI_BYTE,
    UPCALL_MPI_INT8,
    UPCALL_MPI_INT16,
    UPCALL_MPI_INT32,
    UPCALL_MPI_INT64,
    UPCALL_MPI_UINT8,
    UPCALL_MPI_UINT16,
    UPCALL_MPI_UINT32,
    UPCALL_MPI_UINT64,
    UPCALL_MPI_FLOAT,
    UPCALL_MPI_DOUBLE,
    UPCALL_MPI_SUM,
    UPCALL_MPI_PROD,
    UPCALL_MPI_MIN,
    UPCALL_MPI_MAX,
    UPCALL_MPI_LAND,
    UPCALL_MPI_LOR,
    UPCALL_MPI_LXOR,
    UPCALL_MPI_BAND,
    UPCALL_MPI_BOR,
    UPCALL_MPI_BXOR,
    UPCALL_MPI_MIN_LOC,
    UPCALL_MPI_MAX_LOC,
    UPCALL_MPI_INT16_PLACE,
    UPCALL_MPI_INT32_PLACE,
    UPCALL_MPI_INT64_PLACE,
    UPCALL_MPI_CONSTANTS
};

/* Classes of errors, for `error_class`. */
enum upcall_mpi_class {
    UPCALL_MPI_CLASS_OTHER,
    UPCALL_MPI_CLASS_BUFFER,
    UPCALL_MPI_CLASS_COUNT,
    UPCALL_MPI_CLASS_TYPE,
    UPCALL_MPI_CLASS_TAG,
    UPCALL_MPI_CLASS_COMM,
    UPCALL_MPI_CLASS_RANK,
    UPCALL_MPI_CLASS_REQUEST,
    UPCALL_MPI_CLASS_ROOT,
    UPCALL_MPI_CLASS_GROUP,
    UPCALL_MPI_CLASS_OP,
    UPCALL_MPI_CLASS_TOPOLOGY,
    UPCALL_MPI_CLASS_DIMS,
    UPCALL_MPI_CLASS_ARG,
    UPCALL_MPI_CLASS_TRUNCATE,
    UPCALL_MPI_CLASS_INTERN,
    UPCALL_MPI_CLASS_PENDING,
    UPCALL_MPI_CLASS_NO_MEM,
    UPCALL_MPI_CLASS_IN_STATUS,
    UPCALL_MPI_CLASS_PROC_FAILED
};

/* A status of MPI's, which is no larger. */
typedef struct {
    uint64_t bytes[6];
} upcall_mpi_status;

typedef int64_t upcall_mpi_handle;

/* A user's operation, as MPI calls it; the last is the address of a datatype. */
typedef void upcall_mpi_function(void *from, void *into, int *count, void *type);

typedef struct {
    uint32_t abi;
    uint32_t size;
    /* The library's own words, and the standard that it says it has. */
    const char *library;
    uint32_t version, subversion;

    int (*constant)(uint32_t which, upcall_mpi_handle *value);
    uint32_t (*error_class)(int code);
    int (*error_string)(int code, char *text, int room, int *length);

    int (*init)(int wanted, int *provided);
    int (*initialized)(int *is, int *was_finalized);
    int (*finalize)(void);
    int (*abort)(upcall_mpi_handle comm, int code);
    int (*processor_name)(char *name, int room, int *length);
    double (*wtime)(void);

    int (*status_get)(const upcall_mpi_status *status, int *source, int *tag, int *error, int *cancelled);
    int (*status_bytes)(const upcall_mpi_status *status, int64_t *bytes);

    int (*comm_rank)(upcall_mpi_handle comm, int *rank);
    int (*comm_size)(upcall_mpi_handle comm, int *size);
    int (*comm_dup)(upcall_mpi_handle comm, upcall_mpi_handle *made);
    int (*comm_split)(upcall_mpi_handle comm, int color, int key, upcall_mpi_handle *made);
    int (*comm_free)(upcall_mpi_handle *comm);
    int (*comm_tag_limit)(upcall_mpi_handle comm, int *largest);
    int (*comm_errors_return)(upcall_mpi_handle comm);

    int (*type_contiguous)(int64_t count, upcall_mpi_handle of, upcall_mpi_handle *made);
    int (*type_free)(upcall_mpi_handle *type);
    int (*op_create)(upcall_mpi_function *function, int commutes, upcall_mpi_handle *made);
    int (*op_free)(upcall_mpi_handle *op);

    /* mode: 0 standard, 1 synchronous, 2 buffered, 3 ready */
    int (*send)(const void *data, int64_t count, upcall_mpi_handle type, int to, int tag, upcall_mpi_handle comm, int mode);
    int (*recv)(void *data, int64_t count, upcall_mpi_handle type, int from, int tag, upcall_mpi_handle comm, upcall_mpi_status *status);
    int (*isend)(const void *data, int64_t count, upcall_mpi_handle type, int to, int tag, upcall_mpi_handle comm, int mode,
                 upcall_mpi_handle *request);
    int (*irecv)(void *data, int64_t count, upcall_mpi_handle type, int from, int tag, upcall_mpi_handle comm,
                 upcall_mpi_handle *request);
    int (*probe)(int from, int tag, upcall_mpi_handle comm, int wait, int *found, upcall_mpi_status *status);
    int (*mprobe)(int from, int tag, upcall_mpi_handle comm, int wait, int *found, upcall_mpi_handle *message, upcall_mpi_status *status);
    int (*mrecv)(void *data, int64_t count, upcall_mpi_handle type, upcall_mpi_handle *message, upcall_mpi_status *status);
    int (*sendrecv)(const void *data, int64_t count, upcall_mpi_handle type, int to, int tag, void *into, int64_t room,
                    upcall_mpi_handle into_type, int from, int from_tag, upcall_mpi_handle comm, upcall_mpi_status *status);
    int (*buffer_attach)(void *buffer, int bytes);
    int (*buffer_detach)(void);

    int (*wait)(upcall_mpi_handle *request, upcall_mpi_status *status);
    int (*test)(upcall_mpi_handle *request, int *done, upcall_mpi_status *status);
    int (*cancel)(upcall_mpi_handle *request);

    int (*barrier)(upcall_mpi_handle comm);
    int (*bcast)(void *data, int64_t count, upcall_mpi_handle type, int root, upcall_mpi_handle comm);
    /* count: of each rank; into: null where it is not the root's; in place where data is null at the root */
    int (*gather)(const void *data, void *into, int64_t count, upcall_mpi_handle type, int root, upcall_mpi_handle comm);
    int (*scatter)(const void *data, void *into, int64_t count, upcall_mpi_handle type, int root, upcall_mpi_handle comm);
    int (*allgather)(const void *data, void *into, int64_t count, upcall_mpi_handle type, upcall_mpi_handle comm);
    int (*alltoall)(const void *data, void *into, int64_t count, upcall_mpi_handle type, upcall_mpi_handle comm);
    int (*gatherv)(const void *data, int64_t count, void *into, const int64_t *counts, upcall_mpi_handle type, int root,
                   upcall_mpi_handle comm);
    int (*scatterv)(const void *data, const int64_t *counts, void *into, int64_t count, upcall_mpi_handle type, int root,
                    upcall_mpi_handle comm);
    int (*allgatherv)(const void *data, int64_t count, void *into, const int64_t *counts, upcall_mpi_handle type, upcall_mpi_handle comm);
    int (*alltoallv)(const void *data, const int64_t *counts, void *into, const int64_t *into_counts, upcall_mpi_handle type,
                     upcall_mpi_handle comm);

    int (*reduce)(const void *data, void *into, int64_t count, upcall_mpi_handle type, upcall_mpi_handle op, int root,
                  upcall_mpi_handle comm);
    int (*allreduce)(const void *data, void *into, int64_t count, upcall_mpi_handle type, upcall_mpi_handle op, upcall_mpi_handle comm);
    int (*reduce_scatter)(const void *data, void *into, const int64_t *counts, upcall_mpi_handle type, upcall_mpi_handle op,
                          upcall_mpi_handle comm);
    int (*scan)(const void *data, void *into, int64_t count, upcall_mpi_handle type, upcall_mpi_handle op, int exclusive,
                upcall_mpi_handle comm);

    /* requests */

    /* non-blocking collectives */

    /* communicators */

    /* windows */

    /* files */

    /* types and operations */
} upcall_mpi_table;

/* The only symbol: the table, which lives as long as the program. */
const upcall_mpi_table *upcall_mpi(void);

#endif
