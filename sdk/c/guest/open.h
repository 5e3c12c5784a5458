/* What a handler learns when it is opened, and whether its types are those of its pools. */
#ifndef UPCALL_GUEST_OPEN_H
#define UPCALL_GUEST_OPEN_H

#include "host.h"
#include "instance.h"
#include "text.h"

/* Its pools; none of a handler of another kind than FLOW. */
static const upcall_pool_ *upcall_pools_(const upcall_open *open, size_t *len) {
    *len = 0;
    if (open->batch != UPCALL_FLOW) return 0;
    const upcall_flow_open_ *added = UPCALL_AT_(const upcall_flow_open_, open->added.at);
    *len = (size_t)added->pools.len;
    return UPCALL_AT_(const upcall_pool_, added->pools.at);
}

UPCALL_STATIC uint32_t upcall_pool(const upcall_open *open, const char *path) {
    size_t len;
    const upcall_pool_ *pools = upcall_pools_(open, &len);
    for (size_t at = 0; at < len; at++)
        if (upcall_equal(upcall_of_(pools[at].path), upcall_text(path))) return pools[at].id;
    return UPCALL_NO_POOL;
}

UPCALL_STATIC upcall_bytes upcall_setting(const upcall_open *open, const char *name) {
    const upcall_setting_ *settings = UPCALL_AT_(const upcall_setting_, open->settings.at);
    for (size_t at = 0; at < open->settings.len; at++)
        if (upcall_equal(upcall_of_(settings[at].name), upcall_text(name))) return upcall_of_(settings[at].value);
    return (upcall_bytes){0, 0};
}

UPCALL_STATIC upcall_bytes upcall_name(const upcall_open *open) { return upcall_of_(open->name); }

UPCALL_STATIC uint32_t upcall_worker(const upcall_open *open) { return open->worker; }

UPCALL_STATIC uint32_t upcall_workers(const upcall_open *open) { return open->workers; }

UPCALL_STATIC upcall_graph upcall_graph_of(const upcall_open *open) {
    if (open->batch != UPCALL_VERTEX) return (upcall_graph){0, 0, false};
    const upcall_vertex_open_ *added = UPCALL_AT_(const upcall_vertex_open_, open->added.at);
    return (upcall_graph){added->vertices, added->edges, added->directed != 0};
}

/* Why values of a pool cannot be of a type, if they cannot. */
static const char *upcall_disagrees_(const upcall_pool_ *pool, const upcall_type *type, const char *side) {
    upcall_bytes declared = upcall_of_(pool->value_type);
    if (!type->name || !declared.len) return 0;
    bool sized = !pool->value_size || pool->value_size == type->size;
    if (upcall_equal(declared, upcall_text(type->name)) && sized) return 0;
    upcall_writer_ said = upcall_begin_();
    upcall_say_(&said, "pool ");
    upcall_add_(&said, upcall_of_(pool->path));
    upcall_say_(&said, " has the type ");
    upcall_say_type_(&said, declared, pool->value_size);
    upcall_say_(&said, ", and the handler ");
    upcall_say_(&said, side);
    upcall_say_(&said, " ");
    upcall_say_type_(&said, upcall_text(type->name), type->size);
    upcall_say_(&said, ": change the pool's `type` or the handler's");
    return upcall_end_(&said);
}

/* Compares what a handler takes and gives with what its pools declare: those that it watches, and the first that it emits
 * to. Of the others it is kept until something is emitted there. */
static const char *upcall_agree_(upcall_instance_ *of, const upcall_open *open) {
    size_t len;
    const upcall_pool_ *pools = upcall_pools_(open, &len);
    of->first = UPCALL_NO_POOL;
    of->disagreements = 0;
    for (size_t at = 0; at < len; at++) {
        if (!(pools[at].access & UPCALL_MAY_WATCH)) continue;
        const char *why = upcall_disagrees_(&pools[at], &of->handler->takes, "takes");
        if (why) return why;
    }
    for (size_t at = 0; at < len; at++) {
        if (!(pools[at].access & UPCALL_MAY_EMIT)) continue;
        const char *why = upcall_disagrees_(&pools[at], &of->handler->gives, "emits");
        if (of->first == UPCALL_NO_POOL) {
            of->first = pools[at].id;
            if (why) return why;
        } else if (why) {
            upcall_bytes text = upcall_text(why);
            upcall_disagreement_ *kept = upcall_alloc(sizeof *kept);
            char *copy = upcall_alloc(text.len + 1);
            if (!kept || !copy) return "there is no memory to compare its pools";
            __builtin_memcpy(copy, text.data, text.len);
            *kept = (upcall_disagreement_){of->disagreements, pools[at].id, copy};
            of->disagreements = kept;
        }
    }
    return 0;
}

#endif
