/* What C passes by pointer: handles, text, buffers and places for results. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct box box;
typedef struct lid lid;

struct size {
    int32_t width;
    int32_t height;
};

/** How a box is drawn. */
struct style {
    bool shown : 1;
    int width : 4;
    bool filled : 1;
};

/** Opens a box; 0, or 1 if the name is null. */
int box_open(const char *name, box **out);
/** The name that it was opened with. */
const char *box_name(const box *of);
/** How many are open. */
int box_count(void);
/** Closes it. */
int box_close(box *gone);
/** Visits it, and says whether it was closed meanwhile. */
int box_visit(box *one, void (*visit)(void *context), void *context);
/** The larger of two, of which either may be missing. */
box *box_larger(box *one, box *other);
/** How many letters their names have, after the visit. */
int box_letters(box *const *boxes, size_t count, void (*visit)(void *context), void *context);
lid *box_lid(box *of);
int lid_turns(const lid *of);

const char *version(void);
/** The text behind the first letter like this; null if there is none. */
const char *find_letter(const char *text, char letter);
char *copy_text(const char *text);
void free_text(char *text);
int longest(const char *const *texts, size_t count, const char **out);
/** The first letter of the second text, after the visit. */
char second_text(const char *first, const char *second, void (*visit)(void *context), void *context);
int put_text(char *to, int room, const char *text);
int complain(int number, char **message);

void extremes(const int *values, size_t count, int *least, int *most);
uint32_t checksum(const void *data, size_t length);
int pack_bytes(unsigned char *to, unsigned long *length, const unsigned char *from, unsigned long count);
void fill(void *to, size_t length, int with);
int grow(struct size *what, int by);
/** Turns it around. */
void invert(struct style *what);
struct size double_size(struct size what);
