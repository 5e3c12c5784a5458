/* What upcall_testing.h promises, with the handlers of kinds.c. */
#include "upcall_testing.h"
#include "kinds.c"
#include "check.h"

static upcall_pair pair(const char *key, const char *value) { return (upcall_pair){upcall_text(key), upcall_text(value)}; }

static bool is(upcall_bytes bytes, const char *text) { return upcall_equal(bytes, upcall_text(text)); }

static void of_a_batch_what_was_reported_counts(void) {
    upcall_harness *harness = upcall_harness_new("batches");
    upcall_harness_emits(harness, "/out");
    upcall_pair objects[] = {pair("a", "report"), pair("b", ""), pair("c", "fail")};
    const upcall_failed *failed = upcall_harness_batch(harness, objects, 3);
    CHECK(failed && !strcmp(failed->type, "failure") && !strcmp(failed->message, "not this one"));
    CHECK(failed->done == 1 && failed->item == UPCALL_NO_ITEM);
    CHECK(harness->emitted_len == 1 && is(harness->emitted[0].key, "a"));
    CHECK(!upcall_harness_batch(harness, objects, 2));
    CHECK(harness->emitted_len == 3 && is(harness->emitted[2].key, "b"));
    CHECK(!upcall_harness_flush(harness));
    CHECK(*UPCALL_AS(uint32_t, harness->emitted[3].value) == 2);
    objects[2] = pair("c", "panic");
    failed = upcall_harness_batch(harness, objects, 3);
    CHECK(failed && !strcmp(failed->type, "panic") && !strcmp(failed->message, "no more") && failed->done == 1);
    CHECK(harness->emitted_len == 5 && is(harness->emitted[4].key, "a"));
    CHECK(!upcall_harness_batch(harness, objects, 1));
    CHECK(*UPCALL_AS(uint32_t, harness->emitted[5].value) == 1);
    upcall_harness_free(harness);
}

static void types_are_compared(void) {
    struct reading readings[2] = {{7, 20}, {7, 40}};
    upcall_harness *harness = upcall_harness_new("fahrenheit");
    upcall_harness_emits(harness, "/out");
    upcall_harness_declares(harness, "/out", "f64", 8);
    CHECK(!upcall_harness_put(harness, upcall_text("roof"), UPCALL_VALUE(readings[0])));
    CHECK(*UPCALL_AS(double, harness->emitted[0].value) == 68);
    const upcall_failed *failed = upcall_harness_put(harness, upcall_text("roof"), upcall_text("abc"));
    CHECK(failed && failed->item == 0 && !strcmp(failed->message, "read the value of roof as Reading: it has 3 bytes, not 16"));
    upcall_harness_free(harness);

    harness = upcall_harness_new("fahrenheit");
    upcall_harness_declares(harness, "/in", "Order", 24);
    upcall_pair none = {{0, 0}, {(const char *)(uint64_t[3]){0}, 24}};
    failed = upcall_harness_batch(harness, &none, 1);
    CHECK(failed && !strcmp(failed->message, "pool /in has the type Order of 24 bytes, and the handler takes Reading of 16 bytes: "
                                             "change the pool's `type` or the handler's"));
    upcall_harness_free(harness);

    harness = upcall_harness_new("mean");
    upcall_harness_emits(harness, "/out");
    upcall_pair both[] = {{upcall_text("a"), UPCALL_VALUE(readings[0])}, {upcall_text("b"), UPCALL_VALUE(readings[1])}};
    CHECK(!upcall_harness_batch(harness, both, 2) && *UPCALL_AS(double, harness->emitted[0].value) == 30);
    both[1] = pair("b", "abc");
    failed = upcall_harness_batch(harness, both, 2);
    CHECK(failed && failed->item == UPCALL_NO_ITEM && strstr(failed->message, "read the value of b as Reading"));
    upcall_harness_free(harness);
}

static void another_pool_of_another_type_fails_the_object(void) {
    upcall_harness *harness = upcall_harness_new("second");
    upcall_harness_emits(harness, "/first");
    upcall_harness_emits(harness, "/second");
    upcall_harness_declares(harness, "/second", "f64", 8);
    const upcall_failed *failed = upcall_harness_put(harness, upcall_text("a"), upcall_text("12345678"));
    CHECK(failed && strstr(failed->message, "pool /second has the type f64 of 8 bytes, and the handler emits u64 of 8 bytes"));
    CHECK(!harness->emitted_len);
    upcall_harness_free(harness);

    harness = upcall_harness_new("second");
    upcall_harness_emits(harness, "/first");
    upcall_harness_emits(harness, "/second");
    CHECK(!upcall_harness_put(harness, upcall_text("a"), upcall_text("12345678")));
    failed = upcall_harness_put(harness, upcall_text("a"), upcall_text("123"));
    CHECK(failed && !strcmp(failed->message, "the value that it emits has 3 bytes, and a u64, which the handler gives, has 8"));
    upcall_harness_free(harness);

    harness = upcall_harness_new("second");
    upcall_harness_emits(harness, "/first");
    failed = upcall_harness_put(harness, upcall_text("a"), upcall_text("12345678"));
    CHECK(failed && strstr(failed->message, "it emits to no pool"));
    upcall_harness_free(harness);
}

static void emissions_on_condition_say_their_version(void) {
    uint64_t seven = 7;
    upcall_pair sums[] = {{upcall_text("a"), UPCALL_VALUE(seven)}};
    upcall_harness *harness = upcall_harness_new("adds");
    upcall_harness_emits(harness, "/sums");
    upcall_harness_reads(harness, "/sums", sums, 1);
    upcall_pair objects[] = {pair("a", ""), pair("b", "caught"), pair("c", "twice"), pair("d", "")};
    const upcall_failed *failed = upcall_harness_batch(harness, objects, 4);
    CHECK(failed && failed->item == 2 && failed->done == 2);
    CHECK(!strcmp(failed->message, "emit on condition twice for one object: two conditions cannot be decided together; emit "
                                   "on condition once for each object"));
    CHECK(harness->emitted_len == 2 && harness->emitted[0].on_condition && harness->emitted[0].previous == 1);
    CHECK(*UPCALL_AS(uint64_t, harness->emitted[0].value) == 8 && harness->emitted[1].previous == 0);
    CHECK(harness->logged_len == 1 && harness->logged[0].level == UPCALL_WARN && strstr(harness->logged[0].text, "twice"));
    failed = upcall_harness_flush(harness);
    CHECK(failed && strstr(failed->message, "emit on condition for no object in particular"));
    upcall_harness_free(harness);

    harness = upcall_harness_new("condition in batch");
    upcall_harness_emits(harness, "/out");
    failed = upcall_harness_batch(harness, objects, 4);
    CHECK(failed && !failed->done && strstr(failed->message, "emit on condition for no object in particular"));
    CHECK(!harness->emitted_len);
    upcall_harness_free(harness);
}

static void a_key_is_read_as_it_was(void) {
    upcall_pair names[] = {pair("1", "Ada"), pair("2", "Grace"), pair("1", "Ada L."), pair("10", "Alan")};
    upcall_harness *harness = upcall_harness_new("history");
    upcall_harness_emits(harness, "/out");
    upcall_harness_reads(harness, "/names", names, 4);
    upcall_harness_forgets(harness, "/names", 2);
    upcall_pair objects[] = {pair("1", "2"), pair("1", "3"), pair("1", "9t"), pair("2", "2t"), pair("10", "3"), pair("1", "")};
    CHECK(!upcall_harness_batch(harness, objects, 6));
    const char *values[] = {"Ada", "Ada L.", "Ada L.", "Grace", "none"};
    for (int at = 0; at < 5; at++) CHECK(is(harness->emitted[at].value, values[at]));
    CHECK(harness->emitted_len == 7 && is(harness->emitted[5].key, "1") && is(harness->emitted[6].key, "10"));
    const upcall_failed *failed = upcall_harness_put(harness, upcall_text("1"), upcall_text("1"));
    CHECK(failed && !strcmp(failed->message, "read 1 as it was: that is no longer kept; raise `keep` of the pool"));
    upcall_harness_free(harness);

    harness = upcall_harness_new("history");
    failed = upcall_harness_put(harness, upcall_text("1"), upcall_text("1"));
    CHECK(failed && !strcmp(failed->message, "read a pool that this handler does not declare: add the pool to its `read`"));
    upcall_harness_free(harness);
}

static void arrays_are_combined(void) {
    double from[] = {1, 2, 3}, into[] = {10, 20, 30};
    upcall_harness *harness = upcall_harness_new("sum");
    CHECK(!upcall_harness_combine(harness, from, into, 3));
    CHECK(into[0] == 11 && into[2] == 33);
    CHECK(!upcall_harness_combine(harness, from, into, 0));
    from[1] = 0.0 / 0.0;
    const upcall_failed *failed = upcall_harness_combine(harness, from, into, 3);
    CHECK(failed && !strcmp(failed->message, "not a number"));
    failed = upcall_harness_put(harness, upcall_text("a"), upcall_text(""));
    CHECK(failed && strstr(failed->message, "takes COMBINE"));
    upcall_harness_free(harness);
}

static void a_panic_ends_the_instance_and_the_next_begins_with_nothing(void) {
    upcall_harness *harness = upcall_harness_new("life");
    upcall_harness_emits(harness, "/out");
    const upcall_failed *failed = upcall_harness_put(harness, upcall_text("a"), upcall_text(""));
    CHECK(failed && !strcmp(failed->message, "the setting `colour` is missing"));
    upcall_harness_free(harness);

    harness = upcall_harness_new("life");
    upcall_harness_emits(harness, "/out");
    upcall_harness_setting(harness, "colour", "blue");
    upcall_pair objects[] = {pair("a", ""), pair("b", "panic"), pair("c", "")};
    failed = upcall_harness_batch(harness, objects, 3);
    CHECK(failed && !strcmp(failed->type, "panic") && failed->item == 1 && failed->done == 1);
    CHECK(harness->emitted_len == 1 && is(harness->emitted[0].key, "blue"));
    CHECK(!upcall_harness_put(harness, upcall_text("c"), upcall_text("much")));
    CHECK(*UPCALL_AS(uint64_t, harness->emitted[1].value) == 1 && harness->emitted_len == 6);
    CHECK(harness->emitted[5].value.len == 1 << 20 && !harness->emitted[5].value.data[(1 << 20) - 1]);
    objects[1] = pair("b", "fail");
    failed = upcall_harness_batch(harness, objects, 3);
    CHECK(failed && failed->item == 1 && harness->emitted_len == 7);
    CHECK(harness->logged_len == 2 && !strcmp(harness->logged[1].text, "opened"));
    upcall_harness_free(harness);
}

static void an_emission_to_a_pool_that_is_none_is_told(void) {
    upcall_harness *harness = upcall_harness_new("second");
    upcall_harness_emits(harness, "/first");
    upcall_harness_reads(harness, "/second", 0, 0);
    const upcall_failed *failed = upcall_harness_put(harness, upcall_text("a"), upcall_text("12345678"));
    CHECK(failed && !strcmp(failed->type, "driver") && !harness->emitted_len);
    upcall_harness_free(harness);
}

int main(void) {
    of_a_batch_what_was_reported_counts();
    types_are_compared();
    another_pool_of_another_type_fails_the_object();
    emissions_on_condition_say_their_version();
    a_key_is_read_as_it_was();
    arrays_are_combined();
    a_panic_ends_the_instance_and_the_next_begins_with_nothing();
    an_emission_to_a_pool_that_is_none_is_told();
    printf("%d checks\n", checks);
    return 0;
}
