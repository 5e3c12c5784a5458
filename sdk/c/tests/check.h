/* Checks of the tests in C. */
#ifndef UPCALL_TESTS_CHECK_H
#define UPCALL_TESTS_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks;

/* As assert, in every build. */
#define CHECK(what)                                                              \
    do {                                                                         \
        checks++;                                                                \
        if (!(what)) {                                                           \
            fprintf(stderr, "%s:%d: %s is not so\n", __FILE__, __LINE__, #what); \
            exit(1);                                                             \
        }                                                                        \
    } while (0)

#endif
