// What both MPIs call while a rank waits, where ranks are more than cores. Linux lets one that yields go on at once, often,
// at the price of those that have something to do; asleep it costs nothing.
#include <time.h>

int sched_yield(void)
{
    struct timespec little = {0, 50 * 1000};
    nanosleep(&little, 0);
    return 0;
}
