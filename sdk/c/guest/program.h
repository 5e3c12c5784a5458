/* Vertex programs: what a handler says of itself and is called with for the vertices of a graph. */
#ifndef UPCALL_GUEST_PROGRAM_H
#define UPCALL_GUEST_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* A type of values. */
typedef enum {
    UPCALL_NONE,
    UPCALL_F32,
    UPCALL_F64,
    UPCALL_I32,
    UPCALL_I64,
    UPCALL_U32,
    UPCALL_U64,
} upcall_number;

/* By what the engine puts together what the neighbours of a vertex show. */
typedef enum {
    UPCALL_NOT_GATHERED,
    UPCALL_SUM,
    UPCALL_MIN,
    UPCALL_MAX,
    UPCALL_COUNT,
} upcall_gather;

/* One vertex of a graph: vertex.h has what it is asked. It is the next one in the next call. */
typedef struct upcall_vertex upcall_vertex;
/* All vertices of a call at once. They end with it. */
typedef struct upcall_vertices upcall_vertices;

/* What the vertices of a block have added up. */
typedef struct upcall_tally upcall_tally;

/* What is the same for all vertices of an iteration. */
typedef struct {
    uint64_t iteration; /* From 0 on. */
    uint64_t vertices, edges;
    bool directed; /* If edges have no direction, those that come in and those that go out are the same. */
    double total;  /* What all vertices have added to the total in the last iteration, or at the start. */
    /* The driver's. */
    upcall_tally *tally;
    struct upcall_waking_ *waking;
    struct upcall_mistake_ {
        uint32_t what;
        uint64_t one, other;
    } mistake;
} upcall_context;

/* A graph, as a vertex program is told when it is opened. */
typedef struct {
    uint64_t vertices, edges; /* Where edges have no direction, each counts in both. */
    bool directed;
} upcall_graph;

/* An iteration that has ended. */
typedef struct {
    uint64_t number;    /* From 0 on. */
    uint64_t updated;   /* How many vertices were updated. */
    uint64_t scheduled; /* How many are to be updated in the next one. */
    double residual, total;
} upcall_iteration;

/* Vertices that are updated together: all of them in Jacobi's way, and so many in Gauss-Seidel's. */
typedef struct {
    uint64_t iteration;  /* Its number, from 0 on. */
    uint64_t first, end; /* Its first vertex, and the one behind its last. */
    uint64_t pass;       /* How often it was updated in this iteration before. */
    /* What it has come to in this pass; 0 before. */
    uint64_t updated; /* How many of its vertices were updated. */
    double residual, total;
} upcall_interval;

/* A vertex program: what is called for each vertex, in iterations. Whatever a vertex shows, and what it sets values of edges to, its
 * neighbours see in the next iteration, so that it does not matter in which order vertices are updated. Of update, apply and interval
 * it has one. These return null, or why they have failed; an index that is none of a vertex's neighbours, a vertex to be scheduled
 * that the graph has not and the like fail them too, whatever they return. */
typedef struct {
    /* What a vertex keeps to itself, what it shows to its neighbours, and the value of an edge. `shown` is required; of those that
     * are left out there is none. */
    upcall_number own, shown, edge;
    bool outgoing;  /* It looks at outgoing edges. */
    bool writes;    /* It sets the values of outgoing edges, and so sees these too. */
    bool selective; /* Only vertices that see a change are updated, and those that were scheduled. */
    upcall_gather gather;
    /* What a vertex begins with: zeroes without it. Of its edges only the number is known. */
    const char *(*start)(void *state, upcall_vertex *vertex, upcall_context *context);
    /* Called before a worker updates its first vertex of an iteration, with the iteration's number, from 0 on, and what all vertices
     * have added to the total in the last one, or at the start. */
    const char *(*before_iteration)(void *state, uint64_t iteration, double total);
    /* Updates one vertex. */
    const char *(*update)(void *state, upcall_vertex *vertex, upcall_context *context);
    /* The same with what its incoming neighbours come to, by `gather`: upcall_gathered_f64 for a sum or a count, and the function of
     * the type of `shown` for the least or the greatest. */
    const char *(*apply)(void *state, upcall_vertex *vertex, upcall_context *context);
    /* Updates all vertices of a call at once. */
    const char *(*interval)(void *state, const upcall_vertices *vertices, upcall_context *context);
    /* Called on each worker that updates vertices of an interval, before the first of them, and again before each further pass. */
    const char *(*before_interval)(void *state, const upcall_interval *interval);
    /* Called on one worker when all vertices of an interval were updated. */
    const char *(*after_interval)(void *state, const upcall_interval *interval);
    /* Called on the same worker then: whether they are to be updated once more before others are, seeing what all of the interval show
     * now. Of a program that declares `selective` those are that have seen a change or were scheduled; where there are none, the interval
     * is done. A program that declares `writes` cannot repeat: the engine ends the run. */
    bool (*repeat_updates)(void *state, const upcall_interval *interval);
    /* Called after each iteration, on every worker with the same numbers: whether it was the last one. */
    bool (*after_iteration)(void *state, const upcall_iteration *iteration);
} upcall_program;

#endif
