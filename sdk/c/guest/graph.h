/* Frames of vertices: from one to the functions of a vertex program and back. */
#ifndef UPCALL_GUEST_GRAPH_H
#define UPCALL_GUEST_GRAPH_H

#include "emit.h"
#include "failure.h"
#include "open.h"
#include "vertex.h"

static const char *const upcall_gather_names_[] = {0, "sum", "min", "max", "count"};

/* Whether a handler is a vertex program: it says anything of one. */
static bool upcall_has_program_(const upcall_handler *handler) {
    const upcall_program *program = &handler->program;
    return program->own || program->shown || program->edge || program->outgoing || program->writes || program->selective ||
           program->gather || program->start || program->before_iteration || program->update || program->apply || program->interval ||
           program->before_interval || program->after_interval || program->repeat_updates || program->after_iteration;
}

/* What is wrong with a vertex program as it was written. */
static const char *upcall_program_flaw_(const upcall_program *program) {
    if ((unsigned)program->own > UPCALL_U64 || (unsigned)program->shown > UPCALL_U64 || (unsigned)program->edge > UPCALL_U64)
        return "a value of its vertices is of an unknown type: declare UPCALL_F32, UPCALL_F64, UPCALL_I32, UPCALL_I64, UPCALL_U32 "
               "or UPCALL_U64";
    if ((unsigned)program->gather > UPCALL_COUNT)
        return "it gathers by an unknown operation: declare UPCALL_SUM, UPCALL_MIN, UPCALL_MAX or UPCALL_COUNT";
    if (!program->shown) return "its vertices show nothing: declare the type of what they show, `.shown = UPCALL_F64`";
    if (program->writes && !program->edge) return "it writes values of edges: declare their type as edge, `.edge = UPCALL_F64`";
    int forms = !!program->update + !!program->apply + !!program->interval;
    if (!forms) return "it has none of update, apply and interval: write one";
    if (forms > 1) return "it has more than one of update, apply and interval: leave one";
    if (program->apply && !program->gather)
        return "it has `.apply`, and does not say how neighbours are gathered: declare `.gather = UPCALL_SUM`, UPCALL_MIN, UPCALL_MAX "
               "or UPCALL_COUNT";
    if (program->gather && !program->apply) return "it declares `.gather`, and does not take what is gathered: write apply";
    return 0;
}

/* What neighbours that are gathered come to. */
static upcall_number upcall_gathers_(const upcall_program *program) {
    if (program->gather == UPCALL_MIN || program->gather == UPCALL_MAX) return program->shown;
    return program->gather ? UPCALL_F64 : UPCALL_NONE;
}

/* What a vertex program says of itself behind its kind. */
static void upcall_describe_program_(const upcall_program *program, upcall_emit *emit) {
    upcall_bytes none = {0, 0};
    const char *form = program->update ? "vertex" : program->apply ? "gather" : "interval";
    upcall_put_to(emit, UPCALL_ABOUT_FORM, upcall_text(form), none);
    const char *const names[] = {"own", "shown", "edge"};
    const upcall_number types[] = {program->own, program->shown, program->edge};
    for (int at = 0; at < 3; at++)
        if (types[at]) upcall_put_to(emit, UPCALL_ABOUT_VALUE, upcall_text(names[at]), upcall_text(upcall_number_names_[types[at]]));
    if (program->outgoing) upcall_put_to(emit, UPCALL_ABOUT_NEEDS, upcall_text("outgoing"), none);
    if (program->writes) upcall_put_to(emit, UPCALL_ABOUT_NEEDS, upcall_text("writes"), none);
    if (program->selective) upcall_put_to(emit, UPCALL_ABOUT_NEEDS, upcall_text("selective"), none);
    if (program->gather) upcall_put_to(emit, UPCALL_ABOUT_GATHER, upcall_text(upcall_gather_names_[program->gather]), none);
}

static upcall_side upcall_side_(const upcall_edges_ *edges, upcall_number value) {
    upcall_side side = {0};
    if (!edges->begins.len) return side;
    side.begins = UPCALL_AT_(const uint64_t, edges->begins.at);
    side.ends = UPCALL_AT_(const uint64_t, edges->ends.at);
    side.ids = UPCALL_AT_(const uint32_t, edges->ids.at);
    side.at = UPCALL_AT_(const uint32_t, edges->at.at);
    side.values = UPCALL_AT_(const void, edges->values.at);
    side.places = edges->places.len ? UPCALL_AT_(const uint64_t, edges->places.at) : 0;
    side.len = (size_t)edges->ids.len;
    side.values_len = value ? (size_t)edges->values.len / upcall_number_sizes_[value] : 0;
    return side;
}

/* The values that outgoing edges have next; a frame that is too short for them has none. */
static upcall_rel_ upcall_next_values_(const upcall_vertex_frame_ *frame) {
    return UPCALL_REACHES_(frame, next_values) ? frame->next_values : (upcall_rel_){0, 0};
}

/* Whether there is one for each outgoing edge of the vertices of a frame. */
static bool upcall_writable_(const upcall_vertex_frame_ *frame, upcall_number value) {
    const uint64_t *begins = UPCALL_AT_(const uint64_t, frame->outgoing.begins.at);
    const uint64_t *ends = UPCALL_AT_(const uint64_t, frame->outgoing.ends.at);
    uint64_t edges = 0;
    for (uint64_t at = 0; at < frame->count; at++) {
        if (begins[at] > ends[at] || ends[at] > frame->outgoing.ids.len) return false;
        edges += ends[at] - begins[at];
    }
    return edges <= upcall_next_values_(frame).len / upcall_number_sizes_[value];
}

/* Whether the arrays of a frame are as many elements as it says. */
static bool upcall_whole_(const upcall_vertex_frame_ *frame, const upcall_program *program, bool directed) {
    uint64_t count = frame->count;
    size_t own = upcall_number_sizes_[program->own], shown = upcall_number_sizes_[program->shown];
    bool starts = frame->phase == UPCALL_START;
    if (frame->own.len != count * own || frame->next.len != count * shown || frame->out_degrees.len != count) return false;
    if (!starts && frame->before.len != count * shown) return false;
    if (frame->ids.len && frame->ids.len != count) return false;
    const upcall_edges_ *sides[] = {&frame->incoming, &frame->outgoing};
    for (int at = 0; at < 2; at++) {
        const upcall_edges_ *side = sides[at];
        /* Where edges have no direction, those that go out are the same, unless each direction has a value of its own. */
        bool wanted = at ? !starts && (program->writes || (program->outgoing && directed)) : !program->apply;
        if (side->ends.len != side->begins.len || side->at.len != side->ids.len) return false;
        if (side->begins.len != count && (wanted || side->begins.len)) return false;
        if (program->edge && side->ids.len && side->places.len != side->ids.len &&
            (side->places.len || side->values.len < side->ids.len * upcall_number_sizes_[program->edge]))
            return false;
    }
    if (program->writes && !starts && !upcall_writable_(frame, program->edge)) return false;
    if (program->apply && !starts && frame->gathered.len != count * upcall_number_sizes_[upcall_gathers_(program)]) return false;
    if (!frame->block || frame->block & (frame->block - 1)) return false;
    if (!count) return true;
    uint64_t last = frame->ids.len ? UPCALL_AT_(const uint32_t, frame->ids.at)[count - 1] : frame->first + count - 1;
    return last >= frame->first && (last - frame->first) / frame->block < frame->tallies.len;
}

/* What a program has done wrong, of a vertex; null where it has not. */
UPCALL_SELDOM_ const char *upcall_mistake_of_(const upcall_context *context, uint64_t id) {
    const struct upcall_mistake_ *mistake = &context->mistake;
    upcall_writer_ said = upcall_begin_();
    switch (mistake->what) {
    case UPCALL_NO_MISTAKE_: return 0;
    case UPCALL_NO_INCOMING_:
        return "look at incoming edges: the engine gives none to a program that has them gathered; use `.update` in place of `.apply`";
    case UPCALL_NO_OUTGOING_: return "look at outgoing edges: the program does not declare that; add `.outgoing = true` to it";
    case UPCALL_STARTS_:
        return "look at edges at the start: neighbours show nothing yet, and only the number of edges is known; look at them and set "
               "their values in update, not at the start";
    case UPCALL_SETS_INCOMING_: return "set the value of an incoming edge: values are set on outgoing edges, those of upcall_outgoing";
    case UPCALL_SETS_UNDECLARED_: return "set the value of an edge: the program does not declare that; add `.writes = true` to it";
    case UPCALL_OUTSIDE_: return "the edges of a vertex are not within those of the frame: the engine breaks the rules";
    case UPCALL_NO_NEIGHBOUR_:
        upcall_say_(&said, "vertex ");
        upcall_count_(&said, id);
        upcall_say_(&said, " has ");
        upcall_count_(&said, mistake->one);
        upcall_say_(&said, mistake->one == 1 ? " neighbour there, and that at " : " neighbours there, and that at ");
        upcall_count_(&said, mistake->other);
        upcall_say_(&said, " was asked for");
        break;
    case UPCALL_NO_VERTEX_:
        upcall_say_(&said, "schedule vertex ");
        upcall_count_(&said, mistake->one);
        upcall_say_(&said, ": there is none with this number; the graph has ");
        upcall_count_(&said, context->vertices);
        upcall_say_(&said, " vertices, from 0 on");
        break;
    case UPCALL_NO_ROOM_:
        upcall_say_(&said, "schedule vertex ");
        upcall_count_(&said, mistake->one);
        upcall_say_(&said, ": a call has room for ");
        upcall_count_(&said, mistake->other);
        upcall_say_(&said, " of them, and as many different ones were scheduled; schedule fewer");
        break;
    }
    return upcall_end_(&said);
}

/* Calls it for each vertex. */
static int32_t upcall_each_(upcall_instance_ *of, upcall_vertex_frame_ *frame, upcall_vertex *vertex,
                            const char *(*function)(void *state, upcall_vertex *vertex, upcall_context *context)) {
    upcall_context *context = vertex->context;
    const upcall_side *outgoing = &vertex->all.outgoing;
    bool writes = vertex->program->writes && outgoing->begins;
    for (size_t at = 0; at < vertex->all.len; at++) {
        vertex->at = at;
        vertex->id = upcall_id_of(&vertex->all, at);
        context->tally = upcall_tally_of(&vertex->all, at);
        const char *failed = function(of->state, vertex, context);
        if (!failed && context->mistake.what) failed = upcall_mistake_of_(context, vertex->id);
        if (failed) return upcall_fail_(&frame->head, (uint32_t)at, failed);
        if (writes) vertex->behind += (size_t)(outgoing->ends[at] - outgoing->begins[at]);
    }
    return UPCALL_OK;
}

static upcall_interval upcall_interval_of_(const upcall_vertex_frame_ *frame) {
    upcall_interval interval = {.iteration = frame->iteration, .pass = frame->pass};
    interval.first = frame->interval_first;
    interval.end = frame->interval_end;
    if (frame->phase != UPCALL_INTERVAL) return interval;
    interval.updated = frame->updated;
    interval.residual = frame->residual;
    interval.total = frame->total;
    return interval;
}

/* An interval was updated. */
static int32_t upcall_after_interval_(upcall_instance_ *of, upcall_vertex_frame_ *frame) {
    const upcall_program *program = &of->handler->program;
    if (!UPCALL_REACHES_(frame, pass))
        return upcall_fail_(&frame->head, UPCALL_NO_ITEM, "a frame about an interval does not say which: the engine breaks the rules");
    upcall_interval interval = upcall_interval_of_(frame);
    const char *failed = program->after_interval ? program->after_interval(of->state, &interval) : 0;
    if (failed) return upcall_fail_(&frame->head, UPCALL_NO_ITEM, failed);
    frame->ended = program->repeat_updates && program->repeat_updates(of->state, &interval);
    return UPCALL_OK;
}

/* Vertices are updated next: tells the program of the iteration and of the interval, where it was not told. Null, or why it has failed. */
static const char *upcall_before_(upcall_instance_ *of, const upcall_vertex_frame_ *frame) {
    const upcall_program *program = &of->handler->program;
    if (!of->begun) {
        const char *failed = program->before_iteration ? program->before_iteration(of->state, frame->iteration, frame->total) : 0;
        if (failed) return failed;
        of->begun = true;
        of->begun_interval = false;
    }
    if (!program->before_interval || !UPCALL_REACHES_(frame, pass)) return 0;
    if (of->begun_interval && of->interval_first == frame->interval_first && of->pass == frame->pass) return 0;
    of->begun_interval = true;
    of->interval_first = frame->interval_first;
    of->pass = frame->pass;
    upcall_interval interval = upcall_interval_of_(frame);
    return program->before_interval(of->state, &interval);
}

static int32_t upcall_vertices_(upcall_instance_ *of, upcall_vertex_frame_ *frame) {
    const upcall_program *program = &of->handler->program;
    if (!of->opened)
        return upcall_fail_(&frame->head, UPCALL_NO_ITEM, "the handler was called before OPEN, which says what graph it is");
    if (frame->phase == UPCALL_AFTER) {
        of->begun = false;
        upcall_iteration iteration = {frame->iteration, frame->updated, frame->scheduled, frame->residual, frame->total};
        frame->ended = program->after_iteration && program->after_iteration(of->state, &iteration);
        return UPCALL_OK;
    }
    if (frame->phase == UPCALL_INTERVAL) return upcall_after_interval_(of, frame);
    if (frame->phase > UPCALL_INTERVAL)
        return upcall_fail_(&frame->head, UPCALL_NO_ITEM,
                            "the frame has a phase that this handler's SDK does not know: compile it with one as new as the engine");
    if (!upcall_whole_(frame, program, of->graph.directed))
        return upcall_fail_(&frame->head, UPCALL_NO_ITEM,
                            "the frame's arrays are not as many elements as it says: the engine breaks the rules");
    bool starts = frame->phase == UPCALL_START;
    frame->wakes = 0;
    if (starts) of->begun = false;
    const char *untold = starts ? 0 : upcall_before_(of, frame);
    if (untold) return upcall_fail_(&frame->head, UPCALL_NO_ITEM, untold);
    struct upcall_waking_ waking = {UPCALL_AT_(uint32_t, frame->woken.at), &frame->wakes, frame->woken.len, program->selective};
    upcall_context context = {frame->iteration, of->graph.vertices, of->graph.edges, of->graph.directed, frame->total,
                              UPCALL_AT_(upcall_tally, frame->tallies.at), &waking, {0, 0, 0}};
    /* Where edges have no direction, these are the same. */
    const upcall_edges_ *outgoing = frame->outgoing.begins.len || of->graph.directed ? &frame->outgoing : &frame->incoming;
    upcall_vertices all = {
        .len = (size_t)frame->count,
        .first = frame->first,
        .ids = frame->ids.len ? UPCALL_AT_(const uint32_t, frame->ids.at) : 0,
        .own = UPCALL_AT_(void, frame->own.at),
        .before = UPCALL_AT_(const void, frame->before.at),
        .next = UPCALL_AT_(void, frame->next.at),
        .out_degrees = UPCALL_AT_(const uint32_t, frame->out_degrees.at),
        .shown = UPCALL_AT_(const void, frame->shown.at),
        .incoming = upcall_side_(&frame->incoming, program->edge),
        .outgoing = program->outgoing || program->writes ? upcall_side_(outgoing, program->edge) : (upcall_side){0},
        .gathered = UPCALL_AT_(const void, frame->gathered.at),
        .tallies = context.tally,
        .shift = (uint32_t)__builtin_ctz(frame->block),
    };
    if (program->writes && !starts) all.outgoing.next_values = UPCALL_AT_(void, upcall_next_values_(frame).at);
    if (!starts && program->interval) {
        const char *failed = program->interval(of->state, &all, &context);
        if (!failed) failed = upcall_mistake_of_(&context, 0);
        return failed ? upcall_fail_(&frame->head, UPCALL_NO_ITEM, failed) : UPCALL_OK;
    }
    upcall_vertex vertex = {0, 0, program, &context, all, upcall_gathers_(program), starts, 0};
    if (!starts) return upcall_each_(of, frame, &vertex, program->update ? program->update : program->apply);
    if (frame->own.len) __builtin_memset(all.own, 0, (size_t)frame->own.len);
    if (frame->next.len) __builtin_memset(all.next, 0, (size_t)frame->next.len);
    return program->start ? upcall_each_(of, frame, &vertex, program->start) : UPCALL_OK;
}

#endif
