/* A handler that was made, and what it emits through. */
#ifndef UPCALL_GUEST_INSTANCE_H
#define UPCALL_GUEST_INSTANCE_H

#include "abi.h"

/* A pool that the handler may emit to and whose type is not the one that it gives. */
typedef struct upcall_disagreement_ {
    const struct upcall_disagreement_ *next;
    uint32_t pool;
    const char *why;
} upcall_disagreement_;

typedef struct {
    const upcall_handler *handler;
    void *state;
    uint32_t first; /* The pool that upcall_put writes to. */
    bool opened, closed;
    const upcall_disagreement_ *disagreements;
    upcall_graph graph; /* Of a vertex program. */
    /* Whether it was told of the iteration, and of an interval in it: its first vertex, and which pass. */
    bool begun, begun_interval;
    uint64_t interval_first, pass;
} upcall_instance_;

struct upcall_emit {
    upcall_output_ *out;
    const upcall_instance_ *of;
    uint32_t item, conditional; /* The last item that has emitted on condition. */
    const char *failed;
};

/* How far an output is. */
typedef struct {
    uint64_t at;
    uint32_t chunk;
} upcall_mark_;

static inline upcall_mark_ upcall_mark_of_(const upcall_output_ *out) { return (upcall_mark_){out->at, out->chunk}; }

/* Forgets what was written since then. What is left of an earlier chunk is not used: nobody knows where it ends. */
static inline void upcall_back_to_(upcall_output_ *out, upcall_mark_ mark) {
    if (out->chunk != mark.chunk) out->end = mark.at;
    out->at = mark.at;
    out->chunk = mark.chunk;
}

#endif
