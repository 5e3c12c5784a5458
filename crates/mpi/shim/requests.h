/* Requests that are started again and again, and messages that arrive in partitions. */
#include "common.h"

static int has(uint32_t feature)
{
    switch (feature) {
    case UPCALL_MPI_HAS_PERSISTENT_COLLECTIVES:
#ifdef PERSISTENT
        return 1;
#else
        return 0;
#endif
    case UPCALL_MPI_HAS_PARTITIONED: return MPI_VERSION >= 4;
    }
    return 0;
}

static int limit_counts(int64_t largest)
{
    if (largest < 1 || largest > INT_MAX)
        return MPI_ERR_ARG;
    most = largest;
    return MPI_SUCCESS;
}

static int request_free(handle *request)
{
    MPI_Request freed = OF(MPI_Request, *request);
    int code = MPI_Request_free(&freed);
    *request = TO(freed);
    return code;
}

static int start_all(int64_t count, handle *requests)
{
    MPI_Request one, *all = &one;
    if (count < 0 || count > INT_MAX)
        return MPI_ERR_COUNT;
    if (count > 1 && (all = malloc((size_t)count * sizeof *all)) == NULL)
        return MPI_ERR_NO_MEM;
    for (int64_t at = 0; at < count; at++)
        all[at] = OF(MPI_Request, requests[at]);
    int code = count == 1 ? MPI_Start(all) : MPI_Startall((int)count, all);
    for (int64_t at = 0; at < count; at++)
        requests[at] = TO(all[at]);
    if (all != &one)
        free(all);
    return code;
}

static int send_init(const void *data, int64_t count, handle type, int to, int tag, handle comm, int mode, handle *request)
{
    COUNTED(as, count, type);
    MPI_Request made;
    int code = MPI_ERR_ARG;
    switch (mode) {
    case 0: code = MPI_Send_init(data, as.count, as.type, to, tag, COMM(comm), &made); break;
    case 1: code = MPI_Ssend_init(data, as.count, as.type, to, tag, COMM(comm), &made); break;
    case 3: code = MPI_Rsend_init(data, as.count, as.type, to, tag, COMM(comm), &made); break;
    }
    if (code == MPI_SUCCESS)
        *request = TO(made);
    return counted_end(&as, code);
}

static int recv_init(void *data, int64_t count, handle type, int from, int tag, handle comm, handle *request)
{
    COUNTED(as, count, type);
    MPI_Request made;
    int code = MPI_Recv_init(data, as.count, as.type, from, tag, COMM(comm), &made);
    if (code == MPI_SUCCESS)
        *request = TO(made);
    return counted_end(&as, code);
}

static int imrecv(void *data, int64_t count, handle type, handle *message, handle *request)
{
    COUNTED(as, count, type);
    MPI_Message matched = OF(MPI_Message, *message);
    MPI_Request begun;
    int code = MPI_Imrecv(data, as.count, as.type, &matched, &begun);
    *message = TO(matched);
    if (code == MPI_SUCCESS)
        *request = TO(begun);
    return counted_end(&as, code);
}

#if MPI_VERSION >= 4
static int psend_init(const void *data, int partitions, int64_t count, handle type, int to, int tag, handle comm, handle *request)
{
    MPI_Request made;
    TRY(MPI_Psend_init(data, partitions, (MPI_Count)count, TYPE(type), to, tag, COMM(comm), MPI_INFO_NULL, &made));
    *request = TO(made);
    return MPI_SUCCESS;
}

static int precv_init(void *data, int partitions, int64_t count, handle type, int from, int tag, handle comm, handle *request)
{
    MPI_Request made;
    TRY(MPI_Precv_init(data, partitions, (MPI_Count)count, TYPE(type), from, tag, COMM(comm), MPI_INFO_NULL, &made));
    *request = TO(made);
    return MPI_SUCCESS;
}

static int pready(int partition, handle request) { return MPI_Pready(partition, OF(MPI_Request, request)); }

static int parrived(handle request, int partition, int *arrived)
{
    return MPI_Parrived(OF(MPI_Request, request), partition, arrived);
}
#else
static int psend_init(const void *data, int partitions, int64_t count, handle type, int to, int tag, handle comm, handle *request)
{
    (void)data, (void)partitions, (void)count, (void)type, (void)to, (void)tag, (void)comm, (void)request;
    return MPI_ERR_UNSUPPORTED_OPERATION;
}

static int precv_init(void *data, int partitions, int64_t count, handle type, int from, int tag, handle comm, handle *request)
{
    return psend_init(data, partitions, count, type, from, tag, comm, request);
}

static int pready(int partition, handle request)
{
    (void)partition, (void)request;
    return MPI_ERR_UNSUPPORTED_OPERATION;
}

static int parrived(handle request, int partition, int *arrived)
{
    (void)arrived;
    return pready(partition, request);
}
#endif
