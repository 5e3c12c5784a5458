#include "api.h"
#include <stdlib.h>
#include <string.h>

int lambda_sum(lambda value, int yield) { return value.from + value.in + value.is + yield; }
int here = 1;
enum kind next_kind(enum kind kind) { return kind + 1; }
size_t text_length(const char *text) { return text ? strlen(text) : 0; }
const char *greeting(void) { return "hello"; }
void node_set(node *to, const char *name, int level) {
    to->name = name;
    to->ready = true;
    to->was = KIND_MANY;
    to->level = level;
}
void walk(const node *first, void (*visit)(const node *, void *), void *user_data) {
    for (; first; first = first->next) visit(first, user_data);
}
int32_t sort(int32_t *values, size_t count, int (*compare)(const int32_t *, const int32_t *)) {
    qsort(values, count, sizeof *values, (int (*)(const void *, const void *))compare);
    return count ? values[0] : 0;
}
struct opaque { int value; };
struct opaque *opaque_make(int value) {
    struct opaque *made = malloc(sizeof *made);
    made->value = value;
    return made;
}
int opaque_get(const struct opaque *of) { return of->value; }
int opaque_open(int value, struct opaque **to, const char **why) {
    if (value < 0) {
        *to = NULL;
        *why = "it is negative";
        return 1;
    }
    *to = opaque_make(value);
    *why = NULL;
    return 0;
}
void split(int64_t value, int32_t *high, uint32_t *low) {
    *high = (int32_t)(value >> 32);
    *low = (uint32_t)value;
}
void grow(size_t *size) { *size *= 2; }
void node_make(node *to, int level) {
    to->level = level;
    to->kind = KIND_SOME;
}
void fill(char *to, size_t size) { memset(to, 'x', size); }
void fill_bytes(unsigned char *to, size_t size) { memset(to, 'y', size); }
size_t zeros(const char *of, size_t size) {
    size_t count = 0;
    while (size > 0) count += of[--size] == 0;
    return count;
}
const unsigned char *column(int index) { return index ? NULL : (const unsigned char *)"sp\xc3\xa4t"; }
