#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The kinds of "things" */
enum kind { KIND_NONE, KIND_SOME = 5, KIND_MANY };

/** "First" and then "next" */
typedef struct node {
    struct node *next;
    const char *name;
    bool ready : 1;
    int level : 5;
    enum kind was : 4;
    enum kind kind;
    union {
        float real;
        uint32_t bits;
    } value;
    uint8_t codes[3];
} node;

typedef struct lambda {
    int from, in, is;
} lambda;

struct opaque;

#define LIMIT 42
#define NAME "größe"

/** How many things are "here"\ */
extern int here;

/** Adds the fields up. */
int lambda_sum(lambda value, int yield);
enum kind next_kind(enum kind kind);
size_t text_length(const char *text);
const char *greeting(void);
void node_set(node *to, const char *name, int level);
void walk(const node *first, void (*visit)(const node *at, void *user_data), void *user_data);
int32_t sort(int32_t *values, size_t count, int (*compare)(const int32_t *a, const int32_t *b));
struct opaque *opaque_make(int value);
int opaque_get(const struct opaque *of);
/** Makes one, or says why not. */
int opaque_open(int value, struct opaque **to, const char **why);
void split(int64_t value, int32_t *high, uint32_t *low);
void grow(size_t *size);
void node_make(node *to, int level);
/** Writes letters. */
void fill(char *to, size_t size);
void fill_bytes(unsigned char *to, size_t size);
size_t zeros(const char *of, size_t size);
const unsigned char *column(int index);
static inline int twice(int value) { return value * 2; }
