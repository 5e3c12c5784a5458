/* From rank to rank, and requests. */
#include "common.h"

static int send_as(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, int mode)
{
    switch (mode) {
    case 0: return MPI_Send(data, count, type, to, tag, comm);
    case 1: return MPI_Ssend(data, count, type, to, tag, comm);
    case 3: return MPI_Rsend(data, count, type, to, tag, comm);
    }
    return MPI_ERR_ARG;
}

SELDOM int send_seldom(const void *data, int64_t count, handle type, int to, int tag, handle comm, int mode)
{
    COUNTED(as, count, type);
    return counted_end(&as, send_as(data, as.count, as.type, to, tag, COMM(comm), mode));
}

static int send(const void *data, int64_t count, handle type, int to, int tag, handle comm, int mode)
{
    if (mode != 0 || !is_int(count))
        return send_seldom(data, count, type, to, tag, comm, mode);
    return MPI_Send(data, (int)count, TYPE(type), to, tag, COMM(comm));
}

SELDOM int recv_seldom(void *data, int64_t count, handle type, int from, int tag, handle comm, upcall_mpi_status *status)
{
    COUNTED(as, count, type);
    return counted_end(&as, MPI_Recv(data, as.count, as.type, from, tag, COMM(comm), STATUS(status)));
}

static int recv(void *data, int64_t count, handle type, int from, int tag, handle comm, upcall_mpi_status *status)
{
    if (!is_int(count))
        return recv_seldom(data, count, type, from, tag, comm, status);
    return MPI_Recv(data, (int)count, TYPE(type), from, tag, COMM(comm), STATUS(status));
}

static int direct(void (**send)(void), void (**recv)(void))
{
    _Static_assert(sizeof(MPI_Comm) == sizeof(MPI_Datatype), "handles are all integers or all addresses");
    *send = (void (*)(void))MPI_Send;
    *recv = (void (*)(void))MPI_Recv;
    return sizeof(MPI_Comm);
}

static int isend(const void *data, int64_t count, handle type, int to, int tag, handle comm, int mode, handle *request)
{
    COUNTED(as, count, type);
    MPI_Request begun;
    int code = MPI_ERR_ARG;
    switch (mode) {
    case 0: code = MPI_Isend(data, as.count, as.type, to, tag, COMM(comm), &begun); break;
    case 1: code = MPI_Issend(data, as.count, as.type, to, tag, COMM(comm), &begun); break;
    case 3: code = MPI_Irsend(data, as.count, as.type, to, tag, COMM(comm), &begun); break;
    }
    if (code == MPI_SUCCESS)
        *request = TO(begun);
    return counted_end(&as, code);
}

static int irecv(void *data, int64_t count, handle type, int from, int tag, handle comm, handle *request)
{
    COUNTED(as, count, type);
    MPI_Request begun;
    int code = MPI_Irecv(data, as.count, as.type, from, tag, COMM(comm), &begun);
    if (code == MPI_SUCCESS)
        *request = TO(begun);
    return counted_end(&as, code);
}

static int probe(int from, int tag, handle comm, int wait, int *found, upcall_mpi_status *status)
{
    *found = 1;
    if (wait)
        return MPI_Probe(from, tag, COMM(comm), STATUS(status));
    return MPI_Iprobe(from, tag, COMM(comm), found, STATUS(status));
}

static int status_bytes(const upcall_mpi_status *status, int64_t *bytes)
{
    MPI_Status *is = (MPI_Status *)(void *)status;
    int few;
    /* It takes less than the other, and cannot count as many. */
    TRY(MPI_Get_count(is, MPI_BYTE, &few));
    *bytes = few;
    if (few != MPI_UNDEFINED)
        return MPI_SUCCESS;
    MPI_Count many;
    TRY(MPI_Get_elements_x(is, MPI_BYTE, &many));
    *bytes = many == MPI_UNDEFINED ? -1 : (int64_t)many;
    return MPI_SUCCESS;
}

static int recv_told(void *data, int64_t count, handle type, int from, int tag, handle comm, upcall_mpi_told *told)
{
    upcall_mpi_status status;
    TRY(recv(data, count, type, from, tag, comm, &status));
    MPI_Status *is = (MPI_Status *)(void *)&status;
    told->source = is->MPI_SOURCE;
    told->tag = is->MPI_TAG;
    return status_bytes(&status, &told->bytes);
}

static int mprobe(int from, int tag, handle comm, int wait, int *found, handle *message, int64_t *bytes, upcall_mpi_status *status)
{
    MPI_Message matched = MPI_MESSAGE_NULL;
    *found = 1;
    if (wait)
        TRY(MPI_Mprobe(from, tag, COMM(comm), &matched, STATUS(status)));
    else
        TRY(MPI_Improbe(from, tag, COMM(comm), found, &matched, STATUS(status)));
    *message = TO(matched);
    return *found ? status_bytes(status, bytes) : MPI_SUCCESS;
}

SELDOM int mrecv_seldom(void *data, int64_t count, handle type, handle *message, upcall_mpi_status *status)
{
    COUNTED(as, count, type);
    MPI_Message matched = OF(MPI_Message, *message);
    int code = MPI_Mrecv(data, as.count, as.type, &matched, STATUS(status));
    *message = TO(matched);
    return counted_end(&as, code);
}

static int mrecv(void *data, int64_t count, handle type, handle *message, upcall_mpi_status *status)
{
    if (!is_int(count))
        return mrecv_seldom(data, count, type, message, status);
    MPI_Message matched = OF(MPI_Message, *message);
    int code = MPI_Mrecv(data, (int)count, TYPE(type), &matched, STATUS(status));
    *message = TO(matched);
    return code;
}

static int sendrecv(const void *data, int64_t count, handle type, int to, int tag, void *into, int64_t room, handle into_type,
                    int from, int from_tag, handle comm, upcall_mpi_status *status)
{
    COUNTED(as, count, type);
    counted got;
    int code = count_as(room, into_type, &got);
    if (code != MPI_SUCCESS)
        return counted_end(&as, code);
    code = MPI_Sendrecv(data, as.count, as.type, to, tag, into, got.count, got.type, from, from_tag, COMM(comm), STATUS(status));
    counted_end(&got, code);
    return counted_end(&as, code);
}

static int wait(handle *request, upcall_mpi_status *status)
{
    MPI_Request waited = OF(MPI_Request, *request);
    int code = MPI_Wait(&waited, STATUS(status));
    *request = TO(waited);
    return code;
}

static int test(handle *request, int *done, upcall_mpi_status *status)
{
    MPI_Request tested = OF(MPI_Request, *request);
    int code = MPI_Test(&tested, done, STATUS(status));
    *request = TO(tested);
    return code;
}

static int cancel(handle *request)
{
    MPI_Request begun = OF(MPI_Request, *request);
    return MPI_Cancel(&begun);
}
