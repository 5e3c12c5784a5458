#include "upcall_testing.h"
#include "greeter.c"

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    upcall_harness *harness = upcall_harness_new("greeter");
    upcall_harness_emits(harness, "/greetings");

    assert(!upcall_harness_put(harness, upcall_text("1"), upcall_text("Ada")));
    assert(harness->emitted_len == 1);
    assert(upcall_equal(harness->emitted[0].value, upcall_text("Hello, Ada!")));

    const upcall_failed *failed = upcall_harness_put(harness, upcall_text("2"), upcall_text(""));
    assert(failed && !strcmp(failed->message, "nobody is named"));

    upcall_harness_free(harness);
    printf("it greets\n");
    return 0;
}
