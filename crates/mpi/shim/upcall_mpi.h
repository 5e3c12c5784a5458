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

/* What the library does not have: no error code of MPI's, which are none below 0. */
#define UPCALL_MPI_UNSUPPORTED (-1)

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
    UPCALL_MPI_ROOT,
    UPCALL_MPI_PROC_NULL,
    UPCALL_MPI_REPLACE,
    UPCALL_MPI_NO_OP,
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
    UPCALL_MPI_CLASS_PROC_FAILED,
    UPCALL_MPI_CLASS_REVOKED,
    UPCALL_MPI_CLASS_SPAWN,
    UPCALL_MPI_CLASS_PORT,
    UPCALL_MPI_CLASS_WIN,
    UPCALL_MPI_CLASS_RMA_SYNC,
    UPCALL_MPI_CLASS_RMA_RANGE,
    UPCALL_MPI_CLASS_RMA_SHARED,
    UPCALL_MPI_CLASS_FILE,
    UPCALL_MPI_CLASS_NO_SUCH_FILE,
    UPCALL_MPI_CLASS_FILE_EXISTS,
    UPCALL_MPI_CLASS_FILE_IN_USE,
    UPCALL_MPI_CLASS_BAD_FILE,
    UPCALL_MPI_CLASS_AMODE,
    UPCALL_MPI_CLASS_ACCESS,
    UPCALL_MPI_CLASS_READ_ONLY,
    UPCALL_MPI_CLASS_NO_SPACE,
    UPCALL_MPI_CLASS_QUOTA,
    UPCALL_MPI_CLASS_IO,
    UPCALL_MPI_CLASS_UNSUPPORTED_OPERATION
};

/* A status of MPI's, which is no larger. */
typedef struct {
    uint64_t bytes[4];
} upcall_mpi_status;

/* What it says of a message that was received. */
typedef struct {
    int source;
    int tag;
    int64_t bytes;
} upcall_mpi_told;

typedef int64_t upcall_mpi_handle;

/* What not every MPI has, for `has`. */
enum upcall_mpi_feature {
    UPCALL_MPI_HAS_PERSISTENT_COLLECTIVES,
    UPCALL_MPI_HAS_PARTITIONED
};

/* What all ranks do together, for `collective`. */
enum upcall_mpi_together {
    UPCALL_MPI_BARRIER,
    UPCALL_MPI_BCAST,
    UPCALL_MPI_GATHER,
    UPCALL_MPI_SCATTER,
    UPCALL_MPI_ALLGATHER,
    UPCALL_MPI_ALLTOALL,
    UPCALL_MPI_GATHERV,
    UPCALL_MPI_SCATTERV,
    UPCALL_MPI_ALLGATHERV,
    UPCALL_MPI_ALLTOALLV,
    UPCALL_MPI_REDUCE,
    UPCALL_MPI_ALLREDUCE,
    UPCALL_MPI_REDUCE_SCATTER,
    UPCALL_MPI_SCAN,
    UPCALL_MPI_EXSCAN
};

typedef struct {
    uint32_t what;
    int32_t root;
    /* whether it goes on until it is freed */
    int32_t persistent;
    /* of GATHERV, SCATTERV and ALLGATHERV: whether all ranks together have more than 31 bits count. All say the same. */
    int32_t large;
    const void *data;
    void *into;
    /* of each rank; in the v-forms this rank's, sent by it or, of SCATTERV, to it */
    int64_t count;
    /* what each rank has, or is sent to each; null where this rank need not know */
    const int64_t *counts;
    /* of ALLTOALLV: what each rank has for this one */
    const int64_t *into_counts;
    upcall_mpi_handle type, op, comm;
} upcall_mpi_collective;

/* A user's operation, as MPI calls it; the last is the address of a datatype. */
typedef void upcall_mpi_function(void *from, void *into, int *count, void *type);

/* What becomes of an attribute where its communicator is duplicated (1: copied, 0: not, -1: that failed), and when it is freed. */
typedef int upcall_mpi_copy(void *key, void *value, void **copied);
typedef void upcall_mpi_drop(void *key, void *value);

/* Processes to start: arguments end with null, and so does info, which has names and values by turns. */
typedef struct {
    const char *program;
    const char *const *arguments;
    const char *const *info;
    int processes;
} upcall_mpi_command;

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

    /* MPI_Send and MPI_Recv themselves, which take MPI's own handles; returns how many bytes those have. */
    int (*direct)(void (**send)(void), void (**recv)(void));
    /* mode: 0 standard, 1 synchronous, 3 ready */
    int (*send)(const void *data, int64_t count, upcall_mpi_handle type, int to, int tag, upcall_mpi_handle comm, int mode);
    int (*recv)(void *data, int64_t count, upcall_mpi_handle type, int from, int tag, upcall_mpi_handle comm, upcall_mpi_status *status);
    /* The same, and reads the status. */
    int (*recv_told)(void *data, int64_t count, upcall_mpi_handle type, int from, int tag, upcall_mpi_handle comm, upcall_mpi_told *told);
    int (*isend)(const void *data, int64_t count, upcall_mpi_handle type, int to, int tag, upcall_mpi_handle comm, int mode,
                 upcall_mpi_handle *request);
    int (*irecv)(void *data, int64_t count, upcall_mpi_handle type, int from, int tag, upcall_mpi_handle comm,
                 upcall_mpi_handle *request);
    int (*probe)(int from, int tag, upcall_mpi_handle comm, int wait, int *found, upcall_mpi_status *status);
    int (*mprobe)(int from, int tag, upcall_mpi_handle comm, int wait, int *found, upcall_mpi_handle *message, int64_t *bytes,
                  upcall_mpi_status *status);
    int (*mrecv)(void *data, int64_t count, upcall_mpi_handle type, upcall_mpi_handle *message, upcall_mpi_status *status);
    int (*sendrecv)(const void *data, int64_t count, upcall_mpi_handle type, int to, int tag, void *into, int64_t room,
                    upcall_mpi_handle into_type, int from, int from_tag, upcall_mpi_handle comm, upcall_mpi_status *status);

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
    int (*has)(uint32_t feature);
    int (*limit_counts)(int64_t largest);
    int (*request_free)(upcall_mpi_handle *request);
    int (*start_all)(int64_t count, upcall_mpi_handle *requests);
    int (*send_init)(const void *data, int64_t count, upcall_mpi_handle type, int to, int tag, upcall_mpi_handle comm, int mode,
                     upcall_mpi_handle *request);
    int (*recv_init)(void *data, int64_t count, upcall_mpi_handle type, int from, int tag, upcall_mpi_handle comm,
                     upcall_mpi_handle *request);
    int (*imrecv)(void *data, int64_t count, upcall_mpi_handle type, upcall_mpi_handle *message, upcall_mpi_handle *request);
    /* count: of each partition */
    int (*psend_init)(const void *data, int partitions, int64_t count, upcall_mpi_handle type, int to, int tag, upcall_mpi_handle comm,
                      upcall_mpi_handle *request);
    int (*precv_init)(void *data, int partitions, int64_t count, upcall_mpi_handle type, int from, int tag, upcall_mpi_handle comm,
                      upcall_mpi_handle *request);
    int (*pready)(int partition, upcall_mpi_handle request);
    int (*parrived)(upcall_mpi_handle request, int partition, int *arrived);

    /* non-blocking collectives */
    /* kept: what MPI needs until the request has ended, to be freed then; 0 where that is nothing */
    int (*collective)(const upcall_mpi_collective *call, upcall_mpi_handle *request, upcall_mpi_handle *kept);
    int (*kept_free)(upcall_mpi_handle kept);

    /* communicators */
    /* remote: of an intercommunicator */
    int (*comm_group)(upcall_mpi_handle comm, int remote, upcall_mpi_handle *made);
    /* rank: -1 where this process is none of them */
    int (*group_rank)(upcall_mpi_handle group, int *rank, int *size);
    /* how: 0 union, 1 intersection, 2 difference */
    int (*group_combine)(upcall_mpi_handle one, upcall_mpi_handle other, int how, upcall_mpi_handle *made);
    int (*group_select)(upcall_mpi_handle of, int count, const int *ranks, int without, upcall_mpi_handle *made);
    /* into: -1 for those that are not in the other */
    int (*group_translate)(upcall_mpi_handle of, int count, const int *ranks, upcall_mpi_handle other, int *into);
    /* how: 0 identical, 1 congruent, 2 similar, 3 unequal */
    int (*group_compare)(upcall_mpi_handle one, upcall_mpi_handle other, int *how);
    int (*group_free)(upcall_mpi_handle *group);
    int (*comm_compare)(upcall_mpi_handle one, upcall_mpi_handle other, int *how);
    int (*comm_create)(upcall_mpi_handle comm, upcall_mpi_handle group, upcall_mpi_handle *made);
    int (*comm_create_group)(upcall_mpi_handle comm, upcall_mpi_handle group, int tag, upcall_mpi_handle *made);
    int (*comm_split_shared)(upcall_mpi_handle comm, int key, upcall_mpi_handle *made);
    int (*comm_get_name)(upcall_mpi_handle comm, char *name, int room, int *length);
    /* longest: what a name may have; one that is longer is an error */
    int (*comm_set_name)(upcall_mpi_handle comm, const char *name, int *longest);
    int (*comm_disconnect)(upcall_mpi_handle *comm);
    int (*keyval_create)(upcall_mpi_copy *copy, upcall_mpi_drop *drop, void *key, int *keyval);
    int (*attr_set)(upcall_mpi_handle comm, int keyval, void *value);
    int (*attr_get)(upcall_mpi_handle comm, int keyval, void **value, int *found);
    int (*attr_delete)(upcall_mpi_handle comm, int keyval);
    /* which: 0 number of the program, 1 size of the universe, 2 one clock, 3 input and output, 4 host; of the world */
    int (*comm_predefined)(int which, int *value, int *found);
    double (*wtick)(void);
    /* UPCALL_MPI_UNSUPPORTED where the library has no fault tolerance, here and below */
    int (*comm_revoke)(upcall_mpi_handle comm);
    int (*comm_is_revoked)(upcall_mpi_handle comm, int *is);
    int (*comm_shrink)(upcall_mpi_handle comm, upcall_mpi_handle *made);
    int (*comm_agree)(upcall_mpi_handle comm, int *flags);
    int (*comm_failure_ack)(upcall_mpi_handle comm);
    int (*comm_failure_acked)(upcall_mpi_handle comm, upcall_mpi_handle *made);

    int (*dims_create)(int nodes, int count, int *dims);
    int (*cart_create)(upcall_mpi_handle comm, int count, const int *dims, const int *periods, int reorder,
                       upcall_mpi_handle *made);
    int (*cart_count)(upcall_mpi_handle comm, int *count);
    int (*cart_get)(upcall_mpi_handle comm, int count, int *dims, int *periods, int *coords);
    int (*cart_rank)(upcall_mpi_handle comm, const int *coords, int *rank);
    int (*cart_coords)(upcall_mpi_handle comm, int rank, int count, int *coords);
    /* from, to: -1 for nobody */
    int (*cart_shift)(upcall_mpi_handle comm, int dim, int steps, int *from, int *to);
    int (*cart_sub)(upcall_mpi_handle comm, const int *kept_dims, upcall_mpi_handle *made);
    int (*graph_create)(upcall_mpi_handle comm, int count, const int *sources, const int *degrees, int edges,
                        const int *destinations, const int *weights, int reorder, upcall_mpi_handle *made);
    int (*graph_adjacent)(upcall_mpi_handle comm, int in, const int *sources, const int *in_weights, int out,
                          const int *destinations, const int *out_weights, int reorder, upcall_mpi_handle *made);
    int (*graph_degrees)(upcall_mpi_handle comm, int *in, int *out);
    int (*graph_neighbors)(upcall_mpi_handle comm, int in, int *sources, int *in_weights, int out, int *destinations,
                           int *out_weights);
    int (*neighbor_allgather)(const void *data, void *into, int64_t count, upcall_mpi_handle type, upcall_mpi_handle comm);
    int (*neighbor_alltoall)(const void *data, void *into, int64_t count, upcall_mpi_handle type, upcall_mpi_handle comm);
    int (*neighbor_allgatherv)(const void *data, int64_t count, void *into, const int64_t *counts, int in, upcall_mpi_handle type,
                               upcall_mpi_handle comm);
    int (*neighbor_alltoallv)(const void *data, const int64_t *counts, int out, void *into, const int64_t *into_counts, int in,
                              upcall_mpi_handle type, upcall_mpi_handle comm);

    int (*comm_remote_size)(upcall_mpi_handle comm, int *size);
    int (*intercomm_create)(upcall_mpi_handle local, int local_leader, upcall_mpi_handle bridge, int remote_leader, int tag,
                            upcall_mpi_handle *made);
    int (*intercomm_merge)(upcall_mpi_handle inter, int high, upcall_mpi_handle *made);
    /* each: of each of the remote group; counts: for each of it, null where this process is not the root */
    int (*inter_allgather)(const void *data, int64_t count, void *into, int64_t each, upcall_mpi_handle type,
                           upcall_mpi_handle comm);
    int (*inter_alltoall)(const void *data, int64_t count, void *into, int64_t each, upcall_mpi_handle type,
                          upcall_mpi_handle comm);
    int (*inter_gatherv)(const void *data, int64_t count, void *into, const int64_t *counts, upcall_mpi_handle type, int root,
                         upcall_mpi_handle comm);
    int (*inter_scatterv)(const void *data, const int64_t *counts, void *into, int64_t count, upcall_mpi_handle type, int root,
                          upcall_mpi_handle comm);
    int (*inter_allgatherv)(const void *data, int64_t count, void *into, const int64_t *counts, upcall_mpi_handle type,
                            upcall_mpi_handle comm);
    int (*inter_alltoallv)(const void *data, const int64_t *counts, void *into, const int64_t *into_counts,
                           upcall_mpi_handle type, upcall_mpi_handle comm);
    /* codes: one of each process, at the root; null elsewhere */
    int (*comm_spawn)(int commands, const upcall_mpi_command *command, int root, upcall_mpi_handle comm, upcall_mpi_handle *made,
                      int *codes);
    int (*comm_parent)(upcall_mpi_handle *made);
    int (*open_port)(char *name, int room);
    int (*close_port)(const char *name);
    int (*comm_accept)(const char *port, int root, upcall_mpi_handle comm, upcall_mpi_handle *made);
    int (*comm_connect)(const char *port, int root, upcall_mpi_handle comm, upcall_mpi_handle *made);
    int (*publish_name)(const char *service, const char *port);
    int (*unpublish_name)(const char *service, const char *port);
    int (*lookup_name)(const char *service, char *port, int room);

    /* windows */
    int (*win_create)(void *base, int64_t bytes, upcall_mpi_handle comm, upcall_mpi_handle *made);
    int (*win_allocate)(int64_t bytes, upcall_mpi_handle comm, int shared, void **base, upcall_mpi_handle *made);
    /* the folder of shared memory; empty where the library does not say */
    int (*win_folder)(char *folder, int room);
    int (*win_shared_query)(upcall_mpi_handle win, int rank, int64_t *bytes, void **base);
    int (*win_free)(upcall_mpi_handle *win);
    int (*win_unified)(upcall_mpi_handle win, int *unified);
    int (*win_fence)(upcall_mpi_handle win, int last);
    int (*win_lock)(upcall_mpi_handle win, int rank, int exclusive);
    int (*win_unlock)(upcall_mpi_handle win, int rank);
    int (*win_lock_all)(upcall_mpi_handle win);
    int (*win_unlock_all)(upcall_mpi_handle win);
    int (*win_sync)(upcall_mpi_handle win);
    int (*win_flush)(upcall_mpi_handle win, int rank, int local);
    int (*win_post)(upcall_mpi_handle win, const int *ranks, int count);
    int (*win_start)(upcall_mpi_handle win, const int *ranks, int count);
    int (*win_complete)(upcall_mpi_handle win);
    int (*win_wait)(upcall_mpi_handle win, int wait, int *done);
    int (*win_put)(const void *data, int64_t bytes, int rank, int64_t place, upcall_mpi_handle win);
    int (*win_get)(void *into, int64_t bytes, int rank, int64_t place, upcall_mpi_handle win);
    int (*win_accumulate)(const void *data, int64_t count, upcall_mpi_handle type, int size, int most, int rank, int64_t place,
                          upcall_mpi_handle op, upcall_mpi_handle win);
    int (*win_get_accumulate)(const void *data, void *into, int64_t count, upcall_mpi_handle type, int size, int most, int rank,
                              int64_t place, upcall_mpi_handle op, upcall_mpi_handle win);
    int (*win_fetch_and_op)(const void *data, void *into, upcall_mpi_handle type, int rank, int64_t place, upcall_mpi_handle op,
                            upcall_mpi_handle win);
    int (*win_compare_and_swap)(const void *data, const void *expected, void *into, upcall_mpi_handle type, int rank,
                                int64_t place, upcall_mpi_handle win);
    int (*win_rput)(const void *data, int64_t bytes, int rank, int64_t place, upcall_mpi_handle win, upcall_mpi_handle *request);
    int (*win_rget)(void *into, int64_t bytes, int rank, int64_t place, upcall_mpi_handle win, upcall_mpi_handle *request);
    int (*win_raccumulate)(const void *data, int64_t count, upcall_mpi_handle type, int rank, int64_t place, upcall_mpi_handle op,
                           upcall_mpi_handle win, upcall_mpi_handle *request);
    int (*win_compares)(upcall_mpi_handle type, int size, int *right);
    int (*win_sums)(upcall_mpi_handle type, int size, int *right);

    /* files */
    int (*file_open)(upcall_mpi_handle comm, const char *path, int mode, const char *const *hints, int count,
                     upcall_mpi_handle *made);
    int (*file_close)(upcall_mpi_handle *file);
    int (*file_delete)(const char *path);
    int (*file_size)(upcall_mpi_handle file, int64_t *bytes);
    int (*file_resize)(upcall_mpi_handle file, int64_t bytes);
    int (*file_sync)(upcall_mpi_handle file);
    int (*file_set_atomic)(upcall_mpi_handle file, int atomic);
    int (*file_atomic)(upcall_mpi_handle file, int *atomic);
    int (*file_hint)(upcall_mpi_handle file, int which, char *name, char *value, int room, int *found);
    int (*file_view)(upcall_mpi_handle file, int64_t place, int size, int64_t block, int64_t stride, const int *array, int dims);
    int (*file_seek)(upcall_mpi_handle file, int64_t offset, int from, int shared);
    int (*file_position)(upcall_mpi_handle file, int shared, int64_t *offset);
    int (*file_place)(upcall_mpi_handle file, int64_t offset, int64_t *bytes);
    int (*file_read)(upcall_mpi_handle file, int how, int64_t offset, void *into, int64_t bytes, upcall_mpi_status *status);
    int (*file_write)(upcall_mpi_handle file, int how, int64_t offset, const void *data, int64_t bytes, upcall_mpi_status *status);

    /* types and operations */
    /* so many fields, each `counts` elements of a type at a place in bytes; the type's extent is what is said, and it is ready */
    int (*type_fields)(int count, const int64_t *counts, const int64_t *places, const upcall_mpi_handle *types, int64_t extent,
                       upcall_mpi_handle *made);
} upcall_mpi_table;

/* The only symbol: the table, which lives as long as the program. */
const upcall_mpi_table *upcall_mpi(void);

#endif
