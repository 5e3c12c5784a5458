/* Messages that are put together from parts. */
#ifndef UPCALL_GUEST_TEXT_H
#define UPCALL_GUEST_TEXT_H

#include "handler.h"

/* A module stays small where it is no copy of them in every place. */
#define UPCALL_SELDOM_ static __attribute__((noinline, cold))

/* Writes what there is room for, up to the end of a character. */
UPCALL_SELDOM_ size_t upcall_write_(char *to, size_t room, upcall_bytes bytes) {
    size_t len = bytes.len < room ? bytes.len : room;
    while (len < bytes.len && len && (bytes.data[len] & 0xc0) == 0x80) len--;
    if (len) __builtin_memcpy(to, bytes.data, len);
    return len;
}

enum { UPCALL_MESSAGE_ = 1024 };

/* A message that ends with a zero, until the next one; and the one of an emission, which is told after the handler. */
static char upcall_message_[UPCALL_MESSAGE_], upcall_emission_[UPCALL_MESSAGE_];

typedef struct {
    char *to;
    size_t len, room;
} upcall_writer_;

UPCALL_SELDOM_ void upcall_add_(upcall_writer_ *writer, upcall_bytes part) {
    writer->len += upcall_write_(writer->to + writer->len, writer->room - writer->len, part);
}

UPCALL_SELDOM_ void upcall_say_(upcall_writer_ *writer, const char *part) { upcall_add_(writer, upcall_text(part)); }

UPCALL_SELDOM_ void upcall_count_(upcall_writer_ *writer, uint64_t number) {
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    upcall_add_(writer, (upcall_bytes){digits + at, sizeof digits - at});
}

static upcall_writer_ upcall_begin_in_(char *message) { return (upcall_writer_){message, 0, UPCALL_MESSAGE_ - 1}; }

static upcall_writer_ upcall_begin_(void) { return upcall_begin_in_(upcall_message_); }

/* Adds a type: its name, and the bytes of one where all have as many. */
UPCALL_SELDOM_ void upcall_say_type_(upcall_writer_ *writer, upcall_bytes name, uint64_t size) {
    upcall_add_(writer, name);
    if (!size) return;
    upcall_say_(writer, " of ");
    upcall_count_(writer, size);
    upcall_say_(writer, " bytes");
}

static const char *upcall_end_(const upcall_writer_ *writer) {
    writer->to[writer->len] = 0;
    return writer->to;
}

#endif
