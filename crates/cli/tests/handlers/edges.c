/* What a program meets at the edges: the word says which. Prints what it has seen. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const FLOW =
    "workers = 1\n[pool.'/in']\n[pool.'/numbers']\ntype = 'u64'\n[[handler]]\nname = 'holds'\non = '/in'\n";

/* The handler is called, may go on; a waker is called, may go on. */
static sem_t called, handled, woken, passed;
static atomic_int released;
static atomic_int in_time;

static int code(Failure *failure) {
    if (failure == NULL) {
        return 0;
    }
    int code = failure->code;
    upcall_failure_release(failure);
    return code;
}

static int32_t hold(void *context, Str key, Slice_u8 value, uint64_t version, void *emit) {
    (void)context, (void)key, (void)value, (void)version, (void)emit;
    sem_post(&called);
    sem_wait(&handled);
    return 0;
}

static void release(void *context) {
    (void)context;
    atomic_fetch_add(&released, 1);
}

static void wake(void *context) {
    (void)context;
}

static void wake_slowly(void *context) {
    (void)context;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    sem_post(&woken);
    atomic_store(&in_time, sem_timedwait(&passed, &until) == 0);
}

static void wait_for(UpcallTask *task) {
    Failure *failure = NULL;
    (void)upcall_task_wait(task, -1, &failure);
    check(failure);
    upcall_task_check(task, &failure);
    check(failure);
}

/* As `upcall_pool_put_many` takes it. */
static size_t object(uint8_t *to, const char *key, uint32_t bytes) {
    uint32_t key_len = (uint32_t)strlen(key);
    memcpy(to, &key_len, 4);
    memcpy(to + 4, &bytes, 4);
    memcpy(to + 8, key, key_len);
    memset(to + 8 + key_len, 7, bytes);
    return 8 + key_len + bytes;
}

/* The second of three objects is no number. */
static void many(UpcallFlow *flow, bool waits) {
    Failure *failure = NULL;
    UpcallPool *numbers = upcall_flow_pool(flow, Str_from("/numbers"), &failure);
    check(failure);
    uint8_t objects[100];
    size_t first = object(objects, "a", 8), len = first;
    len += object(objects + len, "b", 3);
    len += object(objects + len, "c", 8);
    uint64_t taken = upcall_pool_put_many(numbers, Slice_u8_from(objects, len), waits, &failure);
    printf("%s ", failure == NULL && taken == first ? "the first" : "?");
    code(failure);
    failure = NULL;
    (void)upcall_pool_put_many(numbers, Slice_u8_from(objects + first, len - first), waits, &failure);
    printf("%s\n", code(failure) == UPCALL_BAD_VALUE ? "bad value" : "?");
    upcall_pool_release(numbers);
}

/* The flow's handler is in a call. */
static void begin(UpcallFlow *flow) {
    Failure *failure = NULL;
    UpcallPool *in = upcall_flow_pool(flow, Str_from("/in"), &failure);
    check(failure);
    upcall_pool_put(in, Slice_u8_from((const uint8_t *)"k", 1), Slice_u8_from(NULL, 0), &failure);
    check(failure);
    upcall_pool_release(in);
    sem_wait(&called);
}

int main(int count, char **words) {
    const char *word = count > 1 ? words[1] : "";
    Failure *failure = NULL;
    sem_init(&called, 0, 0);
    sem_init(&handled, 0, 0);
    sem_init(&woken, 0, 0);
    sem_init(&passed, 0, 0);
    UpcallFlowBuilder *builder = upcall_flow_builder_new(Str_from(FLOW), Str_from("flow.toml"), &failure);
    check(failure);
    upcall_flow_builder_on_object(builder, Str_from("holds"), hold, NULL, NULL, &failure);
    check(failure);
    UpcallTask *start = upcall_flow_builder_start(builder, &failure);
    check(failure);
    wait_for(start);
    UpcallFlow *flow = upcall_task_flow(start, &failure);
    check(failure);
    upcall_task_release(start);

    if (strcmp(word, "many") == 0) {
        many(flow, false);
        many(flow, true);
    } else if (strcmp(word, "late") == 0) {
        upcall_flow_builder_on_object(builder, Str_from("holds"), hold, NULL, release, &failure);
        printf("%s ", code(failure) == UPCALL_NOT_NOW ? "refused" : "?");
        printf("%d\n", atomic_load(&released));
        failure = NULL;
        upcall_flow_builder_program(builder, Str_from("csharp"), FLOW, UPCALL_THREADS_ANY, &failure);
        printf("%s\n", code(failure) == UPCALL_NOT_NOW ? "refused" : "?");
        failure = NULL;
    } else if (strcmp(word, "stops") == 0) {
        begin(flow);
        UpcallTask *first = upcall_flow_stop(flow, &failure);
        check(failure);
        UpcallTask *second = upcall_flow_stop(flow, &failure);
        check(failure);
        for (int poll = 0; poll < 1000; poll++) {
            bool ended = upcall_task_poll(second, wake, NULL, release, &failure);
            check(failure);
            if (ended) {
                printf("ended early\n");
            }
        }
        printf("%d of 1000 wakers released\n", atomic_load(&released));
        sem_post(&handled);
        wait_for(second);
        wait_for(first);
        upcall_task_release(second);
        upcall_task_release(first);
    } else if (strcmp(word, "wait") == 0) {
        begin(flow);
        UpcallTask *stop = upcall_flow_stop(flow, &failure);
        check(failure);
        (void)upcall_task_poll(stop, wake_slowly, NULL, release, &failure);
        check(failure);
        sem_post(&handled);
        sem_wait(&woken);
        bool ended = upcall_task_wait(stop, 0, &failure);
        check(failure);
        sem_post(&passed);
        wait_for(stop);
        printf("%s %s\n", ended ? "ended" : "not ended", atomic_load(&in_time) ? "in time" : "late");
        upcall_task_release(stop);
    }
    upcall_flow_release(flow);
    upcall_flow_builder_release(builder);
    return 0;
}
