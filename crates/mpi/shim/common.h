/* What the shim's sources share. */
#ifndef UPCALL_MPI_COMMON_H
#define UPCALL_MPI_COMMON_H

#include "upcall_mpi.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

typedef upcall_mpi_handle handle;

/* Handles are integers in some MPIs and addresses in others. */
#define OF(type, handle) ((type)(intptr_t)(handle))
#define TO(made) ((handle)(intptr_t)(made))
#define COMM(h) OF(MPI_Comm, h)
#define TYPE(h) OF(MPI_Datatype, h)
#define OP(h) OF(MPI_Op, h)
#define STATUS(s) ((s) == NULL ? MPI_STATUS_IGNORE : (MPI_Status *)(void *)(s))
#define TRY(call)                       \
    do {                                \
        int tried = (call);             \
        if (tried != MPI_SUCCESS)       \
            return tried;               \
    } while (0)

/* What is seldom needed stays out of functions that then do no more than jump to MPI's: what they save and restore for it is
   time that a message of a few bytes takes. */
#ifdef __GNUC__
#define SELDOM static __attribute__((noinline, cold))
#else
#define SELDOM static
#endif

/* Whether it is a count as MPI's functions take it. */
static inline int is_int(int64_t count) { return (uint64_t)count <= INT_MAX; }

/* Counts of more than 31 bits: elements of a type that is as large. BigMPI's way, for libraries before MPI 4. */

enum { PART = 1 << 30 };

/* What a count or displacement of 31 bits may be. Tests lower it, so that little is much. */
static int64_t most = INT_MAX;

typedef struct {
    int count;
    MPI_Datatype type;
    int made;
} counted;

/* Most of the elements as parts of one size, and the rest. */
SELDOM int large_type(int64_t count, MPI_Datatype type, MPI_Datatype *made)
{
    const int64_t each = most / 2 + 1, parts = count / each, rest = count % each;
    MPI_Aint low, extent;
    MPI_Datatype part, types[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    TRY(MPI_Type_get_extent(type, &low, &extent));
    TRY(MPI_Type_contiguous((int)each, type, &part));
    int blocks[2] = {1, 1};
    MPI_Aint places[2] = {0, (MPI_Aint)(parts * each) * extent};
    int code = MPI_Type_contiguous((int)parts, part, &types[0]);
    if (code == MPI_SUCCESS)
        code = MPI_Type_contiguous((int)rest, type, &types[1]);
    if (code == MPI_SUCCESS)
        code = MPI_Type_create_struct(2, blocks, places, types, made);
    MPI_Type_free(&part);
    for (int at = 0; at < 2; at++)
        if (types[at] != MPI_DATATYPE_NULL)
            MPI_Type_free(&types[at]);
    if (code == MPI_SUCCESS && (code = MPI_Type_commit(made)) != MPI_SUCCESS)
        MPI_Type_free(made);
    return code;
}

static inline int count_as(int64_t count, handle type, counted *as)
{
    as->made = 0;
    if (count < 0)
        return MPI_ERR_COUNT;
    if (count <= most) {
        as->count = (int)count;
        as->type = TYPE(type);
        return MPI_SUCCESS;
    }
    TRY(large_type(count, TYPE(type), &as->type));
    as->count = 1;
    as->made = 1;
    return MPI_SUCCESS;
}

/* Also where a call has only begun: MPI keeps a type as long as it needs it. */
static inline int counted_end(counted *as, int code)
{
    if (as->made)
        MPI_Type_free(&as->type);
    return code;
}

#define COUNTED(as, count, type) \
    counted as;                  \
    TRY(count_as(count, type, &as))

#endif
