/* What all ranks do together. */
#include "common.h"
#include "parts.h"

/* Counts and displacements of the v-forms, which have 31 bits before MPI 4. */

typedef struct {
    int *counts, *places;
} parts;

static int parts_of(const int64_t *counts, handle comm, parts *as)
{
    int size;
    TRY(MPI_Comm_size(COMM(comm), &size));
    as->counts = malloc(2 * sizeof(int) * (size_t)size);
    if (as->counts == NULL)
        return MPI_ERR_NO_MEM;
    as->places = as->counts + size;
    int64_t place = 0;
    for (int rank = 0; rank < size; rank++) {
        if (counts[rank] < 0 || counts[rank] > INT_MAX || place > INT_MAX) {
            free(as->counts);
            return MPI_ERR_COUNT;
        }
        as->counts[rank] = (int)counts[rank];
        as->places[rank] = (int)place;
        place += counts[rank];
    }
    return MPI_SUCCESS;
}

static int barrier(handle comm) { return MPI_Barrier(COMM(comm)); }

static int bcast(void *data, int64_t count, handle type, int root, handle comm)
{
    COUNTED(as, count, type);
    return counted_end(&as, MPI_Bcast(data, as.count, as.type, root, COMM(comm)));
}

static int gather(const void *data, void *into, int64_t count, handle type, int root, handle comm)
{
    COUNTED(as, count, type);
    const void *from = data == NULL ? MPI_IN_PLACE : data;
    return counted_end(&as, MPI_Gather(from, as.count, as.type, into, as.count, as.type, root, COMM(comm)));
}

static int scatter(const void *data, void *into, int64_t count, handle type, int root, handle comm)
{
    COUNTED(as, count, type);
    void *to = into == NULL ? MPI_IN_PLACE : into;
    return counted_end(&as, MPI_Scatter(data, as.count, as.type, to, as.count, as.type, root, COMM(comm)));
}

static int allgather(const void *data, void *into, int64_t count, handle type, handle comm)
{
    COUNTED(as, count, type);
    const void *from = data == NULL ? MPI_IN_PLACE : data;
    return counted_end(&as, MPI_Allgather(from, as.count, as.type, into, as.count, as.type, COMM(comm)));
}

static int alltoall(const void *data, void *into, int64_t count, handle type, handle comm)
{
    COUNTED(as, count, type);
    const void *from = data == NULL ? MPI_IN_PLACE : data;
    return counted_end(&as, MPI_Alltoall(from, as.count, as.type, into, as.count, as.type, COMM(comm)));
}

static int gatherv(const void *data, int64_t count, void *into, const int64_t *counts, handle type, int root, handle comm)
{
    parts to = {NULL, NULL};
    int rank;
    if (count < 0 || count > INT_MAX)
        return MPI_ERR_COUNT;
    TRY(MPI_Comm_rank(COMM(comm), &rank));
    if (rank == root)
        TRY(parts_of(counts, comm, &to));
    int code = MPI_Gatherv(data, (int)count, TYPE(type), into, to.counts, to.places, TYPE(type), root, COMM(comm));
    free(to.counts);
    return code;
}

static int scatterv(const void *data, const int64_t *counts, void *into, int64_t count, handle type, int root, handle comm)
{
    parts from = {NULL, NULL};
    int rank;
    if (count < 0 || count > INT_MAX)
        return MPI_ERR_COUNT;
    TRY(MPI_Comm_rank(COMM(comm), &rank));
    if (rank == root)
        TRY(parts_of(counts, comm, &from));
    int code = MPI_Scatterv(data, from.counts, from.places, TYPE(type), into, (int)count, TYPE(type), root, COMM(comm));
    free(from.counts);
    return code;
}

static int allgatherv(const void *data, int64_t count, void *into, const int64_t *counts, handle type, handle comm)
{
    parts to;
    if (count < 0 || count > INT_MAX)
        return MPI_ERR_COUNT;
    TRY(parts_of(counts, comm, &to));
    int code = MPI_Allgatherv(data, (int)count, TYPE(type), into, to.counts, to.places, TYPE(type), COMM(comm));
    free(to.counts);
    return code;
}

/* Whether a rank's parts are many is known to it alone: it tells each part by a type of its own, or MPI counts in 64 bits. */
static int alltoallv(const void *data, const int64_t *counts, void *into, const int64_t *into_counts, handle type, handle comm)
{
    held *kept;
    TRY(held_for(COMM(comm), &kept));
    int code = exchanged(data, counts, into, into_counts, type, comm, kept);
    held_end(kept);
    return code;
}

/* What is combined keeps its type, for which the operation is: many elements are combined part by part. */

#define BY_PARTS(call)                                                                      \
    MPI_Aint low, extent;                                                                   \
    if (count < 0)                                                                          \
        return MPI_ERR_COUNT;                                                               \
    TRY(MPI_Type_get_extent(TYPE(type), &low, &extent));                                    \
    for (int64_t at = 0; at == 0 || at < count; at += PART) {                               \
        int part = (int)(count - at < PART ? count - at : PART);                            \
        const void *from = data == NULL ? MPI_IN_PLACE : (const char *)data + at * extent;  \
        void *to = into == NULL ? NULL : (char *)into + at * extent;                        \
        TRY(call);                                                                          \
    }                                                                                       \
    return MPI_SUCCESS

static int reduce(const void *data, void *into, int64_t count, handle type, handle op, int root, handle comm)
{
    BY_PARTS(MPI_Reduce(from, to, part, TYPE(type), OP(op), root, COMM(comm)));
}

SELDOM int allreduce_parts(const void *data, void *into, int64_t count, handle type, handle op, handle comm)
{
    BY_PARTS(MPI_Allreduce(from, to, part, TYPE(type), OP(op), COMM(comm)));
}

static int allreduce(const void *data, void *into, int64_t count, handle type, handle op, handle comm)
{
    if (count < 0 || count > PART)
        return allreduce_parts(data, into, count, type, op, comm);
    return MPI_Allreduce(data == NULL ? MPI_IN_PLACE : data, into, (int)count, TYPE(type), OP(op), COMM(comm));
}

/* More than MPI counts: one part after the other, each for its rank. All ranks have the same counts. */
static int reduce_scatter_parts(const void *data, void *into, const int64_t *counts, handle type, handle op, MPI_Comm comm, int size)
{
    MPI_Aint low, extent;
    TRY(MPI_Type_get_extent(TYPE(type), &low, &extent));
    for (int rank = 0; rank < size; rank++) {
        TRY(reduce(data, into, counts[rank], type, op, rank, TO(comm)));
        data = (const char *)data + counts[rank] * extent;
    }
    return MPI_SUCCESS;
}

static int reduce_scatter(const void *data, void *into, const int64_t *counts, handle type, handle op, handle comm)
{
    parts to;
    int size;
    TRY(MPI_Comm_size(COMM(comm), &size));
    if (data != NULL && !few(counts, size))
        return reduce_scatter_parts(data, into, counts, type, op, COMM(comm), size);
    TRY(parts_of(counts, comm, &to));
    int code = MPI_Reduce_scatter(data == NULL ? MPI_IN_PLACE : data, into, to.counts, TYPE(type), OP(op), COMM(comm));
    free(to.counts);
    return code;
}

static int scan(const void *data, void *into, int64_t count, handle type, handle op, int exclusive, handle comm)
{
    BY_PARTS(exclusive ? MPI_Exscan(from, to, part, TYPE(type), OP(op), COMM(comm))
                       : MPI_Scan(from, to, part, TYPE(type), OP(op), COMM(comm)));
}
