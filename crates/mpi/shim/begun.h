/* What all ranks do together, begun now and ended later, once or again and again. */
#include "common.h"
#include "parts.h"

#if MPI_VERSION < 4 && defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#if MPI_VERSION >= 4
#define PERSISTENT(name) MPI_##name##_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define PERSISTENT(name) MPIX_##name##_init
#endif

#ifdef PERSISTENT
#define BEGIN(name, now, ...) \
    (call->persistent ? PERSISTENT(name)(__VA_ARGS__, MPI_INFO_NULL, request) : now(__VA_ARGS__, request))
#else
#define BEGIN(name, now, ...) (call->persistent ? MPI_ERR_UNSUPPORTED_OPERATION : now(__VA_ARGS__, request))
#endif

/* All ranks have as many elements each, or combine them. */
static int begin_even(const upcall_mpi_collective *call, held *kept, MPI_Request *request)
{
    const void *data = call->data;
    void *into = call->into;
    const int root = call->root;
    const MPI_Comm comm = COMM(call->comm);
    const MPI_Op op = OP(call->op);
    counted as;
    TRY(count_as(call->count, call->type, &as));
    if (as.made)
        kept->own[kept->made++] = as.type;
    const int count = as.count;
    const MPI_Datatype type = as.type;
    switch (call->what) {
    case UPCALL_MPI_BARRIER: return BEGIN(Barrier, MPI_Ibarrier, comm);
    case UPCALL_MPI_BCAST: return BEGIN(Bcast, MPI_Ibcast, into, count, type, root, comm);
    case UPCALL_MPI_GATHER: return BEGIN(Gather, MPI_Igather, data, count, type, into, count, type, root, comm);
    case UPCALL_MPI_SCATTER: return BEGIN(Scatter, MPI_Iscatter, data, count, type, into, count, type, root, comm);
    case UPCALL_MPI_ALLGATHER: return BEGIN(Allgather, MPI_Iallgather, data, count, type, into, count, type, comm);
    case UPCALL_MPI_ALLTOALL: return BEGIN(Alltoall, MPI_Ialltoall, data, count, type, into, count, type, comm);
    }
    /* An operation is for the type as it is. */
    if (as.made)
        return MPI_ERR_COUNT;
    switch (call->what) {
    case UPCALL_MPI_REDUCE: return BEGIN(Reduce, MPI_Ireduce, data, into, count, type, op, root, comm);
    case UPCALL_MPI_ALLREDUCE: return BEGIN(Allreduce, MPI_Iallreduce, data, into, count, type, op, comm);
    case UPCALL_MPI_SCAN: return BEGIN(Scan, MPI_Iscan, data, into, count, type, op, comm);
    case UPCALL_MPI_EXSCAN: return BEGIN(Exscan, MPI_Iexscan, data, into, count, type, op, comm);
    case UPCALL_MPI_REDUCE_SCATTER:
        TRY(narrow(kept, RECEIVED, call->counts));
        return BEGIN(Reduce_scatter, MPI_Ireduce_scatter, data, into, kept->counts[RECEIVED], type, op, comm);
    }
    return MPI_ERR_ARG;
}

/* Parts that 31 bits count. */
static int begin_parts(const upcall_mpi_collective *call, held *kept, MPI_Request *request)
{
    const MPI_Datatype type = TYPE(call->type);
    const MPI_Comm comm = COMM(call->comm);
    const int side = call->what == UPCALL_MPI_SCATTERV ? SENT : RECEIVED, count = (int)call->count, root = call->root;
    const int *counts = kept->counts[side], *places = kept->places[side];
    if (call->count < 0 || call->count > INT_MAX)
        return MPI_ERR_COUNT;
    if (call->counts != NULL)
        TRY(narrow(kept, side, call->counts));
    switch (call->what) {
    case UPCALL_MPI_GATHERV:
        return BEGIN(Gatherv, MPI_Igatherv, call->data, count, type, call->into, counts, places, type, root, comm);
    case UPCALL_MPI_SCATTERV:
        return BEGIN(Scatterv, MPI_Iscatterv, call->data, counts, places, type, call->into, count, type, root, comm);
    case UPCALL_MPI_ALLGATHERV:
        return BEGIN(Allgatherv, MPI_Iallgatherv, call->data, count, type, call->into, counts, places, type, comm);
    }
    return MPI_ERR_ARG;
}

#if MPI_VERSION >= 4
/* Parts that 64 bits count. */
static int begin_wide(const upcall_mpi_collective *call, held *kept, MPI_Request *request)
{
    const MPI_Datatype type = TYPE(call->type);
    const MPI_Comm comm = COMM(call->comm);
    const int side = call->what == UPCALL_MPI_SCATTERV ? SENT : RECEIVED, root = call->root;
    const MPI_Count *counts = kept->wide[side], count = call->count;
    const MPI_Aint *places = kept->far[side];
    if (call->counts != NULL)
        widen(kept, side, call->counts);
    switch (call->what) {
    case UPCALL_MPI_GATHERV:
        return MPI_Igatherv_c(call->data, count, type, call->into, counts, places, type, root, comm, request);
    case UPCALL_MPI_SCATTERV:
        return MPI_Iscatterv_c(call->data, counts, places, type, call->into, count, type, root, comm, request);
    case UPCALL_MPI_ALLGATHERV:
        return MPI_Iallgatherv_c(call->data, count, type, call->into, counts, places, type, comm, request);
    case UPCALL_MPI_ALLTOALLV:
        widen(kept, SENT, call->counts);
        widen(kept, RECEIVED, call->into_counts);
        return MPI_Ialltoallv_c(call->data, kept->wide[SENT], kept->far[SENT], type, call->into, kept->wide[RECEIVED],
                                kept->far[RECEIVED], type, comm, request);
    }
    return MPI_ERR_ARG;
}
#endif

/* Parts as types of their own, which are as large as they like. */
static int begin_pieces(const upcall_mpi_collective *call, held *kept, MPI_Request *request)
{
    const MPI_Comm comm = COMM(call->comm);
    const handle type = call->type;
    const int root = call->root;
    int rank;
    TRY(MPI_Comm_rank(comm, &rank));
    const int64_t *none = NULL, *at_root = rank == root ? call->counts : NULL;
    const int64_t from_root = call->what == UPCALL_MPI_SCATTERV ? call->count : 0;
    switch (call->what) {
    case UPCALL_MPI_GATHERV:
        TRY(pieces(kept, SENT, none, call->count, root, type));
        TRY(pieces(kept, RECEIVED, at_root, 0, root, type));
        break;
    case UPCALL_MPI_SCATTERV:
        TRY(pieces(kept, SENT, at_root, 0, root, type));
        TRY(pieces(kept, RECEIVED, none, from_root, root, type));
        break;
    case UPCALL_MPI_ALLGATHERV:
        TRY(pieces(kept, SENT, none, call->count, -1, type));
        TRY(pieces(kept, RECEIVED, call->counts, 0, 0, type));
        break;
    case UPCALL_MPI_ALLTOALLV:
        TRY(pieces(kept, SENT, call->counts, 0, 0, type));
        TRY(pieces(kept, RECEIVED, call->into_counts, 0, 0, type));
        break;
    default: return MPI_ERR_ARG;
    }
    return BEGIN(Alltoallw, MPI_Ialltoallw, call->data, kept->counts[SENT], kept->places[SENT], kept->types[SENT], call->into,
                 kept->counts[RECEIVED], kept->places[RECEIVED], kept->types[RECEIVED], comm);
}

static int begin(const upcall_mpi_collective *call, held *kept, MPI_Request *request)
{
    const int parts = call->what >= UPCALL_MPI_GATHERV && call->what <= UPCALL_MPI_ALLTOALLV;
    if (!parts)
        return begin_even(call, kept, request);
    /* Whether this exchange is large is known to each rank for itself: all take the same way. */
    if (call->what != UPCALL_MPI_ALLTOALLV && !call->large)
        return begin_parts(call, kept, request);
#if MPI_VERSION >= 4
    if (!call->persistent && most == INT_MAX)
        return begin_wide(call, kept, request);
#endif
    return begin_pieces(call, kept, request);
}

/*
 * MPICH 4.0.2 makes persistent gathers, scatters and gathers for all ranks with copies that are done once, when they are made
 * (its issue 7078), or with tags that do not match in the second round. Its forms with parts are right.
 */
#ifdef MPICH_VERSION
static int begin_as_parts(upcall_mpi_collective call, held *kept, MPI_Request *request)
{
    int64_t *counts = malloc((size_t)kept->size * sizeof *counts);
    if (counts == NULL)
        return MPI_ERR_NO_MEM;
    for (int rank = 0; rank < kept->size; rank++)
        counts[rank] = call.count;
    call.what = call.what == UPCALL_MPI_GATHER    ? UPCALL_MPI_GATHERV
                : call.what == UPCALL_MPI_SCATTER ? UPCALL_MPI_SCATTERV
                                                  : UPCALL_MPI_ALLGATHERV;
    call.counts = counts;
    call.large = !few(counts, kept->size);
    int code = begin(&call, kept, request);
    free(counts);
    return code;
}
#endif

static int begin_right(const upcall_mpi_collective *call, held *kept, MPI_Request *request)
{
#ifdef MPICH_VERSION
    if (call->persistent && (call->what == UPCALL_MPI_GATHER || call->what == UPCALL_MPI_SCATTER || call->what == UPCALL_MPI_ALLGATHER))
        return begin_as_parts(*call, kept, request);
#endif
    return begin(call, kept, request);
}

static int collective(const upcall_mpi_collective *call, handle *request, handle *kept)
{
    held *made = NULL;
    MPI_Request begun = MPI_REQUEST_NULL;
    int code = held_for(COMM(call->comm), &made);
    if (code == MPI_SUCCESS)
        code = begin_right(call, made, &begun);
    if (code != MPI_SUCCESS) {
        held_end(made);
        return code;
    }
    *request = TO(begun);
    *kept = (handle)(intptr_t)made;
    return MPI_SUCCESS;
}

static int kept_free(handle kept) { return held_end((held *)(intptr_t)kept); }
