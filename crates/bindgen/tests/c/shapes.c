/* Calls the library of tests/shapes through its generated header: valid as C99 and as C++11. */
#include "api.h"
#include <stdio.h>

static int wrong;

#define CHECK(condition)                                             \
    do {                                                             \
        if (!(condition)) {                                          \
            printf("line %d: " #condition " does not hold\n", __LINE__); \
            wrong = 1;                                               \
        }                                                            \
    } while (0)

static int32_t step(int32_t sum, uint32_t index, void *context) {
    return sum + (int32_t)index * *(int32_t *)context;
}

static Point turn(Point point, const uint8_t *tag) {
    Point turned;
    turned.x = -point.y;
    turned.y = *tag == 'x' ? point.x : 0;
    return turned;
}

static void note(int32_t value, void *context) {
    *(int32_t *)context = value;
}

static void values(void) {
    Point point = {1.5f, -2.0f}, by = {1.0f, 1.0f};
    Packed packed = {1, UINT64_C(0x0102030405060708), 0x203};
    Aligned aligned = {41};
    Number number;
    Mixed mixed, same;

    CHECK(add(INT32_MAX, 1) == INT32_MIN);
    CHECK(widest(1, -1, 2, -3, 4) == (UINT64_C(1) ^ UINT64_MAX ^ 2 ^ (uint64_t)-3 ^ 4));
    CHECK(negate((upcall_int128)UINT64_MAX + 1) == -(upcall_int128)UINT64_MAX - 1);
    CHECK(not_(false) && !not_(true));
    CHECK(next_letter(LETTER) == 0xe0);
    CHECK(flip(Color_Red) == Color_Green && flip(Color_Green) == Color_Red);
    CHECK(widen(Access_READ | Access_WRITE) == 7);
    CHECK(mirror_point(point).x == -2.0f && mirror_point(point).y == 1.5f);
    move_point(&point, by);
    CHECK(point.x == 2.5f && point.y == -1.0f);
    packed = swap_packed(packed);
    CHECK(packed.small == 3 && packed.wide == UINT64_C(0x0807060504030201) && packed.last == 1);
    CHECK(raise_aligned(aligned).value == 42);
    CHECK(double_meters(1.25) == 2.5);
    number.real = -0.5;
    CHECK(echo_number(number).real == -0.5);

    memset(&mixed, 0, sizeof mixed);
    mixed.flag = true;
    mixed.letter = 0x1f600;
    mixed.color = Color_Green;
    mixed.big = -5;
    mixed.points[1] = point;
    mixed.grid[1][2] = 77;
    mixed.next = &mixed;
    mixed.nested.value = 9;
    mixed.type = -3;
    same = echo_mixed(mixed);
    CHECK(same.flag && same.letter == 0x1f600 && same.color == Color_Green && same.big == -5);
    CHECK(same.points[1].x == 2.5f && same.grid[1][2] == 77 && same.next == &mixed);
    CHECK(same.nested.value == 9 && same.type == -3 && !same.call);
}

static void enums_with_data(void) {
    Shape shape;
    Event event;
    shape.tag = Shape_Tag_Rect;
    shape.data.Rect.corner.x = 4;
    shape.data.Rect.corner.y = 5;
    shape.data.Rect.width = 6;
    shape = grow(shape);
    CHECK(shape.tag == Shape_Tag_Rect && shape.data.Rect.corner.y == 5 && shape.data.Rect.width == 7);
    shape.tag = Shape_Tag_Empty;
    shape = grow(shape);
    CHECK(shape.tag == Shape_Tag_Circle && shape.data.Circle._0 == 1.0);

    event.Text_.tag = Event_Tag_Text;
    event.Text_._0 = 8;
    event.Text_._1 = UINT64_MAX;
    event = echo_event(event);
    CHECK(event.tag == Event_Tag_Text && event.Text_._0 == 8 && event.Text_._1 == UINT64_MAX);
}

static void bitfields(void) {
    Bitfields bits;
    memset(&bits, 0, sizeof bits);
    Bitfields_set_a(&bits, -3);
    Bitfields_set_b(&bits, 0x55);
    Bitfields_set_d(&bits, 0xabcde);
    bits = echo_bits(bits);
    CHECK(Bitfields_get_a(&bits) == -3 && Bitfields_get_b(&bits) == 0x55 && Bitfields_get_d(&bits) == 0xabcde);
    Bitfields_set_a(&bits, 3);
    CHECK(Bitfields_get_a(&bits) == 3 && Bitfields_get_b(&bits) == 0x55);
}

static void idioms(void) {
    float numbers[3] = {1, 2, 4};
    Point points[2] = {{1, 0}, {2.5f, 0}};
    Slice_f32 known = primes();
    Buffer_i32 owned;
    Text text;
    Failure *failure = NULL;
    size_t len = 0;
    uint32_t before;

    CHECK(sum(Slice_f32_from(numbers, 3)) == 7);
    scale(SliceMut_f32_from(numbers, 2), 10);
    CHECK(numbers[0] == 10 && numbers[1] == 20 && numbers[2] == 4);
    CHECK(total_x(Slice_Point_from(points, 2)) == 3.5f);
    CHECK(known.len == 4 && known.data[3] == 7);
    CHECK(count_letters(Str_from("gr\303\266\303\237er")) == 6);
    CHECK(motto().len == 8);

    before = released();
    owned = squares(5);
    CHECK(owned.len == 5 && owned.data[4] == 16);
    Buffer_i32_release(&owned);
    Buffer_i32_release(&owned);
    CHECK(released() == before + 1 && !owned.data);
    text = spell(12);
    CHECK(text.len == 6 && memcmp(text.data, "n\302\272 12", 6) == 0);
    Text_release(&text);

    CHECK(divide(7, 2, &failure) == 3 && !failure);
    CHECK(divide(7, 0, &failure) == 0 && failure);
    CHECK(failure->code == 33 && memcmp(Failure_message(failure, &len), "cannot divide", 13) == 0);
    CHECK(len == strlen("cannot divide by zero, na\303\257vely"));
    upcall_failure_release(failure);
}

static void handles_and_callbacks(void) {
    Counter *counter = counter_new(40);
    Point point = {1, 2};
    int32_t factor = 3, kept = 0;
    CHECK(counter_add(counter, 2) == 42);
    counter_release(counter);
    CHECK(fold(4, step, &factor) == 18);
    CHECK(apply(turn, point).x == -2 && apply(turn, point).y == 1);
    CHECK(apply(NULL, point).x == 1);
    keep(note, &kept);
    notify_from_thread(99);
    CHECK(kept == 99);
    CHECK(first_letter("abc") == 'a' && first_letter(NULL) == 0);
    CHECK(zero() == 9);
}

static void constants_and_variables(void) {
    CHECK(LIMIT == UINT64_MAX);
    CHECK(RATIO == 0.1 && FAR < 0 && FAR * 0.5 == FAR && ON);
    CHECK(strcmp(GREETING, "say \"h\303\251\"\n") == 0);
    CHECK(SCALE == 2.5);
    LEVEL += 1;
    CHECK(LEVEL == 8);
}

int main(void) {
    values();
    enums_with_data();
    bitfields();
    idioms();
    handles_and_callbacks();
    constants_and_variables();
    if (!wrong) {
        printf("all good\n");
    }
    return wrong;
}
