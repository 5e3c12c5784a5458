/* Vertex programs of every form, and what goes wrong in them: compiled to WebAssembly for the tests of hosts, and on this machine
 * with test_vertices.c. */
#include "upcall_guest.h"

/* ---- The largest number that each vertex hears of, in every type and form. */

#define LARGEST(suffix, type, number)                                                                              \
    static const char *largest_start_##suffix(void *state, upcall_vertex *vertex, upcall_context *context) {       \
        (void)state;                                                                                               \
        upcall_show_##suffix(vertex, (type)upcall_vertex_id(vertex));                                              \
        upcall_set_own_##suffix(vertex, (type)upcall_in_degree(vertex));                                           \
        upcall_schedule(context, upcall_vertex_id(vertex));                                                        \
        return 0;                                                                                                  \
    }                                                                                                              \
    static const char *largest_update_##suffix(void *state, upcall_vertex *vertex, upcall_context *context) {      \
        (void)state;                                                                                               \
        (void)context;                                                                                             \
        upcall_neighbours incoming = upcall_incoming(vertex);                                                      \
        type largest = upcall_shown_##suffix(vertex);                                                              \
        for (size_t at = 0; at < incoming.len; at++) {                                                             \
            type other = upcall_shown_at_##suffix(incoming, at) + upcall_value_at_##suffix(incoming, at);          \
            if (other > largest) largest = other;                                                                  \
        }                                                                                                          \
        upcall_set_own_##suffix(vertex, upcall_own_##suffix(vertex) + 1);                                          \
        upcall_show_##suffix(vertex, largest);                                                                     \
        return 0;                                                                                                  \
    }                                                                                                              \
    static const char *largest_apply_##suffix(void *state, upcall_vertex *vertex, upcall_context *context) {       \
        (void)state;                                                                                               \
        (void)context;                                                                                             \
        type before = upcall_shown_##suffix(vertex), other = upcall_gathered_##suffix(vertex);                     \
        if (upcall_in_degree(vertex) != (uint64_t)upcall_own_##suffix(vertex)) return "it has other edges";        \
        upcall_show_##suffix(vertex, other > before ? other : before);                                             \
        return 0;                                                                                                  \
    }
LARGEST(f32, float, UPCALL_F32)
LARGEST(f64, double, UPCALL_F64)
LARGEST(i32, int32_t, UPCALL_I32)
LARGEST(i64, int64_t, UPCALL_I64)
LARGEST(u32, uint32_t, UPCALL_U32)
LARGEST(u64, uint64_t, UPCALL_U64)

#define LARGEST_OF(suffix, number)                                                                                   \
    {.name = "largest " #suffix, .program = {.own = number, .shown = number, .edge = number, .selective = true,      \
                                             .start = largest_start_##suffix, .update = largest_update_##suffix}},   \
    {.name = "gathered " #suffix, .program = {.own = number, .shown = number, .gather = UPCALL_MAX,                  \
                                              .start = largest_start_##suffix, .apply = largest_apply_##suffix}}

/* The sum of what neighbours show, of all vertices of a call at once; each adds its number to the total, and 1 to the residual. */
static const char *sums(void *state, const upcall_vertices *vertices, upcall_context *context) {
    (void)state;
    const double *shown = vertices->shown;
    double *next = vertices->next;
    for (size_t at = 0; at < vertices->len; at++) {
        double sum = 0;
        for (uint64_t edge = vertices->incoming.begins[at]; edge < vertices->incoming.ends[at]; edge++)
            sum += shown[vertices->incoming.at[edge]];
        next[at] = sum;
        upcall_tally_of(vertices, at)->total += (double)upcall_id_of(vertices, at);
    }
    upcall_add_residual(context, 1);
    return 0;
}

static const char *degree_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    (void)context;
    upcall_show_f64(vertex, upcall_out_degree(vertex));
    return 0;
}

/* ---- What an iteration has come to. */

struct told {
    uint64_t last;
};

static const char *told_open(void *state, const upcall_open *open) {
    upcall_graph graph = upcall_graph_of(open);
    if (graph.vertices != 5 || graph.edges != 6 || !graph.directed) return "that is another graph";
    ((struct told *)state)->last = 1;
    return upcall_setting_u64(open, "last", &((struct told *)state)->last);
}

static const char *told_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    upcall_add_total(context, 1);
    upcall_show_f64(vertex, upcall_shown_f64(vertex) - 1);
    return 0;
}

static const char *told_update(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    upcall_add_residual(context, 0.5);
    upcall_add_total(context, (double)upcall_vertex_id(vertex));
    upcall_show_f64(vertex, context->total);
    bool right = context->vertices == 5 && context->edges == 6 && context->directed;
    return right ? 0 : "the context is another one";
}

static bool told_after(void *state, const upcall_iteration *iteration) {
    bool right = iteration->updated == 5 && iteration->scheduled == 5 && iteration->residual == 2.5 && iteration->total == 10;
    if (!right) upcall_log(UPCALL_ERROR, upcall_text("the iteration was another one"));
    return iteration->number == ((const struct told *)state)->last;
}

/* ---- Who is scheduled: the setting `who` of vertex 0, as often as `often`; each adds one to what it shows. */

struct scheduled {
    uint64_t who, often;
};

static const char *scheduled_open(void *state, const upcall_open *open) {
    struct scheduled *of = state;
    of->often = 1;
    const char *wrong = upcall_setting_u64(open, "who", &of->who);
    return wrong ? wrong : upcall_setting_u64(open, "often", &of->often);
}

static const char *scheduled_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    struct scheduled *of = state;
    for (uint64_t at = 0; at < of->often && !upcall_vertex_id(vertex); at++) upcall_schedule(context, of->who + at % 3);
    return 0;
}

static const char *scheduled_update(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    uint32_t before = upcall_own_u32(vertex);
    upcall_set_own_u32(vertex, before + 1);
    if (upcall_vertex_id(vertex) && !before) upcall_schedule(context, upcall_vertex_id(vertex) - 1);
    return 0;
}

/* ---- Mistakes: what `mistake` says, of vertex 3. */

struct mistaken {
    uint64_t mistake;
};

static const char *mistaken_open(void *state, const upcall_open *open) {
    return upcall_setting_u64(open, "mistake", &((struct mistaken *)state)->mistake);
}

static const char *mistaken_update(void *state, upcall_vertex *vertex, upcall_context *context) {
    if (upcall_vertex_id(vertex) != 3) return 0;
    upcall_neighbours incoming = upcall_incoming(vertex);
    switch (((struct mistaken *)state)->mistake) {
    case 0: return "not this one";
    case 1: upcall_shown_at_f64(incoming, incoming.len); break;
    case 2: upcall_id_at(incoming, SIZE_MAX); break;
    case 3: upcall_value_at_f64(incoming, 0); break;
    case 4: upcall_outgoing(vertex); break;
    case 5: upcall_set_own_f64(vertex, 1); break;
    case 6: upcall_shown_u64(vertex); break;
    case 7: upcall_gathered_f64(vertex); break;
    case 8: upcall_schedule(context, context->vertices); break;
    case 9: upcall_shown_at_u32(incoming, 0); break;
    case 10: upcall_panic("no more");
    default: return 0;
    }
    /* The first is the one that is told. */
    upcall_outgoing(vertex);
    return 0;
}

static const char *looks(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    (void)context;
    upcall_incoming(vertex);
    return 0;
}

/* ---- Numbers: shows what the setting is. */

struct number {
    double of;
};

static const char *number_open(void *state, const upcall_open *open) {
    return upcall_setting_f64(open, "number", &((struct number *)state)->of);
}

static const char *number_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)context;
    upcall_show_f64(vertex, ((const struct number *)state)->of);
    return 0;
}

static const char *nothing(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    (void)vertex;
    (void)context;
    return 0;
}

/* ---- Values of edges: sets that of each to the vertex's number, ten times, and the edge's index, but for the last; adds up what it
 * is told. */

#define TELLS(suffix, type, number)                                                                                 \
    static const char *tells_##suffix(void *state, upcall_vertex *vertex, upcall_context *context) {                \
        (void)state;                                                                                                \
        (void)context;                                                                                              \
        upcall_neighbours incoming = upcall_incoming(vertex), outgoing = upcall_outgoing(vertex);                   \
        type told = upcall_own_##suffix(vertex);                                                                    \
        for (size_t at = 0; at < incoming.len; at++) told += upcall_value_at_##suffix(incoming, at);                \
        upcall_set_own_##suffix(vertex, told);                                                                      \
        for (size_t at = 0; at + 1 < outgoing.len; at++) {                                                          \
            type before = upcall_value_at_##suffix(outgoing, at);                                                   \
            upcall_set_value_at_##suffix(outgoing, at, (type)(10 * upcall_vertex_id(vertex) + at));                 \
            if (upcall_value_at_##suffix(outgoing, at) != before) return "what it sets is seen at once";            \
        }                                                                                                           \
        return 0;                                                                                                   \
    }
TELLS(f32, float, UPCALL_F32)
TELLS(f64, double, UPCALL_F64)
TELLS(i32, int32_t, UPCALL_I32)
TELLS(i64, int64_t, UPCALL_I64)
TELLS(u32, uint32_t, UPCALL_U32)
TELLS(u64, uint64_t, UPCALL_U64)

#define TELLS_OF(suffix, number)                                                                                    \
    {.name = "tells " #suffix,                                                                                      \
     .program = {.own = number, .shown = UPCALL_U32, .edge = number, .writes = true, .update = tells_##suffix}}

/* The same, of all vertices of a call. */
static const char *tells_many(void *state, const upcall_vertices *vertices, upcall_context *context) {
    (void)state;
    (void)context;
    double *own = vertices->own, *next = vertices->outgoing.next_values;
    const double *values = vertices->incoming.values;
    const upcall_side *in = &vertices->incoming, *out = &vertices->outgoing;
    if (in->next_values) return "incoming edges have values to be set";
    for (size_t at = 0; at < vertices->len; at++) {
        for (uint64_t edge = in->begins[at]; edge < in->ends[at]; edge++)
            own[at] += values[in->places ? in->places[edge] : edge];
        uint64_t degree = out->ends[at] - out->begins[at];
        for (uint64_t edge = 0; edge + 1 < degree; edge++) next[edge] = (double)(10 * upcall_id_of(vertices, at) + edge);
        next += degree;
    }
    return 0;
}

/* With its neighbours gathered, it sets the value of each edge to how many there are. */
static const char *gathered_tells(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    (void)context;
    upcall_neighbours outgoing = upcall_outgoing(vertex);
    for (size_t at = 0; at < outgoing.len; at++) upcall_set_value_at_f64(outgoing, at, upcall_gathered_f64(vertex));
    return 0;
}

/* Says over its edges how far it is from vertex 0: whoever is told another distance tells it on. */
static const char *distance_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    upcall_set_own_u32(vertex, UINT32_MAX);
    if (!upcall_vertex_id(vertex)) upcall_schedule(context, 0);
    return 0;
}

static const char *distance_update(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    upcall_neighbours incoming = upcall_incoming(vertex), outgoing = upcall_outgoing(vertex);
    uint32_t nearest = upcall_vertex_id(vertex) ? UINT32_MAX : 0;
    for (size_t at = 0; at < incoming.len; at++) {
        uint32_t told = upcall_value_at_u32(incoming, at);
        if (told && told < nearest) nearest = told;
    }
    upcall_add_residual(context, 1);
    if (nearest >= upcall_own_u32(vertex)) return 0;
    upcall_set_own_u32(vertex, nearest);
    for (size_t at = 0; at < outgoing.len; at++) upcall_set_value_at_u32(outgoing, at, nearest + 1);
    return 0;
}

/* What cannot be set: what `mistake` says, of vertex 3. */
static const char *sets_wrong(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)context;
    if (upcall_vertex_id(vertex) != 3) return 0;
    upcall_neighbours outgoing = upcall_outgoing(vertex);
    switch (((struct mistaken *)state)->mistake) {
    case 0: upcall_set_value_at_f64(outgoing, outgoing.len, 1); break;
    case 1: upcall_set_value_at_f64(upcall_incoming(vertex), 0, 1); break;
    case 2: upcall_set_value_at_u32(outgoing, 0, 1); break;
    }
    return 0;
}

static const char *sets(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    (void)context;
    upcall_set_value_at_f64(upcall_outgoing(vertex), 0, 1);
    return 0;
}

/* ---- Intervals: logs what it is told, and is updated as often as `times` says; each vertex adds up what it sees, so that it matters
 * what that is. With `fails` the hook of this number fails in the second iteration. */

struct hooked {
    uint64_t times, fails;
};

static const char *hooked_open(void *state, const upcall_open *open) {
    struct hooked *of = state;
    of->times = 1;
    const char *wrong = upcall_setting_u64(open, "times", &of->times);
    return wrong ? wrong : upcall_setting_u64(open, "fails", &of->fails);
}

static void told_interval(const char *what, const upcall_interval *interval) {
    upcall_writer_ said = upcall_begin_();
    upcall_say_(&said, what);
    const uint64_t numbers[] = {interval->iteration, interval->first, interval->end, interval->pass, interval->updated,
                                (uint64_t)interval->residual, (uint64_t)interval->total};
    for (int at = 0; at < 7; at++) {
        upcall_say_(&said, " ");
        upcall_count_(&said, numbers[at]);
    }
    upcall_log(UPCALL_INFO, upcall_text(upcall_end_(&said)));
}

static const char *hooked_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    upcall_show_u64(vertex, upcall_vertex_id(vertex));
    upcall_add_total(context, 2);
    return 0;
}

static const char *hooked_iteration(void *state, uint64_t iteration, double total) {
    (void)state;
    upcall_interval told = {.iteration = iteration, .total = total};
    told_interval("iteration", &told);
    return 0;
}

static const char *hooked_before(void *state, const upcall_interval *interval) {
    told_interval("before", interval);
    return interval->iteration && ((const struct hooked *)state)->fails == 1 ? "not before" : 0;
}

static const char *hooked_update(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    upcall_neighbours incoming = upcall_incoming(vertex);
    uint64_t sum = upcall_shown_u64(vertex);
    for (size_t at = 0; at < incoming.len; at++) sum = 31 * sum + upcall_shown_at_u64(incoming, at);
    upcall_show_u64(vertex, sum);
    /* All passes of an iteration see what the one before has come to. */
    upcall_set_own_f64(vertex, upcall_own_f64(vertex) + context->total);
    upcall_add_residual(context, 1);
    upcall_add_total(context, (double)upcall_vertex_id(vertex));
    return 0;
}

static const char *hooked_after(void *state, const upcall_interval *interval) {
    told_interval("after", interval);
    return interval->iteration && ((const struct hooked *)state)->fails == 2 ? "not after" : 0;
}

static bool hooked_repeats(void *state, const upcall_interval *interval) {
    told_interval("repeat", interval);
    if (interval->iteration && ((const struct hooked *)state)->fails == 3) upcall_panic("not again");
    return interval->pass + 1 < ((const struct hooked *)state)->times;
}

static bool hooked_ended(void *state, const upcall_iteration *iteration) {
    (void)state;
    upcall_interval told = {.iteration = iteration->number, .first = iteration->scheduled, .updated = iteration->updated,
                            .residual = iteration->residual, .total = iteration->total};
    told_interval("ended", &told);
    return false;
}

static bool always(void *state, const upcall_interval *interval) {
    (void)state;
    (void)interval;
    return true;
}

/* How many edges it is to each vertex from vertex 0: all at once, with its updates repeated. */
static const char *at_once_start(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    upcall_show_u32(vertex, UINT32_MAX);
    if (!upcall_vertex_id(vertex)) upcall_schedule(context, 0);
    return 0;
}

static const char *at_once_update(void *state, upcall_vertex *vertex, upcall_context *context) {
    (void)state;
    upcall_neighbours incoming = upcall_incoming(vertex);
    uint32_t nearest = upcall_vertex_id(vertex) ? upcall_shown_u32(vertex) : 0;
    for (size_t at = 0; at < incoming.len; at++) {
        uint32_t far = upcall_shown_at_u32(incoming, at);
        if (far < nearest) nearest = far + 1;
    }
    upcall_set_own_u32(vertex, upcall_own_u32(vertex) + 1);
    upcall_add_total(context, 1);
    upcall_show_u32(vertex, nearest);
    return 0;
}

UPCALL_HANDLERS(LARGEST_OF(f32, UPCALL_F32), LARGEST_OF(f64, UPCALL_F64), LARGEST_OF(i32, UPCALL_I32), LARGEST_OF(i64, UPCALL_I64),
                LARGEST_OF(u32, UPCALL_U32), LARGEST_OF(u64, UPCALL_U64),
                {.name = "sums", .program = {.shown = UPCALL_F64, .start = degree_start, .interval = sums}},
                {.name = "summed", .program = {.shown = UPCALL_I32, .gather = UPCALL_SUM, .apply = nothing}},
                {.name = "told", .size = sizeof(struct told), .open = told_open,
                 .program = {.shown = UPCALL_F64, .start = told_start, .update = told_update, .after_iteration = told_after}},
                {.name = "scheduled", .size = sizeof(struct scheduled), .open = scheduled_open,
                 .program = {.own = UPCALL_U32, .shown = UPCALL_U32, .selective = true, .start = scheduled_start,
                             .update = scheduled_update}},
                {.name = "mistaken", .size = sizeof(struct mistaken), .open = mistaken_open,
                 .program = {.shown = UPCALL_F64, .update = mistaken_update}},
                {.name = "looks", .program = {.shown = UPCALL_F64, .start = looks, .update = nothing}},
                {.name = "looks at what is gathered", .program = {.shown = UPCALL_F64, .gather = UPCALL_COUNT, .apply = looks}},
                {.name = "number", .size = sizeof(struct number), .open = number_open,
                 .program = {.shown = UPCALL_F64, .start = number_start, .update = nothing}},
                TELLS_OF(f32, UPCALL_F32), TELLS_OF(f64, UPCALL_F64), TELLS_OF(i32, UPCALL_I32), TELLS_OF(i64, UPCALL_I64),
                TELLS_OF(u32, UPCALL_U32), TELLS_OF(u64, UPCALL_U64),
                {.name = "tells many", .program = {.own = UPCALL_F64, .shown = UPCALL_U32, .edge = UPCALL_F64, .writes = true,
                                                   .interval = tells_many}},
                {.name = "tells what is gathered", .program = {.own = UPCALL_F64, .shown = UPCALL_U32, .edge = UPCALL_F64,
                                                               .writes = true, .gather = UPCALL_COUNT, .apply = gathered_tells}},
                {.name = "distance", .program = {.own = UPCALL_U32, .shown = UPCALL_U32, .edge = UPCALL_U32, .writes = true,
                                                 .selective = true, .start = distance_start, .update = distance_update}},
                {.name = "sets wrong", .size = sizeof(struct mistaken), .open = mistaken_open,
                 .program = {.shown = UPCALL_U32, .edge = UPCALL_F64, .writes = true, .update = sets_wrong}},
                {.name = "sets at the start", .program = {.shown = UPCALL_U32, .edge = UPCALL_F64, .writes = true, .start = sets,
                                                          .update = nothing}},
                {.name = "sets undeclared", .program = {.shown = UPCALL_U32, .edge = UPCALL_F64, .outgoing = true, .update = sets}},
                {.name = "writes untyped", .program = {.shown = UPCALL_F64, .writes = true, .update = nothing}},
                {.name = "hooked", .size = sizeof(struct hooked), .open = hooked_open,
                 .program = {.own = UPCALL_F64, .shown = UPCALL_U64, .start = hooked_start, .before_iteration = hooked_iteration,
                             .before_interval = hooked_before, .update = hooked_update, .after_interval = hooked_after,
                             .repeat_updates = hooked_repeats, .after_iteration = hooked_ended}},
                {.name = "at once", .program = {.own = UPCALL_U32, .shown = UPCALL_U32, .selective = true, .start = at_once_start,
                                                .update = at_once_update, .repeat_updates = always, .after_iteration = hooked_ended}},
                {.name = "sets again", .program = {.shown = UPCALL_U32, .edge = UPCALL_F64, .writes = true, .update = nothing,
                                                   .repeat_updates = always}},
                {.name = "shows nothing", .program = {.own = UPCALL_F64, .update = nothing}},
                {.name = "no form", .program = {.shown = UPCALL_F64}},
                {.name = "two forms", .program = {.shown = UPCALL_F64, .gather = UPCALL_SUM, .update = nothing, .apply = nothing}},
                {.name = "unknown type", .program = {.shown = (upcall_number)7, .update = nothing}},
                {.name = "not gathered", .program = {.shown = UPCALL_F64, .apply = nothing}},
                {.name = "gathers for nobody", .program = {.shown = UPCALL_F64, .gather = UPCALL_MAX, .update = nothing}})
