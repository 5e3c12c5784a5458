/* The word count's handlers in C, for WebAssembly: one leaves only words in lines, one splits lines, one counts. */
#include "upcall_guest.h"

/* Room for the longest line so far. */
struct normaliser {
    char *text;
    size_t room;
};

/* Emits a line in small letters, with a space for each byte that is no letter. */
static const char *normalise(void *state, const upcall_object *line, upcall_emit *emit) {
    struct normaliser *kept = state;
    size_t len = line->value.len;
    if (len > kept->room) {
        char *text = upcall_alloc(2 * len);
        if (!text) return "there is no memory for the line";
        *kept = (struct normaliser){text, 2 * len};
    }
    for (size_t at = 0; at < len; at++) {
        char letter = line->value.data[at] | 0x20;
        kept->text[at] = letter >= 'a' && letter <= 'z' ? letter : ' ';
    }
    upcall_put(emit, line->key, (upcall_bytes){kept->text, len});
    return 0;
}

/* Emits each word of a line: the word is the key, the value is empty. */
static const char *split(void *state, const upcall_object *line, upcall_emit *emit) {
    (void)state;
    enum { MOST = 4096 };
    char word[MOST];
    size_t len = 0;
    for (size_t at = 0; at <= line->value.len; at++) {
        char letter = at < line->value.len ? line->value.data[at] : ' ';
        if (letter >= 'A' && letter <= 'Z') letter += 'a' - 'A';
        if (letter >= 'a' && letter <= 'z') {
            if (len == MOST) return "a word is longer than 4096 letters";
            word[len++] = letter;
        } else if (len) {
            if (!upcall_put(emit, (upcall_bytes){word, len}, (upcall_bytes){0, 0})) return 0;
            len = 0;
        }
    }
    return 0;
}

/* A word, in the list of those with the same place. */
struct count {
    struct count *next;
    upcall_bytes word;
    uint64_t total;
};

enum { PLACES = 1 << 14 };

struct counter {
    struct count *places[PLACES];
};

/* Keeps a count per word, and emits it. */
static const char *count(void *state, const upcall_object *word, upcall_emit *emit) {
    struct counter *counter = state;
    struct count **place = &counter->places[word->hash % PLACES];
    while (*place && !upcall_equal((*place)->word, word->key)) place = &(*place)->next;
    if (!*place) {
        struct count *made = upcall_alloc(sizeof *made);
        char *copy = upcall_alloc(word->key.len);
        if (!made || !copy) return "there is no memory for another word";
        __builtin_memcpy(copy, word->key.data, word->key.len);
        *made = (struct count){0, {copy, word->key.len}, 0};
        *place = made;
    }
    (*place)->total++;
    upcall_put(emit, word->key, UPCALL_VALUE((*place)->total));
    return 0;
}

UPCALL_HANDLERS({.name = "normaliser", .size = sizeof(struct normaliser), .on_object = normalise},
                {.name = "splitter", .on_object = split},
                {.name = "counter", .size = sizeof(struct counter), .on_object = count})
