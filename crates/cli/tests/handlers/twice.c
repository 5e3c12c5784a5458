/* Gives two functions for one handler. Prints what is said of it. */
#include "upcall.h"
#include <stdio.h>

static const char *const FLOW = "[pool.'/in']\n[[handler]]\nname = 'parse'\non = '/in'\n";

static int32_t one(void *context, Str key, Slice_u8 value, uint64_t version, void *emit) {
    (void)context, (void)key, (void)value, (void)version, (void)emit;
    return 0;
}

static int32_t other(void *context, Str key, Slice_u8 value, uint64_t version, void *emit) {
    (void)context, (void)key, (void)value, (void)version, (void)emit;
    return 1;
}

int main(void) {
    Failure *failure = NULL;
    UpcallFlowBuilder *builder = upcall_flow_builder_new(Str_from(FLOW), Str_from("flow.toml"), &failure);
    upcall_flow_builder_on_object(builder, Str_from("parse"), one, NULL, NULL, &failure);
    upcall_flow_builder_on_object(builder, Str_from("parse"), other, NULL, NULL, &failure);
    UpcallTask *start = failure == NULL ? upcall_flow_builder_start(builder, &failure) : NULL;
    if (failure == NULL) {
        (void)upcall_task_wait(start, -1, &failure);
        upcall_task_check(start, &failure);
    }
    size_t len = 0;
    const char *message = failure == NULL ? "nothing is wrong" : Failure_message(failure, &len);
    printf("%.*s\n", failure == NULL ? 16 : (int)len, message);
    return 0;
}
