/* What the host of a module gives, for a handler in a test. */
#ifndef UPCALL_TESTING_HOST_H
#define UPCALL_TESTING_HOST_H

#include "bench.h"

static int32_t upcall_host_grow_(uint64_t need, uint64_t *place) {
    enum { LEAST = 256 };
    struct upcall_bench_ *bench = upcall_here_;
    upcall_output_ *out = bench->out;
    if (!out || need > SIZE_MAX) return UPCALL_FAILED;
    size_t bytes = need > LEAST ? (size_t)need : LEAST;
    void *chunk = upcall_piece_of_(&bench->call, bytes);
    if (!chunk) return UPCALL_FAILED;
    /* What a driver that went back has left behind is dropped. */
    if (bench->chunks_len) {
        bench->chunks_len = out->chunk + 1;
        bench->chunks[out->chunk].filled = out->at;
    }
    bench->chunks = upcall_more_(bench->chunks, bench->chunks_len, sizeof *bench->chunks);
    bench->chunks[bench->chunks_len++] = (upcall_chunk_){(uintptr_t)chunk, (uintptr_t)chunk};
    place[0] = (uintptr_t)chunk;
    place[1] = (uintptr_t)chunk + bytes;
    return UPCALL_OK;
}

static void upcall_host_log_(uint32_t level, const char *text, size_t len) {
    struct upcall_bench_ *bench = upcall_here_;
    upcall_harness *shown = &bench->harness;
    bench->logged = upcall_more_(bench->logged, shown->logged_len, sizeof *bench->logged);
    const char *copy = upcall_copy_(&bench->whole, (upcall_bytes){text, len}).data;
    bench->logged[shown->logged_len++] = (upcall_logged){(enum upcall_level)level, copy};
    shown->logged = bench->logged;
}

static const upcall_declared_ *upcall_readable_(uint32_t pool) {
    const struct upcall_bench_ *bench = upcall_here_;
    bool readable = pool < bench->pools_len && bench->pools[pool].access & UPCALL_MAY_READ;
    return readable ? &bench->pools[pool] : 0;
}

static int32_t upcall_host_read_(const upcall_query_ *query, upcall_item_ *found) {
    const upcall_declared_ *pool = upcall_readable_(query->pool);
    bool now = query->as_of == UPCALL_AS_OF_NOW;
    *found = (upcall_item_){0};
    if (!pool) found->tag = UPCALL_MISSING_NOT_DECLARED;
    else if (!now && query->at < pool->oldest) found->tag = UPCALL_MISSING_COMPACTED;
    if (found->tag) return UPCALL_FAILED;
    upcall_bytes key = {UPCALL_AT_(const char, query->key), (size_t)query->key_len};
    size_t version = now || query->at > pool->stored_len ? pool->stored_len : (size_t)query->at;
    while (version && !upcall_equal(pool->stored[version - 1].key, key)) version--;
    if (version) {
        found->value = upcall_lend_(upcall_here_, pool->stored[version - 1].value);
        found->version = found->time = version;
    }
    return UPCALL_OK;
}

static int upcall_compare_(const void *one, const void *other) {
    upcall_bytes a = upcall_of_(*(const upcall_rel_ *)one), b = upcall_of_(*(const upcall_rel_ *)other);
    int order = a.len && b.len ? memcmp(a.data, b.data, a.len < b.len ? a.len : b.len) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int32_t upcall_host_list_(const upcall_query_ *query, upcall_rel_ *keys) {
    const upcall_declared_ *pool = upcall_readable_(query->pool);
    if (!pool) return UPCALL_FAILED;
    upcall_bytes prefix = {UPCALL_AT_(const char, query->key), (size_t)query->key_len};
    upcall_rel_ *list = upcall_keep_(&upcall_here_->call, pool->stored_len * sizeof *list);
    size_t len = 0;
    for (size_t at = 0; at < pool->stored_len; at++) {
        upcall_bytes key = pool->stored[at].key;
        bool listed = key.len < prefix.len || !upcall_equal((upcall_bytes){key.data, prefix.len}, prefix);
        for (size_t before = 0; before < len && !listed; before++) listed = upcall_equal(upcall_of_(list[before]), key);
        if (!listed) list[len++] = upcall_lend_(upcall_here_, key);
    }
    qsort(list, len, sizeof *list, upcall_compare_);
    *keys = (upcall_rel_){(uintptr_t)list, len};
    return UPCALL_OK;
}

UPCALL_STATIC void *upcall_alloc(size_t bytes) { return upcall_piece_of_(&upcall_here_->instance_memory, bytes); }

UPCALL_STATIC _Noreturn void upcall_panic(const char *why) {
    upcall_here_->panicked = upcall_copy_text_(&upcall_here_->whole, why);
    longjmp(upcall_here_->end, 1);
}

#endif
