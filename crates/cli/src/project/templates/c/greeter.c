/* Greets whoever a line names. */
#include "upcall_guest.h"

static const char *greet(void *state, const upcall_object *object, upcall_emit *emit) {
    (void)state;
    char greeting[64] = "Hello, ";
    if (object->value.len == 0) return "nobody is named";
    if (object->value.len > sizeof greeting - 8) return "the name is too long";
    __builtin_memcpy(greeting + 7, object->value.data, object->value.len);
    greeting[7 + object->value.len] = '!';
    upcall_put(emit, object->key, (upcall_bytes){greeting, object->value.len + 8});
    return 0;
}

UPCALL_HANDLERS({.name = "greeter", .on_object = greet})
