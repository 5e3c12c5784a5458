/* What a harness has behind it: memory that is freed together, pools, and the output of a call. */
#ifndef UPCALL_TESTING_BENCH_H
#define UPCALL_TESTING_BENCH_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A piece of memory, in the list of those that are freed with it. */
typedef struct upcall_piece_ {
    struct upcall_piece_ *next;
    _Alignas(16) char bytes[];
} upcall_piece_;

typedef struct {
    char *path, *type;
    size_t value_size;
    uint32_t access;
    upcall_pair *stored; /* Every version, from 1 on. A version is also its time. */
    size_t stored_len;
    uint64_t oldest; /* The oldest version of which it is known what the keys were. */
} upcall_declared_;

typedef struct {
    uint64_t at, filled;
} upcall_chunk_;

struct upcall_bench_ {
    upcall_harness harness;
    char *handler;
    /* Freed with the harness, with the instance, with the run of a vertex program, with the next one, with the call. */
    upcall_piece_ *whole, *instance_memory, *run, *edges, *call;
    upcall_declared_ *pools;
    size_t pools_len;
    upcall_setting_ *settings;
    size_t settings_len;
    upcall_emitted *emitted;
    upcall_logged *logged;
    uint64_t next_version;
    const upcall_edge_list *graph; /* That the handler is opened for. */
    uintptr_t instance; /* 0: the last one is gone. */
    bool opened, called;
    /* Of the call that is under way. */
    upcall_output_ *out;
    upcall_chunk_ *chunks;
    size_t chunks_len;
    const char *panicked;
    jmp_buf end;
    upcall_failed failed;
};

/* The one whose handler is being called. */
static struct upcall_bench_ *upcall_here_;

static _Noreturn void upcall_misused_(const char *what, const char *which) {
    fprintf(stderr, "upcall_testing.h: %s%s\n", what, which);
    abort();
}

/* Zeroes. Null where there are not as many. */
static void *upcall_piece_of_(upcall_piece_ **list, size_t bytes) {
    upcall_piece_ *piece = bytes < SIZE_MAX - sizeof *piece ? calloc(1, sizeof *piece + bytes) : 0;
    if (!piece) return 0;
    piece->next = *list;
    *list = piece;
    return piece->bytes;
}

static void *upcall_keep_(upcall_piece_ **list, size_t bytes) {
    void *piece = upcall_piece_of_(list, bytes);
    if (!piece) upcall_misused_("there is no memory for the test", "");
    return piece;
}

static void upcall_drop_(upcall_piece_ **list) {
    while (*list) {
        upcall_piece_ *next = (*list)->next;
        free(*list);
        *list = next;
    }
}

/* A copy, with a zero behind it that is not counted. */
static upcall_bytes upcall_copy_(upcall_piece_ **list, upcall_bytes from) {
    char *copy = upcall_keep_(list, from.len + 1);
    if (from.len) memcpy(copy, from.data, from.len);
    return (upcall_bytes){copy, from.len};
}

/* A copy whose end is the end of its memory, as a sanitizer sees it. */
static upcall_rel_ upcall_lend_(struct upcall_bench_ *bench, upcall_bytes from) {
    char *copy = upcall_keep_(&bench->call, from.len);
    if (from.len) memcpy(copy, from.data, from.len);
    return (upcall_rel_){(uintptr_t)copy, from.len};
}

static char *upcall_copy_text_(upcall_piece_ **list, const char *text) {
    return (char *)(uintptr_t)upcall_copy_(list, upcall_text(text)).data;
}

static upcall_rel_ upcall_rel_of_(const char *text) { return (upcall_rel_){(uintptr_t)text, strlen(text)}; }

/* Room for one more. */
static void *upcall_more_(void *array, size_t len, size_t each) {
    void *longer = realloc(array, (len + 1) * each);
    if (!longer) upcall_misused_("there is no memory for the test", "");
    return longer;
}

#endif
