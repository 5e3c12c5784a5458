/* What every target can compile without a system's headers. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scalars {
    char c;
    short s;
    long l;
    long long ll;
    void *p;
    double d;
    bool b;
    size_t z;
    float f;
};

struct inner {
    uint8_t a;
    double b;
};

struct outer {
    uint8_t a;
    struct inner inner[2];
    union {
        uint64_t wide;
        uint8_t narrow;
    };
    struct inner *next;
    uint16_t rest[];
};

#pragma pack(push, 2)
struct packed_two {
    uint8_t a;
    uint64_t b;
    double c;
};
#pragma pack(pop)

struct __attribute__((packed)) packed {
    uint8_t a;
    long b;
};

struct __attribute__((aligned(16))) aligned {
    uint32_t a;
};

enum unsigned_numbers { ONE = 1, TWO = 2 };
enum signed_numbers { MINUS = -1, PLUS = 1 };

struct bits {
    unsigned a : 3;
    int b : 7;
    unsigned c : 22;
    uint8_t d : 4;
    uint8_t e : 4;
    uint16_t f : 9;
    int64_t g : 33;
    char h;
    unsigned i : 24;
    bool j : 1;
};

struct bits_mixed {
    char a;
    unsigned b : 8;
    unsigned c : 16;
    short d : 5;
    enum unsigned_numbers e : 2;
};

struct __attribute__((packed)) bits_packed {
    uint8_t a : 3;
    unsigned b : 12;
    unsigned c : 17;
    uint32_t d;
};

union bits_union {
    unsigned a : 5;
    uint64_t b : 40;
};

struct scalars echo_scalars(struct scalars value);
int call(int (*callback)(void *context, enum signed_numbers number), void *context);
