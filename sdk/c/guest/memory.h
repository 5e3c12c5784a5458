/* What a compiler may call by itself, and for __builtin_memcmp and its like, in a module without a C library. All are weak: of a
 * module that is linked with others, theirs count. */
#ifndef UPCALL_GUEST_MEMORY_H
#define UPCALL_GUEST_MEMORY_H

#ifdef __wasm32__

#include <stddef.h>

#define UPCALL_WEAK_ __attribute__((weak))

/* The first three are one instruction each (-mbulk-memory). */
UPCALL_WEAK_ void *memcpy(void *to, const void *from, size_t len) { return __builtin_memcpy(to, from, len); }

UPCALL_WEAK_ void *memmove(void *to, const void *from, size_t len) { return __builtin_memmove(to, from, len); }

UPCALL_WEAK_ void *memset(void *to, int byte, size_t len) { return __builtin_memset(to, byte, len); }

UPCALL_WEAK_ int memcmp(const void *one, const void *other, size_t len) {
    const unsigned char *a = one, *b = other;
    for (; len; a++, b++, len--)
        if (*a != *b) return *a - *b;
    return 0;
}

#endif

#endif
