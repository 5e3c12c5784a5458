/* What C libraries commonly have: text by its address, results through pointers, tables of enums. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GREETING "hello"
#define NOT_TEXT "\xff\x01"

enum level { LOW = 1, MIDDLE, HIGH };

struct levels {
    enum level all[3];
    enum level grid[2][2];
    enum level one;
    bool even : 1;
    enum level last : 3;
};

struct levels turned(struct levels given);

/** The name of a level, or null. */
const char *level_name(enum level level);
/** The same bytes, as old libraries give them. */
const unsigned char *level_bytes(enum level level);
int each_name(int (*call)(void *context, int count, char **names, const char *last), void *context);

/** Makes text upper case where it is. */
void shout(char *text);
size_t zeros(const unsigned char *bytes, size_t length);
size_t length_of(const char *text);
void fill(void *to, int byte, size_t length);

typedef struct counter counter;
int counter_open(const char *label, counter **out);
int counter_read(const counter *of, int *count, size_t *size, double *mean, int64_t *wide, bool *even,
                 enum level *level, const char **label, struct levels *all);
void counter_close(counter *of);

/* Addresses that are none, as of `SQLITE_TRANSIENT` and `MAP_FAILED`. */
typedef void (*destructor)(void *);
struct marks {
    void *none;
    destructor call;
};
int is_mark(void *none, destructor call, struct marks marks);
struct marks marks_of(int distance);
#define MARK_NONE ((void *)-1)
#define MARK_CALL ((destructor)-2)

/* Sizes that are errors, as of zstd. */
size_t size_or(int error);
int is_error(size_t size);
