/* Emissions: records in the frame's output. */
#ifndef UPCALL_GUEST_EMIT_H
#define UPCALL_GUEST_EMIT_H

#include "host.h"
#include "instance.h"
#include "text.h"

/* The first failure is the one that is told. */
static bool upcall_refuse_(upcall_emit *emit, const char *why) {
    if (!emit->failed) emit->failed = why;
    return false;
}

static bool upcall_record_in_(upcall_emit *emit, uint32_t pool, upcall_bytes key, upcall_bytes value) {
    upcall_output_ *out = emit->out;
    if ((uint64_t)value.len + key.len > UINT32_MAX - 64) return upcall_refuse_(emit, "it emits 4 GiB at once");
    uint64_t need = ((uint64_t)sizeof(upcall_record_) + value.len + key.len + 7) & ~7ull;
    if (out->end - out->at < need) {
        uint64_t place[2];
        if (upcall_host_grow_(need, place) != UPCALL_OK)
            return upcall_refuse_(emit, "the flow gives no more memory for what it emits");
        out->at = place[0];
        out->end = place[1];
        out->chunk++;
    }
    char *to = UPCALL_AT_(char, out->at);
    *(upcall_record_ *)(void *)to = (upcall_record_){pool, emit->item, (uint32_t)value.len, (uint32_t)key.len};
    to += sizeof(upcall_record_);
    if (value.len) __builtin_memcpy(to, value.data, value.len);
    if (key.len) __builtin_memcpy(to + value.len, key.data, key.len);
    out->at += need;
    return true;
}

UPCALL_STATIC bool upcall_put_to(upcall_emit *emit, uint32_t pool, upcall_bytes key, upcall_bytes value) {
    if (pool == UPCALL_NO_POOL)
        return upcall_refuse_(emit, "it emits to no pool: declare one with `to` in the flow's file");
    const upcall_type *gives = &emit->of->handler->gives;
    if (gives->name) {
        for (const upcall_disagreement_ *at = emit->of->disagreements; at; at = at->next)
            if (at->pool == pool) return upcall_refuse_(emit, at->why);
        if (gives->size && value.len != gives->size) {
            if (emit->failed) return false;
            upcall_writer_ said = upcall_begin_in_(upcall_emission_);
            upcall_say_(&said, "the value that it emits has ");
            upcall_count_(&said, value.len);
            upcall_say_(&said, " bytes, and a ");
            upcall_say_(&said, gives->name);
            upcall_say_(&said, ", which the handler gives, has ");
            upcall_count_(&said, gives->size);
            return upcall_refuse_(emit, upcall_end_(&said));
        }
    }
    return upcall_record_in_(emit, pool, key, value);
}

UPCALL_STATIC bool upcall_put(upcall_emit *emit, upcall_bytes key, upcall_bytes value) {
    return upcall_put_to(emit, emit->of->first, key, value);
}

UPCALL_STATIC bool upcall_put_to_if(upcall_emit *emit, uint32_t pool, upcall_bytes key, upcall_bytes value, uint64_t previous) {
    /* Both are UPCALL_NO_ITEM in a batch handler and at the flush. These two are the same in the other SDKs. */
    if (emit->item == emit->conditional)
        return upcall_refuse_(emit, emit->item == UPCALL_NO_ITEM
            ? "emit on condition for no object in particular: there is none that could fail; emit on condition where one "
              "object is handled, not for a batch or at the flush"
            : "emit on condition twice for one object: two conditions cannot be decided together; emit on condition once "
              "for each object");
    upcall_mark_ mark = upcall_mark_of_(emit->out);
    char version[8];
    for (int at = 0; at < 8; at++) version[at] = (char)(previous >> (8 * at));
    if (!upcall_record_in_(emit, UPCALL_CONDITION, (upcall_bytes){0, 0}, (upcall_bytes){version, sizeof version}) ||
        !upcall_put_to(emit, pool, key, value)) {
        upcall_back_to_(emit->out, mark);
        return false;
    }
    emit->conditional = emit->item;
    return true;
}

UPCALL_STATIC bool upcall_put_if(upcall_emit *emit, upcall_bytes key, upcall_bytes value, uint64_t previous) {
    return upcall_put_to_if(emit, emit->of->first, key, value, previous);
}

UPCALL_STATIC const char *upcall_check(upcall_emit *emit) {
    const char *failed = emit->failed;
    emit->failed = 0;
    return failed;
}

#endif
