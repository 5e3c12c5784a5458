/* A graph in memory, and a vertex program run over it as an engine does: by frames, in iterations. */
#ifndef UPCALL_TESTING_GRAPH_H
#define UPCALL_TESTING_GRAPH_H

#include "harness.h"

/* Vertices of a block, and of a frame. */
enum { UPCALL_BLOCK_ = 1024, UPCALL_WINDOW_ = 2 * UPCALL_BLOCK_ };

/* An edge as one direction has it. */
typedef struct {
    uint64_t vertex, other, place; /* Of its value. */
    double value;
} upcall_arc_;

typedef struct {
    upcall_arc_ *arcs; /* By vertex, and then by the other end. */
    size_t len;
    size_t *begins; /* One more than there are vertices. */
} upcall_direction_;

/* A program that is being run. */
typedef struct {
    struct upcall_bench_ *bench;
    const upcall_program *program;
    const upcall_edge_list *graph;
    upcall_direction_ incoming, outgoing;
    const upcall_direction_ *placed; /* The one whose edges' values are in the order of the other's; null where they are one. */
    size_t own_size, shown_size;
    char *own, *shown, *next; /* Of each vertex. */
    void *values;             /* Of edges, as incoming ones are ordered, or outgoing ones where the program writes them. */
    void *next_values;        /* What they are in the next iteration, where the program writes them. */
    bool *scheduled, *wakes;  /* For this iteration, and for the next. */
    size_t *ids; /* Of a frame. */
    upcall_tally *tallies;
    upcall_tally total; /* Of what was updated last. */
    double before;      /* The total of the iteration before. */
    uint64_t iteration, pass, updated; /* In this pass. */
} upcall_running_;

static int upcall_by_ends_(const void *one, const void *other) {
    const upcall_arc_ *a = one, *b = other;
    if (a->vertex != b->vertex) return a->vertex < b->vertex ? -1 : 1;
    if (a->other != b->other) return a->other < b->other ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void upcall_sort_(upcall_direction_ *of, size_t vertices, struct upcall_bench_ *bench) {
    qsort(of->arcs, of->len, sizeof *of->arcs, upcall_by_ends_);
    of->begins = upcall_keep_(&bench->run, (vertices + 1) * sizeof *of->begins);
    for (size_t at = 0; at < of->len; at++) of->begins[of->arcs[at].vertex + 1]++;
    for (size_t at = 0; at < vertices; at++) of->begins[at + 1] += of->begins[at];
}

/* What a number is as another type. */
static void upcall_write_as_(upcall_number type, double value, void *to) {
    switch (type) {
    case UPCALL_F32: *(float *)to = (float)value; break;
    case UPCALL_F64: *(double *)to = value; break;
    case UPCALL_I32: *(int32_t *)to = (int32_t)value; break;
    case UPCALL_I64: *(int64_t *)to = (int64_t)value; break;
    case UPCALL_U32: *(uint32_t *)to = (uint32_t)value; break;
    case UPCALL_U64: *(uint64_t *)to = (uint64_t)value; break;
    case UPCALL_NONE: break;
    }
}

static double upcall_read_as_(upcall_number type, const void *from) {
    switch (type) {
    case UPCALL_F32: return (double)*(const float *)from;
    case UPCALL_F64: return *(const double *)from;
    case UPCALL_I32: return (double)*(const int32_t *)from;
    case UPCALL_I64: return (double)*(const int64_t *)from;
    case UPCALL_U32: return (double)*(const uint32_t *)from;
    case UPCALL_U64: return (double)*(const uint64_t *)from;
    case UPCALL_NONE: break;
    }
    return 0;
}

/* Whether one is less than the other, both of a type. */
static bool upcall_less_(upcall_number type, const void *one, const void *other) {
    if (type == UPCALL_I64) return *(const int64_t *)one < *(const int64_t *)other;
    if (type == UPCALL_U64) return *(const uint64_t *)one < *(const uint64_t *)other;
    return upcall_read_as_(type, one) < upcall_read_as_(type, other);
}

/* The least number of a type, or the largest: of no neighbours. */
static void upcall_end_of_(upcall_number type, bool largest, void *to) {
    switch (type) {
    case UPCALL_F32: *(float *)to = largest ? __builtin_inff() : -__builtin_inff(); break;
    case UPCALL_F64: *(double *)to = largest ? __builtin_inf() : -__builtin_inf(); break;
    case UPCALL_I32: *(int32_t *)to = largest ? INT32_MAX : INT32_MIN; break;
    case UPCALL_I64: *(int64_t *)to = largest ? INT64_MAX : INT64_MIN; break;
    case UPCALL_U32: *(uint32_t *)to = largest ? UINT32_MAX : 0; break;
    case UPCALL_U64: *(uint64_t *)to = largest ? UINT64_MAX : 0; break;
    case UPCALL_NONE: break;
    }
}

/* Both directions of the graph, and the values of its edges. */
static void upcall_graph_made_(upcall_running_ *run) {
    const upcall_edge_list *graph = run->graph;
    struct upcall_bench_ *bench = run->bench;
    size_t len = (size_t)upcall_edges_of_(graph), size = upcall_number_sizes_[run->program->edge];
    bool writes = run->program->writes;
    /* The one in whose order values are. */
    upcall_direction_ *own = writes ? &run->outgoing : &run->incoming, *other = writes ? &run->incoming : &run->outgoing;
    own->arcs = upcall_keep_(&bench->run, len * sizeof *own->arcs);
    for (size_t at = 0; at < graph->len; at++) {
        const upcall_edge *edge = &graph->edges[at];
        upcall_arc_ in = {edge->to, edge->from, at, edge->value}, out = {edge->from, edge->to, at, edge->value};
        own->arcs[own->len++] = writes ? out : in;
        if (graph->undirected && edge->from != edge->to) own->arcs[own->len++] = writes ? in : out;
    }
    upcall_sort_(own, graph->vertices, bench);
    run->values = upcall_keep_(&bench->run, len * size);
    for (size_t at = 0; at < len; at++) {
        own->arcs[at].place = at;
        upcall_write_as_(run->program->edge, own->arcs[at].value, (char *)run->values + at * size);
    }
    if (writes) run->next_values = upcall_keep_(&bench->run, len * size);
    *other = *own;
    /* The same, unless each direction has a value of its own. */
    if (graph->undirected && !writes) return;
    run->placed = other;
    other->arcs = upcall_keep_(&bench->run, len * sizeof *other->arcs);
    for (size_t at = 0; at < len; at++) {
        const upcall_arc_ *arc = &own->arcs[at];
        other->arcs[at] = (upcall_arc_){arc->other, arc->vertex, arc->place, arc->value};
    }
    upcall_sort_(other, graph->vertices, bench);
}

/* Room for elements in a frame. Each is junk, as in memory that was used before. */
static void *upcall_room_(struct upcall_bench_ *bench, upcall_rel_ *rel, size_t count, size_t size, bool bytes) {
    void *room = upcall_keep_(&bench->call, count * size);
    memset(room, 0xa5, count * size);
    *rel = (upcall_rel_){(uintptr_t)room, bytes ? count * size : count};
    return room;
}

/* The edges of some vertices, and what their other ends show, behind what is there; or only how many each has. */
static void upcall_edges_to_(const upcall_running_ *run, const upcall_direction_ *from, const size_t *ids, size_t count,
                             upcall_edges_ *to, char *shown, uint32_t *shown_len, bool counted) {
    struct upcall_bench_ *bench = run->bench;
    uint64_t *begins = upcall_room_(bench, &to->begins, count, sizeof *begins, false);
    uint64_t *ends = upcall_room_(bench, &to->ends, count, sizeof *ends, false);
    size_t len = 0;
    for (size_t at = 0; at < count; at++) {
        begins[at] = len;
        ends[at] = len += from->begins[ids[at] + 1] - from->begins[ids[at]];
    }
    if (counted) return;
    /* An engine's frames have places. Where they cross into WebAssembly values are put side by side: a program is handed both. */
    bool valued = run->program->edge, places = from == run->placed && run->iteration % 2 == 0;
    size_t size = upcall_number_sizes_[run->program->edge];
    uint32_t *others = upcall_room_(bench, &to->ids, len, sizeof *others, false);
    uint32_t *places_of_shown = upcall_room_(bench, &to->at, len, sizeof *places_of_shown, false);
    uint64_t *places_of_values = 0;
    char *values = 0;
    if (valued && places) {
        to->values = upcall_lend_(bench, (upcall_bytes){run->values, run->incoming.len * size});
        places_of_values = upcall_room_(bench, &to->places, len, sizeof *places_of_values, false);
    } else if (valued) {
        values = upcall_room_(bench, &to->values, len, size, true);
    }
    size_t edge = 0;
    for (size_t at = 0; at < count; at++)
        for (size_t arc = from->begins[ids[at]]; arc < from->begins[ids[at] + 1]; arc++, edge++) {
            others[edge] = (uint32_t)from->arcs[arc].other;
            places_of_shown[edge] = *shown_len;
            memcpy(shown + *shown_len * run->shown_size, run->shown + from->arcs[arc].other * run->shown_size, run->shown_size);
            ++*shown_len;
            if (places_of_values) places_of_values[edge] = from->arcs[arc].place;
            else if (values) memcpy(values + edge * size, (char *)run->values + from->arcs[arc].place * size, size);
        }
}

/* What a vertex's incoming neighbours come to. */
static void upcall_gathered_to_(const upcall_running_ *run, size_t id, void *to) {
    upcall_number type = run->program->shown;
    upcall_gather gather = run->program->gather;
    double sum = 0;
    upcall_end_of_(type, gather == UPCALL_MIN, to);
    for (size_t arc = run->incoming.begins[id]; arc < run->incoming.begins[id + 1]; arc++) {
        const char *other = run->shown + run->incoming.arcs[arc].other * run->shown_size;
        if (gather == UPCALL_SUM) sum += upcall_read_as_(type, other);
        else if (gather == UPCALL_COUNT) sum++;
        else if (gather == UPCALL_MIN ? upcall_less_(type, other, to) : upcall_less_(type, to, other))
            memcpy(to, other, run->shown_size);
    }
    if (gather == UPCALL_SUM || gather == UPCALL_COUNT) *(double *)to = sum;
}

/* Wakes those that see what a vertex shows. */
static void upcall_wake_(upcall_running_ *run, size_t id) {
    const upcall_direction_ *out = &run->outgoing, *in = &run->incoming;
    for (size_t arc = out->begins[id]; arc < out->begins[id + 1]; arc++) run->wakes[out->arcs[arc].other] = true;
    if (!run->program->outgoing) return;
    for (size_t arc = in->begins[id]; arc < in->begins[id + 1]; arc++) run->wakes[in->arcs[arc].other] = true;
}

/* Gives a frame the values that outgoing edges have next. */
static char *upcall_values_to_(const upcall_running_ *run, const size_t *ids, size_t count, upcall_rel_ *to) {
    const upcall_direction_ *out = &run->outgoing;
    size_t size = upcall_number_sizes_[run->program->edge], len = 0;
    for (size_t at = 0; at < count; at++) len += out->begins[ids[at] + 1] - out->begins[ids[at]];
    char *values = upcall_room_(run->bench, to, len, size, true), *value = values;
    for (size_t at = 0; at < count; at++)
        for (size_t arc = out->begins[ids[at]]; arc < out->begins[ids[at] + 1]; arc++, value += size)
            memcpy(value, (char *)run->values + out->arcs[arc].place * size, size);
    return values;
}

/* Takes them from there, and wakes those at the other ends that see a change. */
static void upcall_values_from_(upcall_running_ *run, const size_t *ids, size_t count, const char *value) {
    const upcall_direction_ *out = &run->outgoing;
    size_t size = upcall_number_sizes_[run->program->edge];
    for (size_t at = 0; at < count; at++)
        for (size_t arc = out->begins[ids[at]]; arc < out->begins[ids[at] + 1]; arc++, value += size) {
            size_t place = out->arcs[arc].place * size;
            memcpy((char *)run->next_values + place, value, size);
            if (memcmp((char *)run->values + place, value, size)) run->wakes[out->arcs[arc].other] = true;
        }
}

/* Hands over some vertices of a window, each of which is at `ids`. */
static const upcall_failed *upcall_window_(upcall_running_ *run, uint32_t phase, size_t first, const size_t *ids, size_t count) {
    struct upcall_bench_ *bench = run->bench;
    const upcall_program *program = run->program;
    bool starts = phase == UPCALL_START, writes = program->writes && !starts;
    size_t own_size = run->own_size, shown_size = run->shown_size, edges = 0;
    upcall_vertex_frame_ frame = {.head = upcall_head_of_(bench, UPCALL_VERTEX, sizeof frame), .phase = phase, .block = UPCALL_BLOCK_};
    frame.iteration = run->iteration;
    frame.total = run->before;
    frame.interval_end = starts ? 0 : run->graph->vertices;
    frame.pass = run->pass;
    frame.first = first;
    frame.count = count;
    uint32_t *numbers = 0;
    if (count && ids[count - 1] - first != count - 1) numbers = upcall_room_(bench, &frame.ids, count, sizeof *numbers, false);
    char *own = upcall_room_(bench, &frame.own, count, own_size, true);
    char *next = upcall_room_(bench, &frame.next, count, shown_size, true), *before = 0;
    if (!starts) before = upcall_room_(bench, &frame.before, count, shown_size, true);
    uint32_t *out_degrees = upcall_room_(bench, &frame.out_degrees, count, sizeof *out_degrees, false);
    for (size_t at = 0; at < count; at++) {
        size_t id = ids[at];
        if (numbers) numbers[at] = (uint32_t)id;
        out_degrees[at] = (uint32_t)(run->outgoing.begins[id + 1] - run->outgoing.begins[id]);
        edges += out_degrees[at] + run->incoming.begins[id + 1] - run->incoming.begins[id];
        if (starts) continue;
        memcpy(own + at * own_size, run->own + id * own_size, own_size);
        memcpy(before + at * shown_size, run->shown + id * shown_size, shown_size);
        memcpy(next + at * shown_size, run->shown + id * shown_size, shown_size);
    }
    uint32_t shown_len = 0;
    char *shown = upcall_room_(bench, &frame.shown, starts ? 0 : edges, shown_size, true);
    bool counted = starts || program->apply;
    upcall_edges_to_(run, &run->incoming, ids, count, &frame.incoming, shown, &shown_len, counted);
    char *values = writes ? upcall_values_to_(run, ids, count, &frame.next_values) : 0;
    if (program->outgoing || program->writes) upcall_edges_to_(run, &run->outgoing, ids, count, &frame.outgoing, shown, &shown_len, starts);
    if (!starts && program->apply) {
        size_t size = upcall_number_sizes_[upcall_gathers_(program)];
        char *gathered = upcall_room_(bench, &frame.gathered, count, size, true);
        for (size_t at = 0; at < count; at++) upcall_gathered_to_(run, ids[at], gathered + at * size);
    }
    size_t blocks = count ? (ids[count - 1] - first) / UPCALL_BLOCK_ + 1 : 0;
    upcall_tally *tallies = upcall_room_(bench, &frame.tallies, blocks, sizeof *tallies, false);
    memset(tallies, 0, blocks * sizeof *tallies);
    /* As many as there are, and no more: whoever is scheduled twice is dropped once. */
    uint32_t *woken = upcall_room_(bench, &frame.woken, program->selective ? run->graph->vertices : 0, sizeof *woken, false);
    int32_t status = upcall_enter_(bench, &frame.head, 0);
    if (status == UPCALL_OK) {
        memcpy(run->tallies + first / UPCALL_BLOCK_, tallies, blocks * sizeof *tallies);
        for (size_t at = 0; at < count; at++) {
            memcpy(run->own + ids[at] * own_size, own + at * own_size, own_size);
            memcpy(run->next + ids[at] * shown_size, next + at * shown_size, shown_size);
            if (!starts && memcmp(next + at * shown_size, before + at * shown_size, shown_size)) upcall_wake_(run, ids[at]);
        }
        for (uint64_t at = 0; at < frame.wakes; at++) run->wakes[woken[at]] = true;
        if (writes) upcall_values_from_(run, ids, count, values);
    }
    size_t item = status != UPCALL_OK && frame.head.error.item < count ? ids[frame.head.error.item] : UPCALL_NO_ITEM;
    run->updated += count;
    const upcall_failed *failed = upcall_ended_(bench, status, &frame.head, 0, UPCALL_NO_ITEM);
    if (failed) bench->failed.item = item;
    return failed;
}

/* Hands over all vertices that are scheduled, or all that there are. */
static const upcall_failed *upcall_pass_(upcall_running_ *run, uint32_t phase) {
    size_t vertices = run->graph->vertices;
    size_t blocks = (vertices + UPCALL_BLOCK_ - 1) / UPCALL_BLOCK_;
    memset(run->tallies, 0, blocks * sizeof *run->tallies);
    memcpy(run->next, run->shown, vertices * run->shown_size);
    memset(run->wakes, 0, vertices * sizeof *run->wakes);
    bool writes = run->program->writes && phase == UPCALL_UPDATE;
    size_t edges = run->incoming.len * upcall_number_sizes_[run->program->edge];
    if (writes && edges) memcpy(run->next_values, run->values, edges);
    run->updated = 0;
    size_t *ids = run->ids;
    for (size_t first = 0; first < vertices; first += UPCALL_WINDOW_) {
        size_t count = 0;
        for (size_t id = first; id < vertices && id < first + UPCALL_WINDOW_; id++)
            if (phase == UPCALL_START || !run->program->selective || run->scheduled[id]) ids[count++] = id;
        const upcall_failed *failed = count ? upcall_window_(run, phase, first, ids, count) : 0;
        if (failed) return failed;
    }
    run->total = (upcall_tally){0, 0};
    for (size_t at = 0; at < blocks; at++) {
        run->total.residual += run->tallies[at].residual;
        run->total.total += run->tallies[at].total;
    }
    if (writes) {
        void *values = run->next_values;
        run->next_values = run->values;
        run->values = values;
    }
    char *shown = run->next;
    run->next = run->shown;
    run->shown = shown;
    bool *scheduled = run->wakes;
    run->wakes = run->scheduled;
    run->scheduled = scheduled;
    return 0;
}

/* How many vertices are updated next. */
static size_t upcall_scheduled_(const upcall_running_ *run) {
    if (!run->program->selective) return run->graph->vertices;
    size_t count = 0;
    for (size_t id = 0; id < run->graph->vertices; id++) count += run->scheduled[id];
    return count;
}

/* Tells the program of what has ended; `ended` is what it says of it. */
static const upcall_failed *upcall_told_(upcall_running_ *run, upcall_vertex_frame_ *frame, bool *ended) {
    frame->head = upcall_head_of_(run->bench, UPCALL_VERTEX, sizeof *frame);
    frame->block = UPCALL_BLOCK_;
    frame->iteration = run->iteration;
    frame->total = run->total.total;
    frame->residual = run->total.residual;
    int32_t status = upcall_enter_(run->bench, &frame->head, 0);
    *ended = frame->ended;
    return upcall_ended_(run->bench, status, &frame->head, 0, UPCALL_NO_ITEM);
}

/* Updates all vertices that are scheduled, as often as the program wants it; `updated` is how many there were. */
static const upcall_failed *upcall_passes_(upcall_running_ *run, uint64_t *updated) {
    bool again = true;
    run->before = run->total.total;
    for (run->pass = 0; again; run->pass++) {
        const upcall_failed *failed = upcall_pass_(run, UPCALL_UPDATE);
        if (failed) return failed;
        *updated += run->updated;
        upcall_vertex_frame_ frame = {.phase = UPCALL_INTERVAL, .updated = run->updated, .pass = run->pass};
        frame.interval_end = run->graph->vertices;
        failed = upcall_told_(run, &frame, &again);
        if (failed) return failed;
        if (again && run->program->writes) {
            const char *why = "it writes values of edges, which are seen in the next iteration: its updates are not repeated";
            run->bench->failed = (upcall_failed){"driver", why, 0, UPCALL_NO_ITEM};
            return &run->bench->failed;
        }
        /* What was scheduled for the next iteration is updated in this one. */
        again = again && upcall_scheduled_(run);
    }
    return 0;
}

static const upcall_failed *upcall_iterated_(upcall_running_ *run) {
    uint64_t most = run->graph->iterations ? run->graph->iterations : UINT64_MAX;
    const upcall_failed *failed = upcall_pass_(run, UPCALL_START);
    bool ended = false;
    while (!failed && !ended && run->iteration < most && upcall_scheduled_(run)) {
        upcall_vertex_frame_ after = {.phase = UPCALL_AFTER};
        failed = upcall_passes_(run, &after.updated);
        if (failed) break;
        after.scheduled = upcall_scheduled_(run);
        failed = upcall_told_(run, &after, &ended);
        run->iteration++;
    }
    return failed;
}

UPCALL_STATIC const upcall_failed *upcall_harness_run(upcall_harness *harness, const upcall_edge_list *graph, void *own, void *shown) {
    struct upcall_bench_ *bench = harness->bench;
    for (size_t at = 0; at < graph->len; at++)
        if (graph->edges[at].from >= graph->vertices || graph->edges[at].to >= graph->vertices)
            upcall_misused_("an edge of the graph leads to or from a vertex that it has not", "");
    if (graph->vertices > UINT32_MAX) upcall_misused_("the graph has more than 2^32 vertices", "");
    upcall_closed_(bench);
    bench->graph = graph;
    harness->iterations = 0;
    upcall_drop_(&bench->edges);
    harness->edges = 0;
    harness->edges_len = 0;
    const upcall_failed *failed = upcall_opened_(bench);
    if (failed) return failed;
    const upcall_program *program = &UPCALL_AT_(upcall_instance_, bench->instance)->handler->program;
    if (!program->shown) upcall_misused_("the handler is no vertex program: ", bench->handler);
    upcall_running_ run = {.bench = bench, .program = program, .graph = graph};
    size_t vertices = graph->vertices;
    run.own_size = upcall_number_sizes_[program->own];
    run.shown_size = upcall_number_sizes_[program->shown];
    run.own = upcall_keep_(&bench->run, vertices * run.own_size);
    run.shown = upcall_keep_(&bench->run, vertices * run.shown_size);
    run.next = upcall_keep_(&bench->run, vertices * run.shown_size);
    run.scheduled = upcall_keep_(&bench->run, vertices);
    run.wakes = upcall_keep_(&bench->run, vertices);
    run.tallies = upcall_keep_(&bench->run, (vertices / UPCALL_BLOCK_ + 1) * sizeof *run.tallies);
    run.ids = upcall_keep_(&bench->run, UPCALL_WINDOW_ * sizeof *run.ids);
    upcall_graph_made_(&run);
    failed = upcall_iterated_(&run);
    harness->iterations = run.iteration;
    if (own) memcpy(own, run.own, vertices * run.own_size);
    if (shown) memcpy(shown, run.shown, vertices * run.shown_size);
    if (program->writes) {
        size_t size = upcall_number_sizes_[program->edge];
        size_t len = run.incoming.len;
        char *values = upcall_keep_(&bench->run, len * size);
        for (size_t at = 0; at < len; at++)
            memcpy(values + at * size, (char *)run.values + run.incoming.arcs[at].place * size, size);
        harness->edges = upcall_copy_(&bench->edges, (upcall_bytes){values, len * size}).data;
        harness->edges_len = len;
    }
    upcall_drop_(&bench->run);
    return failed;
}

#endif
