/* Counts the words of a file: a flow inside a program in C. See README.md beside it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "upcall.h"

static const char *const FLOW =
    "name = 'words'\n"
    "[pool.'/lines']\n"
    "kind = 'trigger'\n"
    "[pool.'/words']\n"
    "kind = 'trigger'\n"
    "[pool.'/counts']\n"
    "type = 'u64'\n"
    "[[handler]]\n"
    "name = 'split'\n"
    "on = '/lines'\n"
    "to = '/words'\n"
    "[[handler]]\n"
    "name = 'count'\n"
    "on = '/words'\n"
    "to = '/counts'\n"
    "order = 'single'\n";

enum { SLOTS = 1 << 16, LONGEST = 64, SHOWN = 10 };

struct word {
    char text[LONGEST];
    uint64_t count;
};

/* Belongs to the handler `count`, which one worker calls at a time. */
struct counts {
    struct word words[SLOTS];
    size_t used;
};

/* Prints what went wrong and ends the program. */
static void check(Failure *failure) {
    if (failure != NULL) {
        size_t len;
        const char *message = Failure_message(failure, &len);
        fprintf(stderr, "wordcount: %.*s\n", (int)len, message);
        upcall_failure_release(failure);
        exit(1);
    }
}

/* What a handler returns whose object fails. */
static int32_t fail(void *emit, const char *why) {
    return upcall_fail(emit, Slice_u8_from((const uint8_t *)why, strlen(why)), NULL);
}

/* For each line: emits its words, in lower case. */
static int32_t split(void *context, Str key, Slice_u8 line, uint64_t version, void *emit) {
    char word[LONGEST];
    size_t len = 0;
    (void)context, (void)key, (void)version;
    for (size_t at = 0; at <= line.len; at++) {
        if (at < line.len && isalpha(line.data[at])) {
            if (len == LONGEST - 1) {
                return fail(emit, "a word is too long");
            }
            word[len++] = (char)tolower(line.data[at]);
        } else if (len > 0) {
            upcall_emit(emit, Slice_u8_from((uint8_t *)word, len), Slice_u8_from(NULL, 0), NULL);
            len = 0;
        }
    }
    return 0;
}

/* For each word: counts it, and emits its count. */
static int32_t count(void *context, Str key, Slice_u8 value, uint64_t version, void *emit) {
    struct counts *counts = context;
    uint64_t hash = 14695981039346656037u;
    (void)value, (void)version;
    for (size_t at = 0; at < key.len; at++) {
        hash = (hash ^ (uint8_t)key.data[at]) * 1099511628211u;
    }
    struct word *word = &counts->words[hash % SLOTS];
    while (word->count > 0 && (strlen(word->text) != key.len || memcmp(word->text, key.data, key.len) != 0)) {
        word = word == &counts->words[SLOTS - 1] ? counts->words : word + 1;
    }
    if (word->count == 0) {
        if (counts->used++ == SLOTS / 2) {
            return fail(emit, "there are too many different words");
        }
        memcpy(word->text, key.data, key.len);
    }
    word->count++;
    upcall_emit(emit, Slice_u8_from((const uint8_t *)key.data, key.len),
                Slice_u8_from((const uint8_t *)&word->count, sizeof word->count), NULL);
    return 0;
}

static void release_counts(void *counts) {
    free(counts);
}

static int more(const void *one, const void *other) {
    const struct word *a = one, *b = other;
    return a->count != b->count ? (a->count < b->count) - (a->count > b->count) : strcmp(a->text, b->text);
}

/* Prints the words that were counted most, from the pool /counts. */
static void report(const UpcallPool *pool) {
    Failure *failure = NULL;
    Buffer_u8 keys = upcall_pool_list(pool, Slice_u8_from(NULL, 0), &failure);
    check(failure);
    struct word *words = calloc(SLOTS, sizeof *words);
    size_t found = 0, at = 0;
    if (words == NULL) {
        fprintf(stderr, "wordcount: no memory for the words\n");
        exit(1);
    }
    while (at < keys.len && found < SLOTS) {
        uint32_t len;
        UpcallFound seen;
        uint64_t value = 0;
        memcpy(&len, keys.data + at, sizeof len);
        const uint8_t *key = keys.data + at + sizeof len;
        at += sizeof len + len;
        upcall_pool_get(pool, Slice_u8_from(key, len), UpcallAsOf_Now, 0,
                        SliceMut_u8_from((uint8_t *)&value, sizeof value), &seen, &failure);
        check(failure);
        memcpy(words[found].text, key, len);
        words[found++].count = value;
    }
    Buffer_u8_release(&keys);
    qsort(words, found, sizeof *words, more);
    for (size_t index = 0; index < found && index < SHOWN; index++) {
        printf("%7llu  %s\n", (unsigned long long)words[index].count, words[index].text);
    }
    free(words);
}

/* Waits for what takes a while, and says how it ended. */
static void finish(UpcallTask *task) {
    Failure *failure = NULL;
    upcall_task_wait(task, -1, &failure);
    check(failure);
    upcall_task_check(task, &failure);
    check(failure);
    upcall_task_release(task);
}

int main(int argc, char **argv) {
    Failure *failure = NULL;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    struct counts *counts = calloc(1, sizeof *counts);
    if (file == NULL || counts == NULL) {
        fprintf(stderr, "usage: wordcount FILE, which must be there\n");
        free(counts);
        return 2;
    }

    UpcallFlowBuilder *builder = upcall_flow_builder_new(Str_from(FLOW), Str_from(""), &failure);
    check(failure);
    upcall_flow_builder_on_object(builder, Str_from("split"), split, NULL, NULL, &failure);
    check(failure);
    upcall_flow_builder_on_object(builder, Str_from("count"), count, counts, release_counts, &failure);
    check(failure);
    UpcallTask *start = upcall_flow_builder_start(builder, &failure);
    check(failure);
    upcall_task_wait(start, -1, &failure);
    check(failure);
    UpcallFlow *flow = upcall_task_flow(start, &failure);
    check(failure);
    upcall_task_release(start);
    upcall_flow_builder_release(builder);

    UpcallPool *lines = upcall_flow_pool(flow, Str_from("/lines"), &failure);
    check(failure);
    char line[4096], key[32];
    for (unsigned long number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        snprintf(key, sizeof key, "%lu", number);
        upcall_pool_put(lines, Slice_u8_from((uint8_t *)key, strlen(key)),
                        Slice_u8_from((uint8_t *)line, strlen(line)), &failure);
        check(failure);
    }
    fclose(file);
    UpcallTask *drain = upcall_flow_drain(flow, &failure);
    check(failure);
    finish(drain);

    UpcallPool *pool = upcall_flow_pool(flow, Str_from("/counts"), &failure);
    check(failure);
    report(pool);
    upcall_pool_release(pool);
    upcall_pool_release(lines);
    UpcallTask *stop = upcall_flow_stop(flow, &failure);
    check(failure);
    finish(stop);
    upcall_flow_release(flow);
    return 0;
}
