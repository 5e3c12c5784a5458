/* What a vertex program asks of a vertex, and of all vertices of a call. */
#ifndef UPCALL_GUEST_VERTEX_H
#define UPCALL_GUEST_VERTEX_H

#include "host.h"
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
    /* Of outgoing edges, in a program that declares `writes`: the value that each has from the next iteration on, as it was until it is
     * written. Only of these vertices' edges, those of one behind those of the one before. */
    void *next_values;
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
    size_t behind; /* How many outgoing edges the vertices before have, where their values are written. */
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
    upcall_context *context;
    void *next_values;
    uint32_t unset; /* Why no value is set there; 0 where there may be. */
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

/* What a program has done wrong: the first mistake is kept, and told once the function has returned. Nothing is called here, nor is
 * a text made: a call in a loop over neighbours costs the loop its registers, even where it is never taken (three times the time per
 * edge in V8). */
enum {
    UPCALL_NO_MISTAKE_,
    UPCALL_NO_NEIGHBOUR_, /* How many there are, and which was asked for. */
    UPCALL_NO_VERTEX_,    /* Which was to be scheduled. */
    UPCALL_NO_ROOM_,
    UPCALL_NO_INCOMING_,
    UPCALL_NO_OUTGOING_,
    UPCALL_STARTS_,
    UPCALL_OUTSIDE_,
    UPCALL_SETS_INCOMING_,
    UPCALL_SETS_UNDECLARED_,
};

/* A value is taken as another type than the program has declared: the program cannot be right, and ends. As this does not return,
 * the compiler looks at types before a loop and not in it. */
UPCALL_SELDOM_ _Noreturn void upcall_mistyped_(const char *what, upcall_number declared, upcall_number taken) {
    upcall_writer_ said = upcall_begin_();
    upcall_say_(&said, "take `");
    upcall_say_(&said, what);
    upcall_say_(&said, "` as ");
    upcall_say_(&said, upcall_number_names_[taken]);
    upcall_say_(&said, declared ? ": it is " : ": the program declares none; add `.");
    upcall_say_(&said, declared ? upcall_number_names_[declared] : what);
    upcall_say_(&said, declared ? "; call the function of that type, or declare the other one" : "` to it");
    upcall_panic(upcall_end_(&said));
}

static inline void upcall_mistaken_(upcall_context *context, uint32_t what, uint64_t one, uint64_t other) {
    if (context->mistake.what) return;
    context->mistake.what = what;
    context->mistake.one = one;
    context->mistake.other = other;
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
    upcall_mistaken_(context, there ? UPCALL_NO_ROOM_ : UPCALL_NO_VERTEX_, id, waking->room);
}

/* Its number. */
static inline uint64_t upcall_vertex_id(const upcall_vertex *vertex) { return vertex->id; }

/* How many edges go out of it. */
static inline uint32_t upcall_out_degree(const upcall_vertex *vertex) { return vertex->all.out_degrees[vertex->at]; }

/* How many edges come in. */
static inline uint64_t upcall_in_degree(const upcall_vertex *vertex) {
    const upcall_side *side = &vertex->all.incoming;
    if (side->begins) return side->ends[vertex->at] - side->begins[vertex->at];
    upcall_mistaken_(vertex->context, UPCALL_NO_INCOMING_, 0, 0);
    return 0;
}

static inline upcall_neighbours upcall_neighbours_(const upcall_vertex *vertex, const upcall_side *side, uint32_t missing) {
    const upcall_program *program = vertex->program;
    upcall_neighbours none = {.shown_type = program->shown, .value_type = program->edge, .context = vertex->context};
    if (!side->begins || vertex->starts) {
        upcall_mistaken_(vertex->context, side->begins ? UPCALL_STARTS_ : missing, 0, 0);
        return none;
    }
    size_t begin = (size_t)side->begins[vertex->at], end = (size_t)side->ends[vertex->at];
    if (begin > end || end > side->len) {
        /* Of a program that has its neighbours gathered, the engine may leave out which they are. */
        upcall_mistaken_(vertex->context, side->len ? UPCALL_OUTSIDE_ : missing, 0, 0);
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
    upcall_neighbours incoming = upcall_neighbours_(vertex, &vertex->all.incoming, UPCALL_NO_INCOMING_);
    incoming.unset = UPCALL_SETS_INCOMING_;
    return incoming;
}

/* The vertices that it has edges to, of a program that declares `outgoing` or `writes`. */
static inline upcall_neighbours upcall_outgoing(const upcall_vertex *vertex) {
    upcall_neighbours outgoing = upcall_neighbours_(vertex, &vertex->all.outgoing, UPCALL_NO_OUTGOING_);
    if (!vertex->program->writes) {
        outgoing.unset = UPCALL_SETS_UNDECLARED_;
    } else if (outgoing.len) {
        size_t size = upcall_number_sizes_[vertex->program->edge];
        outgoing.next_values = (char *)vertex->all.outgoing.next_values + vertex->behind * size;
    }
    return outgoing;
}

/* The number of a neighbour, by its index below `len`. */
static inline uint64_t upcall_id_at(upcall_neighbours neighbours, size_t index) {
    if (index < neighbours.len) return neighbours.ids[index];
    upcall_mistaken_(neighbours.context, UPCALL_NO_NEIGHBOUR_, neighbours.len, index);
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

#define UPCALL_TYPED_(suffix, type, number)                                                                          \
    static inline type upcall_own_##suffix(const upcall_vertex *vertex) {                                            \
        if (vertex->program->own != number) upcall_mistyped_("own", vertex->program->own, number);                   \
        return ((const type *)vertex->all.own)[vertex->at];                                                          \
    }                                                                                                                \
    static inline void upcall_set_own_##suffix(const upcall_vertex *vertex, type value) {                            \
        if (vertex->program->own != number) upcall_mistyped_("own", vertex->program->own, number);                   \
        ((type *)vertex->all.own)[vertex->at] = value;                                                               \
    }                                                                                                                \
    static inline type upcall_shown_##suffix(const upcall_vertex *vertex) {                                          \
        if (vertex->program->shown != number) upcall_mistyped_("shown", vertex->program->shown, number);             \
        return vertex->starts ? 0 : ((const type *)vertex->all.before)[vertex->at];                                  \
    }                                                                                                                \
    static inline void upcall_show_##suffix(const upcall_vertex *vertex, type value) {                               \
        if (vertex->program->shown != number) upcall_mistyped_("shown", vertex->program->shown, number);             \
        ((type *)vertex->all.next)[vertex->at] = value;                                                              \
    }                                                                                                                \
    static inline type upcall_gathered_##suffix(const upcall_vertex *vertex) {                                       \
        if (vertex->gathered != number) upcall_mistyped_("gather", vertex->gathered, number);                        \
        return ((const type *)vertex->all.gathered)[vertex->at];                                                     \
    }                                                                                                                \
    static inline type upcall_shown_at_##suffix(upcall_neighbours neighbours, size_t index) {                        \
        if (neighbours.shown_type != number) upcall_mistyped_("shown", neighbours.shown_type, number);               \
        if (index < neighbours.len) return ((const type *)neighbours.shown)[neighbours.at[index]];                   \
        upcall_mistaken_(neighbours.context, UPCALL_NO_NEIGHBOUR_, neighbours.len, index);                           \
        return 0;                                                                                                    \
    }                                                                                                                \
    static inline type upcall_value_at_##suffix(upcall_neighbours neighbours, size_t index) {                        \
        if (neighbours.value_type != number) upcall_mistyped_("edge", neighbours.value_type, number);                \
        if (index >= neighbours.len) {                                                                               \
            upcall_mistaken_(neighbours.context, UPCALL_NO_NEIGHBOUR_, neighbours.len, index);                       \
            return 0;                                                                                                \
        }                                                                                                            \
        if (!neighbours.places) return ((const type *)neighbours.values)[index];                                     \
        /* A place that is none is a damaged file's. */                                                              \
        uint64_t place = neighbours.places[index];                                                                   \
        return place < neighbours.values_len ? ((const type *)neighbours.values)[place] : 0;                         \
    }                                                                                                                \
    static inline void upcall_set_value_at_##suffix(upcall_neighbours neighbours, size_t index, type value) {        \
        if (neighbours.value_type != number) upcall_mistyped_("edge", neighbours.value_type, number);                \
        if (neighbours.unset)                                                                                        \
            upcall_mistaken_(neighbours.context, neighbours.unset, 0, 0);                                            \
        else if (index >= neighbours.len)                                                                            \
            upcall_mistaken_(neighbours.context, UPCALL_NO_NEIGHBOUR_, neighbours.len, index);                       \
        else                                                                                                         \
            ((type *)neighbours.next_values)[index] = value;                                                         \
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
 *     void upcall_set_value_at_f64(neighbours, at, value)  sets that of an outgoing edge, from the next iteration on for both ends, in
 *                                                 a program that declares `writes`; what is not set stays
 *
 * The function of another type than the program has declared ends the instance, as upcall_panic does.
 */
UPCALL_TYPED_(f32, float, UPCALL_F32)
UPCALL_TYPED_(f64, double, UPCALL_F64)
UPCALL_TYPED_(i32, int32_t, UPCALL_I32)
UPCALL_TYPED_(i64, int64_t, UPCALL_I64)
UPCALL_TYPED_(u32, uint32_t, UPCALL_U32)
UPCALL_TYPED_(u64, uint64_t, UPCALL_U64)

#endif
