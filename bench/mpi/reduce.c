/* What two ranks have, combined for both. */
#include "peer.h"

#include <limits.h>

static int reduce(void *data, long count, MPI_Op op, long times)
{
    if (count > INT_MAX)
        return MPI_ERR_COUNT;
    const double *from = data;
    double *into = (double *)data + count;
    for (long time = 0; time < times; time++)
        TRY(MPI_Allreduce(from, into, (int)count, MPI_DOUBLE, op, MPI_COMM_WORLD));
    return MPI_SUCCESS;
}

int upcall_bench_sum(int rank, void *data, long count, long times)
{
    (void)rank;
    return reduce(data, count, MPI_SUM, times);
}

static void add(void *from, void *into, int *count, MPI_Datatype *type)
{
    const double *restrict one = from;
    double *restrict other = into;
    (void)type;
    for (int index = 0; index < *count; index++)
        other[index] += one[index];
}

static MPI_Op adding = MPI_OP_NULL;

int upcall_bench_function(int rank, void *data, long count, long times)
{
    (void)rank;
    if (adding == MPI_OP_NULL)
        TRY(MPI_Op_create(add, 1, &adding));
    return reduce(data, count, adding, times);
}

int free_op(void) { return adding == MPI_OP_NULL ? MPI_SUCCESS : MPI_Op_free(&adding); }
