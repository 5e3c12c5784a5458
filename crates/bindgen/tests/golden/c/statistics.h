/* Made by upcall bindgen 0.1.0 --config bindgen.toml --library statistics --rust src/lib.rs; do not edit. */
#ifndef UPCALL_STATISTICS_H
#define UPCALL_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef UPCALL_HEADER_MACROS
#define UPCALL_HEADER_MACROS

/* What an address of the type is a multiple of. */
#if defined(__cplusplus)
#define UPCALL_ALIGNOF(type) alignof(type)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define UPCALL_ALIGNOF(type) _Alignof(type)
#else
#define UPCALL_ALIGNOF(type) offsetof(struct { char before; type value; }, value)
#endif

/* A condition that the compiler checks. */
#if defined(__cplusplus)
#define UPCALL_ASSERT(condition) static_assert(condition, #condition)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define UPCALL_ASSERT(condition) _Static_assert(condition, #condition)
#else
#define UPCALL_ASSERT(condition) extern char upcall_assert[(condition) ? 1 : -1]
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#define UPCALL_ALIGN(bytes) __declspec(align(bytes))
#define UPCALL_DEPRECATED(message) __declspec(deprecated(message))
#define UPCALL_EXTENSION
#define UPCALL_SYMBOL(name)
#else
#define UPCALL_ALIGN(bytes) __attribute__((aligned(bytes)))
#define UPCALL_DEPRECATED(message) __attribute__((deprecated(message)))
#define UPCALL_EXTENSION __extension__
#define UPCALL_TEXT_OF(name) #name
#define UPCALL_TEXT(name) UPCALL_TEXT_OF(name)
#define UPCALL_SYMBOL(name) __asm__(UPCALL_TEXT(__USER_LABEL_PREFIX__) name)
#endif

/* Before what the library exports. */
#ifndef UPCALL_API
#if defined(_WIN32)
#define UPCALL_API __declspec(dllimport)
#else
#define UPCALL_API
#endif
#endif

#endif /* UPCALL_HEADER_MACROS */

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct Slice_f64 Slice_f64;
typedef struct Text Text;
typedef struct Failure Failure;
typedef struct Summary Summary;
typedef struct Str Str;
typedef struct Sum Sum;

struct Slice_f64 {
    const double *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Slice_f64) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Slice_f64) == 8);
UPCALL_ASSERT(offsetof(struct Slice_f64, data) == 0);
UPCALL_ASSERT(offsetof(struct Slice_f64, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline Slice_f64 Slice_f64_from(const double *data, size_t len) {
    Slice_f64 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

struct Text {
    uint8_t *data;
    size_t len;
    size_t capacity;
    void (*release)(uint8_t *data, size_t len, size_t capacity);
};
UPCALL_ASSERT(sizeof(Text) == 32);
UPCALL_ASSERT(UPCALL_ALIGNOF(Text) == 8);
UPCALL_ASSERT(offsetof(struct Text, data) == 0);
UPCALL_ASSERT(offsetof(struct Text, len) == 8);
UPCALL_ASSERT(offsetof(struct Text, capacity) == 16);
UPCALL_ASSERT(offsetof(struct Text, release) == 24);
/** Gives the elements back to the library; a second call does nothing. */
static inline void Text_release(Text *buffer) {
    if (buffer->release) {
        buffer->release(buffer->data, buffer->len, buffer->capacity);
    }
    memset(buffer, 0, sizeof *buffer);
}

struct Failure {
    Text message;
    int32_t code;
};
UPCALL_ASSERT(sizeof(Failure) == 40);
UPCALL_ASSERT(UPCALL_ALIGNOF(Failure) == 8);
UPCALL_ASSERT(offsetof(struct Failure, message) == 0);
UPCALL_ASSERT(offsetof(struct Failure, code) == 32);
/** What went wrong: `*len` bytes of UTF-8 without a final zero, until the failure is released. */
static inline const char *Failure_message(const Failure *failure, size_t *len) {
    *len = failure->message.len;
    return (const char *)failure->message.data;
}

/** What a list of numbers comes to. */
struct Summary {
    /** The smallest. */
    double min;
    /** The largest. */
    double max;
    /** How many there are. */
    uint32_t count;
};
UPCALL_ASSERT(sizeof(Summary) == 24);
UPCALL_ASSERT(UPCALL_ALIGNOF(Summary) == 8);
UPCALL_ASSERT(offsetof(struct Summary, min) == 0);
UPCALL_ASSERT(offsetof(struct Summary, max) == 8);
UPCALL_ASSERT(offsetof(struct Summary, count) == 16);

struct Str {
    const uint8_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Str) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Str) == 8);
UPCALL_ASSERT(offsetof(struct Str, data) == 0);
UPCALL_ASSERT(offsetof(struct Str, len) == 8);
/** UTF-8 text that ends in a zero and must live until the call returns. */
static inline Str Str_from(const char *text) {
    Str str;
    str.data = (const uint8_t *)text;
    str.len = strlen(text);
    return str;
}

/**
 * A sum that remembers.
 * Made by `sum_new`.
 * Released by `sum_release`.
 */
struct Sum;

/** The library's version: a plain C function needs no attribute but its own. */
UPCALL_API uint32_t statistics_version(void);

/**
 * The arithmetic mean.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double mean(Slice_f64 values, Failure **failure);

/**
 * Smallest and largest; zeroes of an empty list.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Summary summarize(Slice_f64 values, Failure **failure);

/**
 * How many of the values the caller wants to keep.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint32_t count_if(Slice_f64 values, bool (*keep)(void *context, double arg0), void *keep_context, Failure **failure);

/**
 * A greeting.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text greet(Str name, Failure **failure);

/**
 * A sum that begins here.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Sum *sum_new(double start, Failure **failure);

/**
 * Adds and tells the sum.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double sum_add(Sum *sum, double value, Failure **failure);

UPCALL_API void sum_release(Sum *sum);

/** Takes a failure back. */
UPCALL_API void upcall_failure_release(Failure *failure);

#if defined(__cplusplus)
}
#endif

#endif /* UPCALL_STATISTICS_H */
