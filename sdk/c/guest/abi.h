/* The boundary, as crates/abi has it: an address has 64 bits there. */
#ifndef UPCALL_GUEST_ABI_H
#define UPCALL_GUEST_ABI_H

#include "handler.h"

enum { UPCALL_ABI = 2 };
enum { UPCALL_OK = 0, UPCALL_FAILED = 1 };
enum { UPCALL_OPEN = 1, UPCALL_FLUSH = 3, UPCALL_CLOSE = 4, UPCALL_PING = 5, UPCALL_DESCRIBE = 6, UPCALL_FLOW = 16, UPCALL_COMBINE = 17,
       UPCALL_VERTEX = 18 };
/* What a record of a description is about. */
enum { UPCALL_ABOUT_KIND = 1, UPCALL_ABOUT_FORM, UPCALL_ABOUT_TAKES, UPCALL_ABOUT_GIVES, UPCALL_ABOUT_COMMUTATIVE,
       UPCALL_ABOUT_PARAMETER = 8, UPCALL_ABOUT_VALUE, UPCALL_ABOUT_NEEDS, UPCALL_ABOUT_GATHER };
/* What a frame of vertices is about. */
enum { UPCALL_START = 0, UPCALL_UPDATE, UPCALL_AFTER, UPCALL_INTERVAL };
enum { UPCALL_MAY_WATCH = 1, UPCALL_MAY_EMIT = 2, UPCALL_MAY_READ = 4 };
enum { UPCALL_AS_OF_NOW, UPCALL_AS_OF_VERSION, UPCALL_AS_OF_TIME };
enum { UPCALL_MISSING_NOT_DECLARED = 1, UPCALL_MISSING_COMPACTED, UPCALL_MISSING_UNKNOWN_AS_OF, UPCALL_MISSING_NO_ROOM };
enum { UPCALL_REFUSED_HANDLER_MISSING = 4, UPCALL_REFUSED_CONSTRUCTOR_FAILED };
#define UPCALL_NO_ITEM UINT32_MAX
#define UPCALL_CONDITION UINT32_MAX

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
    uint64_t at;
    uint32_t chunk, done;
} upcall_progress_;

typedef struct upcall_flow_ {
    upcall_head_ head;
    upcall_rel_ items, values;
    uint64_t stride;
    upcall_output_ out;
    uint32_t done, reserved;
    upcall_progress_ progress[2];
} upcall_flow_;

typedef struct {
    upcall_head_ head;
    upcall_rel_ from, into;
    uint64_t count;
} upcall_combine_;

/* The edges of a frame's vertices in one direction. */
typedef struct {
    upcall_rel_ begins, ends, ids, at, values, places;
} upcall_edges_;

struct upcall_tally {
    double residual, total;
};

typedef struct {
    upcall_head_ head;
    uint32_t phase, block;
    uint64_t iteration;
    double total;
    uint64_t first, count;
    upcall_rel_ ids, own, before, next, out_degrees, shown;
    upcall_edges_ incoming, outgoing;
    upcall_rel_ gathered, tallies, woken;
    uint64_t wakes, updated, scheduled;
    double residual;
    uint32_t ended, value_size;
    /* Only in frames that reach so far: UPCALL_REACHES_. */
    upcall_rel_ next_values;
    uint64_t interval_first, interval_end, pass;
} upcall_vertex_frame_;

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

typedef struct {
    uint32_t size, element_size;
    upcall_rel_ element;
} upcall_combine_open_;

typedef struct {
    uint32_t size, directed;
    uint64_t vertices, edges;
    upcall_rel_ lent;
} upcall_vertex_open_;

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

/* A test compares these numbers with crates/abi. */
#define UPCALL_SIZE_(type, bytes) _Static_assert(sizeof(type) == (bytes), "crates/abi")
#define UPCALL_FIELD_(type, field, offset) _Static_assert(offsetof(type, field) == (offset), "crates/abi")

UPCALL_SIZE_(upcall_rel_, 16);
UPCALL_FIELD_(upcall_rel_, at, 0);
UPCALL_FIELD_(upcall_rel_, len, 8);
UPCALL_SIZE_(upcall_head_, 80);
UPCALL_FIELD_(upcall_head_, abi, 0);
UPCALL_FIELD_(upcall_head_, kind, 2);
UPCALL_FIELD_(upcall_head_, size, 4);
UPCALL_FIELD_(upcall_head_, base, 8);
UPCALL_FIELD_(upcall_head_, error.text, 40);
UPCALL_FIELD_(upcall_head_, error.type_len, 56);
UPCALL_FIELD_(upcall_head_, error.message_len, 60);
UPCALL_FIELD_(upcall_head_, error.stack_len, 64);
UPCALL_FIELD_(upcall_head_, error.item, 68);
UPCALL_FIELD_(upcall_head_, complete, 72);
UPCALL_SIZE_(upcall_output_, 32);
UPCALL_FIELD_(upcall_output_, at, 0);
UPCALL_FIELD_(upcall_output_, end, 8);
UPCALL_FIELD_(upcall_output_, chunk, 16);
UPCALL_FIELD_(upcall_output_, reserved, 20);
UPCALL_FIELD_(upcall_output_, grow, 24);
UPCALL_SIZE_(upcall_item_, 64);
UPCALL_FIELD_(upcall_item_, key, 0);
UPCALL_FIELD_(upcall_item_, value, 16);
UPCALL_FIELD_(upcall_item_, version, 32);
UPCALL_FIELD_(upcall_item_, time, 40);
UPCALL_FIELD_(upcall_item_, pool, 48);
UPCALL_FIELD_(upcall_item_, sender, 52);
UPCALL_FIELD_(upcall_item_, tag, 56);
UPCALL_SIZE_(upcall_progress_, 16);
UPCALL_FIELD_(upcall_progress_, at, 0);
UPCALL_FIELD_(upcall_progress_, chunk, 8);
UPCALL_FIELD_(upcall_progress_, done, 12);
UPCALL_SIZE_(upcall_flow_, 192);
UPCALL_FIELD_(upcall_flow_, head, 0);
UPCALL_FIELD_(upcall_flow_, items, 80);
UPCALL_FIELD_(upcall_flow_, values, 96);
UPCALL_FIELD_(upcall_flow_, stride, 112);
UPCALL_FIELD_(upcall_flow_, out, 120);
UPCALL_FIELD_(upcall_flow_, done, 152);
UPCALL_FIELD_(upcall_flow_, reserved, 156);
UPCALL_FIELD_(upcall_flow_, progress, 160);
UPCALL_SIZE_(upcall_combine_, 120);
UPCALL_FIELD_(upcall_combine_, head, 0);
UPCALL_FIELD_(upcall_combine_, from, 80);
UPCALL_FIELD_(upcall_combine_, into, 96);
UPCALL_FIELD_(upcall_combine_, count, 112);
UPCALL_SIZE_(upcall_edges_, 96);
UPCALL_FIELD_(upcall_edges_, begins, 0);
UPCALL_FIELD_(upcall_edges_, ends, 16);
UPCALL_FIELD_(upcall_edges_, ids, 32);
UPCALL_FIELD_(upcall_edges_, at, 48);
UPCALL_FIELD_(upcall_edges_, values, 64);
UPCALL_FIELD_(upcall_edges_, places, 80);
UPCALL_SIZE_(upcall_tally, 16);
UPCALL_FIELD_(upcall_tally, residual, 0);
UPCALL_FIELD_(upcall_tally, total, 8);
UPCALL_SIZE_(upcall_vertex_frame_, 536);
UPCALL_FIELD_(upcall_vertex_frame_, head, 0);
UPCALL_FIELD_(upcall_vertex_frame_, phase, 80);
UPCALL_FIELD_(upcall_vertex_frame_, block, 84);
UPCALL_FIELD_(upcall_vertex_frame_, iteration, 88);
UPCALL_FIELD_(upcall_vertex_frame_, total, 96);
UPCALL_FIELD_(upcall_vertex_frame_, first, 104);
UPCALL_FIELD_(upcall_vertex_frame_, count, 112);
UPCALL_FIELD_(upcall_vertex_frame_, ids, 120);
UPCALL_FIELD_(upcall_vertex_frame_, own, 136);
UPCALL_FIELD_(upcall_vertex_frame_, before, 152);
UPCALL_FIELD_(upcall_vertex_frame_, next, 168);
UPCALL_FIELD_(upcall_vertex_frame_, out_degrees, 184);
UPCALL_FIELD_(upcall_vertex_frame_, shown, 200);
UPCALL_FIELD_(upcall_vertex_frame_, incoming, 216);
UPCALL_FIELD_(upcall_vertex_frame_, outgoing, 312);
UPCALL_FIELD_(upcall_vertex_frame_, gathered, 408);
UPCALL_FIELD_(upcall_vertex_frame_, tallies, 424);
UPCALL_FIELD_(upcall_vertex_frame_, woken, 440);
UPCALL_FIELD_(upcall_vertex_frame_, wakes, 456);
UPCALL_FIELD_(upcall_vertex_frame_, updated, 464);
UPCALL_FIELD_(upcall_vertex_frame_, scheduled, 472);
UPCALL_FIELD_(upcall_vertex_frame_, residual, 480);
UPCALL_FIELD_(upcall_vertex_frame_, ended, 488);
UPCALL_FIELD_(upcall_vertex_frame_, value_size, 492);
UPCALL_FIELD_(upcall_vertex_frame_, next_values, 496);
UPCALL_FIELD_(upcall_vertex_frame_, interval_first, 512);
UPCALL_FIELD_(upcall_vertex_frame_, interval_end, 520);
UPCALL_FIELD_(upcall_vertex_frame_, pass, 528);
UPCALL_SIZE_(upcall_describe_, 112);
UPCALL_FIELD_(upcall_describe_, head, 0);
UPCALL_FIELD_(upcall_describe_, out, 80);
UPCALL_SIZE_(upcall_pool_, 48);
UPCALL_FIELD_(upcall_pool_, path, 0);
UPCALL_FIELD_(upcall_pool_, value_type, 16);
UPCALL_FIELD_(upcall_pool_, value_size, 32);
UPCALL_FIELD_(upcall_pool_, id, 36);
UPCALL_FIELD_(upcall_pool_, access, 40);
UPCALL_FIELD_(upcall_pool_, reserved, 44);
UPCALL_SIZE_(upcall_flow_open_, 48);
UPCALL_FIELD_(upcall_flow_open_, size, 0);
UPCALL_FIELD_(upcall_flow_open_, reserved, 4);
UPCALL_FIELD_(upcall_flow_open_, pools, 8);
UPCALL_FIELD_(upcall_flow_open_, senders, 24);
UPCALL_FIELD_(upcall_flow_open_, services, 40);
UPCALL_SIZE_(upcall_combine_open_, 24);
UPCALL_FIELD_(upcall_combine_open_, size, 0);
UPCALL_FIELD_(upcall_combine_open_, element_size, 4);
UPCALL_FIELD_(upcall_combine_open_, element, 8);
UPCALL_SIZE_(upcall_vertex_open_, 40);
UPCALL_FIELD_(upcall_vertex_open_, size, 0);
UPCALL_FIELD_(upcall_vertex_open_, directed, 4);
UPCALL_FIELD_(upcall_vertex_open_, vertices, 8);
UPCALL_FIELD_(upcall_vertex_open_, edges, 16);
UPCALL_FIELD_(upcall_vertex_open_, lent, 24);
UPCALL_SIZE_(upcall_open, 152);
UPCALL_FIELD_(upcall_open, head, 0);
UPCALL_FIELD_(upcall_open, name, 80);
UPCALL_FIELD_(upcall_open, settings, 96);
UPCALL_FIELD_(upcall_open, services, 112);
UPCALL_FIELD_(upcall_open, added, 120);
UPCALL_FIELD_(upcall_open, batch, 136);
UPCALL_FIELD_(upcall_open, reserved, 138);
UPCALL_FIELD_(upcall_open, worker, 140);
UPCALL_FIELD_(upcall_open, workers, 144);
UPCALL_FIELD_(upcall_open, reserved_2, 148);
UPCALL_SIZE_(upcall_setting_, 32);
UPCALL_FIELD_(upcall_setting_, name, 0);
UPCALL_FIELD_(upcall_setting_, value, 16);
UPCALL_SIZE_(upcall_record_, 16);
UPCALL_FIELD_(upcall_record_, pool, 0);
UPCALL_FIELD_(upcall_record_, item, 4);
UPCALL_FIELD_(upcall_record_, value_len, 8);
UPCALL_FIELD_(upcall_record_, key_len, 12);
UPCALL_SIZE_(upcall_name_, 40);
UPCALL_FIELD_(upcall_name_, size, 0);
UPCALL_FIELD_(upcall_name_, reserved, 4);
UPCALL_FIELD_(upcall_name_, file, 8);
UPCALL_FIELD_(upcall_name_, name, 24);
UPCALL_SIZE_(upcall_refusal_, 32);
UPCALL_FIELD_(upcall_refusal_, kind, 0);
UPCALL_FIELD_(upcall_refusal_, reserved, 4);
UPCALL_FIELD_(upcall_refusal_, text, 8);
UPCALL_FIELD_(upcall_refusal_, room, 16);
UPCALL_FIELD_(upcall_refusal_, len, 24);
UPCALL_SIZE_(upcall_query_, 32);
UPCALL_FIELD_(upcall_query_, key, 0);
UPCALL_FIELD_(upcall_query_, key_len, 8);
UPCALL_FIELD_(upcall_query_, pool, 16);
UPCALL_FIELD_(upcall_query_, as_of, 20);
UPCALL_FIELD_(upcall_query_, at, 24);

/* Whether a frame of vertices, which may be an older engine's, is long enough to have a field. */
#define UPCALL_REACHES_(frame, field) \
    ((frame)->head.size >= offsetof(upcall_vertex_frame_, field) + sizeof (frame)->field)

#define UPCALL_AT_(type, address) ((type *)(uintptr_t)(address))

static inline upcall_bytes upcall_of_(upcall_rel_ rel) {
    return (upcall_bytes){UPCALL_AT_(const char, rel.at), (size_t)rel.len};
}

#endif
