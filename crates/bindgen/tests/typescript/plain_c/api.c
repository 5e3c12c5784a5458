#include "api.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {"low", "m\xc3\xae" "ddle", "high"};

struct levels turned(struct levels given) {
    struct levels made = given;
    for (int i = 0; i < 3; i++) made.all[i] = given.all[2 - i];
    made.grid[0][1] = given.one;
    made.even = !given.even;
    made.last = given.last == HIGH ? LOW : HIGH;
    return made;
}

const char *level_name(enum level level) { return level >= LOW && level <= HIGH ? NAMES[level - 1] : NULL; }
const unsigned char *level_bytes(enum level level) { return (const unsigned char *)level_name(level); }

int each_name(int (*call)(void *, int, char **, const char *), void *context) {
    char *names[] = {"one", NULL, "three"};
    return call(context, 3, names, names[2]);
}

void shout(char *text) {
    for (; *text; text++) *text = (char)toupper((unsigned char)*text);
}

size_t zeros(const unsigned char *bytes, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) count += bytes[i] == 0;
    return count;
}

size_t length_of(const char *text) { return strlen(text); }
void fill(void *to, int byte, size_t length) { memset(to, byte, length); }

struct counter {
    const char *label;
};

int counter_open(const char *label, counter **out) {
    if (strcmp(label, "none") == 0) return 1;
    *out = malloc(sizeof(counter));
    (*out)->label = label[0] ? "named" : NULL;
    return 0;
}

int counter_read(const counter *of, int *count, size_t *size, double *mean, int64_t *wide, bool *even,
                 enum level *level, const char **label, struct levels *all) {
    *count += 1;
    *size = sizeof(counter);
    *mean = 2.5;
    *wide = INT64_MIN;
    *even = true;
    *level = HIGH;
    *label = of->label;
    all->one = MIDDLE;
    return *count;
}

void counter_close(counter *of) { free(of); }

int is_mark(void *none, destructor call, struct marks marks) {
    return none == (void *)-1 && call == (destructor)-2 && marks.none == (void *)-3 && marks.call == (destructor)-4;
}

struct marks marks_of(int distance) {
    return (struct marks){(void *)(intptr_t)distance, (destructor)(intptr_t)distance};
}

size_t size_or(int error) { return error ? (size_t)-error : 8; }
int is_error(size_t size) { return size > (size_t)-120; }
