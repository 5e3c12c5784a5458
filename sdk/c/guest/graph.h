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
    return program->own || program->shown || program->edge || program->outgoing || program->selective || program->gather ||
           program->start || program->update || program->apply || program->interval || program->after_iteration;
}

/* What is wrong with a vertex program as it was written. */
static const char *upcall_program_flaw_(const upcall_program *program) {
    if ((unsigned)program->own > UPCALL_U64 || (unsigned)program->shown > UPCALL_U64 || (unsigned)program->edge > UPCALL_U64)
        return "a value of its vertices is of an unknown type: declare UPCALL_F32, UPCALL_F64, UPCALL_I32, UPCALL_I64, UPCALL_U32 "
               "or UPCALL_U64";
    if ((unsigned)program->gather > UPCALL_COUNT)
        return "it gathers by an unknown operation: declare UPCALL_SUM, UPCALL_MIN, UPCALL_MAX or UPCALL_COUNT";
    if (!program->shown) return "its vertices show nothing: declare the type of what they show, `.shown = UPCALL_F64`";
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
        bool wanted = at ? program->outgoing && directed && !starts : !program->apply;
        if (side->ends.len != side->begins.len || side->at.len != side->ids.len) return false;
        if (side->begins.len != count && (wanted || side->begins.len)) return false;
        if (program->edge && side->ids.len && side->places.len != side->ids.len &&
            (side->places.len || side->values.len < side->ids.len * upcall_number_sizes_[program->edge]))
            return false;
    }
    if (program->apply && !starts && frame->gathered.len != count * upcall_number_sizes_[upcall_gathers_(program)]) return false;
    if (!frame->block || frame->block & (frame->block - 1)) return false;
    if (!count) return true;
    uint64_t last = frame->ids.len ? UPCALL_AT_(const uint32_t, frame->ids.at)[count - 1] : frame->first + count - 1;
    return last >= frame->first && (last - frame->first) / frame->block < frame->tallies.len;
}

/* Calls it for each vertex. */
static int32_t upcall_each_(upcall_instance_ *of, upcall_vertex_frame_ *frame, upcall_vertex *vertex,
                            const char *(*function)(void *state, upcall_vertex *vertex, upcall_context *context)) {
    upcall_context *context = vertex->context;
    for (size_t at = 0; at < vertex->all.len; at++) {
        vertex->at = at;
        vertex->id = upcall_id_of(&vertex->all, at);
        context->tally = upcall_tally_of(&vertex->all, at);
        const char *failed = function(of->state, vertex, context);
        if (!failed) failed = context->failed;
        if (failed) return upcall_fail_(&frame->head, (uint32_t)at, failed);
    }
    return UPCALL_OK;
}

static int32_t upcall_vertices_(upcall_instance_ *of, upcall_vertex_frame_ *frame) {
    const upcall_program *program = &of->handler->program;
    if (!of->opened) return upcall_fail_(&frame->head, UPCALL_NO_ITEM, "the handler was called before OPEN, which says what graph it is");
    if (frame->phase == UPCALL_AFTER) {
        upcall_iteration iteration = {frame->iteration, frame->updated, frame->scheduled, frame->residual, frame->total};
        frame->ended = program->after_iteration && program->after_iteration(of->state, &iteration);
        return UPCALL_OK;
    }
    if (frame->phase > UPCALL_AFTER)
        return upcall_fail_(&frame->head, UPCALL_NO_ITEM, "the frame has a phase that this handler's SDK does not know: compile it with one "
                                                          "as new as the engine");
    if (!upcall_whole_(frame, program, of->graph.directed))
        return upcall_fail_(&frame->head, UPCALL_NO_ITEM, "the frame's arrays are not as many elements as it says: the engine breaks the rules");
    bool starts = frame->phase == UPCALL_START;
    frame->wakes = 0;
    struct upcall_waking_ waking = {UPCALL_AT_(uint32_t, frame->woken.at), &frame->wakes, frame->woken.len, program->selective};
    upcall_context context = {frame->iteration, of->graph.vertices, of->graph.edges, of->graph.directed, frame->total,
                              UPCALL_AT_(upcall_tally, frame->tallies.at), &waking, 0};
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
        .outgoing = program->outgoing ? upcall_side_(outgoing, program->edge) : (upcall_side){0},
        .gathered = UPCALL_AT_(const void, frame->gathered.at),
        .tallies = context.tally,
        .shift = (uint32_t)__builtin_ctz(frame->block),
    };
    if (!starts && program->interval) {
        const char *failed = program->interval(of->state, &all, &context);
        if (!failed) failed = context.failed;
        return failed ? upcall_fail_(&frame->head, UPCALL_NO_ITEM, failed) : UPCALL_OK;
    }
    upcall_vertex vertex = {0, 0, program, &context, all, upcall_gathers_(program), starts};
    if (!starts) return upcall_each_(of, frame, &vertex, program->update ? program->update : program->apply);
    if (frame->own.len) __builtin_memset(all.own, 0, (size_t)frame->own.len);
    if (frame->next.len) __builtin_memset(all.next, 0, (size_t)frame->next.len);
    return program->start ? upcall_each_(of, frame, &vertex, program->start) : UPCALL_OK;
}

#endif
