/* The harness: frames to the driver, and what comes back. */
#ifndef UPCALL_TESTING_HARNESS_H
#define UPCALL_TESTING_HARNESS_H

#include "host.h"

enum { UPCALL_ROOM_ = 4096 };

/* Makes an instance. */
static void upcall_made_(struct upcall_bench_ *bench) {
    struct upcall_bench_ *outer = upcall_here_;
    char text[UPCALL_ROOM_];
    upcall_name_ name = {sizeof name, 0, {0, 0}, upcall_rel_of_(bench->handler)};
    upcall_refusal_ refusal = {0, 0, (uintptr_t)text, sizeof text - 1, 0};
    upcall_here_ = bench;
    bench->instance = upcall_make_((uintptr_t)&name, (uintptr_t)&refusal);
    upcall_here_ = outer;
    bench->opened = false;
    if (bench->instance) return;
    text[refusal.len] = 0;
    /* Behind why, the names that there are, each on a line. */
    fprintf(stderr, "upcall_testing.h: make %s: ", bench->handler);
    for (const char *at = text, *next = "; it holds "; *at; at++)
        if (*at != '\n') {
            fputc(*at, stderr);
        } else {
            fputs(next, stderr);
            next = ", ";
        }
    fputc('\n', stderr);
    abort();
}

static upcall_declared_ *upcall_declared_of_(struct upcall_bench_ *bench, const char *path, uint32_t access) {
    if (bench->called) upcall_misused_("this comes before the first call: ", path);
    size_t at = 0;
    while (at < bench->pools_len && strcmp(bench->pools[at].path, path)) at++;
    if (at == bench->pools_len) {
        if (!access) upcall_misused_("it is neither /in nor a pool that the handler emits to or reads: ", path);
        bench->pools = upcall_more_(bench->pools, at, sizeof *bench->pools);
        bench->pools[bench->pools_len++] = (upcall_declared_){.path = upcall_copy_text_(&bench->whole, path)};
    }
    bench->pools[at].access |= access;
    return &bench->pools[at];
}

UPCALL_STATIC upcall_harness *upcall_harness_new(const char *handler) {
    struct upcall_bench_ *bench = calloc(1, sizeof *bench);
    if (!bench) upcall_misused_("there is no memory for the test", "");
    bench->harness.bench = bench;
    bench->handler = upcall_copy_text_(&bench->whole, handler);
    bench->next_version = 1;
    upcall_declared_of_(bench, "/in", UPCALL_MAY_WATCH);
    upcall_made_(bench);
    return &bench->harness;
}

UPCALL_STATIC void upcall_harness_emits(upcall_harness *harness, const char *path) {
    upcall_declared_of_(harness->bench, path, UPCALL_MAY_EMIT);
}

UPCALL_STATIC void upcall_harness_reads(upcall_harness *harness, const char *path, const upcall_pair *objects, size_t count) {
    struct upcall_bench_ *bench = harness->bench;
    upcall_declared_ *pool = upcall_declared_of_(bench, path, UPCALL_MAY_READ);
    for (size_t at = 0; at < count; at++) {
        pool->stored = upcall_more_(pool->stored, pool->stored_len, sizeof *pool->stored);
        upcall_bytes key = upcall_copy_(&bench->whole, objects[at].key);
        pool->stored[pool->stored_len++] = (upcall_pair){key, upcall_copy_(&bench->whole, objects[at].value)};
    }
}

UPCALL_STATIC void upcall_harness_forgets(upcall_harness *harness, const char *path, uint64_t before) {
    upcall_declared_ *pool = upcall_declared_of_(harness->bench, path, 0);
    if (!(pool->access & UPCALL_MAY_READ)) upcall_misused_("the handler does not read ", path);
    pool->oldest = before;
}

UPCALL_STATIC void upcall_harness_declares(upcall_harness *harness, const char *path, const char *type, size_t size) {
    upcall_declared_ *pool = upcall_declared_of_(harness->bench, path, 0);
    pool->type = upcall_copy_text_(&harness->bench->whole, type);
    pool->value_size = size;
}

UPCALL_STATIC void upcall_harness_setting(upcall_harness *harness, const char *name, const char *value) {
    struct upcall_bench_ *bench = harness->bench;
    if (bench->called) upcall_misused_("this comes before the first call: ", name);
    bench->settings = upcall_more_(bench->settings, bench->settings_len, sizeof *bench->settings);
    upcall_rel_ of = upcall_rel_of_(upcall_copy_text_(&bench->whole, name));
    bench->settings[bench->settings_len++] = (upcall_setting_){of, upcall_rel_of_(upcall_copy_text_(&bench->whole, value))};
}

static upcall_head_ upcall_head_of_(struct upcall_bench_ *bench, uint16_t kind, size_t size) {
    upcall_head_ head = {.abi = UPCALL_ABI, .kind = kind, .size = (uint32_t)size};
    head.error.text = (upcall_rel_){(uintptr_t)upcall_keep_(&bench->call, UPCALL_ROOM_), UPCALL_ROOM_};
    head.error.item = UPCALL_NO_ITEM;
    return head;
}

/* Calls the driver; also where a panic ends it. */
static int32_t upcall_enter_(struct upcall_bench_ *bench, upcall_head_ *head, size_t out) {
    static struct upcall_bench_ *outer;
    static int32_t status;
    bench->panicked = 0;
    bench->out = out ? UPCALL_AT_(upcall_output_, (uintptr_t)head + out) : 0;
    outer = upcall_here_;
    upcall_here_ = bench;
    status = UPCALL_FAILED;
    if (!setjmp(bench->end)) status = upcall_call_(bench->instance, (uintptr_t)head, out);
    upcall_here_ = outer;
    return status;
}

/* What the call has come to. */
static const upcall_failed *upcall_ended_(struct upcall_bench_ *bench, int32_t status, const upcall_head_ *head, size_t done, size_t culprit) {
    upcall_failed *failed = &bench->failed;
    if (bench->panicked) {
        *failed = (upcall_failed){"panic", bench->panicked, done, culprit};
        bench->instance = 0;
        upcall_drop_(&bench->instance_memory);
    } else if (status != UPCALL_OK) {
        const char *text = UPCALL_AT_(const char, head->error.text.at);
        const char *type = upcall_copy_(&bench->whole, (upcall_bytes){text, head->error.type_len}).data;
        upcall_bytes message = {text + head->error.type_len, head->error.message_len};
        *failed = (upcall_failed){type, upcall_copy_(&bench->whole, message).data, done, head->error.item};
    } else {
        failed = 0;
    }
    upcall_drop_(&bench->call);
    return failed;
}

/* How many edges a graph has: of one without directions each counts in both, but for those from a vertex to itself. */
static uint64_t upcall_edges_of_(const upcall_edge_list *graph) {
    uint64_t count = graph->len;
    for (size_t at = 0; at < graph->len && graph->undirected; at++) count += graph->edges[at].from != graph->edges[at].to;
    return count;
}

/* Opens the handler, where it is not. */
static const upcall_failed *upcall_opened_(struct upcall_bench_ *bench) {
    if (!bench->instance) upcall_made_(bench);
    if (bench->opened) return 0;
    bench->called = true;
    const upcall_handler *handler = UPCALL_AT_(upcall_instance_, bench->instance)->handler;
    upcall_pool_ *pools = upcall_keep_(&bench->call, bench->pools_len * sizeof *pools);
    for (size_t at = 0; at < bench->pools_len; at++) {
        const upcall_declared_ *pool = &bench->pools[at];
        pools[at] = (upcall_pool_){upcall_rel_of_(pool->path), upcall_rel_of_(pool->type ? pool->type : ""),
                                   (uint32_t)pool->value_size, (uint32_t)at, pool->access, 0};
    }
    upcall_rel_ sender = upcall_rel_of_("harness");
    upcall_flow_open_ flow = {sizeof flow, 0, {(uintptr_t)pools, bench->pools_len}, {(uintptr_t)&sender, 1}, 0};
    upcall_combine_open_ combine = {sizeof combine, (uint32_t)handler->takes.size, {0, 0}};
    if (handler->combine) combine.element = upcall_rel_of_(handler->takes.name);
    const upcall_edge_list *edges = bench->graph;
    upcall_vertex_open_ graph = {.size = sizeof graph};
    if (edges) graph = (upcall_vertex_open_){sizeof graph, !edges->undirected, edges->vertices, upcall_edges_of_(edges), {0, 0}};
    upcall_open frame = {.head = upcall_head_of_(bench, UPCALL_OPEN, sizeof frame)};
    frame.name = upcall_rel_of_("handler");
    frame.settings = (upcall_rel_){(uintptr_t)bench->settings, bench->settings_len};
    frame.batch = (uint16_t)upcall_takes_kind_(handler);
    frame.added = (upcall_rel_){(uintptr_t)&flow, sizeof flow};
    if (frame.batch == UPCALL_COMBINE) frame.added = (upcall_rel_){(uintptr_t)&combine, sizeof combine};
    if (frame.batch == UPCALL_VERTEX) frame.added = (upcall_rel_){(uintptr_t)&graph, sizeof graph};
    frame.workers = 1;
    int32_t status = upcall_enter_(bench, &frame.head, 0);
    bench->opened = status == UPCALL_OK;
    return upcall_ended_(bench, status, &frame.head, 0, UPCALL_NO_ITEM);
}

/* Adds what a call has emitted for the first `items` of its objects. Null, or why no flow takes it. */
static const char *upcall_took_(struct upcall_bench_ *bench, const upcall_output_ *out, uint32_t items) {
    upcall_harness *shown = &bench->harness;
    size_t before = shown->emitted_len;
    bool on_condition = false;
    uint64_t previous = 0;
    for (uint32_t chunk = 0; chunk <= out->chunk && chunk < bench->chunks_len; chunk++) {
        uint64_t at = bench->chunks[chunk].at, end = chunk == out->chunk ? out->at : bench->chunks[chunk].filled;
        while (at < end) {
            upcall_record_ record = *UPCALL_AT_(const upcall_record_, at);
            upcall_bytes value = {UPCALL_AT_(const char, at + sizeof record), record.value_len};
            upcall_bytes key = {value.data + value.len, record.key_len};
            at += (sizeof record + value.len + key.len + 7) & ~(uint64_t)7;
            if (record.item != UPCALL_NO_ITEM && record.item >= items) continue;
            if (record.pool == UPCALL_CONDITION) {
                on_condition = true;
                memcpy(&previous, value.data, sizeof previous);
                continue;
            }
            bool takes = record.pool < bench->pools_len && bench->pools[record.pool].access & UPCALL_MAY_EMIT;
            if (!takes) {
                shown->emitted_len = before;
                return "it emitted to a pool that is none of those of upcall_harness_emits";
            }
            bench->emitted = upcall_more_(bench->emitted, shown->emitted_len, sizeof *bench->emitted);
            bench->emitted[shown->emitted_len++] =
                (upcall_emitted){bench->pools[record.pool].path, upcall_copy_(&bench->whole, key),
                                 upcall_copy_(&bench->whole, value), on_condition, on_condition ? previous : 0};
            on_condition = false;
        }
    }
    shown->emitted = bench->emitted;
    return 0;
}

/* As the host of a module does after a trap: back to the last report of a batch handler. */
static void upcall_cut_(upcall_flow_ *frame, const upcall_chunk_ *chunks) {
    upcall_mark_ mark = {chunks[0].at, 0};
    for (int at = 0; at < 2; at++)
        if (frame->done && frame->progress[at].done == frame->done)
            mark = (upcall_mark_){frame->progress[at].at, frame->progress[at].chunk};
    upcall_back_to_(&frame->out, mark);
}

static const upcall_failed *upcall_ran_(struct upcall_bench_ *bench, uint16_t kind, const upcall_pair *objects, size_t count) {
    const upcall_failed *refused = upcall_opened_(bench);
    if (refused) return refused;
    const upcall_handler *handler = UPCALL_AT_(upcall_instance_, bench->instance)->handler;
    upcall_flow_ *frame = upcall_keep_(&bench->call, sizeof *frame);
    upcall_item_ *items = upcall_keep_(&bench->call, count * sizeof *items);
    frame->head = upcall_head_of_(bench, kind, sizeof *frame);
    for (size_t at = 0; at < count; at++) {
        size_t size = bench->pools[0].value_size;
        if (size && objects[at].value.len != size) upcall_misused_("a value of /in has not the size of its type", "");
        uint64_t tag = 14695981039346656037u;
        for (size_t byte = 0; byte < objects[at].key.len; byte++)
            tag = (tag ^ (unsigned char)objects[at].key.data[byte]) * 1099511628211u;
        items[at].key = upcall_lend_(bench, objects[at].key);
        items[at].value = upcall_lend_(bench, objects[at].value);
        items[at].version = bench->next_version++;
        items[at].tag = tag;
    }
    frame->items = (upcall_rel_){(uintptr_t)items, count};
    /* The first chunk is the engine's, and as small as one may be. */
    uint64_t place[2];
    upcall_here_ = bench;
    bench->out = &frame->out;
    bench->chunks_len = 0;
    if (upcall_host_grow_(0, place) != UPCALL_OK) upcall_misused_("there is no memory for the test", "");
    upcall_here_ = 0;
    frame->out.at = place[0];
    frame->out.end = place[1];
    int32_t status = upcall_enter_(bench, &frame->head, offsetof(upcall_flow_, out));
    uint32_t done = frame->done;
    bool one_by_one = kind == UPCALL_FLOW && !handler->on_batch;
    if (bench->panicked && !one_by_one) upcall_cut_(frame, bench->chunks);
    const char *why = upcall_took_(bench, &frame->out, done);
    const upcall_failed *failed = upcall_ended_(bench, status, &frame->head, done, one_by_one ? done : UPCALL_NO_ITEM);
    if (why) {
        bench->failed = (upcall_failed){"driver", why, 0, UPCALL_NO_ITEM};
        return &bench->failed;
    }
    return failed;
}

UPCALL_STATIC const upcall_failed *upcall_harness_batch(upcall_harness *harness, const upcall_pair *objects, size_t count) {
    return upcall_ran_(harness->bench, UPCALL_FLOW, objects, count);
}

UPCALL_STATIC const upcall_failed *upcall_harness_put(upcall_harness *harness, upcall_bytes key, upcall_bytes value) {
    upcall_pair object = {key, value};
    return upcall_ran_(harness->bench, UPCALL_FLOW, &object, 1);
}

UPCALL_STATIC const upcall_failed *upcall_harness_flush(upcall_harness *harness) {
    return upcall_ran_(harness->bench, UPCALL_FLUSH, 0, 0);
}

UPCALL_STATIC const upcall_failed *upcall_harness_combine(upcall_harness *harness, const void *from, void *into, size_t count) {
    struct upcall_bench_ *bench = harness->bench;
    const upcall_failed *refused = upcall_opened_(bench);
    if (refused) return refused;
    const upcall_handler *handler = UPCALL_AT_(upcall_instance_, bench->instance)->handler;
    size_t bytes = count * handler->takes.size;
    upcall_combine_ frame = {.head = upcall_head_of_(bench, UPCALL_COMBINE, sizeof frame), .count = count};
    /* Copies, as in a module. */
    frame.from = upcall_lend_(bench, (upcall_bytes){from, bytes});
    frame.into = upcall_lend_(bench, (upcall_bytes){into, bytes});
    int32_t status = upcall_enter_(bench, &frame.head, 0);
    if (bytes) memcpy(into, UPCALL_AT_(const void, frame.into.at), bytes);
    return upcall_ended_(bench, status, &frame.head, 0, UPCALL_NO_ITEM);
}

/* Closes the handler. */
static void upcall_closed_(struct upcall_bench_ *bench) {
    if (bench->instance) {
        upcall_head_ close = upcall_head_of_(bench, UPCALL_CLOSE, sizeof close);
        upcall_enter_(bench, &close, 0);
    }
    bench->instance = 0;
    bench->opened = false;
    upcall_drop_(&bench->call);
    upcall_drop_(&bench->instance_memory);
}

UPCALL_STATIC void upcall_harness_free(upcall_harness *harness) {
    if (!harness) return;
    struct upcall_bench_ *bench = harness->bench;
    upcall_closed_(bench);
    for (size_t at = 0; at < bench->pools_len; at++) free(bench->pools[at].stored);
    free(bench->pools);
    free(bench->settings);
    free(bench->emitted);
    free(bench->logged);
    free(bench->chunks);
    upcall_drop_(&bench->run);
    upcall_drop_(&bench->edges);
    upcall_drop_(&bench->whole);
    free(bench);
}

#endif
