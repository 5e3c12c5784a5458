/* What `upcall doctor wasm` runs: emits what it is given. `echo.wasm` is made of it. */
#include "upcall_guest.h"

static const char *echo(void *state, const upcall_object *object, upcall_emit *emit) {
    (void)state;
    upcall_put(emit, object->key, object->value);
    return 0;
}

UPCALL_HANDLERS({.name = "echo", .on_object = echo})
