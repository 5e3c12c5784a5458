/* What the programs in C of these tests do with a failure. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include "upcall.h"

static void check(Failure *failure) {
    if (failure != NULL) {
        size_t len;
        const char *message = Failure_message(failure, &len);
        fprintf(stderr, "%.*s\n", (int)len, message);
        exit(1);
    }
}

#endif
