/* The driver: from a frame to a handler's functions and back. */
#ifndef UPCALL_GUEST_DRIVER_H
#define UPCALL_GUEST_DRIVER_H

#include "batch.h"
#include "emit.h"
#include "failure.h"
#include "graph.h"
#include "number.h"
#include "open.h"

UPCALL_EXPORT("upcall_abi") uint32_t upcall_abi_(void);
UPCALL_EXPORT("upcall_make") uintptr_t upcall_make_(uintptr_t handler, uintptr_t refusal);
UPCALL_EXPORT("upcall_call") int32_t upcall_call_(uintptr_t instance, uintptr_t address, uintptr_t out);

UPCALL_EXPORT("upcall_abi") uint32_t upcall_abi_(void) { return UPCALL_ABI; }

/* What is wrong with a handler as it was written. */
static const char *upcall_flaw_(const upcall_handler *handler) {
    bool program = upcall_has_program_(handler);
    if (!!handler->on_object + !!handler->on_batch + !!handler->combine + program > 1)
        return "it has more than one of on_object, on_batch, combine and a program: leave one";
    if (program && handler->flush) return "it is a vertex program, and so holds nothing back: leave out its flush";
    if (program) return upcall_program_flaw_(&handler->program);
    if (handler->combine && !handler->takes.size)
        return "it combines elements of no type: give it `.takes = UPCALL_BLITTABLE(\"f64\", double)`";
    if (handler->combine && handler->flush) return "it combines, and so holds nothing back: leave out its flush";
    return 0;
}

static uintptr_t upcall_refused_(upcall_refusal_ *refused, uint32_t kind, const upcall_writer_ *said) {
    refused->kind = kind;
    refused->len = said->len;
    return 0;
}

UPCALL_STATIC uintptr_t upcall_make_of_(const upcall_handler *handlers, size_t count, uintptr_t name, uintptr_t refusal) {
    upcall_bytes wanted = upcall_of_(UPCALL_AT_(upcall_name_, name)->name);
    upcall_refusal_ *refused = UPCALL_AT_(upcall_refusal_, refusal);
    upcall_writer_ said = {UPCALL_AT_(char, refused->text), 0, (size_t)refused->room};
    for (size_t at = 0; at < count; at++) {
        if (!upcall_equal(wanted, upcall_text(handlers[at].name))) continue;
        const char *flaw = upcall_flaw_(&handlers[at]);
        upcall_instance_ *made = flaw ? 0 : upcall_alloc(sizeof *made);
        if (made) *made = (upcall_instance_){.handler = &handlers[at], .state = upcall_alloc(handlers[at].size), .first = UPCALL_NO_POOL};
        if (made && made->state) return (uintptr_t)made;
        upcall_say_(&said, flaw ? flaw : "there is no memory for its state");
        return upcall_refused_(refused, UPCALL_REFUSED_CONSTRUCTOR_FAILED, &said);
    }
    upcall_say_(&said, "it exports no such handler");
    for (size_t at = 0; at < count; at++) {
        upcall_say_(&said, "\n");
        upcall_say_(&said, handlers[at].name);
    }
    return upcall_refused_(refused, UPCALL_REFUSED_HANDLER_MISSING, &said);
}

static uint32_t upcall_takes_kind_(const upcall_handler *handler) {
    return handler->combine ? UPCALL_COMBINE : upcall_has_program_(handler) ? UPCALL_VERTEX : UPCALL_FLOW;
}

/* By a kind's number, from UPCALL_FLOW on. */
static const char *const upcall_kind_names_[] = {"FLOW", "COMBINE", "VERTEX"};
static const char *const upcall_kind_numbers_[] = {"16", "17", "18"};

/* A frame of another kind than the handler's has come, or will come. */
UPCALL_SELDOM_ const char *upcall_other_kind_(const char *before, uint32_t takes, const char *behind) {
    upcall_writer_ said = upcall_begin_();
    upcall_say_(&said, before);
    upcall_say_(&said, upcall_kind_names_[takes - UPCALL_FLOW]);
    upcall_say_(&said, behind);
    return upcall_end_(&said);
}

static int32_t upcall_described_(const upcall_handler *handler, upcall_describe_ *frame) {
    upcall_instance_ of = {0};
    upcall_handler any = {0};
    of.handler = &any;
    upcall_emit emit = {&frame->out, &of, UPCALL_NO_ITEM, UPCALL_NO_ITEM, 0};
    upcall_bytes none = {0, 0};
    uint32_t kind = upcall_takes_kind_(handler);
    upcall_put_to(&emit, UPCALL_ABOUT_KIND, upcall_text(upcall_kind_names_[kind - UPCALL_FLOW]),
                  upcall_text(upcall_kind_numbers_[kind - UPCALL_FLOW]));
    if (kind == UPCALL_VERTEX) upcall_describe_program_(&handler->program, &emit);
    if (kind == UPCALL_FLOW) upcall_put_to(&emit, UPCALL_ABOUT_FORM, upcall_text(handler->on_batch ? "batch" : "object"), none);
    const upcall_type *types[] = {&handler->takes, &handler->gives};
    for (uint32_t at = 0; at < 2; at++) {
        if (!types[at]->name) continue;
        upcall_writer_ size = upcall_begin_();
        if (types[at]->size) upcall_count_(&size, types[at]->size);
        upcall_put_to(&emit, UPCALL_ABOUT_TAKES + at, upcall_text(types[at]->name), upcall_text(upcall_end_(&size)));
    }
    if (kind == UPCALL_COMBINE && handler->commutative) upcall_put_to(&emit, UPCALL_ABOUT_COMMUTATIVE, none, none);
    for (const upcall_parameter *at = handler->parameters; at && at->name; at++) {
        upcall_writer_ said = upcall_begin_();
        upcall_say_(&said, at->type ? at->type : "text");
        upcall_say_(&said, at->fallback ? "\n=" : "\n");
        upcall_say_(&said, at->fallback ? at->fallback : "");
        upcall_say_(&said, "\n");
        upcall_say_(&said, at->range ? at->range : "");
        upcall_put_to(&emit, UPCALL_ABOUT_PARAMETER, upcall_text(at->name), upcall_text(upcall_end_(&said)));
    }
    return emit.failed ? upcall_fail_(&frame->head, UPCALL_NO_ITEM, emit.failed) : UPCALL_OK;
}

/* Compares the elements that an engine combines with the handler's. */
static const char *upcall_elements_(const upcall_type *type, const upcall_open *frame) {
    const upcall_combine_open_ *added = UPCALL_AT_(const upcall_combine_open_, frame->added.at);
    upcall_bytes name = upcall_of_(added->element);
    if (upcall_equal(name, upcall_text(type->name)) && added->element_size == type->size) return 0;
    upcall_writer_ said = upcall_begin_();
    upcall_say_(&said, "the engine combines ");
    upcall_say_type_(&said, name, added->element_size);
    upcall_say_(&said, ", and the handler ");
    upcall_say_type_(&said, upcall_text(type->name), type->size);
    upcall_say_(&said, ": change one of them");
    return upcall_end_(&said);
}

static const char *upcall_opening_(upcall_instance_ *of, upcall_open *frame) {
    uint32_t kind = upcall_takes_kind_(of->handler);
    if (frame->batch != kind)
        return upcall_other_kind_("it takes ", kind, " frames, and the engine calls with others: give it another handler");
    const char *wrong = 0;
    if (kind == UPCALL_FLOW) wrong = upcall_agree_(of, frame);
    if (kind == UPCALL_COMBINE) wrong = upcall_elements_(&of->handler->takes, frame);
    if (kind == UPCALL_VERTEX) of->graph = upcall_graph_of(frame);
    if (!wrong && of->handler->open) wrong = of->handler->open(of->state, frame);
    of->opened = !wrong;
    return wrong;
}

/* What is wrong with an item's value, of a handler that takes a type. */
static const char *upcall_misfit_(const upcall_type *takes, const upcall_item_ *item) {
    if (!takes->size || item->value.len == takes->size) return 0;
    upcall_writer_ said = upcall_begin_();
    upcall_say_(&said, "read the value of ");
    upcall_add_(&said, upcall_of_(item->key));
    upcall_say_(&said, " as ");
    upcall_say_(&said, takes->name);
    upcall_say_(&said, ": it has ");
    upcall_count_(&said, item->value.len);
    upcall_say_(&said, " bytes, not ");
    upcall_count_(&said, takes->size);
    return upcall_end_(&said);
}

static int32_t upcall_objects_(upcall_instance_ *of, upcall_flow_ *frame) {
    const upcall_item_ *items = UPCALL_AT_(const upcall_item_, frame->items.at);
    upcall_emit emit = {&frame->out, of, 0, UPCALL_NO_ITEM, 0};
    for (uint32_t at = 0; at < frame->items.len; at++) {
        upcall_object object = upcall_object_of_(&items[at]);
        upcall_mark_ mark = upcall_mark_of_(&frame->out);
        emit.item = at;
        const char *failed = upcall_misfit_(&of->handler->takes, &items[at]);
        if (!failed && of->handler->on_object) failed = of->handler->on_object(of->state, &object, &emit);
        if (!failed) failed = emit.failed;
        if (failed) {
            upcall_back_to_(&frame->out, mark);
            return upcall_fail_(&frame->head, at, failed);
        }
        upcall_finish_(frame, at + 1);
    }
    return UPCALL_OK;
}

static int32_t upcall_at_once_(upcall_instance_ *of, upcall_flow_ *frame) {
    const upcall_item_ *items = UPCALL_AT_(const upcall_item_, frame->items.at);
    upcall_mark_ start = upcall_mark_of_(&frame->out);
    upcall_emit emit = {&frame->out, of, UPCALL_NO_ITEM, UPCALL_NO_ITEM, 0};
    upcall_batch batch = {(size_t)frame->items.len, frame};
    const char *failed = 0;
    for (size_t at = 0; at < batch.len && !failed; at++) failed = upcall_misfit_(&of->handler->takes, &items[at]);
    if (!failed) failed = of->handler->on_batch(of->state, &batch, &emit);
    if (!failed) failed = emit.failed;
    if (!failed) {
        upcall_done(&batch, batch.len);
        return UPCALL_OK;
    }
    /* Back to the last report. */
    for (int at = 0; at < 2; at++)
        if (frame->done && frame->progress[at].done == frame->done)
            start = (upcall_mark_){frame->progress[at].at, frame->progress[at].chunk};
    upcall_back_to_(&frame->out, start);
    return upcall_fail_(&frame->head, UPCALL_NO_ITEM, failed);
}

static int32_t upcall_combined_(upcall_instance_ *of, upcall_combine_ *frame) {
    const upcall_type *type = &of->handler->takes;
    uint64_t bytes = frame->count * type->size;
    bool whole = frame->from.len == bytes && frame->into.len == bytes;
    if (!of->opened || !whole || (frame->from.at | frame->into.at) % type->align)
        return upcall_fail_(&frame->head, UPCALL_NO_ITEM,
            of->opened ? "the frame's arrays are not as many elements as it says, aligned: the engine breaks the rules"
                       : "the handler was called before OPEN, which agrees on the elements' type");
    const char *failed = of->handler->combine(of->state, UPCALL_AT_(const void, frame->from.at),
                                              UPCALL_AT_(void, frame->into.at), (size_t)frame->count);
    return failed ? upcall_fail_(&frame->head, UPCALL_NO_ITEM, failed) : UPCALL_OK;
}

static int32_t upcall_flushed_(upcall_instance_ *of, upcall_head_ *head, uintptr_t out) {
    /* A handler of another kind than FLOW holds nothing back, and its frame has no output. */
    if (!of->handler->flush) return UPCALL_OK;
    upcall_emit emit = {UPCALL_AT_(upcall_output_, (uintptr_t)head + out), of, UPCALL_NO_ITEM, UPCALL_NO_ITEM, 0};
    upcall_mark_ start = upcall_mark_of_(emit.out);
    const char *failed = of->handler->flush(of->state, &emit);
    if (!failed) failed = emit.failed;
    if (!failed) return UPCALL_OK;
    upcall_back_to_(emit.out, start);
    return upcall_fail_(head, UPCALL_NO_ITEM, failed);
}

UPCALL_EXPORT("upcall_call") int32_t upcall_call_(uintptr_t instance, uintptr_t address, uintptr_t out) {
    upcall_instance_ *of = UPCALL_AT_(upcall_instance_, instance);
    upcall_head_ *head = UPCALL_AT_(upcall_head_, address);
    if (of->closed) return upcall_fail_(head, UPCALL_NO_ITEM, "the handler was called after CLOSE, which ends it");
    if (head->kind >= UPCALL_FLOW && head->kind != upcall_takes_kind_(of->handler))
        return upcall_fail_(head, UPCALL_NO_ITEM,
                            upcall_other_kind_("a frame of another kind reached a handler that takes ",
                                               upcall_takes_kind_(of->handler), ": give the engine another handler"));
    switch (head->kind) {
    case UPCALL_DESCRIBE: return upcall_described_(of->handler, (upcall_describe_ *)head);
    case UPCALL_OPEN: {
        const char *failed = upcall_opening_(of, (upcall_open *)head);
        return failed ? upcall_fail_(head, UPCALL_NO_ITEM, failed) : UPCALL_OK;
    }
    case UPCALL_FLOW:
        return of->handler->on_batch ? upcall_at_once_(of, (upcall_flow_ *)head) : upcall_objects_(of, (upcall_flow_ *)head);
    case UPCALL_COMBINE: return upcall_combined_(of, (upcall_combine_ *)head);
    case UPCALL_VERTEX: return upcall_vertices_(of, (upcall_vertex_frame_ *)head);
    case UPCALL_FLUSH: return upcall_flushed_(of, head, out);
    case UPCALL_CLOSE:
        of->closed = true;
        if (of->opened && of->handler->close) of->handler->close(of->state);
        return UPCALL_OK;
    case UPCALL_PING: return UPCALL_OK;
    default: return upcall_fail_(head, UPCALL_NO_ITEM, "a frame of another kind reached a handler: give the engine another handler");
    }
}

#endif
