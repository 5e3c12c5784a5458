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

#if MPI_VERSION >= 4
/* Counts and displacements of so many parts. Not by MPI_Neighbor_alltoallw, as below: with several edges between two ranks MPICH
   4.0.2 gives one the part of another. */
typedef struct {
    MPI_Count *counts;
    MPI_Aint *places;
} far;

static int far_of(const int64_t *counts, int count, far *as)
{
    const size_t parts = count == 0 ? 1 : (size_t)count;
    as->counts = malloc(parts * (sizeof *as->counts + sizeof *as->places));
    if (as->counts == NULL)
        return MPI_ERR_NO_MEM;
    as->places = (MPI_Aint *)(as->counts + parts);
    MPI_Aint place = 0;
    for (int at = 0; at < count; at++) {
        as->counts[at] = counts[at];
        as->places[at] = place;
        place += (MPI_Aint)counts[at];
    }
    return MPI_SUCCESS;
}

static int neighbor_allgatherv(const void *data, int64_t count, void *into, const int64_t *counts, int in, handle type, handle comm)
{
    far to;
    TRY(far_of(counts, in, &to));
    int code = MPI_Neighbor_allgatherv_c(data, count, TYPE(type), into, to.counts, to.places, TYPE(type), COMM(comm));
    free(to.counts);
    return code;
}

static int neighbor_alltoallv(const void *data, const int64_t *counts, int out, void *into, const int64_t *into_counts, int in,
                              handle type, handle comm)
{
    far from, to;
    TRY(far_of(counts, out, &from));
    int code = far_of(into_counts, in, &to);
    if (code == MPI_SUCCESS) {
        code = MPI_Neighbor_alltoallv_c(data, from.counts, from.places, TYPE(type), into, to.counts, to.places, TYPE(type), COMM(comm));
        free(to.counts);
    }
    free(from.counts);
    return code;
}
#else
/* Parts of or for so many neighbors, each of a type that is as large as it likes, side by side in bytes; without counts `each`
   elements from the beginning for all. */

typedef struct {
    int count;
    MPI_Aint *places;
    counted *parts;
    MPI_Datatype *types;
    int *counts;
} near;

static int near_end(near *as, int code)
{
    for (int at = 0; at < as->count; at++)
        counted_end(&as->parts[at], code);
    free(as->places);
    return code;
}

static int near_of(const int64_t *counts, int64_t each, int count, handle type, near *as)
{
    MPI_Aint low, extent;
    TRY(MPI_Type_get_extent(TYPE(type), &low, &extent));
    const size_t parts = count == 0 ? 1 : (size_t)count;
    as->count = 0;
    /* The widest first. */
    as->places = calloc(parts, sizeof(MPI_Aint) + sizeof(counted) + sizeof(MPI_Datatype) + sizeof(int));
    if (as->places == NULL)
        return MPI_ERR_NO_MEM;
    as->parts = (counted *)(as->places + parts);
    as->types = (MPI_Datatype *)(as->parts + parts);
    as->counts = (int *)(as->types + parts);
    MPI_Aint place = 0;
    for (int at = 0; at < count; at++) {
        const int64_t elements = counts == NULL ? each : counts[at];
        int code = count_as(elements, type, &as->parts[at]);
        if (code != MPI_SUCCESS)
            return near_end(as, code);
        as->count = at + 1;
        as->counts[at] = as->parts[at].count;
        as->types[at] = as->parts[at].type;
        as->places[at] = place;
        place += counts == NULL ? 0 : (MPI_Aint)elements * extent;
    }
    return MPI_SUCCESS;
}

/* Whether the parts of one rank are many, those beside it do not know: all parts go this way. */
static int near_exchanged(const void *data, near *from, void *into, const int64_t *into_counts, int in, handle type, handle comm)
{
    near to;
    int code = near_of(into_counts, 0, in, type, &to);
    if (code != MPI_SUCCESS)
        return near_end(from, code);
    code = MPI_Neighbor_alltoallw(data, from->counts, from->places, from->types, into, to.counts, to.places, to.types, COMM(comm));
    near_end(&to, code);
    return near_end(from, code);
}

/* How many there are: of a grid, two in each dimension. */
static int neighbors_of(handle comm, int *in, int *out)
{
    int topology, dims;
    TRY(MPI_Topo_test(COMM(comm), &topology));
    if (topology != MPI_CART)
        return graph_degrees(comm, in, out);
    TRY(MPI_Cartdim_get(COMM(comm), &dims));
    *in = *out = 2 * dims;
    return MPI_SUCCESS;
}

static int neighbor_allgatherv(const void *data, int64_t count, void *into, const int64_t *counts, int in, handle type, handle comm)
{
    near from;
    int sources, out;
    TRY(neighbors_of(comm, &sources, &out));
    TRY(near_of(NULL, count, out, type, &from));
    return near_exchanged(data, &from, into, counts, in, type, comm);
}

static int neighbor_alltoallv(const void *data, const int64_t *counts, int out, void *into, const int64_t *into_counts, int in,
                              handle type, handle comm)
{
    near from;
    TRY(near_of(counts, 0, out, type, &from));
    return near_exchanged(data, &from, into, into_counts, in, type, comm);
}
#endif
