/* What the host gives: the log, pools, room for output, memory, and an end. In a test upcall_testing.h is the host. */
#ifndef UPCALL_GUEST_HOST_H
#define UPCALL_GUEST_HOST_H

#include "abi.h"

#ifdef __wasm32__

#define UPCALL_EXPORT(name) __attribute__((export_name(name)))
#define UPCALL_IMPORT(name) __attribute__((import_module("upcall"), import_name(name)))

UPCALL_IMPORT("grow") int32_t upcall_host_grow_(uint64_t need, uint64_t *place);
UPCALL_IMPORT("log") void upcall_host_log_(uint32_t level, const char *text, size_t len);
UPCALL_IMPORT("read") int32_t upcall_host_read_(const upcall_query_ *query, upcall_item_ *found);
UPCALL_IMPORT("list") int32_t upcall_host_list_(const upcall_query_ *query, upcall_rel_ *keys);
UPCALL_IMPORT("failed") void upcall_host_failed_(const char *text, size_t len, const char *place, size_t place_len);

UPCALL_STATIC _Noreturn void upcall_panic(const char *why) {
    upcall_bytes text = upcall_text(why);
    upcall_host_failed_(text.data, text.len, 0, 0);
    __builtin_trap();
}

extern char __heap_base;

/* The host takes pages of its own, so that those which follow may not be the next. */
UPCALL_STATIC void *upcall_alloc(size_t bytes) {
    enum { PAGE = 65536, LEAST = 16 };
    static uintptr_t at, end;
    if (!at) {
        at = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
        /* Of the pages that there are at the start, those behind what the linker has laid out. */
        end = (at + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    }
    if (bytes > SIZE_MAX - PAGE * LEAST) return 0;
    bytes = (bytes + 15) & ~(size_t)15;
    if (end - at < bytes) {
        size_t pages = (bytes + PAGE - 1) / PAGE;
        if (pages < LEAST) pages = LEAST;
        size_t from = __builtin_wasm_memory_grow(0, pages);
        if (from == SIZE_MAX) return 0;
        if (from * PAGE != end) at = from * PAGE;
        end = from * PAGE + pages * PAGE;
    }
    void *given = (void *)at;
    at += bytes;
    return given;
}

#else

#define UPCALL_EXPORT(name) UPCALL_STATIC

static int32_t upcall_host_grow_(uint64_t need, uint64_t *place);
static void upcall_host_log_(uint32_t level, const char *text, size_t len);
static int32_t upcall_host_read_(const upcall_query_ *query, upcall_item_ *found);
static int32_t upcall_host_list_(const upcall_query_ *query, upcall_rel_ *keys);

#endif

UPCALL_STATIC void upcall_log(enum upcall_level level, upcall_bytes text) { upcall_host_log_(level, text.data, text.len); }

#endif
