/* The table of upcall_mpi.h over the MPI that this is compiled for: `mpicc -shared -fPIC -O2 upcall_mpi.c`. */
#define _GNU_SOURCE
#ifdef UPCALL_MPI_YIELDS
#include "yields.h"
#endif
#include "begun.h"
#include "collectives.h"
#include "common.h"
#include "files.h"
#include "messages.h"
#include "processes.h"
#include "types.h"
#include "requests.h"
#include "windows.h"

_Static_assert(sizeof(MPI_Status) <= sizeof(upcall_mpi_status), "a status of MPI's has its room");
_Static_assert(sizeof(long) == 8 && sizeof(short) == 2 && sizeof(int) == 4, "MPI's pairs have the sizes that they are taken for");
_Static_assert(sizeof(MPI_Comm) <= sizeof(upcall_mpi_handle), "a handle is an integer, or an address");

static int constant(uint32_t which, handle *value)
{
    switch (which) {
#define ONE(name, is)        \
    case UPCALL_MPI_##name:  \
        *value = TO(is);     \
        return MPI_SUCCESS;
        ONE(COMM_WORLD, MPI_COMM_WORLD)
        ONE(COMM_SELF, MPI_COMM_SELF)
        ONE(COMM_NULL, MPI_COMM_NULL)
        ONE(REQUEST_NULL, MPI_REQUEST_NULL)
        ONE(ANY_SOURCE, MPI_ANY_SOURCE)
        ONE(ANY_TAG, MPI_ANY_TAG)
        ONE(UNDEFINED, MPI_UNDEFINED)
        ONE(BYTE, MPI_BYTE)
        ONE(INT8, MPI_INT8_T)
        ONE(INT16, MPI_INT16_T)
        ONE(INT32, MPI_INT32_T)
        ONE(INT64, MPI_INT64_T)
        ONE(UINT8, MPI_UINT8_T)
        ONE(UINT16, MPI_UINT16_T)
        ONE(UINT32, MPI_UINT32_T)
        ONE(UINT64, MPI_UINT64_T)
        ONE(FLOAT, MPI_FLOAT)
        ONE(DOUBLE, MPI_DOUBLE)
        ONE(SUM, MPI_SUM)
        ONE(PROD, MPI_PROD)
        ONE(MIN, MPI_MIN)
        ONE(MAX, MPI_MAX)
        ONE(LAND, MPI_LAND)
        ONE(LOR, MPI_LOR)
        ONE(LXOR, MPI_LXOR)
        ONE(BAND, MPI_BAND)
        ONE(BOR, MPI_BOR)
        ONE(BXOR, MPI_BXOR)
        ONE(MIN_LOC, MPI_MINLOC)
        ONE(MAX_LOC, MPI_MAXLOC)
        ONE(INT16_PLACE, MPI_SHORT_INT)
        ONE(INT32_PLACE, MPI_2INT)
        ONE(INT64_PLACE, MPI_LONG_INT)
        ONE(ROOT, MPI_ROOT)
        ONE(PROC_NULL, MPI_PROC_NULL)
        ONE(REPLACE, MPI_REPLACE)
        ONE(NO_OP, MPI_NO_OP)
#undef ONE
    }
    return MPI_ERR_ARG;
}

static uint32_t error_class(int code)
{
    int class;
    if (MPI_Error_class(code, &class) != MPI_SUCCESS)
        return UPCALL_MPI_CLASS_OTHER;
    switch (class) {
    case MPI_ERR_BUFFER: return UPCALL_MPI_CLASS_BUFFER;
    case MPI_ERR_COUNT: return UPCALL_MPI_CLASS_COUNT;
    case MPI_ERR_TYPE: return UPCALL_MPI_CLASS_TYPE;
    case MPI_ERR_TAG: return UPCALL_MPI_CLASS_TAG;
    case MPI_ERR_COMM: return UPCALL_MPI_CLASS_COMM;
    case MPI_ERR_RANK: return UPCALL_MPI_CLASS_RANK;
    case MPI_ERR_REQUEST: return UPCALL_MPI_CLASS_REQUEST;
    case MPI_ERR_ROOT: return UPCALL_MPI_CLASS_ROOT;
    case MPI_ERR_GROUP: return UPCALL_MPI_CLASS_GROUP;
    case MPI_ERR_OP: return UPCALL_MPI_CLASS_OP;
    case MPI_ERR_TOPOLOGY: return UPCALL_MPI_CLASS_TOPOLOGY;
    case MPI_ERR_DIMS: return UPCALL_MPI_CLASS_DIMS;
    case MPI_ERR_ARG: return UPCALL_MPI_CLASS_ARG;
    case MPI_ERR_TRUNCATE: return UPCALL_MPI_CLASS_TRUNCATE;
    case MPI_ERR_INTERN: return UPCALL_MPI_CLASS_INTERN;
    case MPI_ERR_PENDING: return UPCALL_MPI_CLASS_PENDING;
    case MPI_ERR_NO_MEM: return UPCALL_MPI_CLASS_NO_MEM;
    case MPI_ERR_IN_STATUS: return UPCALL_MPI_CLASS_IN_STATUS;
    case MPI_ERR_WIN: return UPCALL_MPI_CLASS_WIN;
    case MPI_ERR_RMA_SYNC: return UPCALL_MPI_CLASS_RMA_SYNC;
    case MPI_ERR_RMA_RANGE: return UPCALL_MPI_CLASS_RMA_RANGE;
    case MPI_ERR_RMA_SHARED: return UPCALL_MPI_CLASS_RMA_SHARED;
    case MPI_ERR_FILE: return UPCALL_MPI_CLASS_FILE;
    case MPI_ERR_NO_SUCH_FILE: return UPCALL_MPI_CLASS_NO_SUCH_FILE;
    case MPI_ERR_FILE_EXISTS: return UPCALL_MPI_CLASS_FILE_EXISTS;
    case MPI_ERR_FILE_IN_USE: return UPCALL_MPI_CLASS_FILE_IN_USE;
    case MPI_ERR_BAD_FILE: return UPCALL_MPI_CLASS_BAD_FILE;
    case MPI_ERR_AMODE: return UPCALL_MPI_CLASS_AMODE;
    case MPI_ERR_ACCESS: return UPCALL_MPI_CLASS_ACCESS;
    case MPI_ERR_READ_ONLY: return UPCALL_MPI_CLASS_READ_ONLY;
    case MPI_ERR_NO_SPACE: return UPCALL_MPI_CLASS_NO_SPACE;
    case MPI_ERR_QUOTA: return UPCALL_MPI_CLASS_QUOTA;
    case MPI_ERR_IO: return UPCALL_MPI_CLASS_IO;
    case MPI_ERR_UNSUPPORTED_OPERATION: return UPCALL_MPI_CLASS_UNSUPPORTED_OPERATION;
#ifdef MPIX_ERR_PROC_FAILED
    case MPIX_ERR_PROC_FAILED: return UPCALL_MPI_CLASS_PROC_FAILED;
#endif
#ifdef MPIX_ERR_REVOKED
    case MPIX_ERR_PROC_FAILED_PENDING: return UPCALL_MPI_CLASS_PROC_FAILED;
    case MPIX_ERR_REVOKED: return UPCALL_MPI_CLASS_REVOKED;
#endif
    case MPI_ERR_SPAWN: return UPCALL_MPI_CLASS_SPAWN;
    case MPI_ERR_PORT:
    case MPI_ERR_SERVICE:
    case MPI_ERR_NAME: return UPCALL_MPI_CLASS_PORT;
    }
    return UPCALL_MPI_CLASS_OTHER;
}

static int error_string(int code, char *text, int room, int *length)
{
    char whole[MPI_MAX_ERROR_STRING];
    TRY(MPI_Error_string(code, whole, length));
    *length = *length < room ? *length : room;
    memcpy(text, whole, (size_t)*length);
    return MPI_SUCCESS;
}

static int init(int wanted, int *provided)
{
    static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
    int given;
    TRY(MPI_Init_thread(NULL, NULL, levels[wanted & 3], &given));
    *provided = 0;
    for (int level = 0; level < 4; level++)
        if (given >= levels[level])
            *provided = level;
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    return MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

static int initialized(int *is, int *was_finalized)
{
    TRY(MPI_Initialized(is));
    return MPI_Finalized(was_finalized);
}

static int finalize(void) { return MPI_Finalize(); }
static int stop(handle comm, int code) { return MPI_Abort(COMM(comm), code); }

static int processor_name(char *name, int room, int *length)
{
    char whole[MPI_MAX_PROCESSOR_NAME];
    TRY(MPI_Get_processor_name(whole, length));
    *length = *length < room ? *length : room;
    memcpy(name, whole, (size_t)*length);
    return MPI_SUCCESS;
}

static double wtime(void) { return MPI_Wtime(); }

static int status_get(const upcall_mpi_status *status, int *source, int *tag, int *error, int *cancelled)
{
    const MPI_Status *is = (const MPI_Status *)(const void *)status;
    *source = is->MPI_SOURCE;
    *tag = is->MPI_TAG;
    *error = is->MPI_ERROR;
    return MPI_Test_cancelled((MPI_Status *)(void *)status, cancelled);
}

static int comm_rank(handle comm, int *rank) { return MPI_Comm_rank(COMM(comm), rank); }
static int comm_size(handle comm, int *size) { return MPI_Comm_size(COMM(comm), size); }

static int comm_dup(handle comm, handle *made)
{
    MPI_Comm copy;
    TRY(MPI_Comm_dup(COMM(comm), &copy));
    *made = TO(copy);
    return MPI_SUCCESS;
}

static int comm_split(handle comm, int color, int key, handle *made)
{
    MPI_Comm part;
    TRY(MPI_Comm_split(COMM(comm), color, key, &part));
    *made = TO(part);
    return part == MPI_COMM_NULL ? MPI_SUCCESS : MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
}

static int comm_free(handle *comm)
{
    MPI_Comm freed = COMM(*comm);
    TRY(MPI_Comm_free(&freed));
    *comm = TO(freed);
    return MPI_SUCCESS;
}

static int comm_tag_limit(handle comm, int *largest)
{
    int *limit, found;
    TRY(MPI_Comm_get_attr(COMM(comm), MPI_TAG_UB, (void *)&limit, &found));
    *largest = found ? *limit : 32767;
    return MPI_SUCCESS;
}

static int comm_errors_return(handle comm) { return MPI_Comm_set_errhandler(COMM(comm), MPI_ERRORS_RETURN); }

static int type_contiguous(int64_t count, handle of, handle *made)
{
    MPI_Datatype type;
    if (count < 0 || count > INT_MAX)
        return MPI_ERR_COUNT;
    TRY(MPI_Type_contiguous((int)count, TYPE(of), &type));
    TRY(MPI_Type_commit(&type));
    *made = TO(type);
    return MPI_SUCCESS;
}

static int type_free(handle *type)
{
    MPI_Datatype freed = TYPE(*type);
    TRY(MPI_Type_free(&freed));
    *type = TO(freed);
    return MPI_SUCCESS;
}

static int op_create(upcall_mpi_function *function, int commutes, handle *made)
{
    MPI_Op op;
    /* The last parameter is an address in both. */
    TRY(MPI_Op_create((MPI_User_function *)(void (*)(void))function, commutes, &op));
    *made = TO(op);
    return MPI_SUCCESS;
}

static int op_free(handle *op)
{
    MPI_Op freed = OP(*op);
    TRY(MPI_Op_free(&freed));
    *op = TO(freed);
    return MPI_SUCCESS;
}

const upcall_mpi_table *upcall_mpi(void)
{
    static char library[MPI_MAX_LIBRARY_VERSION_STRING];
    static upcall_mpi_table table = {
        .abi = UPCALL_MPI_ABI,
        .size = sizeof(upcall_mpi_table),
        .library = library,
        .version = MPI_VERSION,
        .subversion = MPI_SUBVERSION,
        .constant = constant,
        .error_class = error_class,
        .error_string = error_string,
        .init = init,
        .initialized = initialized,
        .finalize = finalize,
        .abort = stop,
        .processor_name = processor_name,
        .wtime = wtime,
        .status_get = status_get,
        .status_bytes = status_bytes,
        .comm_rank = comm_rank,
        .comm_size = comm_size,
        .comm_dup = comm_dup,
        .comm_split = comm_split,
        .comm_free = comm_free,
        .comm_tag_limit = comm_tag_limit,
        .comm_errors_return = comm_errors_return,
        .type_contiguous = type_contiguous,
        .type_free = type_free,
        .op_create = op_create,
        .op_free = op_free,
        .direct = direct,
        .send = send,
        .recv = recv,
        .recv_told = recv_told,
        .isend = isend,
        .irecv = irecv,
        .probe = probe,
        .mprobe = mprobe,
        .mrecv = mrecv,
        .sendrecv = sendrecv,
        .wait = wait,
        .test = test,
        .cancel = cancel,
        .barrier = barrier,
        .bcast = bcast,
        .gather = gather,
        .scatter = scatter,
        .allgather = allgather,
        .alltoall = alltoall,
        .gatherv = gatherv,
        .scatterv = scatterv,
        .allgatherv = allgatherv,
        .alltoallv = alltoallv,
        .reduce = reduce,
        .allreduce = allreduce,
        .reduce_scatter = reduce_scatter,
        .scan = scan,

        /* requests */
        .has = has,
        .limit_counts = limit_counts,
        .request_free = request_free,
        .start_all = start_all,
        .send_init = send_init,
        .recv_init = recv_init,
        .imrecv = imrecv,
        .psend_init = psend_init,
        .precv_init = precv_init,
        .pready = pready,
        .parrived = parrived,

        /* non-blocking collectives */
        .collective = collective,
        .kept_free = kept_free,

        /* communicators */
        .comm_group = comm_group,
        .group_rank = group_rank,
        .group_combine = group_combine,
        .group_select = group_select,
        .group_translate = group_translate,
        .group_compare = group_compare,
        .group_free = group_free,
        .comm_compare = comm_compare,
        .comm_create = comm_create,
        .comm_create_group = comm_create_group,
        .comm_split_shared = comm_split_shared,
        .comm_get_name = comm_get_name,
        .comm_set_name = comm_set_name,
        .comm_disconnect = comm_disconnect,
        .keyval_create = keyval_create,
        .attr_set = attr_set,
        .attr_get = attr_get,
        .attr_delete = attr_delete,
        .comm_predefined = comm_predefined,
        .wtick = wtick,
        .comm_revoke = comm_revoke,
        .comm_is_revoked = comm_is_revoked,
        .comm_shrink = comm_shrink,
        .comm_agree = comm_agree,
        .comm_failure_ack = comm_failure_ack,
        .comm_failure_acked = comm_failure_acked,

        .dims_create = dims_create,
        .cart_create = cart_create,
        .cart_count = cart_count,
        .cart_get = cart_get,
        .cart_rank = cart_rank,
        .cart_coords = cart_coords,
        .cart_shift = cart_shift,
        .cart_sub = cart_sub,
        .graph_create = graph_create,
        .graph_adjacent = graph_adjacent,
        .graph_degrees = graph_degrees,
        .graph_neighbors = graph_neighbors,
        .neighbor_allgather = neighbor_allgather,
        .neighbor_alltoall = neighbor_alltoall,
        .neighbor_allgatherv = neighbor_allgatherv,
        .neighbor_alltoallv = neighbor_alltoallv,

        .comm_remote_size = comm_remote_size,
        .intercomm_create = intercomm_create,
        .intercomm_merge = intercomm_merge,
        .inter_allgather = inter_allgather,
        .inter_alltoall = inter_alltoall,
        .inter_gatherv = inter_gatherv,
        .inter_scatterv = inter_scatterv,
        .inter_allgatherv = inter_allgatherv,
        .inter_alltoallv = inter_alltoallv,
        .comm_spawn = comm_spawn,
        .comm_parent = comm_parent,
        .open_port = open_port,
        .close_port = close_port,
        .comm_accept = comm_accept,
        .comm_connect = comm_connect,
        .publish_name = publish_name,
        .unpublish_name = unpublish_name,
        .lookup_name = lookup_name,

        /* windows */
        .win_create = win_create,
        .win_allocate = win_allocate,
        .win_folder = win_folder,
        .win_shared_query = win_shared_query,
        .win_free = win_free,
        .win_unified = win_unified,
        .win_fence = win_fence,
        .win_lock = win_lock,
        .win_unlock = win_unlock,
        .win_lock_all = win_lock_all,
        .win_unlock_all = win_unlock_all,
        .win_sync = win_sync,
        .win_flush = win_flush,
        .win_post = win_post,
        .win_start = win_start,
        .win_complete = win_complete,
        .win_wait = win_wait,
        .win_put = win_put,
        .win_get = win_get,
        .win_accumulate = win_accumulate,
        .win_get_accumulate = win_get_accumulate,
        .win_fetch_and_op = win_fetch_and_op,
        .win_compare_and_swap = win_compare_and_swap,
        .win_rput = win_rput,
        .win_rget = win_rget,
        .win_raccumulate = win_raccumulate,
        .win_compares = win_compares,
        .win_sums = win_sums,

        /* files */
        .file_open = file_open,
        .file_close = file_close,
        .file_delete = file_delete,
        .file_size = file_size,
        .file_resize = file_resize,
        .file_sync = file_sync,
        .file_set_atomic = file_set_atomic,
        .file_atomic = file_atomic,
        .file_hint = file_hint,
        .file_view = file_view,
        .file_seek = file_seek,
        .file_position = file_position,
        .file_place = file_place,
        .file_read = file_read,
        .file_write = file_write,

        /* types and operations */
        .type_fields = type_fields,
    };
    int length;
    if (library[0] == '\0')
        MPI_Get_library_version(library, &length);
    return &table;
}
