/* Loads two copies of libupcall into this process and runs the flow of a file in both: at once, and each by its own functions. */
#include "upcall.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EACH(F) \
    F(upcall_flow_builder_new) F(upcall_flow_builder_on_object) F(upcall_flow_builder_start) F(upcall_flow_builder_release) \
    F(upcall_task_wait) F(upcall_task_check) F(upcall_task_flow) F(upcall_task_release) F(upcall_flow_pool) F(upcall_pool_put) \
    F(upcall_flow_drain) F(upcall_flow_stop) F(upcall_flow_dead_letters) F(upcall_pool_list) F(upcall_emit)

typedef struct {
#define MEMBER(name) __typeof__(name) *name;
    EACH(MEMBER)
    UpcallFlow *flow;
} Copy;

static void load(Copy *copy, const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
#define FIND(name) *(void **)&copy->name = dlsym(library, #name);
    EACH(FIND)
}

static int failed(Failure *failure) {
    if (failure == NULL) return 0;
    size_t len;
    const char *message = Failure_message(failure, &len);
    printf("refused: %.*s\n", (int)len, message);
    return 1;
}

static int32_t echo(void *context, Str key, Slice_u8 value, uint64_t version, void *emit) {
    (void)version;
    ((Copy *)context)->upcall_emit(emit, Slice_u8_from((const uint8_t *)key.data, key.len), value, NULL);
    return 0;
}

static int start(Copy *copy, const char *text) {
    Failure *failure = NULL;
    UpcallFlowBuilder *builder = copy->upcall_flow_builder_new(Str_from(text), Str_from(""), &failure);
    if (failed(failure)) return 1;
    if (strstr(text, "class") == NULL) copy->upcall_flow_builder_on_object(builder, Str_from("echo"), echo, copy, NULL, &failure);
    if (failed(failure)) return 1;
    UpcallTask *task = copy->upcall_flow_builder_start(builder, &failure);
    if (failed(failure)) return 1;
    copy->upcall_task_wait(task, -1, &failure);
    if (failed(failure)) return 1;
    copy->flow = copy->upcall_task_flow(task, &failure);
    if (failed(failure)) return 1;
    copy->upcall_task_release(task);
    copy->upcall_flow_builder_release(builder);
    return 0;
}

static void ended(Copy *copy, UpcallTask *task, Failure **failure) {
    if (*failure) return;
    copy->upcall_task_wait(task, -1, failure);
    copy->upcall_task_release(task);
}

static int run(Copy *copy, const char *value) {
    Failure *failure = NULL;
    UpcallPool *in = copy->upcall_flow_pool(copy->flow, Str_from("/in"), &failure);
    copy->upcall_pool_put(in, Slice_u8_from((const uint8_t *)"key", 3), Slice_u8_from((const uint8_t *)value, strlen(value)), &failure);
    ended(copy, copy->upcall_flow_drain(copy->flow, &failure), &failure);
    Text letters = copy->upcall_flow_dead_letters(copy->flow, Str_from("/in"), &failure);
    UpcallPool *out = copy->upcall_flow_pool(copy->flow, Str_from("/out"), &failure);
    Buffer_u8 keys = copy->upcall_pool_list(out, Slice_u8_from((const uint8_t *)"", 0), &failure);
    if (failed(failure)) return 1;
    printf("%.*s %.*s\n", keys.len > 4 ? (int)keys.len - 4 : 0, (const char *)keys.data + 4, (int)letters.len, (const char *)letters.data);
    return 0;
}

static void stop(Copy *copy) {
    Failure *failure = NULL;
    ended(copy, copy->upcall_flow_stop(copy->flow, &failure), &failure);
    failed(failure);
}

/* The text of a file. */
static char *text_of(const char *path) {
    static char texts[2][4096];
    static int next = 0;
    char *text = texts[next++];
    FILE *file = fopen(path, "r");
    if (file == NULL || fread(text, 1, sizeof texts[0] - 1, file) == 0) exit(2);
    fclose(file);
    return text;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    static Copy copies[2];
    int live[2];
    for (int n = 0; n < 2; n++) load(&copies[n], argv[1 + n]);
    for (int n = 0; n < 2; n++) live[n] = start(&copies[n], text_of(argv[3 + n])) == 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int n = 0; n < 2; n++) {
            if (live[n]) run(&copies[n], turn == 0 ? "first" : "second");
        }
    }
    for (int n = 0; n < 2; n++) {
        if (live[n]) stop(&copies[n]);
    }
    puts("ended");
    return 0;
}
