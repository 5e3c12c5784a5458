/* Vertex programs in C, for WebAssembly: PageRank, three times, connected components, shortest paths, and communities by their labels. */
#include "upcall_guest.h"

/* ---- PageRank (Page, Brin, Motwani, Winograd 1999): a vertex keeps its rank, and shows its share for each outgoing edge. */

struct pagerank {
    double damping, tolerance, vertices;
    double jumps; /* What each vertex is given by jumps. */
};

static const char *pagerank_open(void *state, const upcall_open *open) {
    struct pagerank *of = state;
    *of = (struct pagerank){0.85, 1e-6, (double)upcall_graph_of(open).vertices, 0};
    const char *wrong = upcall_setting_f64(open, "damping", &of->damping);
    return wrong ? wrong : upcall_setting_f64(open, "tolerance", &of->tolerance);
}

/* Keeps a rank, and shows the share. */
static void rank_is(double rank, upcall_vertex *vertex, upcall_context *context) {
    uint32_t out_degree = upcall_out_degree(vertex);
    upcall_set_own_f64(vertex, rank);
    if (!out_degree) upcall_add_total(context, rank);
    upcall_show_f64(vertex, out_degree ? rank / out_degree : 0);
}

static const char *pagerank_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    rank_is(1.0 / (double)context->vertices, vertex, context);
    return 0;
}

/* The total are the ranks of vertices that only jumps lead on from. */
static const char *pagerank_before(void *state, uint64_t iteration, double total) {
    struct pagerank *of = state;
    (void)iteration;
    of->jumps = (1.0 - of->damping + of->damping * total) * (1.0 / of->vertices);
    return 0;
}

/* The rank of a vertex whose neighbours give it this much. */
static void ranked(const struct pagerank *of, double sum, upcall_vertex *vertex, upcall_context *context) {
    double before = upcall_own_f64(vertex), rank = of->jumps + of->damping * sum;
    upcall_add_residual(context, __builtin_fabs(rank - before));
    rank_is(rank, vertex, context);
}

static const char *pagerank_update(void *state, upcall_vertex *vertex, upcall_context *context) {
    upcall_neighbours incoming = upcall_incoming(vertex);
    double sum = 0;
    for (size_t at = 0; at < incoming.len; at++) sum += upcall_shown_at_f64(incoming, at);
    ranked(state, sum, vertex, context);
    return 0;
}

/* The engine adds the shares. */
static const char *pagerank_apply(void *state, upcall_vertex *vertex, upcall_context *context) {
    ranked(state, upcall_gathered_f64(vertex), vertex, context);
    return 0;
}

static bool pagerank_after(void *state, const upcall_iteration *iteration) {
    return iteration->residual <= ((const struct pagerank *)state)->tolerance;
}

/* ---- The same as GraphChi has it (Kyrola, Blelloch, Guestrin 2012): ranks travel as values of edges, an iteration later. */

static const char *edges_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    double rank = 1.0 / (double)context->vertices;
    upcall_set_own_f64(vertex, rank);
    upcall_show_f64(vertex, rank);
    return 0;
}

static const char *edges_update(void *state, upcall_vertex *vertex, upcall_context *context) {
    const struct pagerank *of = state;
    double before = upcall_own_f64(vertex), rank = before;
    /* In the first iteration nobody has set an edge. */
    if (context->iteration) {
        upcall_neighbours incoming = upcall_incoming(vertex);
        double sum = 0;
        for (size_t at = 0; at < incoming.len; at++) sum += upcall_value_at_f64(incoming, at);
        rank = of->jumps + of->damping * sum;
    }
    upcall_add_residual(context, __builtin_fabs(rank - before));
    upcall_set_own_f64(vertex, rank);
    upcall_show_f64(vertex, rank);
    upcall_neighbours outgoing = upcall_outgoing(vertex);
    if (!outgoing.len) upcall_add_total(context, rank);
    double share = outgoing.len ? rank / (double)outgoing.len : 0;
    for (size_t at = 0; at < outgoing.len; at++) upcall_set_value_at_f64(outgoing, at, share);
    return 0;
}

/* The first iteration changes no rank. */
static bool edges_after(void *state, const upcall_iteration *iteration) {
    return iteration->number && pagerank_after(state, iteration);
}

static const upcall_parameter pagerank_parameters[] = {
    {"damping", "f64", "0.85", "0..=1"}, {"tolerance", "f64", "1e-6", "0.."}, {0, 0, 0, 0}};

/* ---- Weakly connected components: each vertex shows the least one that it is connected with. */

static const char *components_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    upcall_show_u64(vertex, upcall_vertex_id(vertex));
    upcall_schedule(context, upcall_vertex_id(vertex));
    return 0;
}

static uint64_t least_of(uint64_t least, upcall_neighbours neighbours) {
    for (size_t at = 0; at < neighbours.len; at++) {
        uint64_t other = upcall_shown_at_u64(neighbours, at);
        if (other < least) least = other;
    }
    return least;
}

static const char *components_update(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    uint64_t least = least_of(upcall_shown_u64(vertex), upcall_incoming(vertex));
    if (context->directed) least = least_of(least, upcall_outgoing(vertex));
    upcall_show_u64(vertex, least);
    return 0;
}

/* ---- Shortest paths (Bellman 1958, Ford 1956): each vertex shows how far it is from one of them. */

struct paths {
    uint64_t from, vertices;
};

static const char *paths_open(void *state, const upcall_open *open) {
    struct paths *paths = state;
    paths->vertices = upcall_graph_of(open).vertices;
    if (!upcall_setting(open, "from").data) return "the setting `from` is missing: give it the number of a vertex";
    const char *wrong = upcall_setting_u64(open, "from", &paths->from);
    if (!wrong && paths->from >= paths->vertices) return "the setting `from` names a vertex that the graph has not";
    return wrong;
}

static const char *paths_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    const struct paths *paths = state;
    upcall_show_f64(vertex, __builtin_inf());
    if (upcall_vertex_id(vertex) == paths->from) upcall_schedule(context, paths->from);
    return 0;
}

static const char *paths_update(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)context;
    const struct paths *paths = state;
    double known = upcall_shown_f64(vertex), shortest = known;
    if (upcall_vertex_id(vertex) == paths->from && shortest > 0) shortest = 0;
    upcall_neighbours incoming = upcall_incoming(vertex);
    for (size_t at = 0; at < incoming.len; at++) {
        double other = upcall_shown_at_f64(incoming, at) + upcall_value_at_f64(incoming, at);
        if (other < shortest) shortest = other;
    }
    if (shortest < known) upcall_show_f64(vertex, shortest);
    return 0;
}

/* The longest path without a cycle has one edge less than there are vertices: what still changes then is a cycle of negative
 * length. */
static bool paths_after(void *state, const upcall_iteration *iteration) {
    return iteration->number > ((const struct paths *)state)->vertices && iteration->scheduled;
}

static const upcall_parameter paths_parameters[] = {{"from", "u64", 0, "a vertex"}, {0, 0, 0, 0}};

/* ---- Communities by label propagation, as Graphalytics has it (CDLP): each vertex takes the label that most neighbours show. */

struct labels {
    uint64_t *some, *others; /* Room for a vertex's labels, twice. */
    size_t room;
};

static const char *labels_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    (void)context;
    upcall_show_u64(vertex, upcall_vertex_id(vertex));
    return 0;
}

/* Sorts, by merging what is sorted already; one of the two arrays has it in the end. */
static const uint64_t *sorted(uint64_t *from, uint64_t *to, size_t len) {
    for (size_t width = 1; width < len; width *= 2) {
        for (size_t begin = 0; begin < len; begin += 2 * width) {
            size_t middle = begin + width < len ? begin + width : len;
            size_t end = middle + width < len ? middle + width : len;
            size_t left = begin, right = middle;
            for (size_t at = begin; at < end; at++) {
                bool first = left < middle && (right == end || from[left] <= from[right]);
                to[at] = from[first ? left++ : right++];
            }
        }
        uint64_t *merged = to;
        to = from;
        from = merged;
    }
    return from;
}

static const char *labels_update(void *state, upcall_vertex *vertex, upcall_context *context) {
    struct labels *labels = state;
    upcall_neighbours sides[] = {upcall_incoming(vertex), upcall_outgoing(vertex)};
    size_t len = sides[0].len + (context->directed ? sides[1].len : 0);
    if (len > labels->room) {
        size_t room = 2 * len;
        *labels = (struct labels){upcall_alloc(room * sizeof(uint64_t)), upcall_alloc(room * sizeof(uint64_t)), room};
        if (!labels->some || !labels->others) return "there is no memory for the labels of a vertex's neighbours";
    }
    for (size_t at = 0; at < len; at++) {
        bool comes_in = at < sides[0].len;
        labels->some[at] = upcall_shown_at_u64(sides[!comes_in], comes_in ? at : at - sides[0].len);
    }
    const uint64_t *all = sorted(labels->some, labels->others, len);
    uint64_t before = upcall_shown_u64(vertex), label = before;
    size_t most = 0;
    for (size_t at = 0, end; at < len; at = end) {
        for (end = at; end < len && all[end] == all[at];) end++;
        if (end - at > most) {
            most = end - at;
            label = all[at];
        }
    }
    if (label != before) {
        upcall_add_residual(context, 1);
        upcall_show_u64(vertex, label);
    }
    return 0;
}

static bool labels_after(void *state, const upcall_iteration *iteration) {
    (void)state;
    return iteration->residual == 0;
}

UPCALL_HANDLERS({.name = "PageRank", .size = sizeof(struct pagerank), .open = pagerank_open, .parameters = pagerank_parameters,
                 .program = {.own = UPCALL_F64, .shown = UPCALL_F64, .start = pagerank_start,
                             .before_iteration = pagerank_before, .update = pagerank_update, .after_iteration = pagerank_after}},
                {.name = "PageRankGather", .size = sizeof(struct pagerank), .open = pagerank_open,
                 .parameters = pagerank_parameters,
                 .program = {.own = UPCALL_F64, .shown = UPCALL_F64, .gather = UPCALL_SUM, .start = pagerank_start,
                             .before_iteration = pagerank_before, .apply = pagerank_apply, .after_iteration = pagerank_after}},
                {.name = "PageRankEdges", .size = sizeof(struct pagerank), .open = pagerank_open, .parameters = pagerank_parameters,
                 .program = {.own = UPCALL_F64, .shown = UPCALL_F64, .edge = UPCALL_F64, .writes = true, .start = edges_start,
                             .before_iteration = pagerank_before, .update = edges_update, .after_iteration = edges_after}},
                {.name = "Components", .program = {.shown = UPCALL_U64, .outgoing = true, .selective = true,
                                                   .start = components_start, .update = components_update}},
                {.name = "ShortestPaths", .size = sizeof(struct paths), .open = paths_open, .parameters = paths_parameters,
                 .program = {.shown = UPCALL_F64, .edge = UPCALL_F64, .selective = true, .start = paths_start,
                             .update = paths_update, .after_iteration = paths_after}},
                {.name = "Labels", .size = sizeof(struct labels), .program = {.shown = UPCALL_U64, .outgoing = true,
                 .start = labels_start, .update = labels_update, .after_iteration = labels_after}})
