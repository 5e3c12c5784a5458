/* The functions that are measured, as one declares them by hand. */

#include <stdint.h>
#include <stdlib.h>

typedef struct { double x, y, z, dx, dy, dz; } Body;
typedef struct { const void *data; size_t length; } Slice;
typedef struct { const char *message; size_t length, capacity; void *release; int32_t code; } Failure;

int32_t add(int32_t, int32_t);
Body moved(Body);
uint32_t length(Slice, Failure **);
float sum(Slice);
int32_t apply(int32_t, int32_t (*)(void *, int32_t), void *);
int32_t repeat(int32_t, int32_t (*)(void *, int32_t), void *);
uint32_t checked(int32_t, Failure **);
void upcall_failure_release(Failure *);
