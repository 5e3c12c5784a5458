#include "typed.h"
#include <stdlib.h>
#include <string.h>

struct lid { int turns; };
struct box { volatile int open; char name[32]; lid top; };
static int count;

int box_open(const char *name, box **out) {
    *out = NULL;
    if (name == NULL) return 1;
    box *made = calloc(1, sizeof(box));
    strncpy(made->name, name, 31);
    made->top.turns = (int) strlen(name);
    made->open = 1;
    __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    *out = made;
    return 0;
}
const char *box_name(const box *of) { return of->name; }
int box_count(void) { return count; }
int box_close(box *gone) {
    gone->open = 0;
    __atomic_sub_fetch(&count, 1, __ATOMIC_SEQ_CST);
    return 7;
}
int box_visit(box *one, void (*visit)(void *context), void *context) {
    visit(context);
    return !one->open;
}
box *box_larger(box *one, box *other) {
    if (!one || !other) return one ? one : other;
    return strlen(one->name) < strlen(other->name) ? other : one;
}
int box_letters(box *const *boxes, size_t count, void (*visit)(void *context), void *context) {
    int letters = 0;
    visit(context);
    for (size_t index = 0; index < count; index++) letters += boxes[index]->open ? strlen(boxes[index]->name) : 1000;
    return letters;
}
lid *box_lid(box *of) { return &of->top; }
int lid_turns(const lid *of) { return of->turns; }

const char *version(void) { return "1.2 größer"; }
const char *find_letter(const char *text, char letter) { return text ? strchr(text, letter) : NULL; }
char *copy_text(const char *text) { return text ? strdup(text) : NULL; }
void free_text(char *text) { free(text); }
int longest(const char *const *texts, size_t count, const char **out) {
    static char kept[64];
    size_t best = 0;
    for (size_t index = 0; index < count; index++) {
        if (texts[index] && strlen(texts[index]) >= best) {
            best = strlen(texts[index]);
            strncpy(kept, texts[index], 63);
            *out = kept;
        }
    }
    return (int) best;
}
char second_text(const char *first, const char *second, void (*visit)(void *context), void *context) {
    visit(context);
    return first ? second[0] : 0;
}
int put_text(char *to, int room, const char *text) {
    strncpy(to, text, room);
    return (int) strlen(text);
}
int complain(int number, char **message) {
    if (number == 0) return 0;
    *message = strdup("no such number");
    return 1;
}

void extremes(const int *values, size_t count, int *least, int *most) {
    *least = *most = values[0];
    for (size_t index = 1; index < count; index++) {
        if (values[index] < *least) *least = values[index];
        if (values[index] > *most) *most = values[index];
    }
}
uint32_t checksum(const void *data, size_t length) {
    uint32_t sum = 0;
    for (size_t index = 0; index < length; index++) sum += ((const unsigned char *) data)[index];
    return sum;
}
int pack_bytes(unsigned char *to, unsigned long *length, const unsigned char *from, unsigned long count) {
    if (*length < count) return -1;
    for (unsigned long index = 0; index < count; index++) to[index] = from[index] ^ 1;
    *length = count;
    return 0;
}
void fill(void *to, size_t length, int with) { memset(to, with, length); }
void invert(struct style *what) {
    what->shown = !what->shown;
    what->filled = !what->filled;
    what->width = -what->width;
}
int grow(struct size *what, int by) {
    if (what == NULL) return 0;
    what->width += by;
    what->height += by;
    return what->width * what->height;
}
struct size double_size(struct size what) { return (struct size) { what.width * 2, what.height * 2 }; }
