/*
 * Where ranks are more than the machine's cores, one that waits gives its core to the others. MPICH has no setting for it, as Open
 * MPI has, but it waits by calling this function of UCX's over and over. The linker finds ours first, as the shim comes before what
 * it needs.
 */
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static _Atomic(unsigned (*)(void *)) known;
    unsigned (*real)(void *) = known;
    if (!real)
        known = real = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned made = real(worker);
    if (!made)
        sched_yield();
    return made;
}
