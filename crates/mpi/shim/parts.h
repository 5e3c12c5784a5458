/* Parts of different size, of each rank or for each: as MPI counts them, which has 31 bits for it before MPI 4. */
#ifndef UPCALL_MPI_PARTS_H
#define UPCALL_MPI_PARTS_H

#include "common.h"

enum { SENT, RECEIVED };

/* What MPI reads until a call has ended: for each rank, what it is sent, and what it sends. */
typedef struct {
    int size, made;
    int *counts[2], *places[2];
    MPI_Datatype *types[2];
    /* Types that were made for the call. */
    MPI_Datatype *own;
#if MPI_VERSION >= 4
    MPI_Count *wide[2];
    MPI_Aint *far[2];
#endif
} held;

/* In one piece of memory, the widest first. */
static int held_for(MPI_Comm comm, held **made)
{
    int between, size;
    TRY(MPI_Comm_test_inter(comm, &between));
    TRY(between ? MPI_Comm_remote_size(comm, &size) : MPI_Comm_size(comm, &size));
    const size_t ranks = (size_t)size;
    size_t bytes = sizeof(held) + ranks * (6 * sizeof(MPI_Datatype) + 4 * sizeof(int));
#if MPI_VERSION >= 4
    bytes += 2 * ranks * (sizeof(MPI_Count) + sizeof(MPI_Aint));
#endif
    held *kept = calloc(1, bytes);
    *made = kept;
    if (kept == NULL)
        return MPI_ERR_NO_MEM;
    char *next = (char *)(kept + 1);
#define ROOM(place, count)                    \
    do {                                      \
        (place) = (void *)next;               \
        next += (count) * sizeof *(place);    \
    } while (0)
    kept->size = size;
    for (int side = SENT; side <= RECEIVED; side++) {
#if MPI_VERSION >= 4
        ROOM(kept->wide[side], ranks);
        ROOM(kept->far[side], ranks);
#endif
    }
    ROOM(kept->own, 4 * ranks);
    for (int side = SENT; side <= RECEIVED; side++)
        ROOM(kept->types[side], ranks);
    for (int side = SENT; side <= RECEIVED; side++) {
        ROOM(kept->counts[side], ranks);
        ROOM(kept->places[side], ranks);
    }
#undef ROOM
    return MPI_SUCCESS;
}

static int held_end(held *kept)
{
    int code = MPI_SUCCESS;
    for (int at = 0; kept != NULL && at < kept->made; at++) {
        int freed = MPI_Type_free(&kept->own[at]);
        code = code == MPI_SUCCESS ? freed : code;
    }
    free(kept);
    return code;
}

/* Whether 31 bits count them. */
static int few(const int64_t *counts, int size)
{
    int64_t sum = 0;
    for (int rank = 0; rank < size; rank++) {
        if (counts[rank] > most)
            return 0;
        sum += counts[rank];
        if (sum > most)
            return 0;
    }
    return 1;
}

/* Counts and displacements as elements. */
static int narrow(held *kept, int side, const int64_t *counts)
{
    int64_t place = 0;
    for (int rank = 0; rank < kept->size; rank++) {
        if (counts[rank] < 0 || counts[rank] > INT_MAX || place > INT_MAX)
            return MPI_ERR_COUNT;
        kept->counts[side][rank] = (int)counts[rank];
        kept->places[side][rank] = (int)place;
        place += counts[rank];
    }
    return MPI_SUCCESS;
}

#if MPI_VERSION >= 4
static void widen(held *kept, int side, const int64_t *counts)
{
    int64_t place = 0;
    for (int rank = 0; rank < kept->size; rank++) {
        kept->wide[side][rank] = counts[rank];
        kept->far[side][rank] = (MPI_Aint)place;
        place += counts[rank];
    }
}
#endif

/* The part of a rank, for MPI_Alltoallw, which takes bytes from the beginning: where these are many, the type has them. */
static int piece(held *kept, int side, int rank, int64_t count, int64_t bytes_before, handle type)
{
    counted as;
    TRY(count_as(count, type, &as));
    if (as.made)
        kept->own[kept->made++] = as.type;
    if (bytes_before > most) {
        MPI_Aint far = (MPI_Aint)bytes_before;
        MPI_Datatype there;
        TRY(MPI_Type_create_hindexed(1, &as.count, &far, as.type, &there));
        kept->own[kept->made++] = there;
        TRY(MPI_Type_commit(&there));
        as.count = 1;
        as.type = there;
        bytes_before = 0;
    }
    kept->counts[side][rank] = as.count;
    kept->places[side][rank] = (int)bytes_before;
    kept->types[side][rank] = as.type;
    return MPI_SUCCESS;
}

/* The parts of all ranks, side by side; without counts, `count` elements from the beginning for `rank`, or for each where it is -1. */
static int pieces(held *kept, int side, const int64_t *counts, int64_t count, int rank, handle type)
{
    MPI_Aint low, extent;
    int64_t place = 0;
    TRY(MPI_Type_get_extent(TYPE(type), &low, &extent));
    for (int at = 0; at < kept->size; at++) {
        const int64_t this = counts != NULL ? counts[at] : rank == at || rank == -1 ? count : 0;
        TRY(piece(kept, side, at, this, this == 0 ? 0 : place, type));
        if (counts != NULL)
            place += this * extent;
    }
    return MPI_SUCCESS;
}

static int exchanged(const void *data, const int64_t *counts, void *into, const int64_t *into_counts, handle type, handle comm,
                     held *kept)
{
#if MPI_VERSION >= 4
    if (most == INT_MAX) {
        widen(kept, SENT, counts);
        widen(kept, RECEIVED, into_counts);
        return MPI_Alltoallv_c(data, kept->wide[SENT], kept->far[SENT], TYPE(type), into, kept->wide[RECEIVED],
                               kept->far[RECEIVED], TYPE(type), COMM(comm));
    }
#endif
    TRY(pieces(kept, SENT, counts, 0, 0, type));
    TRY(pieces(kept, RECEIVED, into_counts, 0, 0, type));
    return MPI_Alltoallw(data, kept->counts[SENT], kept->places[SENT], kept->types[SENT], into, kept->counts[RECEIVED],
                         kept->places[RECEIVED], kept->types[RECEIVED], COMM(comm));
}

#endif
