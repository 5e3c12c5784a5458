/* Tests of handlers in C on this machine, without WebAssembly and without an engine: the real driver, the real frames, one
 * worker. Include it before the file of the handlers:
 *
 *     #include "upcall_testing.h"
 *     #include "count.c"
 *
 *     cc -Wall -Wextra -g -fsanitize=address,undefined test_count.c -o test_count && ./test_count
 *
 * What a call lends, keys, values, what was read, is freed when it ends, so that a sanitizer finds who keeps it. A test that
 * asks for what cannot be is ended with a message. */
#ifndef UPCALL_TESTING_H
#define UPCALL_TESTING_H

#ifdef __wasm32__
#error "upcall_testing.h is for tests on this machine: compile without --target=wasm32"
#endif

#include "upcall_guest.h"

/* A key and a value. */
typedef struct {
    upcall_bytes key, value;
} upcall_pair;

/* One object that the handler has emitted. */
typedef struct {
    const char *pool;
    upcall_bytes key, value;
    bool on_condition;
    uint64_t previous; /* Of an emission on condition: the version that its key must have, 0 for none. */
} upcall_emitted;

/* A line of the log. */
typedef struct {
    enum upcall_level level;
    const char *text;
} upcall_logged;

/* An edge of a graph, and its value, which is turned into the type that the program has declared: at first, where the program writes
 * values. */
typedef struct {
    uint64_t from, to;
    double value;
} upcall_edge;

/* A graph, for a vertex program. */
typedef struct {
    size_t vertices; /* They have the numbers from 0 on. */
    const upcall_edge *edges;
    size_t len;
    bool undirected;     /* Each edge goes in both directions. */
    uint64_t iterations; /* The most that there may be; 0 for any number. */
} upcall_edge_list;

/* How a handler has failed: `type` is `failure`, or `panic` after upcall_panic. Then the next call meets another instance,
 * which has counted nothing. Of an emission that no flow takes it is `driver`, and nothing of that call was emitted; so it is of
 * a vertex program that writes values of edges and wants to repeat its updates. */
typedef struct {
    const char *type, *message;
    size_t done; /* How many objects of the batch were done before. */
    size_t item; /* The object that has failed, or the vertex; UPCALL_NO_ITEM when all beyond `done` have. */
} upcall_failed;

/* A handler in a test. All that it shows is there until upcall_harness_free. */
typedef struct upcall_harness {
    const upcall_emitted *emitted; /* What was emitted so far. */
    size_t emitted_len;
    const upcall_logged *logged;
    size_t logged_len;
    uint64_t iterations; /* How many the last run of a vertex program had. */
    const void *edges; /* The values of edges at its end, by their destination and then by their source, of a program that writes */
    size_t edges_len;  /* them: of the declared type, and there until the next run. Of an undirected graph each direction has one. */
    struct upcall_bench_ *bench; /* Its own. */
} upcall_harness;

/* A harness for the handler with this name in UPCALL_HANDLERS. It watches the pool `/in`. */
UPCALL_STATIC upcall_harness *upcall_harness_new(const char *handler);
/* Closes the handler. */
UPCALL_STATIC void upcall_harness_free(upcall_harness *harness);

/* These come before the first call. A pool that the handler may emit to; the first is the one of upcall_put. */
UPCALL_STATIC void upcall_harness_emits(upcall_harness *harness, const char *path);
/* A pool that the handler may read, with what was put there, in this order: versions 1, 2 and so on, at as many nanoseconds
 * since the Unix epoch. What the handler emits is not added. */
UPCALL_STATIC void upcall_harness_reads(upcall_harness *harness, const char *path, const upcall_pair *objects, size_t count);
/* What keys of such a pool were before this version or time is no longer kept. */
UPCALL_STATIC void upcall_harness_forgets(upcall_harness *harness, const char *path, uint64_t before);
/* The type of a pool's values, and the bytes of one where it is blittable, else 0. */
UPCALL_STATIC void upcall_harness_declares(upcall_harness *harness, const char *path, const char *type, size_t size);
UPCALL_STATIC void upcall_harness_setting(upcall_harness *harness, const char *name, const char *value);

/* These return null when all went well, or how the handler has failed, until the next of them. */
UPCALL_STATIC const upcall_failed *upcall_harness_put(upcall_harness *harness, upcall_bytes key, upcall_bytes value);
/* Objects in one call. */
UPCALL_STATIC const upcall_failed *upcall_harness_batch(upcall_harness *harness, const upcall_pair *objects, size_t count);
/* Tells the handler that the input has ended. */
UPCALL_STATIC const upcall_failed *upcall_harness_flush(upcall_harness *harness);
/* Combines two arrays of the type that the handler takes, `from` into `into`. */
UPCALL_STATIC const upcall_failed *upcall_harness_combine(upcall_harness *harness, const void *from, void *into, size_t count);
/* Runs a vertex program over a graph, as an engine does, from a new instance on. What each vertex keeps and shows in the end is
 * written to `own` and `shown`: as many of the declared type as there are vertices; null for what is not wanted. */
UPCALL_STATIC const upcall_failed *upcall_harness_run(upcall_harness *harness, const upcall_edge_list *graph, void *own, void *shown);

#include "testing/bench.h"
#include "testing/host.h"
#include "testing/harness.h"
#include "testing/graph.h"

#endif
