/* The objects of a call. */
#ifndef UPCALL_GUEST_BATCH_H
#define UPCALL_GUEST_BATCH_H

#include "abi.h"

static upcall_object upcall_object_of_(const upcall_item_ *item) {
    return (upcall_object){upcall_of_(item->key), upcall_of_(item->value), item->version, item->time,
                           item->tag,             item->pool,              item->sender};
}

UPCALL_STATIC upcall_object upcall_get(const upcall_batch *batch, size_t index) {
    return upcall_object_of_(UPCALL_AT_(const upcall_item_, batch->frame->items.at) + index);
}

/* So many items are done. Whoever finds it after a trap finds what they have emitted, too: it is written behind that. */
static void upcall_finish_(upcall_flow_ *frame, uint32_t done) {
    __asm__ volatile("" ::: "memory");
    *(volatile uint32_t *)&frame->done = done;
    __asm__ volatile("" ::: "memory");
}

UPCALL_STATIC void upcall_done(upcall_batch *batch, size_t count) {
    upcall_flow_ *frame = batch->frame;
    uint32_t done = (uint32_t)(count < batch->len ? count : batch->len), before = frame->done;
    /* What is emitted between two reports of the same number belongs to those that follow. */
    if (done != before) {
        /* Never the one that belongs to `before`, until `done` says so. */
        bool other = frame->progress[0].done == before;
        frame->progress[other] = (upcall_progress_){frame->out.at, frame->out.chunk, done};
    }
    upcall_finish_(frame, done);
}

#endif
