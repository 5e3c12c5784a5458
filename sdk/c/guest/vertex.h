/* What a vertex program asks of a vertex, and of all vertices of a call. */
#ifndef UPCALL_GUEST_VERTEX_H
#define UPCALL_GUEST_VERTEX_H

#include "abi.h"
#include "text.h"

/* Edges in one direction, of all vertices of a call. Those of the vertex at `k` are begins[k]..ends[k], in ascending order of their
 * other ends. */
typedef struct {
    const uint64_t *begins, *ends;
    const uint32_t *ids; /* Their other ends; none at the start. */
    const uint32_t *at;  /* What these show is at shown[at[edge]]. */
    const void *values;  /* The value of an edge is at values[places ? places[edge] : edge]. */
    const uint64_t *places;
    size_t len, values_len; /* How many edges there are, and how many values. */
} upcall_side;

struct upcall_vertices {
    size_t len;
    uint64_t first;
    const uint32_t *ids; /* Null where vertices are `first`, `first + 1` and so on: upcall_vertices_id. */
    void *own;
    const void *before; /* What each has shown. */
    void *next;         /* What each shows from the next iteration on: the same until it is written. */
    const uint32_t *out_degrees;
    const void *shown; /* What neighbours show. */
    upcall_side incoming, outgoing;
    /* The driver's. */
    const void *gathered;
    upcall_tally *tallies;
    uint32_t shift; /* A block has 1 << shift vertices. */
};

struct upcall_vertex {
    /* All of it is the driver's. */
    uint64_t id;
    size_t at;
    const upcall_program *program;
    upcall_context *context;
    upcall_vertices all;
    upcall_number gathered;
    bool starts;
};

/* The other ends of a vertex's edges in one direction, in ascending order. They end with the call. */
typedef struct {
    size_t len;
    /* The driver's. */
    const uint32_t *ids, *at;
    const void *shown, *values;
    const uint64_t *places;
    size_t values_len;
    upcall_number shown_type, value_type;
    const upcall_vertex *vertex;
} upcall_neighbours;

/* Vertices that are to be updated in the next iteration. */
struct upcall_waking_ {
    uint32_t *woken;
    uint64_t *wakes;
    uint64_t room;
    bool selective;
};

static const char *const upcall_number_names_[] = {"nothing", "f32", "f64", "i32", "i64", "u32", "u64"};
static const unsigned char upcall_number_sizes_[] = {0, 4, 8, 4, 8, 4, 8};

#define UPCALL_NO_INCOMING_ "the engine gives no incoming edges to a program that has them gathered: use `.update` in place of `.apply`"
#define UPCALL_NO_OUTGOING_ "look at outgoing edges: the program does not declare that; add `.outgoing = true` to it"
#define UPCALL_STARTS_ "look at edges at the start: neighbours show nothing yet, and only the number of edges is known"

/* Fails the vertex. The first reason is the one that is told. */
UPCALL_SELDOM_ void upcall_wrong_(upcall_context *context, const char *why) {
    if (!context->failed) context->failed = why;
}

/* A value was read or written as a type that it is not of. `what` is how the program declares it. */
UPCALL_SELDOM_ void upcall_mistyped_(upcall_context *context, const char *what, upcall_number declared, upcall_number taken) {
    if (context->failed) return;
    upcall_writer_ said = upcall_begin_in_(upcall_emission_);
    const char *names[] = {what, upcall_number_names_[taken], upcall_number_names_[declared]};
    const char *none[] = {"take `", "` as ", ": the program declares none; add `.", "` to it"};
    const char *other[] = {"take `", "` as ", ": it is ", "; call the function of that type, or declare the other one"};
    for (int at = 0; at < 4; at++) {
        upcall_say_(&said, declared ? other[at] : none[at]);
        if (at < 2 || (at == 2 && declared)) upcall_say_(&said, names[at]);
        if (at == 2 && !declared) upcall_say_(&said, what);
    }
    upcall_wrong_(context, upcall_end_(&said));
}

/* An edge was asked for that the vertex has not. */
UPCALL_SELDOM_ void upcall_no_edge_(const upcall_vertex *vertex, size_t len, size_t index) {
    if (vertex->context->failed) return;
    upcall_writer_ said = upcall_begin_in_(upcall_emission_);
    upcall_say_(&said, "vertex ");
    upcall_count_(&said, vertex->id);
    upcall_say_(&said, " has ");
    upcall_count_(&said, len);
    upcall_say_(&said, len == 1 ? " neighbour there, and that at " : " neighbours there, and that at ");
    upcall_count_(&said, index);
    upcall_say_(&said, " was asked for");
    upcall_wrong_(vertex->context, upcall_end_(&said));
}

/* Sorts, and leaves one of several that are the same. Returns how many are left. */
UPCALL_SELDOM_ uint64_t upcall_distinct_(uint32_t *of, uint64_t len) {
    /* Heapsort: there is no C library, and no more room. */
    for (uint64_t half = len / 2, end = len; end > 1;) {
        uint32_t sinks;
        if (half) {
            sinks = of[--half];
        } else {
            sinks = of[--end];
            of[end] = of[0];
        }
        uint64_t to = half;
        for (uint64_t child; (child = 2 * to + 1) < end; to = child) {
            if (child + 1 < end && of[child + 1] > of[child]) child++;
            if (of[child] <= sinks) break;
            of[to] = of[child];
        }
        of[to] = sinks;
    }
    uint64_t left = 0;
    for (uint64_t at = 0; at < len; at++)
        if (!left || of[at] != of[left - 1]) of[left++] = of[at];
    return left;
}

UPCALL_STATIC void upcall_schedule(upcall_context *context, uint64_t id) {
    struct upcall_waking_ *waking = context->waking;
    bool there = id < context->vertices;
    if (there && !waking->selective) return;
    if (there && *waking->wakes >= waking->room) *waking->wakes = upcall_distinct_(waking->woken, *waking->wakes);
    if (there && *waking->wakes < waking->room) {
        waking->woken[(*waking->wakes)++] = (uint32_t)id;
        return;
    }
    if (context->failed) return;
    upcall_writer_ said = upcall_begin_in_(upcall_emission_);
    upcall_say_(&said, "schedule vertex ");
    upcall_count_(&said, id);
    upcall_say_(&said, there ? ": a call has room for " : ": there is none with this number; the graph has ");
    upcall_count_(&said, there ? waking->room : context->vertices);
    upcall_say_(&said, there ? " of them, and as many different ones were scheduled: schedule fewer" : " vertices, from 0 on");
    upcall_wrong_(context, upcall_end_(&said));
}

/* Its number. */
static inline uint64_t upcall_vertex_id(const upcall_vertex *vertex) { return vertex->id; }

/* How many edges go out of it. */
static inline uint32_t upcall_out_degree(const upcall_vertex *vertex) { return vertex->all.out_degrees[vertex->at]; }

/* How many edges come in. */
static inline uint64_t upcall_in_degree(const upcall_vertex *vertex) {
    const upcall_side *side = &vertex->all.incoming;
    if (side->begins) return side->ends[vertex->at] - side->begins[vertex->at];
    upcall_wrong_(vertex->context, UPCALL_NO_INCOMING_);
    return 0;
}

static inline upcall_neighbours upcall_neighbours_(const upcall_vertex *vertex, const upcall_side *side, const char *missing) {
    const upcall_program *program = vertex->program;
    upcall_neighbours none = {.shown_type = program->shown, .value_type = program->edge, .vertex = vertex};
    if (!side->begins || vertex->starts) {
        upcall_wrong_(vertex->context, side->begins ? UPCALL_STARTS_ : missing);
        return none;
    }
    size_t begin = (size_t)side->begins[vertex->at], end = (size_t)side->ends[vertex->at];
    if (begin > end || end > side->len) {
        upcall_wrong_(vertex->context, "the edges of a vertex are not within those of the frame: the engine breaks the rules");
        return none;
    }
    upcall_neighbours found = none;
    found.len = end - begin;
    found.ids = side->ids + begin;
    found.at = side->at + begin;
    found.shown = vertex->all.shown;
    found.places = side->places ? side->places + begin : 0;
    found.values = side->places ? side->values : (const char *)side->values + begin * upcall_number_sizes_[program->edge];
    found.values_len = side->values_len;
    return found;
}

/* The vertices that it has edges from. */
static inline upcall_neighbours upcall_incoming(const upcall_vertex *vertex) {
    return upcall_neighbours_(vertex, &vertex->all.incoming, UPCALL_NO_INCOMING_);
}

/* The vertices that it has edges to, of a program that declares `outgoing`. */
static inline upcall_neighbours upcall_outgoing(const upcall_vertex *vertex) {
    return upcall_neighbours_(vertex, &vertex->all.outgoing, UPCALL_NO_OUTGOING_);
}

/* The number of a neighbour, by its index below `len`. */
static inline uint64_t upcall_id_at(upcall_neighbours neighbours, size_t index) {
    if (index < neighbours.len) return neighbours.ids[index];
    upcall_no_edge_(neighbours.vertex, neighbours.len, index);
    return 0;
}

static inline void upcall_add_residual(upcall_context *context, double amount) { context->tally->residual += amount; }

static inline void upcall_add_total(upcall_context *context, double amount) { context->tally->total += amount; }

/* The number of the vertex at an index below `len`. */
static inline uint64_t upcall_id_of(const upcall_vertices *vertices, size_t index) {
    return vertices->ids ? vertices->ids[index] : vertices->first + index;
}

/* What that vertex adds to. */
static inline upcall_tally *upcall_tally_of(const upcall_vertices *vertices, size_t index) {
    return &vertices->tallies[(upcall_id_of(vertices, index) - vertices->first) >> vertices->shift];
}

#define UPCALL_TYPED_(suffix, type, number)                                                                            \
    static inline type upcall_own_##suffix(const upcall_vertex *vertex) {                                              \
        if (vertex->program->own == number) return ((const type *)vertex->all.own)[vertex->at];                        \
        upcall_mistyped_(vertex->context, "own", vertex->program->own, number);                                        \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static inline void upcall_set_own_##suffix(const upcall_vertex *vertex, type value) {                              \
        if (vertex->program->own == number) ((type *)vertex->all.own)[vertex->at] = value;                             \
        else upcall_mistyped_(vertex->context, "own", vertex->program->own, number);                                   \
    }                                                                                                                  \
    static inline type upcall_shown_##suffix(const upcall_vertex *vertex) {                                            \
        if (vertex->program->shown == number) return vertex->starts ? 0 : ((const type *)vertex->all.before)[vertex->at]; \
        upcall_mistyped_(vertex->context, "shown", vertex->program->shown, number);                                    \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static inline void upcall_show_##suffix(const upcall_vertex *vertex, type value) {                                 \
        if (vertex->program->shown == number) ((type *)vertex->all.next)[vertex->at] = value;                          \
        else upcall_mistyped_(vertex->context, "shown", vertex->program->shown, number);                               \
    }                                                                                                                  \
    static inline type upcall_gathered_##suffix(const upcall_vertex *vertex) {                                         \
        if (vertex->gathered == number) return ((const type *)vertex->all.gathered)[vertex->at];                       \
        upcall_mistyped_(vertex->context, "gather", vertex->gathered, number);                                         \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static inline type upcall_shown_at_##suffix(upcall_neighbours neighbours, size_t index) {                          \
        if (index >= neighbours.len) upcall_no_edge_(neighbours.vertex, neighbours.len, index);                        \
        else if (neighbours.shown_type == number) return ((const type *)neighbours.shown)[neighbours.at[index]];       \
        else upcall_mistyped_(neighbours.vertex->context, "shown", neighbours.shown_type, number);                     \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static inline type upcall_value_at_##suffix(upcall_neighbours neighbours, size_t index) {                          \
        if (index >= neighbours.len) {                                                                                 \
            upcall_no_edge_(neighbours.vertex, neighbours.len, index);                                                 \
        } else if (neighbours.value_type == number) {                                                                  \
            if (!neighbours.places) return ((const type *)neighbours.values)[index];                                   \
            /* A place that is none is a damaged file's. */                                                            \
            uint64_t place = neighbours.places[index];                                                                 \
            return place < neighbours.values_len ? ((const type *)neighbours.values)[place] : 0;                       \
        } else {                                                                                                       \
            upcall_mistyped_(neighbours.vertex->context, "edge", neighbours.value_type, number);                       \
        }                                                                                                              \
        return 0;                                                                                                      \
    }

/* For each type of numbers, as here for f64:
 *
 *     double upcall_own_f64(vertex)               what the vertex keeps to itself
 *     void upcall_set_own_f64(vertex, value)      keeps another
 *     double upcall_shown_f64(vertex)             what it has shown in the last iteration; at the start 0
 *     void upcall_show_f64(vertex, value)         shows another to its neighbours, from the next iteration on
 *     double upcall_gathered_f64(vertex)          what its incoming neighbours come to
 *     double upcall_shown_at_f64(neighbours, at)  what a neighbour shows, by its index below `len`
 *     double upcall_value_at_f64(neighbours, at)  the value of the edge between them
 */
UPCALL_TYPED_(f32, float, UPCALL_F32)
UPCALL_TYPED_(f64, double, UPCALL_F64)
UPCALL_TYPED_(i32, int32_t, UPCALL_I32)
UPCALL_TYPED_(i64, int64_t, UPCALL_I64)
UPCALL_TYPED_(u32, uint32_t, UPCALL_U32)
UPCALL_TYPED_(u64, uint64_t, UPCALL_U64)

#endif
