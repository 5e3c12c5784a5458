/* Keeps callbacks, as a program in C does. */
#include "kept.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>

struct seen {
    atomic_ullong sum;
    atomic_uint calls;
    atomic_uint released;
};

static void add(void *context, uint64_t value) {
    struct seen *seen = context;
    atomic_fetch_add(&seen->sum, value);
    atomic_fetch_add(&seen->calls, 1);
}

static void woken(void *context) {
    add(context, 1);
}

static double rank(void *context, Str text, Slice_f64 numbers) {
    add(context, numbers.len);
    return (double)text.len * numbers.data[0];
}

static void release(void *context) {
    struct seen *seen = context;
    atomic_fetch_add(&seen->released, 1);
}

static void wait_for(atomic_uint *number, unsigned wanted) {
    while (atomic_load(number) != wanted) {
    }
}

int main(void) {
    static struct seen seen, named, woke;
    Failure *failure = NULL;
    hear(add, &seen, release, NULL);
    fire(5, NULL);
    fire_and_wait(4, NULL);
    assert(seen.sum == 5 + 6 && seen.released == 0);
    fire_from_threads(3, 1000, NULL);
    wait_for(&seen.calls, 5 + 3000);
    /* One more takes its place. */
    hear_as(add, &named, release, Str_from("another"), &failure);
    assert(failure == NULL);
    wait_for(&seen.released, 1);
    hear_as(add, &named, release, Str_from(""), &failure);
    assert(failure != NULL && named.released == 1);
    upcall_failure_release(failure);
    failure = NULL;
    hear_as(NULL, &named, release, Str_from("none"), &failure);
    assert(failure != NULL && failure->code == -2 && named.released == 2);
    upcall_failure_release(failure);
    forget_on_a_thread(NULL);
    assert(named.released == 3 && alive(NULL) == 0);
    wake_after(1, woken, &woke, release, NULL);
    wait_for(&woke.released, 1);
    assert(woke.calls == 1);
    rank_with(rank, &woke, NULL, NULL);
    double numbers[] = {2.5, 1.0};
    assert(ranked(Str_from("four"), Slice_f64_from(numbers, 2), NULL) == 10.0);
    forget_rank(NULL);
    assert(woke.released == 1 && seen.released == 1);
    for (int round = 0; round < 10000; round++) {
        hear(add, &seen, release, NULL);
    }
    forget(NULL);
    assert(seen.released == 10001 && alive(NULL) == 0);
    printf("done\n");
    return 0;
}
