/* Emits, and then does what the value says, each of which ends the instance by another signal or check, or fails. */
#include "upcall_guest.h"

static volatile uint32_t zero, seven = 7;

static __attribute__((noinline)) uint32_t deeper(uint32_t depth) {
    return zero ? depth : deeper(depth + 1) + zero;
}

static const char *fault(void *state, const upcall_object *object, upcall_emit *emit) {
    (void)state;
    upcall_put(emit, object->key, object->value);
    uint32_t made = 0;
    if (upcall_equal(object->value, upcall_text("fail"))) made = *(volatile uint32_t *)0xfffffff0;
    if (upcall_equal(object->value, upcall_text("divide"))) made = seven / zero;
    if (upcall_equal(object->value, upcall_text("unreachable"))) __builtin_trap();
    if (upcall_equal(object->value, upcall_text("overflow"))) made = deeper(0);
    uint64_t place[2];
    if (upcall_equal(object->value, upcall_text("grow")) && upcall_host_grow_(2ull << 30, place) != UPCALL_OK)
        return "there is no room for 2 GiB";
    zero += made * zero;
    return 0;
}

UPCALL_HANDLERS({.name = "Faults", .on_object = fault})
