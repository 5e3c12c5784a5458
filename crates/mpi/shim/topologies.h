/* Communicators whose ranks have neighbors, and what they do with those. */
#include "communicators.h"

static int dims_create(int nodes, int count, int *dims) { return MPI_Dims_create(nodes, count, dims); }

static int cart_create(handle comm, int count, const int *dims, const int *periods, int reorder, handle *made)
{
    MPI_Comm grid;
    TRY(MPI_Cart_create(COMM(comm), count, dims, periods, reorder, &grid));
    return comm_made(grid, made);
}

static int cart_count(handle comm, int *count) { return MPI_Cartdim_get(COMM(comm), count); }

static int cart_get(handle comm, int count, int *dims, int *periods, int *coords)
{
    return MPI_Cart_get(COMM(comm), count, dims, periods, coords);
}

static int cart_rank(handle comm, const int *coords, int *rank) { return MPI_Cart_rank(COMM(comm), coords, rank); }
static int cart_coords(handle comm, int rank, int count, int *coords) { return MPI_Cart_coords(COMM(comm), rank, count, coords); }

/* -1: nobody */
static int cart_shift(handle comm, int dim, int steps, int *from, int *to)
{
    TRY(MPI_Cart_shift(COMM(comm), dim, steps, from, to));
    *from = *from == MPI_PROC_NULL ? -1 : *from;
    *to = *to == MPI_PROC_NULL ? -1 : *to;
    return MPI_SUCCESS;
}

static int cart_sub(handle comm, const int *kept_dims, handle *made)
{
    MPI_Comm grid;
    TRY(MPI_Cart_sub(COMM(comm), kept_dims, &grid));
    return comm_made(grid, made);
}

#define WEIGHTS(count, weights) ((count) == 0 ? MPI_WEIGHTS_EMPTY : (weights))

static int graph_create(handle comm, int count, const int *sources, const int *degrees, int edges, const int *destinations,
                        const int *weights, int reorder, handle *made)
{
    MPI_Comm graph;
    TRY(MPI_Dist_graph_create(COMM(comm), count, sources, degrees, destinations, WEIGHTS(edges, weights), MPI_INFO_NULL, reorder, &graph));
    return comm_made(graph, made);
}

static int graph_adjacent(handle comm, int in, const int *sources, const int *in_weights, int out, const int *destinations,
                          const int *out_weights, int reorder, handle *made)
{
    MPI_Comm graph;
    TRY(MPI_Dist_graph_create_adjacent(COMM(comm), in, sources, WEIGHTS(in, in_weights), out, destinations, WEIGHTS(out, out_weights),
                                       MPI_INFO_NULL, reorder, &graph));
    return comm_made(graph, made);
}

static int graph_degrees(handle comm, int *in, int *out)
{
    int weighted;
    return MPI_Dist_graph_neighbors_count(COMM(comm), in, out, &weighted);
}

static int graph_neighbors(handle comm, int in, int *sources, int *in_weights, int out, int *destinations, int *out_weights)
{
    return MPI_Dist_graph_neighbors(COMM(comm), in, sources, in_weights, out, destinations, out_weights);
}

/* Counts and displacements of so many parts, which have 31 bits. */

typedef struct {
    int *counts, *places;
} spread;

static int spread_of(const int64_t *counts, int count, spread *as)
{
    as->counts = malloc(2 * sizeof(int) * (size_t)(count == 0 ? 1 : count));
    if (as->counts == NULL)
        return MPI_ERR_NO_MEM;
    as->places = as->counts + count;
    int64_t place = 0;
    for (int at = 0; at < count; at++) {
        if (counts[at] < 0 || counts[at] > INT_MAX || place > INT_MAX) {
            free(as->counts);
            return MPI_ERR_COUNT;
        }
        as->counts[at] = (int)counts[at];
        as->places[at] = (int)place;
        place += counts[at];
    }
    return MPI_SUCCESS;
}

static int neighbor_allgather(const void *data, void *into, int64_t count, handle type, handle comm)
{
    COUNTED(as, count, type);
    return counted_end(&as, MPI_Neighbor_allgather(data, as.count, as.type, into, as.count, as.type, COMM(comm)));
}

static int neighbor_alltoall(const void *data, void *into, int64_t count, handle type, handle comm)
{
    COUNTED(as, count, type);
    return counted_end(&as, MPI_Neighbor_alltoall(data, as.count, as.type, into, as.count, as.type, COMM(comm)));
}

static int neighbor_allgatherv(const void *data, int64_t count, void *into, const int64_t *counts, int in, handle type, handle comm)
{
    spread to;
    if (count < 0 || count > INT_MAX)
        return MPI_ERR_COUNT;
    TRY(spread_of(counts, in, &to));
    int code = MPI_Neighbor_allgatherv(data, (int)count, TYPE(type), into, to.counts, to.places, TYPE(type), COMM(comm));
    free(to.counts);
    return code;
}

static int neighbor_alltoallv(const void *data, const int64_t *counts, int out, void *into, const int64_t *into_counts, int in,
                              handle type, handle comm)
{
    spread from, to;
    TRY(spread_of(counts, out, &from));
    int code = spread_of(into_counts, in, &to);
    if (code != MPI_SUCCESS) {
        free(from.counts);
        return code;
    }
    code = MPI_Neighbor_alltoallv(data, from.counts, from.places, TYPE(type), into, to.counts, to.places, TYPE(type), COMM(comm));
    free(from.counts);
    free(to.counts);
    return code;
}
