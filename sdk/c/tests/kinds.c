/* Handlers of every kind: compiled to WebAssembly for the tests of hosts, and on this machine with test_kinds.c. */
#include "upcall_guest.h"

static const upcall_bytes NOTHING = {0, 0};

/* ---- Batches. */

/* Emits each object; reports one as done where its value is `report`, fails at `fail`, ends its instance at `panic`. */
static const char *batches(void *state, upcall_batch *batch, upcall_emit *emit) {
    uint32_t *calls = state;
    ++*calls;
    for (size_t at = 0; at < batch->len; at++) {
        upcall_object object = upcall_get(batch, at);
        if (upcall_equal(object.value, upcall_text("fail"))) return "not this one";
        if (upcall_equal(object.value, upcall_text("panic"))) upcall_panic("no more");
        upcall_put(emit, object.key, UPCALL_VALUE(*calls));
        if (upcall_equal(object.value, upcall_text("report"))) upcall_done(batch, at + 1);
    }
    return 0;
}

static const char *batches_flush(void *state, upcall_emit *emit) {
    upcall_put(emit, upcall_text("calls"), UPCALL_VALUE(*(uint32_t *)state));
    return 0;
}

static const char *condition_in_batch(void *state, upcall_batch *batch, upcall_emit *emit) {
    (void)state;
    upcall_put_if(emit, upcall_get(batch, 0).key, NOTHING, 7);
    return 0;
}

/* ---- Types. */

struct reading {
    uint64_t sensor;
    double celsius;
};

static const char *fahrenheit(void *state, const upcall_object *object, upcall_emit *emit) {
    (void)state;
    const struct reading *reading = UPCALL_AS(struct reading, object->value);
    double degrees = reading->celsius * 1.8 + 32;
    upcall_put(emit, object->key, UPCALL_VALUE(degrees));
    return 0;
}

static const char *mean(void *state, upcall_batch *batch, upcall_emit *emit) {
    (void)state;
    double sum = 0;
    for (size_t at = 0; at < batch->len; at++) sum += UPCALL_AS(struct reading, upcall_get(batch, at).value)->celsius;
    double mean = sum / (double)batch->len;
    upcall_put(emit, upcall_text("mean"), UPCALL_VALUE(mean));
    return 0;
}

struct second {
    uint32_t pool;
};

static const char *second_open(void *state, const upcall_open *open) {
    ((struct second *)state)->pool = upcall_pool(open, "/second");
    return 0;
}

/* Emits a u64 to /second: as many bytes as the value has. */
static const char *second(void *state, const upcall_object *object, upcall_emit *emit) {
    uint64_t ones[2] = {1, 1};
    upcall_put_to(emit, ((struct second *)state)->pool, object->key, (upcall_bytes){(const char *)ones, object->value.len});
    return 0;
}

/* ---- Pools. */

struct pools {
    uint32_t sums, names;
};

static const char *pools_open(void *state, const upcall_open *open) {
    struct pools *pools = state;
    pools->sums = upcall_pool(open, "/sums");
    pools->names = upcall_pool(open, "/names");
    return 0;
}

/* Adds one to the key's sum, if nobody else has meanwhile; twice where the value says so. */
static const char *adds(void *state, const upcall_object *object, upcall_emit *emit) {
    struct pools *pools = state;
    upcall_found found;
    if (!upcall_read(pools->sums, object->key, &found)) return found.why;
    uint64_t sum = 1;
    if (found.version) sum += *UPCALL_AS(uint64_t, found.value);
    upcall_put_to_if(emit, pools->sums, object->key, UPCALL_VALUE(sum), found.version);
    if (upcall_equal(object->value, upcall_text("twice")))
        upcall_put_to_if(emit, pools->sums, object->key, UPCALL_VALUE(sum), found.version);
    if (upcall_equal(object->value, upcall_text("caught"))) {
        upcall_put_to_if(emit, pools->sums, object->key, UPCALL_VALUE(sum), found.version);
        const char *why = upcall_check(emit);
        upcall_log(UPCALL_WARN, upcall_text(why ? why : "it was not refused"));
    }
    return 0;
}

static const char *adds_flush(void *state, upcall_emit *emit) {
    upcall_put_to_if(emit, ((struct pools *)state)->sums, upcall_text("end"), NOTHING, 0);
    return 0;
}

/* Emits what a name was at the version, or the time, that the value is the letter of; and all names that begin with the key
 * where it is empty. */
static const char *history(void *state, const upcall_object *object, upcall_emit *emit) {
    struct pools *pools = state;
    if (!object->value.len) {
        upcall_keys keys;
        if (!upcall_list(pools->names, object->key, &keys)) return keys.why;
        for (size_t at = 0; at < keys.len; at++) upcall_put(emit, upcall_key(&keys, at), NOTHING);
        return 0;
    }
    uint64_t at = (uint64_t)(object->value.data[0] - '0');
    upcall_found found;
    bool read = object->value.len > 1 ? upcall_read_by_time(pools->names, object->key, at, &found)
                                      : upcall_read_at(pools->names, object->key, at, &found);
    if (!read) return found.why;
    upcall_put(emit, object->key, found.version ? found.value : upcall_text("none"));
    return 0;
}

/* ---- Arrays. */

static const char *sum(void *state, const void *from, void *into, size_t count) {
    (void)state;
    const double *more = from;
    double *sums = into;
    for (size_t at = 0; at < count; at++) {
        if (more[at] != more[at]) return "not a number";
        sums[at] += more[at];
    }
    return 0;
}

/* ---- Life. */

struct life {
    uint64_t seen;
    char *colour;
    size_t colour_len;
};

static const char *life_open(void *state, const upcall_open *open) {
    struct life *life = state;
    upcall_bytes colour = upcall_setting(open, "colour");
    if (!colour.data) return "the setting `colour` is missing";
    life->colour = upcall_alloc(colour.len);
    life->colour_len = colour.len;
    __builtin_memcpy(life->colour, colour.data, colour.len);
    upcall_log(UPCALL_INFO, upcall_text(upcall_worker(open) < upcall_workers(open) ? "opened" : "a worker too many"));
    return 0;
}

/* Emits how many it has seen under its colour; `panic` ends the instance, `much` emits megabytes. */
static const char *life_object(void *state, const upcall_object *object, upcall_emit *emit) {
    struct life *life = state;
    life->seen++;
    upcall_put(emit, (upcall_bytes){life->colour, life->colour_len}, UPCALL_VALUE(life->seen));
    if (upcall_equal(object->value, upcall_text("panic"))) upcall_panic("no more");
    if (upcall_equal(object->value, upcall_text("fail"))) return "not this one";
    if (upcall_equal(object->value, upcall_text("much"))) {
        size_t len = 1 << 20;
        upcall_bytes much = {upcall_alloc(len), len};
        if (!much.data) return "there is no memory";
        for (int at = 0; at < 4; at++) upcall_put(emit, upcall_text("much"), much);
    }
    return 0;
}

static void life_close(void *state) {
    (void)state;
    upcall_log(UPCALL_INFO, upcall_text("closed"));
}

static const upcall_parameter life_parameters[] = {{"colour", "text", 0, 0}, {"size", "u64", "10", "1..=100"}, {0, 0, 0, 0}};

UPCALL_HANDLERS({.name = "batches", .size = sizeof(uint32_t), .on_batch = batches, .flush = batches_flush},
                {.name = "condition in batch", .on_batch = condition_in_batch},
                {.name = "fahrenheit", .on_object = fahrenheit, .takes = UPCALL_BLITTABLE("Reading", struct reading),
                 .gives = UPCALL_BLITTABLE("f64", double)},
                {.name = "mean", .on_batch = mean, .takes = UPCALL_BLITTABLE("Reading", struct reading)},
                {.name = "second", .size = sizeof(struct second), .open = second_open, .on_object = second,
                 .gives = UPCALL_BLITTABLE("u64", uint64_t)},
                {.name = "adds", .size = sizeof(struct pools), .open = pools_open, .on_object = adds, .flush = adds_flush},
                {.name = "history", .size = sizeof(struct pools), .open = pools_open, .on_object = history},
                {.name = "sum", .combine = sum, .takes = UPCALL_BLITTABLE("f64", double), .commutative = true},
                {.name = "life", .size = sizeof(struct life), .open = life_open, .on_object = life_object,
                 .close = life_close, .parameters = life_parameters},
                {.name = "both", .on_object = fahrenheit, .on_batch = mean})
