#include "api.h"
#include <stdlib.h>
#include <string.h>

int lambda_sum(lambda value, int yield) { return value.from + value.in + value.is + yield; }
enum kind next_kind(enum kind kind) { return kind + 1; }
size_t text_length(const char *text) { return text ? strlen(text) : 0; }
const char *greeting(void) { return "hello"; }
void node_set(node *to, const char *name, int level) {
    to->name = name;
    to->ready = 1;
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
