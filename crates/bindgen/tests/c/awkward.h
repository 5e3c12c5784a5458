/* Everything that is awkward about C headers. */
#ifndef AWKWARD_H
#define AWKWARD_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <wchar.h>

#define AWKWARD_VERSION 3
#define AWKWARD_LIMIT (1ULL << 40)
#define AWKWARD_NEGATIVE (-7)
#define AWKWARD_MAX ((size_t)-1)
#define AWKWARD_RATIO 0.25
#define AWKWARD_SMALL 1.5f
#define AWKWARD_NAME "awkward \"name\""
#define AWKWARD_LETTER 'a'
#define AWKWARD_TWICE (AWKWARD_VERSION * 2)
#define AWKWARD_SIZE (sizeof(struct point) + 1)
#define AWKWARD_NOTHING
#define AWKWARD_TRUE ((_Bool)1)
#define AWKWARD_API __attribute__((visibility("default")))
#define AWKWARD_ADD(a, b) ((a) + (b))
#define AWKWARD_ALIAS point_sum
#define AWKWARD_OPEN extern "C" {

/** A point
 * in a plane. */
struct point {
    float x; /**< to the right */
    float y; ///< upwards
};
typedef struct point point_t;

/// Declared here, defined nowhere.
typedef struct hidden hidden;
struct undefined;

typedef struct {
    uint8_t tag;
    struct point corners[2];
    struct { int32_t left, top; } inset;
    struct { uint8_t r, g, b; } colors[2][3];
    union { int64_t whole; double part; };
    struct { uint16_t low; union { uint8_t odd; int32_t even; struct { char c; } deep[2]; }; };
    enum { SHAPE_ROUND = 1, SHAPE_SQUARE } kind;
    const char *name;
    hidden *owner;
    struct undefined **more;
} shape;

struct calls {
    int (*format)(char *to, const char *text, ...);
    int (*list)(const char *text, va_list list);
    int (*plain)(int value);
};

struct node {
    struct node *next;
    const struct node *const *others;
    void (*visit)(struct node *self, void *context);
    int (*(*table)[4])(size_t);
};

union number {
    int32_t i;
    float f;
    uint8_t bytes[5];
};

struct empty {};

struct flexible {
    uint32_t count;
    uint16_t items[];
};

struct __attribute__((packed)) packed {
    uint8_t a;
    uint32_t b;
    double c;
};

#pragma pack(push, 2)
struct packed_two {
    uint8_t a;
    uint32_t b;
    uint64_t c;
};
#pragma pack(pop)

struct __attribute__((aligned(32))) aligned {
    int32_t a;
};

struct field_aligned {
    uint8_t a;
    _Alignas(16) uint8_t b;
    uint8_t c;
};

struct __attribute__((packed, aligned(4))) packed_aligned {
    uint8_t a;
    uint32_t b;
    uint8_t c;
};

struct bits {
    unsigned a : 3;
    int b : 5;
    unsigned : 0;
    bool c : 1;
    uint64_t d : 40;
    uint8_t e;
    uint32_t f : 24;
    signed char g : 2;
    unsigned : 3;
    unsigned h : 1;
    int whole : 32;
};

struct bits_behind {
    char c;
    int b : 24;
};

struct __attribute__((packed)) bits_packed {
    uint8_t a : 4;
    uint16_t b : 10;
    uint32_t c : 18;
    uint16_t d;
};

union bits_union {
    uint32_t all;
    uint32_t low : 5;
    int32_t signed_low : 7;
};

typedef struct { int inner; } *handle_to_unnamed;
extern struct { short of_variable; } unnamed_variable[2];

enum color { RED, GREEN = 5, BLUE, ALSO_GREEN = GREEN };
enum negative { MINUS = -2, ZERO = 0, BIG = 1 << 30 };
enum wide { NARROW = 1, WIDE = 0x100000000 };
enum access { ACCESS_NONE = 0, ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_RUN = 4, ACCESS_ALL = 7 };
enum __attribute__((flag_enum)) marked { MARK_A = 1, MARK_B = 2 };
typedef enum { SMALL_A, SMALL_B } __attribute__((packed)) small;
enum { LONE = 42, LONELY = -1 };
#define LONE LONE

typedef int32_t (*compare)(const void *a, const void *b);
typedef void log_function(void *context, const char *text);
typedef log_function *logger;
typedef compare other_compare;
typedef long distance;
typedef float matrix[3][4];

struct integers {
    char c; signed char sc; unsigned char uc;
    short s; unsigned short us; int i; unsigned u;
    long l; unsigned long ul; long long ll; unsigned long long ull;
    int8_t i8; int16_t i16; int32_t i32; int64_t i64;
    uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
    size_t size; ptrdiff_t diff; intptr_t ip; uintptr_t up;
    wchar_t wide; bool yes; _Bool no; __int128 huge;
    time_t when; struct timespec precise; distance far; matrix m;
    enum color color; small little; enum wide wide_enum; _Atomic int shared;
};

/* Names that are keywords elsewhere. */
struct class { int fn; int match; int namespace; int self; };

/**
 * @brief Adds up.
 *
 * @param points at least `count` of them
 * @return the sum
 */
struct point point_sum(const struct point *points, size_t count);
__attribute__((deprecated("use point_sum"))) float point_old(point_t point);
int point_each(struct point *points, void (*visit)(void *context, struct point *), void *context);
void point_log(logger log, void *context);
void sort(void *base, size_t count, size_t size, compare compare);
void table(matrix m, int numbers[4], const char *const names[], FILE *file);
struct class *type(struct class *in, union number number, enum negative how, small little);
struct timespec later(struct timespec time);
void no_parameters();
int renamed(void) __asm__("real_name");
int sum_of(int count, ...);
int list_of(int count, va_list list);
long double longer(long double value);
float _Complex complicated(float _Complex value);
typedef float four __attribute__((vector_size(16)));
four vector(four value);
struct holds_long_double { long double value; };
int behind_pointer(struct holds_long_double *value);
int by_value(struct holds_long_double value);

struct gap { float a; _Alignas(8) float b; };
struct unnamed_gap { float a; int : 32; };
struct no_gap { uint8_t a; float b; unsigned c : 3; double d; };
struct gap with_gap(struct no_gap value);
int flexible_value(struct flexible value);
void with_unnamed_gap(struct unnamed_gap value);
void gap_by_address(struct gap *gap, struct no_gap value);

static inline int doubled(int value) { return value * 2; }
static inline struct point moved(const struct point *from, float by[2]) {
    struct point to = {from->x + by[0], from->y + by[1]};
    return to;
}

extern int counter;
extern const double table_of_numbers[3];
extern struct point origin;
extern const struct point *const points_of_interest[2];
extern int unknown_length[];
extern _Thread_local int of_thread;
static const int32_t fixed = -9;
static int everywhere;

#endif
