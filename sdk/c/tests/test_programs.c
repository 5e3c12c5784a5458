/* The vertex programs of examples/graph, beside plain loops that make the same sums in the same order. */
#include "upcall_testing.h"
#include "../../../examples/graph/c/programs.c"
#include "check.h"

enum { VERTICES = 3000, EDGES = 12000 };

static upcall_edge edges[EDGES];
static upcall_edge_list graph = {.vertices = VERTICES, .edges = edges, .len = EDGES};

static uint64_t next_of(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Most edges are between a few vertices, and the last of these have none. */
static void make_the_graph(void) {
    uint64_t state = 7;
    for (size_t at = 0; at < EDGES; at++) {
        uint64_t from = next_of(&state) % (VERTICES - 10), to = next_of(&state) % (VERTICES - 10);
        if (at % 3) from %= 200;
        edges[at] = (upcall_edge){from, to, (double)(next_of(&state) % 1000) / 8};
    }
}

static int by_ends(const void *one, const void *other) {
    const upcall_edge *a = one, *b = other;
    if (a->to != b->to) return a->to < b->to ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static void pagerank_is_that_of_a_plain_loop(void) {
    static upcall_edge in[EDGES];
    static double rank[VERTICES], share[VERTICES], next[VERTICES], own[VERTICES], gathered[VERTICES];
    static uint32_t out_degree[VERTICES];
    memcpy(in, edges, sizeof in);
    qsort(in, EDGES, sizeof *in, by_ends);
    for (size_t at = 0; at < EDGES; at++) out_degree[in[at].from]++;
    double dangling = 0, damping = 0.85;
    for (size_t block = 0; block < VERTICES; block += 1024) {
        double part = 0;
        for (size_t id = block; id < VERTICES && id < block + 1024; id++) {
            rank[id] = 1.0 / VERTICES;
            share[id] = out_degree[id] ? rank[id] / out_degree[id] : 0;
            if (!out_degree[id]) part += rank[id];
        }
        dangling += part;
    }
    uint64_t iterations = 0;
    for (double residual = 1; residual > 1e-6; iterations++) {
        double total = 0;
        size_t edge = 0;
        residual = 0;
        for (size_t block = 0; block < VERTICES; block += 1024) {
            double part = 0, change = 0;
            for (size_t id = block; id < VERTICES && id < block + 1024; id++) {
                double sum = 0, before = rank[id];
                for (; edge < EDGES && in[edge].to == id; edge++) sum += share[in[edge].from];
                rank[id] = (1.0 - damping + damping * dangling) * (1.0 / VERTICES) + damping * sum;
                change += rank[id] < before ? before - rank[id] : rank[id] - before;
                if (!out_degree[id]) part += rank[id];
                next[id] = out_degree[id] ? rank[id] / out_degree[id] : 0;
            }
            residual += change;
            total += part;
        }
        memcpy(share, next, sizeof share);
        dangling = total;
    }
    upcall_harness *harness = upcall_harness_new("PageRank");
    CHECK(!upcall_harness_run(harness, &graph, own, 0) && harness->iterations == iterations && iterations > 10);
    CHECK(!memcmp(own, rank, sizeof own));
    upcall_harness_free(harness);
    harness = upcall_harness_new("PageRankGather");
    CHECK(!upcall_harness_run(harness, &graph, gathered, 0) && harness->iterations == iterations);
    CHECK(!memcmp(gathered, rank, sizeof own));
    upcall_harness_free(harness);
    harness = upcall_harness_new("PageRank");
    upcall_harness_setting(harness, "damping", "0.5");
    upcall_harness_setting(harness, "tolerance", "0.1");
    CHECK(!upcall_harness_run(harness, &graph, own, 0) && harness->iterations < iterations);
    upcall_harness_free(harness);
}

static void ranks_that_edges_carry_are_those_of_pagerank(void) {
    static double rank[VERTICES], carried[VERTICES], shown[VERTICES];
    for (int undirected = 0; undirected < 2; undirected++) {
        upcall_harness *shows = upcall_harness_new("PageRank"), *carries = upcall_harness_new("PageRankEdges");
        upcall_edge_list some = graph, more = graph;
        some.undirected = more.undirected = undirected;
        static const uint64_t most[] = {1, 2, 7, 0};
        for (size_t at = 0; at < sizeof most / sizeof *most; at++) {
            some.iterations = most[at];
            more.iterations = most[at] ? most[at] + 1 : 0;
            CHECK(!upcall_harness_run(shows, &some, rank, 0) && !upcall_harness_run(carries, &more, carried, shown));
            CHECK(carries->iterations == shows->iterations + 1);
            CHECK(!memcmp(rank, carried, sizeof rank) && !memcmp(rank, shown, sizeof rank));
            CHECK(!shows->edges && !shows->edges_len && carries->edges && carries->edges_len >= EDGES);
        }
        upcall_harness_free(shows);
        upcall_harness_free(carries);
    }
}

static void components_are_those_of_a_plain_loop(void) {
    static uint64_t least[VERTICES], shown[VERTICES];
    for (size_t id = 0; id < VERTICES; id++) least[id] = id;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t at = 0; at < EDGES; at++) {
            uint64_t *from = &least[edges[at].from], *to = &least[edges[at].to], less = *from < *to ? *from : *to;
            changed |= *from != *to;
            *from = *to = less;
        }
    }
    upcall_harness *harness = upcall_harness_new("Components");
    CHECK(!upcall_harness_run(harness, &graph, 0, shown) && !memcmp(shown, least, sizeof shown));
    upcall_edge_list undirected = graph;
    undirected.undirected = true;
    CHECK(!upcall_harness_run(harness, &undirected, 0, shown) && !memcmp(shown, least, sizeof shown));
    upcall_harness_free(harness);
}

static void paths_are_those_of_a_plain_loop(void) {
    static double length[VERTICES], shown[VERTICES];
    for (size_t id = 0; id < VERTICES; id++) length[id] = __builtin_inf();
    length[5] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t at = 0; at < EDGES; at++) {
            double other = length[edges[at].from] + edges[at].value;
            if (other < length[edges[at].to]) {
                length[edges[at].to] = other;
                changed = true;
            }
        }
    }
    upcall_harness *harness = upcall_harness_new("ShortestPaths");
    const upcall_failed *failed = upcall_harness_run(harness, &graph, 0, shown);
    CHECK(failed && !strcmp(failed->message, "the setting `from` is missing: give it the number of a vertex"));
    upcall_harness_free(harness);
    harness = upcall_harness_new("ShortestPaths");
    upcall_harness_setting(harness, "from", "5");
    CHECK(!upcall_harness_run(harness, &graph, 0, shown) && !memcmp(shown, length, sizeof shown));

    upcall_edge round[] = {{5, 6, 1}, {6, 7, -2}, {7, 5, 0.5}};
    upcall_edge_list endless = {.vertices = 8, .edges = round, .len = 3};
    CHECK(!upcall_harness_run(harness, &endless, 0, shown) && harness->iterations == 10);
    endless.vertices = 5;
    endless.len = 0;
    failed = upcall_harness_run(harness, &endless, 0, shown);
    CHECK(failed && !strcmp(failed->message, "the setting `from` names a vertex that the graph has not"));
    upcall_harness_free(harness);
}

static void labels_are_those_of_a_plain_loop(void) {
    static uint64_t label[VERTICES], next[VERTICES], shown[VERTICES];
    static uint32_t counts[VERTICES];
    upcall_edge_list some = graph;
    some.iterations = 8;
    for (size_t id = 0; id < VERTICES; id++) label[id] = id;
    for (int round = 0; round < 8; round++) {
        for (size_t id = 0; id < VERTICES; id++) {
            memset(counts, 0, sizeof counts);
            for (size_t at = 0; at < EDGES; at++) {
                if (edges[at].to == id) counts[label[edges[at].from]]++;
                if (edges[at].from == id) counts[label[edges[at].to]]++;
            }
            next[id] = label[id];
            uint32_t most = 0;
            for (size_t at = 0; at < VERTICES; at++)
                if (counts[at] > most) {
                    most = counts[at];
                    next[id] = at;
                }
        }
        memcpy(label, next, sizeof label);
    }
    upcall_harness *harness = upcall_harness_new("Labels");
    CHECK(!upcall_harness_run(harness, &some, 0, shown) && !memcmp(shown, label, sizeof shown));
    upcall_harness_free(harness);
}

int main(void) {
    make_the_graph();
    pagerank_is_that_of_a_plain_loop();
    ranks_that_edges_carry_are_those_of_pagerank();
    components_are_those_of_a_plain_loop();
    paths_are_those_of_a_plain_loop();
    labels_are_those_of_a_plain_loop();
    printf("%d checks\n", checks);
    return 0;
}
