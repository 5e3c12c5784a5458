/* What a handler is, what it is given, and what it calls. */
#ifndef UPCALL_GUEST_HANDLER_H
#define UPCALL_GUEST_HANDLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Not every module uses all of it. */
#define UPCALL_STATIC static __attribute__((unused))

/* Bytes that lie somewhere; a text is UTF-8, without a zero at its end. */
typedef struct {
    const char *data;
    size_t len;
} upcall_bytes;

/* An object. Its key and its value end with the call. */
typedef struct {
    upcall_bytes key;
    upcall_bytes value;
    uint64_t version; /* 0: the sample of a `warm`, which was never put. */
    uint64_t time;    /* Nanoseconds since the Unix epoch. */
    uint64_t hash;    /* Of the key: equal keys have equal ones as long as the flow runs. */
    uint32_t pool;
    uint32_t sender;
} upcall_object;

/* The objects of a call, for a handler that takes them at once: upcall_get, upcall_done. */
typedef struct {
    size_t len;
    struct upcall_flow_ *frame; /* The driver's. */
} upcall_batch;

/* What a handler emits through, during a call. */
typedef struct upcall_emit upcall_emit;

/* What a handler is told when it is opened. It ends with that call. */
typedef struct upcall_open upcall_open;

/* A pool that there is not. */
#define UPCALL_NO_POOL (UINT32_MAX - 1)

/* A type of values, as a flow's file names it. */
typedef struct {
    const char *name;
    size_t size, align;
} upcall_type;

/* A number (`u64`, `f64`) or a struct of them, whose bytes are the value. */
#define UPCALL_BLITTABLE(name, type) {name, sizeof(type), _Alignof(type)}
/* A type whose values have no size in common: `text`, or a packed one. The handler reads the bytes. */
#define UPCALL_ANY_SIZE(name) {name, 0, 1}

/* A setting that a handler understands, for `upcall describe`. `fallback` and `range` may be null. */
typedef struct {
    const char *name, *type, *fallback, *range;
} upcall_parameter;

#include "program.h"

/* A handler. Its functions return null when all went well, or why not: a text that ends with a zero. Those that are null
 * are not called; of on_object, on_batch, combine and a program it has one. `state` is of `size` bytes, which begin as zeroes. */
typedef struct {
    const char *name;
    size_t size;
    const char *(*open)(void *state, const upcall_open *open);
    const char *(*on_object)(void *state, const upcall_object *object, upcall_emit *emit);
    /* On failure everything since the last upcall_done fails, and keeps nothing that it emitted. A flow then hands it over
     * again, one object at a time. */
    const char *(*on_batch)(void *state, upcall_batch *batch, upcall_emit *emit);
    /* Combines arrays of `count` elements of the type `takes`, `from` into `into`. It is associative. */
    const char *(*combine)(void *state, const void *from, void *into, size_t count);
    /* What is called for the vertices of a graph. */
    upcall_program program;
    /* Called once the input has ended and everything upstream is flushed. */
    const char *(*flush)(void *state, upcall_emit *emit);
    void (*close)(void *state);
    /* The type of the values that it takes, and of those that it emits; without a name any bytes. */
    upcall_type takes, gives;
    bool commutative;                   /* The order of what it combines does not matter. */
    const upcall_parameter *parameters; /* The last one has no name. */
} upcall_handler;

/* Its handlers: UPCALL_HANDLERS({.name = "count", .size = sizeof(struct count), .on_object = count}). */
#define UPCALL_HANDLERS(...)                                                                                           \
    static const upcall_handler upcall_handlers_[] = {__VA_ARGS__};                                                    \
    UPCALL_EXPORT("upcall_make") uintptr_t upcall_make_(uintptr_t handler, uintptr_t refusal) {                        \
        return upcall_make_of_(upcall_handlers_, sizeof upcall_handlers_ / sizeof *upcall_handlers_, handler, refusal); \
    }

enum upcall_level { UPCALL_ERROR = 1, UPCALL_WARN, UPCALL_INFO, UPCALL_DEBUG, UPCALL_TRACE };

/* What a read finds. The value ends with the call of the handler. */
typedef struct {
    upcall_bytes value;
    uint64_t version; /* 0: there is none. */
    uint64_t time;
    const char *why; /* Where the read returned false: why, as a handler may return it. */
} upcall_found;

/* Keys of a pool: upcall_key. They end with the call of the handler. */
typedef struct {
    size_t len;
    const void *at; /* The driver's. */
    const char *why; /* Why they are not listed, until the call of the handler ends. */
} upcall_keys;

/* Emits an object into the handler's first pool. False where it has none, the pool is of another type than the handler gives,
 * or the flow gives no memory: then the object fails, whatever the handler returns. */
UPCALL_STATIC bool upcall_put(upcall_emit *emit, upcall_bytes key, upcall_bytes value);
/* The same into another pool, by its number. */
UPCALL_STATIC bool upcall_put_to(upcall_emit *emit, uint32_t pool, upcall_bytes key, upcall_bytes value);
/* Emits an object into the handler's first pool if the newest version of its key is `previous` when it arrives there, 0 for
 * none. If it is not, the object that is being handled fails, and nothing counts of what it has emitted. For each object one
 * such emission; none for a batch or at the flush. */
UPCALL_STATIC bool upcall_put_if(upcall_emit *emit, upcall_bytes key, upcall_bytes value, uint64_t previous);
UPCALL_STATIC bool upcall_put_to_if(upcall_emit *emit, uint32_t pool, upcall_bytes key, upcall_bytes value, uint64_t previous);
/* Why an emission was refused, once: null where none was. Who does not ask fails the object by it. */
UPCALL_STATIC const char *upcall_check(upcall_emit *emit);

/* The object at an index below the batch's `len`. */
UPCALL_STATIC upcall_object upcall_get(const upcall_batch *batch, size_t index);
/* Reports that the first `count` objects are done: what was emitted so far is kept whatever follows. */
UPCALL_STATIC void upcall_done(upcall_batch *batch, size_t count);

/* The number of a pool that the handler watches, emits to or reads; UPCALL_NO_POOL where it does not. */
UPCALL_STATIC uint32_t upcall_pool(const upcall_open *open, const char *path);
/* A setting; `data` is null where there is none. */
UPCALL_STATIC upcall_bytes upcall_setting(const upcall_open *open, const char *name);
/* The same as a number; where there is no such setting the number stays as it is. Null, or why the setting is none. */
UPCALL_STATIC const char *upcall_setting_u64(const upcall_open *open, const char *name, uint64_t *number);
UPCALL_STATIC const char *upcall_setting_f64(const upcall_open *open, const char *name, double *number);
/* The graph, of a vertex program. */
UPCALL_STATIC upcall_graph upcall_graph_of(const upcall_open *open);
/* The handler's name in the flow's file. */
UPCALL_STATIC upcall_bytes upcall_name(const upcall_open *open);
/* Which of the handler's workers this is, from 0, and how many there are. */
UPCALL_STATIC uint32_t upcall_worker(const upcall_open *open);
UPCALL_STATIC uint32_t upcall_workers(const upcall_open *open);

/* The newest version of a key. False where the handler may not read the pool. */
UPCALL_STATIC bool upcall_read(uint32_t pool, upcall_bytes key, upcall_found *found);
/* A key as it was at a version of its pool, or at a time. False too where that is no longer kept: raise the pool's `keep`. */
UPCALL_STATIC bool upcall_read_at(uint32_t pool, upcall_bytes key, uint64_t version, upcall_found *found);
UPCALL_STATIC bool upcall_read_by_time(uint32_t pool, upcall_bytes key, uint64_t time, upcall_found *found);
/* The keys of a pool that begin with `prefix`, sorted. Walks the whole pool. False where the handler may not read it,
 * or the handler's memory has no room for them; `keys->why` says which. */
UPCALL_STATIC bool upcall_list(uint32_t pool, upcall_bytes prefix, upcall_keys *keys);
UPCALL_STATIC upcall_bytes upcall_key(const upcall_keys *keys, size_t index);

/* Has a vertex updated in the next iteration of a program that is selective, whether or not a neighbour of it changes; a vertex
 * itself by `upcall_schedule(context, upcall_vertex_id(vertex))`. What else a vertex program calls is in vertex.h. */
UPCALL_STATIC void upcall_schedule(upcall_context *context, uint64_t id);

/* A line of the log, under the handler's name. */
UPCALL_STATIC void upcall_log(enum upcall_level level, upcall_bytes text);
/* Memory of zeroes, a multiple of 16, for as long as the instance lives. Null where there is no more. */
UPCALL_STATIC void *upcall_alloc(size_t bytes);
/* Ends the instance: its handler fails with this text, and what it held is gone. */
UPCALL_STATIC _Noreturn void upcall_panic(const char *why);

/* The bytes of a text that ends with a zero. */
static inline upcall_bytes upcall_text(const char *text) {
    size_t len = 0;
    while (text[len]) len++;
    return (upcall_bytes){text, len};
}

/* The bytes of a value, as a flow's blittable types have them. */
#define UPCALL_VALUE(value) ((upcall_bytes){(const char *)&(value), sizeof(value)})
/* A value where it lies, of a handler that takes its type. */
#define UPCALL_AS(type, bytes) ((const type *)(const void *)(bytes).data)

static inline bool upcall_equal(upcall_bytes one, upcall_bytes other) {
    if (one.len != other.len) return false;
    for (size_t at = 0; at < one.len; at++)
        if (one.data[at] != other.data[at]) return false;
    return true;
}

#endif
