/* Back and forth between two ranks. */
#include "peer.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

enum { TAG = 1 };

static int known(int rank, void *data, long count, MPI_Datatype type, long times)
{
    if (count > INT_MAX)
        return MPI_ERR_COUNT;
    int n = (int)count, other = 1 - rank;
    for (long time = 0; time < times; time++) {
        if (rank == 0)
            TRY(MPI_Send(data, n, type, other, TAG, MPI_COMM_WORLD));
        TRY(MPI_Recv(data, n, type, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (rank == 1)
            TRY(MPI_Send(data, n, type, other, TAG, MPI_COMM_WORLD));
    }
    return MPI_SUCCESS;
}

int upcall_bench_bytes(int rank, void *data, long count, long times)
{
    return known(rank, data, count, MPI_BYTE, times);
}

typedef struct {
    float weight;
    double value;
} padded;

static MPI_Datatype described = MPI_DATATYPE_NULL;

int upcall_bench_structs(int rank, void *data, long count, long times)
{
    if (described == MPI_DATATYPE_NULL) {
        int blocks[] = {1, 1};
        MPI_Aint places[] = {offsetof(padded, weight), offsetof(padded, value)};
        MPI_Datatype fields[] = {MPI_FLOAT, MPI_DOUBLE}, packed;
        TRY(MPI_Type_create_struct(2, blocks, places, fields, &packed));
        TRY(MPI_Type_create_resized(packed, 0, sizeof(padded), &described));
        TRY(MPI_Type_free(&packed));
        TRY(MPI_Type_commit(&described));
    }
    return known(rank, data, count, described, times);
}

int upcall_bench_end(void)
{
    TRY(free_op());
    return described == MPI_DATATYPE_NULL ? MPI_SUCCESS : MPI_Type_free(&described);
}

/* What the message is received into is made for it, as its size is not known before. */

static int receive_matched(int other)
{
    MPI_Message message;
    MPI_Status status;
    int n;
    TRY(MPI_Mprobe(other, TAG, MPI_COMM_WORLD, &message, &status));
    TRY(MPI_Get_count(&status, MPI_BYTE, &n));
    void *room = malloc((size_t)n);
    if (room == NULL)
        return MPI_ERR_NO_MEM;
    int code = MPI_Mrecv(room, n, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    free(room);
    return code;
}

static int receive_probed(int other)
{
    MPI_Status status;
    int n;
    TRY(MPI_Probe(other, TAG, MPI_COMM_WORLD, &status));
    TRY(MPI_Get_count(&status, MPI_BYTE, &n));
    void *room = malloc((size_t)n);
    if (room == NULL)
        return MPI_ERR_NO_MEM;
    int code = MPI_Recv(room, n, MPI_BYTE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(room);
    return code;
}

static inline int unknown(int rank, void *data, long count, long times, int (*receive)(int other))
{
    if (count > INT_MAX)
        return MPI_ERR_COUNT;
    int n = (int)count, other = 1 - rank;
    for (long time = 0; time < times; time++) {
        if (rank == 0)
            TRY(MPI_Send(data, n, MPI_BYTE, other, TAG, MPI_COMM_WORLD));
        TRY(receive(other));
        if (rank == 1)
            TRY(MPI_Send(data, n, MPI_BYTE, other, TAG, MPI_COMM_WORLD));
    }
    return MPI_SUCCESS;
}

int upcall_bench_matched(int rank, void *data, long count, long times)
{
    return unknown(rank, data, count, times, receive_matched);
}

int upcall_bench_probed(int rank, void *data, long count, long times)
{
    return unknown(rank, data, count, times, receive_probed);
}
