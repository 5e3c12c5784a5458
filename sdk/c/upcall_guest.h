/* Handlers in C, compiled to WebAssembly. Include it in one file of a module, and list the handlers with UPCALL_HANDLERS.
 *
 *     clang --target=wasm32 -O2 -mbulk-memory -ffreestanding -nostdlib -c count.c
 *     rust-lld -flavor wasm --no-entry count.o -o count.wasm
 *
 * There is no C library: what is here is all that a handler needs, memory included (upcall_alloc). */
#ifndef UPCALL_GUEST_H
#define UPCALL_GUEST_H

#ifndef __wasm32__
#error "upcall_guest.h is for WebAssembly: compile with --target=wasm32"
#endif
#ifndef __wasm_bulk_memory__
#error "copying needs instructions of WebAssembly's own: compile with -mbulk-memory"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- What a handler is, and what it is given. */

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

/* What a handler emits through, during a call. */
typedef struct upcall_emit upcall_emit;

/* What a handler is told when it is opened. It ends with that call. */
typedef struct upcall_open upcall_open;

/* A pool that there is not. */
#define UPCALL_NO_POOL UINT32_MAX

/* A handler. Its functions return null when all went well, or why not: a text that ends with a zero. Those that are null
 * are not called. `state` is of `size` bytes, which begin as zeroes. */
typedef struct {
    const char *name;
    size_t size;
    const char *(*open)(void *state, const upcall_open *open);
    const char *(*on_object)(void *state, const upcall_object *object, upcall_emit *emit);
    const char *(*flush)(void *state, upcall_emit *emit);
} upcall_handler;

/* Its handlers: UPCALL_HANDLERS({.name = "count", .size = sizeof(struct count), .on_object = count}). */
#define UPCALL_HANDLERS(...)                                                                                           \
    static const upcall_handler upcall_handlers_[] = {__VA_ARGS__};                                                     \
    UPCALL_EXPORT("upcall_make") uint32_t upcall_make_(uint32_t handler, uint32_t refusal) {                            \
        return upcall_make_of_(upcall_handlers_, sizeof upcall_handlers_ / sizeof *upcall_handlers_, handler, refusal); \
    }

enum upcall_level { UPCALL_ERROR = 1, UPCALL_WARN, UPCALL_INFO, UPCALL_DEBUG, UPCALL_TRACE };

/* What upcall_read finds. The value ends with the call of the handler. */
typedef struct {
    upcall_bytes value;
    uint64_t version; /* 0: there is none. */
    uint64_t time;
} upcall_found;

/* Emits an object into the handler's first pool. False where it has none, or the flow gives no memory: return then. */
static bool upcall_put(upcall_emit *emit, upcall_bytes key, upcall_bytes value);
/* The same into another pool, by its number. */
static bool upcall_put_to(upcall_emit *emit, uint32_t pool, upcall_bytes key, upcall_bytes value);
/* The number of a pool that the handler watches, emits to or reads; UPCALL_NO_POOL where it does not. */
static uint32_t upcall_pool(const upcall_open *open, const char *path);
/* A setting; `data` is null where there is none. */
static upcall_bytes upcall_setting(const upcall_open *open, const char *name);
/* The newest version of a key. False where the handler may not read the pool. */
static bool upcall_read(uint32_t pool, upcall_bytes key, upcall_found *found);
/* A line of the log, under the handler's name. */
static void upcall_log(enum upcall_level level, upcall_bytes text);
/* Memory of zeroes, a multiple of 16, for as long as the instance lives. Null where there is no more. */
static void *upcall_alloc(size_t bytes);
/* Ends the instance: its handler fails with this text, and what it held is gone. */
static _Noreturn void upcall_panic(const char *why);

/* The bytes of a text that ends with a zero. */
static inline upcall_bytes upcall_text(const char *text) {
    size_t len = 0;
    while (text[len]) len++;
    return (upcall_bytes){text, len};
}

/* The bytes of a value, as a flow's blittable types have them. */
#define UPCALL_VALUE(value) ((upcall_bytes){(const char *)&(value), sizeof(value)})

static inline bool upcall_equal(upcall_bytes one, upcall_bytes other) {
    if (one.len != other.len) return false;
    for (size_t at = 0; at < one.len; at++)
        if (one.data[at] != other.data[at]) return false;
    return true;
}

/* ---- The boundary, as crates/abi has it: an address has 64 bits there. */

#define UPCALL_EXPORT(name) __attribute__((export_name(name)))
#define UPCALL_IMPORT(name) __attribute__((import_module("upcall"), import_name(name)))
/* Not every module uses all of it. */
#define UPCALL_STATIC static __attribute__((unused))

enum { UPCALL_ABI = 2 };
enum { UPCALL_OK = 0, UPCALL_FAILED = 1 };
enum { UPCALL_OPEN = 1, UPCALL_FLUSH = 3, UPCALL_CLOSE = 4, UPCALL_PING = 5, UPCALL_DESCRIBE = 6, UPCALL_FLOW = 16 };
#define UPCALL_NO_ITEM UINT32_MAX

typedef struct {
    uint64_t at, len;
} upcall_rel_;

typedef struct {
    uint16_t abi, kind;
    uint32_t size;
    uint64_t base[4];
    struct {
        upcall_rel_ text;
        uint32_t type_len, message_len, stack_len, item;
    } error;
    uint64_t complete;
} upcall_head_;

typedef struct {
    uint64_t at, end;
    uint32_t chunk, reserved;
    uint64_t grow;
} upcall_output_;

typedef struct {
    upcall_rel_ key, value;
    uint64_t version, time;
    uint32_t pool, sender;
    uint64_t tag;
} upcall_item_;

typedef struct {
    upcall_head_ head;
    upcall_rel_ items, values;
    uint64_t stride;
    upcall_output_ out;
    uint32_t done, reserved;
    struct {
        uint64_t at;
        uint32_t chunk, done;
    } progress[2];
} upcall_flow_;

typedef struct {
    upcall_head_ head;
    upcall_output_ out;
} upcall_describe_;

typedef struct {
    upcall_rel_ path, value_type;
    uint32_t value_size, id, access, reserved;
} upcall_pool_;

typedef struct {
    uint32_t size, reserved;
    upcall_rel_ pools, senders;
    uint64_t services;
} upcall_flow_open_;

struct upcall_open {
    upcall_head_ head;
    upcall_rel_ name, settings;
    uint64_t services;
    upcall_rel_ added;
    uint16_t batch, reserved;
    uint32_t worker, workers, reserved_2;
};

typedef struct {
    upcall_rel_ name, value;
} upcall_setting_;

typedef struct {
    uint32_t pool, item, value_len, key_len;
} upcall_record_;

typedef struct {
    uint32_t size, reserved;
    upcall_rel_ file, name;
} upcall_name_;

typedef struct {
    uint32_t kind, reserved;
    uint64_t text, room, len;
} upcall_refusal_;

typedef struct {
    uint64_t key, key_len;
    uint32_t pool, as_of;
    uint64_t at;
} upcall_query_;

_Static_assert(sizeof(upcall_head_) == 80 && sizeof(upcall_output_) == 32 && sizeof(upcall_item_) == 64, "crates/abi");
_Static_assert(sizeof(upcall_flow_) == 192 && offsetof(upcall_flow_, done) == 152, "crates/abi");
_Static_assert(sizeof(upcall_open) == 152 && offsetof(upcall_open, batch) == 136, "crates/abi");
_Static_assert(sizeof(upcall_flow_open_) == 48 && sizeof(upcall_pool_) == 48, "crates/abi");
_Static_assert(sizeof(upcall_refusal_) == 32 && sizeof(upcall_query_) == 32 && sizeof(upcall_name_) == 40, "crates/abi");

UPCALL_IMPORT("grow") int32_t upcall_host_grow_(uint64_t need, uint64_t *place);
UPCALL_IMPORT("log") void upcall_host_log_(uint32_t level, const char *text, size_t len);
UPCALL_IMPORT("read") int32_t upcall_host_read_(const upcall_query_ *query, upcall_item_ *found);
UPCALL_IMPORT("failed") void upcall_host_failed_(const char *text, size_t len, const char *place, size_t place_len);

#define UPCALL_AT_(type, address) ((type *)(uintptr_t)(address))

static inline upcall_bytes upcall_of_(upcall_rel_ rel) {
    return (upcall_bytes){UPCALL_AT_(const char, rel.at), (size_t)rel.len};
}

/* ---- What handlers call. */

struct upcall_emit {
    upcall_output_ *out;
    uint32_t item, first;
    const char *failed;
};

UPCALL_STATIC bool upcall_put_to(upcall_emit *emit, uint32_t pool, upcall_bytes key, upcall_bytes value) {
    upcall_output_ *out = emit->out;
    if (pool == UPCALL_NO_POOL) {
        emit->failed = "it emits to no pool: declare one with `to` in the flow's file";
        return false;
    }
    uint64_t need = ((uint64_t)sizeof(upcall_record_) + value.len + key.len + 7) & ~7ull;
    if (out->end - out->at < need) {
        uint64_t place[2];
        if (upcall_host_grow_(need, place) != UPCALL_OK) {
            emit->failed = "the flow gives no more memory for what it emits";
            return false;
        }
        out->at = place[0];
        out->end = place[1];
        out->chunk++;
    }
    char *to = UPCALL_AT_(char, out->at);
    *(upcall_record_ *)to = (upcall_record_){pool, emit->item, (uint32_t)value.len, (uint32_t)key.len};
    to += sizeof(upcall_record_);
    if (value.len) __builtin_memcpy(to, value.data, value.len);
    if (key.len) __builtin_memcpy(to + value.len, key.data, key.len);
    out->at += need;
    return true;
}

/* The first pool of the instance that is called. */
static uint32_t upcall_first_ = UPCALL_NO_POOL;

UPCALL_STATIC bool upcall_put(upcall_emit *emit, upcall_bytes key, upcall_bytes value) {
    return upcall_put_to(emit, emit->first, key, value);
}

UPCALL_STATIC uint32_t upcall_pool(const upcall_open *open, const char *path) {
    const upcall_flow_open_ *added = UPCALL_AT_(const upcall_flow_open_, open->added.at);
    const upcall_pool_ *pools = UPCALL_AT_(const upcall_pool_, added->pools.at);
    for (size_t at = 0; at < added->pools.len; at++)
        if (upcall_equal(upcall_of_(pools[at].path), upcall_text(path))) return pools[at].id;
    return UPCALL_NO_POOL;
}

UPCALL_STATIC upcall_bytes upcall_setting(const upcall_open *open, const char *name) {
    const upcall_setting_ *settings = UPCALL_AT_(const upcall_setting_, open->settings.at);
    for (size_t at = 0; at < open->settings.len; at++)
        if (upcall_equal(upcall_of_(settings[at].name), upcall_text(name))) return upcall_of_(settings[at].value);
    return (upcall_bytes){0, 0};
}

UPCALL_STATIC bool upcall_read(uint32_t pool, upcall_bytes key, upcall_found *found) {
    upcall_query_ query = {(uintptr_t)key.data, key.len, pool, 0, 0};
    upcall_item_ item = {0};
    if (upcall_host_read_(&query, &item) != UPCALL_OK) return false;
    *found = (upcall_found){upcall_of_(item.value), item.version, item.time};
    return true;
}

UPCALL_STATIC void upcall_log(enum upcall_level level, upcall_bytes text) { upcall_host_log_(level, text.data, text.len); }

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

/* ---- The driver. */

typedef struct {
    const upcall_handler *handler;
    void *state;
} upcall_instance_;

UPCALL_EXPORT("upcall_abi") uint32_t upcall_abi_(void) { return UPCALL_ABI; }

static size_t upcall_write_(char *to, size_t room, const char *text) {
    upcall_bytes bytes = upcall_text(text);
    size_t len = bytes.len < room ? bytes.len : room;
    /* Not in the middle of a character. */
    while (len < bytes.len && len && (bytes.data[len] & 0xc0) == 0x80) len--;
    if (len) __builtin_memcpy(to, bytes.data, len);
    return len;
}

UPCALL_STATIC uint32_t upcall_make_of_(const upcall_handler *handlers, size_t count, uint32_t name, uint32_t refusal) {
    upcall_bytes wanted = upcall_of_(UPCALL_AT_(upcall_name_, name)->name);
    upcall_refusal_ *refused = UPCALL_AT_(upcall_refusal_, refusal);
    for (size_t at = 0; at < count; at++) {
        if (!upcall_equal(wanted, upcall_text(handlers[at].name))) continue;
        upcall_instance_ *made = upcall_alloc(sizeof *made);
        if (made) *made = (upcall_instance_){&handlers[at], upcall_alloc(handlers[at].size)};
        if (made && made->state) return (uint32_t)(uintptr_t)made;
        refused->kind = 5;
        refused->len = upcall_write_(UPCALL_AT_(char, refused->text), (size_t)refused->room, "there is no memory for its state");
        return 0;
    }
    char *to = UPCALL_AT_(char, refused->text);
    size_t room = (size_t)refused->room, len = upcall_write_(to, room, "it exports no such handler");
    for (size_t at = 0; at < count; at++) {
        len += upcall_write_(to + len, room - len, "\n");
        len += upcall_write_(to + len, room - len, handlers[at].name);
    }
    refused->kind = 4;
    refused->len = len;
    return 0;
}

static int32_t upcall_fail_(upcall_head_ *head, uint32_t item, const char *why) {
    char *to = UPCALL_AT_(char, head->error.text.at);
    size_t room = (size_t)head->error.text.len, len = upcall_write_(to, room, "failure");
    head->error.type_len = (uint32_t)len;
    head->error.message_len = (uint32_t)upcall_write_(to + len, room - len, why);
    head->error.stack_len = 0;
    head->error.item = item;
    return UPCALL_FAILED;
}

static int32_t upcall_objects_(upcall_instance_ *of, upcall_flow_ *frame) {
    const upcall_item_ *items = UPCALL_AT_(const upcall_item_, frame->items.at);
    upcall_emit emit = {&frame->out, 0, upcall_first_, 0};
    for (uint32_t at = 0; at < frame->items.len; at++) {
        const upcall_item_ *item = &items[at];
        upcall_object object = {upcall_of_(item->key), upcall_of_(item->value), item->version, item->time,
                                item->tag,             item->pool,              item->sender};
        uint64_t place = frame->out.at;
        uint32_t chunk = frame->out.chunk;
        emit.item = at;
        const char *failed = of->handler->on_object ? of->handler->on_object(of->state, &object, &emit) : 0;
        if (!failed) failed = emit.failed;
        if (failed) {
            frame->out.at = place;
            frame->out.chunk = chunk;
            return upcall_fail_(&frame->head, at, failed);
        }
        /* Behind what the item has emitted, should the next one trap. */
        __asm__ volatile("" ::: "memory");
        *(volatile uint32_t *)&frame->done = at + 1;
    }
    return UPCALL_OK;
}

static int32_t upcall_opened_(upcall_instance_ *of, upcall_open *frame) {
    if (frame->batch != UPCALL_FLOW)
        return upcall_fail_(&frame->head, UPCALL_NO_ITEM, "it takes FLOW frames, and the engine calls with others: give it another handler");
    const upcall_flow_open_ *added = UPCALL_AT_(const upcall_flow_open_, frame->added.at);
    const upcall_pool_ *pools = UPCALL_AT_(const upcall_pool_, added->pools.at);
    upcall_first_ = UPCALL_NO_POOL;
    for (size_t at = added->pools.len; at > 0; at--)
        if (pools[at - 1].access & 2) upcall_first_ = pools[at - 1].id;
    const char *failed = of->handler->open ? of->handler->open(of->state, frame) : 0;
    return failed ? upcall_fail_(&frame->head, UPCALL_NO_ITEM, failed) : UPCALL_OK;
}

UPCALL_EXPORT("upcall_call") int32_t upcall_call_(uint32_t instance, uint32_t address, uint32_t out) {
    upcall_instance_ *of = UPCALL_AT_(upcall_instance_, instance);
    upcall_head_ *head = UPCALL_AT_(upcall_head_, address);
    upcall_emit emit = {UPCALL_AT_(upcall_output_, address + out), UPCALL_NO_ITEM, upcall_first_, 0};
    switch (head->kind) {
    case UPCALL_DESCRIBE:
        upcall_put_to(&emit, 1, upcall_text("FLOW"), upcall_text("16"));
        upcall_put_to(&emit, 2, upcall_text("object"), upcall_text(""));
        return emit.failed ? upcall_fail_(head, UPCALL_NO_ITEM, emit.failed) : UPCALL_OK;
    case UPCALL_OPEN: return upcall_opened_(of, (upcall_open *)head);
    case UPCALL_FLOW: return upcall_objects_(of, (upcall_flow_ *)head);
    case UPCALL_FLUSH: {
        uint64_t place = emit.out->at;
        uint32_t chunk = emit.out->chunk;
        const char *failed = of->handler->flush ? of->handler->flush(of->state, &emit) : 0;
        if (!failed) failed = emit.failed;
        if (!failed) return UPCALL_OK;
        emit.out->at = place;
        emit.out->chunk = chunk;
        return upcall_fail_(head, UPCALL_NO_ITEM, failed);
    }
    case UPCALL_CLOSE:
    case UPCALL_PING: return UPCALL_OK;
    default: return upcall_fail_(head, UPCALL_NO_ITEM, "a frame of another kind reached a handler that takes FLOW: give the engine another handler");
    }
}

#endif
