/* Puts one object whose handler quotes it in its failure, and prints the dead letters. */
#include "check.h"
#include <stdio.h>
#include <stdlib.h>

static const char *const FLOW = "[pool.'/in']\n[[handler]]\nname = 'parse'\non = '/in'\n";

static Slice_u8 bytes(const char *text, size_t len) {
    return Slice_u8_from((const uint8_t *)text, len);
}

static int32_t parse(void *context, Str key, Slice_u8 value, uint64_t version, void *emit) {
    char why[64];
    (void)context, (void)key, (void)version;
    int len = snprintf(why, sizeof why, "no number: %.*s", (int)value.len, (const char *)value.data);
    return upcall_fail(emit, bytes(why, (size_t)len), NULL);
}

/* Waits for a task and gives it back to be released. */
static UpcallTask *ended(UpcallTask *task, Failure *failure) {
    check(failure);
    (void)upcall_task_wait(task, -1, &failure);
    check(failure);
    upcall_task_check(task, &failure);
    check(failure);
    return task;
}

int main(void) {
    Failure *failure = NULL;
    UpcallFlowBuilder *builder = upcall_flow_builder_new(Str_from(FLOW), Str_from("flow.toml"), &failure);
    check(failure);
    upcall_flow_builder_on_object(builder, Str_from("parse"), parse, NULL, NULL, &failure);
    check(failure);
    UpcallTask *start = ended(upcall_flow_builder_start(builder, &failure), failure);
    UpcallFlow *flow = upcall_task_flow(start, &failure);
    check(failure);
    upcall_task_release(start);
    upcall_flow_builder_release(builder);

    UpcallPool *in = upcall_flow_pool(flow, Str_from("/in"), &failure);
    check(failure);
    upcall_pool_put(in, bytes("1", 1), bytes("\xff\xfe!", 3), &failure);
    check(failure);
    upcall_task_release(ended(upcall_flow_drain(flow, &failure), failure));
    Text letters = upcall_flow_dead_letters(flow, Str_from("/in"), &failure);
    check(failure);
    printf("%.*s\n", (int)letters.len, (const char *)letters.data);
    Text_release(&letters);

    upcall_task_release(ended(upcall_flow_stop(flow, &failure), failure));
    upcall_pool_release(in);
    upcall_flow_release(flow);
    return 0;
}
