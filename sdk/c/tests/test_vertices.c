/* What upcall_testing.h promises of vertex programs, with those of vertices.c. */
#include "upcall_testing.h"
#include "vertices.c"
#include "check.h"

/* 0 -> 1 -> 2 -> 3 -> 4, and 3 -> 0, 2 -> 4; each edge adds one. */
static const upcall_edge CHAIN[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {3, 0, 1}, {2, 4, 1}};
static const upcall_edge_list GRAPH = {.vertices = 5, .edges = CHAIN, .len = 6};

static upcall_harness *with(const char *handler, const char *name, const char *value) {
    upcall_harness *harness = upcall_harness_new(handler);
    if (name) upcall_harness_setting(harness, name, value);
    return harness;
}

#define OF_TYPE(suffix, type)                                                                                \
    do {                                                                                                     \
        upcall_edge_list graph = GRAPH;                                                                      \
        type own[5], shown[5];                                                                               \
        upcall_harness *harness = upcall_harness_new("largest " #suffix);                                    \
        graph.iterations = 3;                                                                                \
        CHECK(!upcall_harness_run(harness, &graph, own, shown) && harness->iterations == 3);                 \
        /* What 3 shows goes round, and one is added on each edge; who sees no change is not updated. */     \
        CHECK(shown[0] == 4 && shown[1] == 5 && shown[2] == 6 && shown[3] == 3 && shown[4] == 4);            \
        CHECK(own[0] == 2 && own[1] == 3 && own[2] == 3 && own[3] == 2 && own[4] == 3);                      \
        upcall_harness_free(harness);                                                                        \
        harness = upcall_harness_new("gathered " #suffix);                                                   \
        CHECK(!upcall_harness_run(harness, &graph, own, shown) && harness->iterations == 3);                 \
        CHECK(shown[0] == 3 && shown[1] == 3 && shown[2] == 3 && shown[3] == 3 && shown[4] == 4);            \
        CHECK(own[4] == 2);                                                                                  \
        upcall_harness_free(harness);                                                                        \
    } while (0)

static void programs_have_values_of_every_type(void) {
    OF_TYPE(f32, float);
    OF_TYPE(f64, double);
    OF_TYPE(i32, int32_t);
    OF_TYPE(i64, int64_t);
    OF_TYPE(u32, uint32_t);
    OF_TYPE(u64, uint64_t);
}

static void all_vertices_of_a_call_are_updated_at_once(void) {
    enum { VERTICES = 5000 };
    static upcall_edge edges[VERTICES];
    static double shown[VERTICES];
    for (size_t at = 0; at < VERTICES; at++) edges[at] = (upcall_edge){at, (at + 1) % VERTICES, 0};
    upcall_edge_list graph = {.vertices = VERTICES, .edges = edges, .len = VERTICES, .iterations = 2};
    upcall_harness *harness = upcall_harness_new("sums");
    CHECK(!upcall_harness_run(harness, &graph, 0, shown));
    for (size_t at = 0; at < VERTICES; at++) CHECK(shown[at] == 1);
    graph.undirected = true;
    CHECK(!upcall_harness_run(harness, &graph, 0, shown));
    for (size_t at = 0; at < VERTICES; at++) CHECK(shown[at] == 8);
    upcall_harness_free(harness);
}

static void an_iteration_is_told_with_its_sums(void) {
    double shown[5];
    upcall_harness *harness = upcall_harness_new("told");
    CHECK(!upcall_harness_run(harness, &GRAPH, 0, shown) && harness->iterations == 2 && !harness->logged_len);
    for (int at = 0; at < 5; at++) CHECK(shown[at] == 10);
    upcall_harness_free(harness);
    harness = with("told", "last", "0");
    CHECK(!upcall_harness_run(harness, &GRAPH, 0, shown) && harness->iterations == 1);
    for (int at = 0; at < 5; at++) CHECK(shown[at] == 5);
    upcall_harness_free(harness);
}

static void who_is_scheduled_is_updated_and_nobody_else(void) {
    uint32_t own[5];
    upcall_harness *harness = with("scheduled", "who", "2");
    CHECK(!upcall_harness_run(harness, &GRAPH, own, 0) && harness->iterations == 3);
    CHECK(own[0] == 1 && own[1] == 1 && own[2] == 1 && !own[3] && !own[4]);
    upcall_harness_free(harness);

    harness = with("scheduled", "often", "1000");
    CHECK(!upcall_harness_run(harness, &GRAPH, own, 0) && harness->iterations == 2);
    CHECK(own[0] == 2 && own[1] == 2 && own[2] == 1 && !own[3] && !own[4]);
    upcall_harness_free(harness);

    harness = with("scheduled", "who", "5");
    const upcall_failed *failed = upcall_harness_run(harness, &GRAPH, own, 0);
    CHECK(failed && failed->item == 0);
    CHECK(!strcmp(failed->message, "schedule vertex 5: there is none with this number; the graph has 5 vertices, from 0 on"));
    upcall_harness_free(harness);
}

static void twice_is_once_where_there_is_no_room(void) {
    uint32_t woken[] = {9, 3, 3, 7, 9, 1, 1, 1};
    CHECK(upcall_distinct_(woken, 8) == 4);
    CHECK(woken[0] == 1 && woken[1] == 3 && woken[2] == 7 && woken[3] == 9);
    CHECK(upcall_distinct_(woken, 0) == 0 && upcall_distinct_(woken, 1) == 1);
    uint64_t wakes = 4;
    struct upcall_waking_ waking = {woken, &wakes, 4, true};
    upcall_context context = {.vertices = 10, .waking = &waking};
    upcall_schedule(&context, 5);
    const char *told = upcall_mistake_of_(&context, 0);
    CHECK(wakes == 4 && told && strstr(told, "schedule vertex 5: a call has room for 4 of them"));
}

static void a_mistake_fails_the_vertex_with_what_to_do(void) {
    static const struct {
        const char *mistake, *told;
        bool ends;
    } mistakes[] = {
        {"0", "not this one", false},
        {"1", "vertex 3 has 1 neighbour there, and that at 1 was asked for", false},
        {"2", "vertex 3 has 1 neighbour there, and that at ", false},
        {"3", "take `edge` as f64: the program declares none; add `.edge` to it", true},
        {"4", "look at outgoing edges: the program does not declare that; add `.outgoing = true` to it", false},
        {"5", "take `own` as f64: the program declares none; add `.own` to it", true},
        {"6", "take `shown` as u64: it is f64; call the function of that type, or declare the other one", true},
        {"7", "take `gather` as f64: the program declares none; add `.gather` to it", true},
        {"8", "schedule vertex 5: there is none with this number; the graph has 5 vertices, from 0 on", false},
        {"9", "take `shown` as u32: it is f64; call", true},
        {"10", "no more", true},
    };
    upcall_harness *harness;
    const upcall_failed *failed;
    for (size_t at = 0; at < sizeof mistakes / sizeof *mistakes; at++) {
        harness = with("mistaken", "mistake", mistakes[at].mistake);
        failed = upcall_harness_run(harness, &GRAPH, 0, 0);
        CHECK(failed && !strcmp(failed->type, mistakes[at].ends ? "panic" : "failure"));
        CHECK(failed->item == (mistakes[at].ends ? UPCALL_NO_ITEM : 3));
        CHECK(!strncmp(failed->message, mistakes[at].told, strlen(mistakes[at].told)));
        upcall_harness_free(harness);
    }
    harness = upcall_harness_new("looks");
    failed = upcall_harness_run(harness, &GRAPH, 0, 0);
    CHECK(failed && failed->item == 0 && strstr(failed->message, "look at edges at the start"));
    upcall_harness_free(harness);
    harness = upcall_harness_new("looks at what is gathered");
    failed = upcall_harness_run(harness, &GRAPH, 0, 0);
    CHECK(failed && failed->item == 0 && strstr(failed->message, "look at incoming edges: the engine gives none to a program that has"));
    upcall_harness_free(harness);
}

/* Of 0: an edge to 1 twice, and to 2; of 1: to itself, to 0 and 2; of 2: to 0. 3 has none. */
static const upcall_edge TWICE[] = {{0, 1, 5}, {0, 1, 6}, {1, 1, 7}, {1, 0, 8}, {2, 0, 9}, {1, 2, 3}, {0, 2, 4}};

#define TELLS_TYPE(suffix, type)                                                                                    \
    do {                                                                                                            \
        upcall_edge_list graph = {.vertices = 4, .edges = TWICE, .len = 7, .iterations = 1};                        \
        type own[4];                                                                                                \
        upcall_harness *harness = upcall_harness_new("tells " #suffix);                                             \
        CHECK(!upcall_harness_run(harness, &graph, own, 0) && harness->edges_len == 7);                             \
        const type *edges = harness->edges;                                                                         \
        /* By destination and then by source; the last of each vertex stays. */                                     \
        CHECK(edges[0] == 10 && edges[1] == 9 && edges[2] == 0 && edges[3] == 1);                                   \
        CHECK(edges[4] == 11 && edges[5] == 4 && edges[6] == 3);                                                    \
        CHECK(own[0] == 17 && own[1] == 18 && own[2] == 7 && own[3] == 0);                                          \
        graph.iterations = 2;                                                                                       \
        CHECK(!upcall_harness_run(harness, &graph, own, 0));                                                        \
        CHECK(own[0] == 36 && own[1] == 30 && own[2] == 14 && own[3] == 0);                                         \
        graph.iterations = 1;                                                                                       \
        graph.undirected = true;                                                                                    \
        CHECK(!upcall_harness_run(harness, &graph, own, 0) && harness->edges_len == 13);                            \
        edges = harness->edges;                                                                                     \
        /* Each direction has its own. */                                                                           \
        CHECK(edges[0] == 10 && edges[1] == 11 && edges[2] == 12 && edges[3] == 20 && edges[4] == 21);              \
        CHECK(edges[5] == 0 && edges[6] == 1 && edges[7] == 2 && edges[8] == 13 && edges[9] == 3);                  \
        CHECK(edges[10] == 3 && edges[11] == 4 && edges[12] == 3);                                                  \
        upcall_harness_free(harness);                                                                               \
    } while (0)

static void values_of_edges_are_set_for_the_next_iteration(void) {
    TELLS_TYPE(f32, float);
    TELLS_TYPE(f64, double);
    TELLS_TYPE(i32, int32_t);
    TELLS_TYPE(i64, int64_t);
    TELLS_TYPE(u32, uint32_t);
    TELLS_TYPE(u64, uint64_t);
}

static void all_vertices_of_a_call_set_values_at_once(void) {
    enum { VERTICES = 5000, EDGES = 15000 };
    static upcall_edge edges[EDGES];
    static double one[VERTICES], other[VERTICES];
    for (size_t at = 0; at < EDGES; at++) edges[at] = (upcall_edge){at * at % VERTICES, at * 7 % 4999, (double)at};
    upcall_edge_list graph = {.vertices = VERTICES, .edges = edges, .len = EDGES, .iterations = 3};
    for (int undirected = 0; undirected < 2; undirected++) {
        graph.undirected = undirected;
        upcall_harness *harness = upcall_harness_new("tells f64"), *many = upcall_harness_new("tells many");
        CHECK(!upcall_harness_run(harness, &graph, one, 0) && !upcall_harness_run(many, &graph, other, 0));
        CHECK(!memcmp(one, other, sizeof one) && many->edges_len == harness->edges_len);
        CHECK(!memcmp(harness->edges, many->edges, many->edges_len * sizeof *one));
        upcall_harness_free(harness);
        upcall_harness_free(many);
    }
    upcall_edge_list twice = {.vertices = 4, .edges = TWICE, .len = 7, .iterations = 2};
    upcall_harness *harness = upcall_harness_new("tells what is gathered");
    CHECK(!upcall_harness_run(harness, &twice, 0, 0) && harness->edges_len == 7);
    static const double gathered[] = {3, 2, 2, 2, 3, 2, 3};
    CHECK(!memcmp(harness->edges, gathered, sizeof gathered));
    twice.len = 0;
    CHECK(!upcall_harness_run(harness, &twice, 0, 0) && !harness->edges_len);
    upcall_harness_free(harness);
}

static void only_another_value_wakes_the_vertex_at_the_other_end(void) {
    uint32_t own[5];
    upcall_edge_list graph = GRAPH;
    upcall_edge plain[6];
    for (int at = 0; at < 6; at++) plain[at] = (upcall_edge){CHAIN[at].from, CHAIN[at].to, 0};
    graph.edges = plain;
    upcall_harness *harness = upcall_harness_new("distance");
    /* 0, 1, 2, then 3 and 4, then 0 again, which has been told nothing new. */
    CHECK(!upcall_harness_run(harness, &graph, own, 0) && harness->iterations == 5);
    CHECK(own[0] == 0 && own[1] == 1 && own[2] == 2 && own[3] == 3 && own[4] == 3);
    /* What it is told is what the edge had: nobody else is woken. */
    plain[1].value = 2;
    CHECK(!upcall_harness_run(harness, &graph, own, 0) && harness->iterations == 2);
    CHECK(own[1] == 1 && own[2] == UINT32_MAX);
    upcall_harness_free(harness);
}

static void what_cannot_be_set_fails_the_vertex(void) {
    static const struct {
        const char *handler, *mistake, *told;
        size_t item;
    } mistakes[] = {
        {"sets wrong", "0", "vertex 3 has 2 neighbours there, and that at 2 was asked for", 3},
        {"sets wrong", "1", "set the value of an incoming edge: values are set on outgoing edges, those of upcall_outgoing", 3},
        {"sets wrong", "2", "take `edge` as u32: it is f64; call", UPCALL_NO_ITEM},
        {"sets at the start", 0, "look at edges at the start: neighbours show nothing yet, and only the number of edges is known; look at "
                                 "them and set their values in update, not at the start", 0},
        {"sets undeclared", 0, "set the value of an edge: the program does not declare that; add `.writes = true` to it", 0},
    };
    for (size_t at = 0; at < sizeof mistakes / sizeof *mistakes; at++) {
        upcall_harness *harness = with(mistakes[at].handler, mistakes[at].mistake ? "mistake" : 0, mistakes[at].mistake);
        const upcall_failed *failed = upcall_harness_run(harness, &GRAPH, 0, 0);
        CHECK(failed && failed->item == mistakes[at].item);
        CHECK(!strncmp(failed->message, mistakes[at].told, strlen(mistakes[at].told)));
        upcall_harness_free(harness);
    }
}

static void a_frame_without_room_for_what_is_set_is_refused(void) {
    static const uint64_t places[] = {0, 1, 3};
    static const uint32_t ids[] = {1, 0, 1}, degrees[] = {1, 2};
    double own[2] = {0}, values[3] = {0};
    uint32_t before[2] = {0}, next[2] = {0};
    upcall_tally tallies[1] = {{0, 0}};
#define REL(array) ((upcall_rel_){(uintptr_t)(array), sizeof(array) / sizeof *(array)})
#define BYTES(array) ((upcall_rel_){(uintptr_t)(array), sizeof(array)})
    upcall_edges_ edges = {{(uintptr_t)places, 2}, {(uintptr_t)&places[1], 2}, REL(ids), REL(ids), BYTES(values), {0, 0}};
    upcall_vertex_frame_ frame = {.head = {.size = sizeof frame}, .phase = UPCALL_UPDATE, .block = 1024, .count = 2, .own = BYTES(own),
                                  .before = BYTES(before), .next = BYTES(next), .out_degrees = REL(degrees), .incoming = edges,
                                  .outgoing = edges, .tallies = REL(tallies), .next_values = BYTES(values)};
    upcall_program program = {.own = UPCALL_F64, .shown = UPCALL_U32, .edge = UPCALL_F64, .writes = true, .update = nothing};
    CHECK(upcall_whole_(&frame, &program, true) && upcall_whole_(&frame, &program, false));
    frame.next_values.len--;
    CHECK(!upcall_whole_(&frame, &program, true));
    frame.next_values.len++;
    /* In a shorter frame it is not there. */
    frame.head.size = 496;
    CHECK(!upcall_whole_(&frame, &program, true));
    program.writes = false;
    CHECK(upcall_whole_(&frame, &program, true));
    program.writes = true;
    frame.head.size = 512;
    CHECK(upcall_whole_(&frame, &program, true));
    frame.head.size = sizeof frame;
    program.writes = true;
    static const uint64_t far[] = {1, UINT64_MAX};
    frame.outgoing.ends.at = (uintptr_t)far;
    CHECK(!upcall_whole_(&frame, &program, true));
    frame.outgoing = (upcall_edges_){0};
    CHECK(!upcall_whole_(&frame, &program, false));
    frame.phase = UPCALL_START;
    CHECK(upcall_whole_(&frame, &program, false));
}

/* Whether these lines were logged, and no others. */
static bool logged(const upcall_harness *harness, const char *const *lines, size_t count) {
    if (harness->logged_len != count) return false;
    for (size_t at = 0; at < count; at++)
        if (strcmp(harness->logged[at].text, lines[at])) return false;
    return true;
}

static void an_interval_is_told_before_and_behind_each_pass(void) {
    static const char *const once[] = {
        "iteration 0 0 0 0 0 0 10", "before 0 0 5 0 0 0 0", "after 0 0 5 0 5 5 10", "repeat 0 0 5 0 5 5 10", "ended 0 5 0 0 5 5 10",
    };
    /* Each vertex is counted as often as it was updated, and adds once. */
    static const char *const twice[] = {
        "iteration 0 0 0 0 0 0 10", "before 0 0 5 0 0 0 0",  "after 0 0 5 0 5 5 10", "repeat 0 0 5 0 5 5 10",
        "before 0 0 5 1 0 0 0",     "after 0 0 5 1 5 5 10",  "repeat 0 0 5 1 5 5 10", "ended 0 5 0 0 10 5 10",
        "iteration 1 0 0 0 0 0 10", "before 1 0 5 0 0 0 0",  "after 1 0 5 0 5 5 10", "repeat 1 0 5 0 5 5 10",
        "before 1 0 5 1 0 0 0",     "after 1 0 5 1 5 5 10",  "repeat 1 0 5 1 5 5 10", "ended 1 5 0 0 10 5 10",
    };
    upcall_edge_list graph = GRAPH;
    uint64_t shown[2][5];
    double own[5];
    graph.iterations = 1;
    upcall_harness *harness = upcall_harness_new("hooked");
    CHECK(!upcall_harness_run(harness, &graph, 0, 0) && logged(harness, once, 5));
    upcall_harness_free(harness);
    harness = with("hooked", "times", "2");
    graph.iterations = 2;
    CHECK(!upcall_harness_run(harness, &graph, own, shown[0]) && harness->iterations == 2 && logged(harness, twice, 16));
    for (int at = 0; at < 5; at++) CHECK(own[at] == 40);
    upcall_harness_free(harness);
    /* As often as in more iterations, each of which sees what the one before has shown. */
    harness = upcall_harness_new("hooked");
    graph.iterations = 4;
    CHECK(!upcall_harness_run(harness, &graph, 0, shown[1]) && !memcmp(shown[0], shown[1], sizeof shown[0]));
    upcall_harness_free(harness);
    /* Of several frames it is told once. */
    graph = (upcall_edge_list){.vertices = 5000, .iterations = 1};
    harness = with("hooked", "times", "2");
    CHECK(!upcall_harness_run(harness, &graph, 0, 0) && harness->logged_len == 8);
    CHECK(!strcmp(harness->logged[4].text, "before 0 0 5000 1 0 0 0"));
    CHECK(!strcmp(harness->logged[5].text, "after 0 0 5000 1 5000 5000 12497500"));
    upcall_harness_free(harness);
}

static void a_selective_program_is_updated_again_until_none_sees_a_change(void) {
    static const char *const told[] = {"ended 0 0 0 0 6 0 2"};
    uint32_t own[6], shown[6];
    /* What 4 and 0 add in the last pass counts: 0 sees no change then. */
    upcall_edge_list graph = {.vertices = 6, .edges = CHAIN, .len = 5};
    upcall_harness *harness = upcall_harness_new("at once");
    CHECK(!upcall_harness_run(harness, &graph, own, shown) && harness->iterations == 1 && logged(harness, told, 1));
    for (uint32_t at = 0; at < 5; at++) CHECK(shown[at] == at && own[at] == (at ? 1 : 2));
    CHECK(shown[5] == UINT32_MAX && !own[5]);
    upcall_harness_free(harness);
}

static void a_hook_that_fails_fails_no_vertex(void) {
    static const char *const told[] = {"not before", "not after", "not again"};
    for (int at = 0; at < 3; at++) {
        const char number[] = {(char)('1' + at), 0};
        upcall_harness *harness = with("hooked", "fails", number);
        const upcall_failed *failed = upcall_harness_run(harness, &GRAPH, 0, 0);
        CHECK(failed && failed->item == UPCALL_NO_ITEM && !strcmp(failed->message, told[at]) && harness->iterations == 1);
        CHECK(!strcmp(failed->type, at == 2 ? "panic" : "failure"));
        upcall_harness_free(harness);
    }
    upcall_harness *harness = upcall_harness_new("sets again");
    const upcall_failed *failed = upcall_harness_run(harness, &GRAPH, 0, 0);
    CHECK(failed && failed->item == UPCALL_NO_ITEM && !strcmp(failed->type, "driver"));
    CHECK(!strcmp(failed->message, "it writes values of edges, which are seen in the next iteration: its updates are not repeated"));
    upcall_harness_free(harness);
}

static int hooks_called;

static const char *counted(void *state, const upcall_interval *interval) {
    (void)state;
    CHECK(interval->iteration == 3 && !interval->updated && !interval->residual && !interval->total);
    hooks_called++;
    return 0;
}

static void frames_say_which_interval_they_are_of(void) {
    upcall_tally tallies[1] = {{0, 0}};
    upcall_handler handler = {.program = {.shown = UPCALL_U32, .update = nothing, .before_interval = counted}};
    upcall_instance_ of = {.handler = &handler, .opened = true};
    upcall_vertex_frame_ frame = {.head = {.size = sizeof frame}, .phase = UPCALL_UPDATE, .block = 1024, .iteration = 3, .updated = 7,
                                  .tallies = REL(tallies), .interval_end = 9, .residual = 1, .total = 2};
#define CALLED(times) CHECK(upcall_vertices_(&of, &frame) == UPCALL_OK && hooks_called == (times))
    CALLED(1);
    CALLED(1);
    frame.pass = 1;
    CALLED(2);
    frame.interval_first = 9;
    CALLED(3);
    /* What it was told is forgotten at the start, and when an iteration has ended; not where an interval has. */
    static const uint32_t phases[] = {UPCALL_START, UPCALL_AFTER, UPCALL_INTERVAL};
    for (int at = 0; at < 3; at++) {
        frame.phase = phases[at];
        frame.ended = 1;
        CALLED(3 + at);
        /* Without hooks it is not updated again. */
        CHECK(frame.ended == (frame.phase == UPCALL_START));
        frame.phase = UPCALL_UPDATE;
        CALLED(at < 2 ? 4 + at : 5);
    }
    /* An older engine says nothing of intervals. */
    static const uint32_t sizes[] = {496, 512, 535};
    for (int at = 0; at < 3; at++) {
        frame.head.size = sizes[at];
        frame.pass++;
        CALLED(5);
    }
    handler.program.before_interval = 0;
    frame.head.size = sizeof frame;
    CALLED(5);
}

static void a_setting_is_the_nearest_number_or_refused(void) {
    static const char *const right[] = {"0.85", "1e-6", "-2.5e3", "+.5", "7", "0", "1e22", "123456789012345e-22", "0.000", "5.", "1E+2"};
    static const char *const wrong[] = {"", "x", "1e", "1e23", "1.5.2", "--1", "0.12345678901234567", "1 ", ".", "e5", "nan", "1e99999"};
    double shown[5];
    for (size_t at = 0; at < sizeof right / sizeof *right; at++) {
        upcall_harness *harness = with("number", "number", right[at]);
        upcall_edge_list graph = GRAPH;
        graph.iterations = 1;
        CHECK(!upcall_harness_run(harness, &graph, 0, shown) && shown[4] == strtod(right[at], 0));
        upcall_harness_free(harness);
    }
    for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++) {
        upcall_harness *harness = with("number", "number", wrong[at]);
        const upcall_failed *failed = upcall_harness_run(harness, &GRAPH, 0, shown);
        CHECK(failed && !strncmp(failed->message, "the setting `number` is ", 24) && strstr(failed->message, ": give it a number"));
        upcall_harness_free(harness);
    }
    static const char *const whole[] = {"18446744073709551616", "-1", "1.0", ""};
    for (size_t at = 0; at < sizeof whole / sizeof *whole; at++) {
        upcall_harness *harness = with("told", "last", whole[at]);
        const upcall_failed *failed = upcall_harness_run(harness, &GRAPH, 0, shown);
        CHECK(failed && strstr(failed->message, ": give it a whole number from 0 to 18446744073709551615"));
        upcall_harness_free(harness);
    }
}

static void a_program_is_of_one_kind(void) {
    upcall_harness *harness = upcall_harness_new("number");
    const upcall_failed *failed = upcall_harness_put(harness, upcall_text("a"), upcall_text(""));
    CHECK(failed && !strcmp(failed->message, "a frame of another kind reached a handler that takes VERTEX: give the engine another "
                                             "handler"));
    upcall_harness_free(harness);
}

static void how_a_program_is_written_is_looked_at(void) {
    static const struct {
        upcall_handler handler;
        const char *told;
    } written[] = {
        {{.program = {.own = UPCALL_F64, .update = nothing}}, "its vertices show nothing: declare the type"},
        {{.program = {.shown = UPCALL_F64}}, "it has none of update, apply and interval: write one"},
        {{.program = {.shown = UPCALL_F64, .gather = UPCALL_SUM, .update = nothing, .apply = nothing}},
         "it has more than one of update, apply and interval: leave one"},
        {{.program = {.shown = (upcall_number)7, .update = nothing}}, "a value of its vertices is of an unknown type"},
        {{.program = {.shown = UPCALL_F64, .gather = (upcall_gather)9, .apply = nothing}}, "it gathers by an unknown operation"},
        {{.program = {.shown = UPCALL_F64, .apply = nothing}}, "it has `.apply`, and does not say how"},
        {{.program = {.shown = UPCALL_F64, .gather = UPCALL_MAX, .update = nothing}}, "it declares `.gather`, and does not take"},
        {{.program = {.shown = UPCALL_F64, .writes = true, .update = nothing}}, "it writes values of edges: declare their type as edge"},
    };
    for (size_t at = 0; at < sizeof written / sizeof *written; at++) {
        const char *flaw = upcall_flaw_(&written[at].handler);
        CHECK(flaw && !strncmp(flaw, written[at].told, strlen(written[at].told)));
    }
}

int main(void) {
    programs_have_values_of_every_type();
    all_vertices_of_a_call_are_updated_at_once();
    an_iteration_is_told_with_its_sums();
    who_is_scheduled_is_updated_and_nobody_else();
    twice_is_once_where_there_is_no_room();
    a_mistake_fails_the_vertex_with_what_to_do();
    values_of_edges_are_set_for_the_next_iteration();
    all_vertices_of_a_call_set_values_at_once();
    only_another_value_wakes_the_vertex_at_the_other_end();
    what_cannot_be_set_fails_the_vertex();
    a_frame_without_room_for_what_is_set_is_refused();
    an_interval_is_told_before_and_behind_each_pass();
    a_selective_program_is_updated_again_until_none_sees_a_change();
    a_hook_that_fails_fails_no_vertex();
    frames_say_which_interval_they_are_of();
    a_setting_is_the_nearest_number_or_refused();
    a_program_is_of_one_kind();
    how_a_program_is_written_is_looked_at();
    printf("%d checks\n", checks);
    return 0;
}
