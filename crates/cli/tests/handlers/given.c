/* A function that is a flow's handler: what it may not wait for, and what the report calls it. Prints both. */
#include "check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const FLOW =
    "workers = 1\n[pool.'/in']\n[pool.'/out']\n[[handler]]\nname = 'waits'\non = '/'\n";

static UpcallFlow *flow;

static Slice_u8 bytes(const char *text) {
    return Slice_u8_from((const uint8_t *)text, strlen(text));
}

/* Waits for a task, or prints why not. */
static void wait_for(UpcallTask *task) {
    Failure *failure = NULL;
    if (upcall_task_wait(task, -1, &failure)) {
        upcall_task_check(task, &failure);
        check(failure);
    } else {
        size_t len = 0;
        const char *message = failure == NULL ? "" : Failure_message(failure, &len);
        printf("%.*s\n", (int)len, message);
        upcall_failure_release(failure);
    }
    upcall_task_release(task);
}

static void send(UpcallSend what) {
    Failure *failure = NULL;
    UpcallPool *out = upcall_flow_pool(flow, Str_from("/out"), &failure);
    check(failure);
    UpcallTask *sent = upcall_pool_send(out, what, bytes("k"), bytes(""), 0, &failure);
    check(failure);
    wait_for(sent);
    upcall_pool_release(out);
}

/* Called with what it puts itself, too. */
static int32_t waits(void *context, Str key, Slice_u8 value, uint64_t version, void *emit) {
    (void)context, (void)value, (void)version, (void)emit;
    if (key.len != 5 || memcmp(key.data, "begin", 5) != 0) {
        return 0;
    }
    Failure *failure = NULL;
    send(UpcallSend_Put);
    send(UpcallSend_PutIf);
    send(UpcallSend_Remove);
    UpcallTask *drain = upcall_flow_drain(flow, &failure);
    check(failure);
    wait_for(drain);
    UpcallTask *settle = upcall_flow_settle(flow, &failure);
    check(failure);
    wait_for(settle);
    return 0;
}

int main(void) {
    Failure *failure = NULL;
    UpcallFlowBuilder *builder = upcall_flow_builder_new(Str_from(FLOW), Str_from("flow.toml"), &failure);
    check(failure);
    upcall_flow_builder_on_object(builder, Str_from("waits"), waits, NULL, NULL, &failure);
    check(failure);
    UpcallTask *start = upcall_flow_builder_start(builder, &failure);
    check(failure);
    (void)upcall_task_wait(start, -1, &failure);
    check(failure);
    flow = upcall_task_flow(start, &failure);
    check(failure);
    upcall_task_release(start);
    upcall_flow_builder_release(builder);

    UpcallPool *in = upcall_flow_pool(flow, Str_from("/in"), &failure);
    check(failure);
    upcall_pool_put(in, bytes("begin"), bytes(""), &failure);
    check(failure);
    UpcallTask *drain = upcall_flow_drain(flow, &failure);
    check(failure);
    wait_for(drain);
    Text report = upcall_flow_report(flow, &failure);
    check(failure);
    printf("%.*s\n", (int)report.len, (const char *)report.data);
    Text_release(&report);

    UpcallTask *stop = upcall_flow_stop(flow, &failure);
    check(failure);
    wait_for(stop);
    upcall_pool_release(in);
    upcall_flow_release(flow);
    return 0;
}
