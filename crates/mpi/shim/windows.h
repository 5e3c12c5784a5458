/* One-sided: memory that other ranks read and write. Places and sizes are bytes. */
#include "common.h"

#define WIN(h) OF(MPI_Win, h)

static int win_made(MPI_Win win, handle *made)
{
    *made = TO(win);
    return MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
}

static int win_create(void *base, int64_t bytes, handle comm, handle *made)
{
    MPI_Win win;
    TRY(MPI_Win_create(base, (MPI_Aint)bytes, 1, MPI_INFO_NULL, COMM(comm), &win));
    return win_made(win, made);
}

static int win_allocate(int64_t bytes, handle comm, int shared, void **base, handle *made)
{
    MPI_Win win;
    if (shared)
        TRY(MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, COMM(comm), base, &win));
    else
        TRY(MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, COMM(comm), base, &win));
    return win_made(win, made);
}

#ifdef OPEN_MPI
/* A parameter of its own, which variables, `mpirun --mca` and files set. MPI_T would tell it as well, and open all of its modules. */
extern int mca_base_var_find(const char *project, const char *framework, const char *component, const char *name)
    __attribute__((weak));
extern int mca_base_var_get_value(int index, const void *value, void *source, const char **file) __attribute__((weak));
#endif

static int win_folder(char *folder, int room)
{
    folder[0] = 0;
#ifdef OPEN_MPI
    char *const *value = NULL;
    int index = mca_base_var_find && mca_base_var_get_value ? mca_base_var_find("ompi", "osc", "sm", "backing_directory") : -1;
    if (index >= 0 && mca_base_var_get_value(index, &value, NULL, NULL) == 0 && value && *value && strlen(*value) < (size_t)room)
        strcpy(folder, *value);
#else
    (void)room;
#endif
    return MPI_SUCCESS;
}

static int win_shared_query(handle win, int rank, int64_t *bytes, void **base)
{
    MPI_Aint size;
    int unit;
    TRY(MPI_Win_shared_query(WIN(win), rank, &size, &unit, base));
    *bytes = (int64_t)size;
    return MPI_SUCCESS;
}

static int win_free(handle *win)
{
    MPI_Win freed = WIN(*win);
    TRY(MPI_Win_free(&freed));
    *win = TO(freed);
    return MPI_SUCCESS;
}

static int win_unified(handle win, int *unified)
{
    int *model, found;
    TRY(MPI_Win_get_attr(WIN(win), MPI_WIN_MODEL, (void *)&model, &found));
    *unified = found && *model == MPI_WIN_UNIFIED;
    return MPI_SUCCESS;
}

static int win_fence(handle win, int last) { return MPI_Win_fence(last ? MPI_MODE_NOSUCCEED : 0, WIN(win)); }

static int win_lock(handle win, int rank, int exclusive)
{
    return MPI_Win_lock(exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, rank, 0, WIN(win));
}

static int win_unlock(handle win, int rank) { return MPI_Win_unlock(rank, WIN(win)); }
static int win_lock_all(handle win) { return MPI_Win_lock_all(0, WIN(win)); }
static int win_unlock_all(handle win) { return MPI_Win_unlock_all(WIN(win)); }
static int win_sync(handle win) { return MPI_Win_sync(WIN(win)); }

/* rank: -1 for all; local: only what is read and written here */
static int win_flush(handle win, int rank, int local)
{
    if (rank < 0)
        return local ? MPI_Win_flush_local_all(WIN(win)) : MPI_Win_flush_all(WIN(win));
    return local ? MPI_Win_flush_local(rank, WIN(win)) : MPI_Win_flush(rank, WIN(win));
}

static int win_with(int (*call)(MPI_Group, int, MPI_Win), handle win, const int *ranks, int count)
{
    MPI_Group all, some;
    TRY(MPI_Win_get_group(WIN(win), &all));
    int code = MPI_Group_incl(all, count, ranks, &some);
    MPI_Group_free(&all);
    if (code != MPI_SUCCESS)
        return code;
    code = call(some, 0, WIN(win));
    if (some != MPI_GROUP_EMPTY)
        MPI_Group_free(&some);
    return code;
}

static int win_post(handle win, const int *ranks, int count) { return win_with(MPI_Win_post, win, ranks, count); }
static int win_start(handle win, const int *ranks, int count) { return win_with(MPI_Win_start, win, ranks, count); }
static int win_complete(handle win) { return MPI_Win_complete(WIN(win)); }

static int win_wait(handle win, int wait, int *done)
{
    *done = 1;
    return wait ? MPI_Win_wait(WIN(win)) : MPI_Win_test(WIN(win), done);
}

/* What is moved has no order, so that much is moved part by part. */

static int win_put(const void *data, int64_t bytes, int rank, int64_t place, handle win)
{
    for (int64_t at = 0; at < bytes; at += PART) {
        int part = (int)(bytes - at < PART ? bytes - at : PART);
        TRY(MPI_Put((const char *)data + at, part, MPI_BYTE, rank, (MPI_Aint)(place + at), part, MPI_BYTE, WIN(win)));
    }
    return MPI_SUCCESS;
}

static int win_get(void *into, int64_t bytes, int rank, int64_t place, handle win)
{
    for (int64_t at = 0; at < bytes; at += PART) {
        int part = (int)(bytes - at < PART ? bytes - at : PART);
        TRY(MPI_Get((char *)into + at, part, MPI_BYTE, rank, (MPI_Aint)(place + at), part, MPI_BYTE, WIN(win)));
    }
    return MPI_SUCCESS;
}

/* most: how many numbers at once, as the library combines no more of them rightly; 0 for any number */
static int win_accumulate(const void *data, int64_t count, handle type, int size, int most, int rank, int64_t place, handle op,
                          handle win)
{
    if (most == 0)
        most = PART;
    for (int64_t at = 0; at < count; at += most) {
        int part = (int)(count - at < most ? count - at : most);
        TRY(MPI_Accumulate((const char *)data + at * size, part, TYPE(type), rank, (MPI_Aint)(place + at * size), part, TYPE(type),
                           OP(op), WIN(win)));
    }
    return MPI_SUCCESS;
}

static int win_get_accumulate(const void *data, void *into, int64_t count, handle type, int size, int most, int rank, int64_t place,
                              handle op, handle win)
{
    if (most == 0)
        most = PART;
    for (int64_t at = 0; at < count; at += most) {
        int part = (int)(count - at < most ? count - at : most);
        TRY(MPI_Get_accumulate((const char *)data + at * size, part, TYPE(type), (char *)into + at * size, part, TYPE(type), rank,
                               (MPI_Aint)(place + at * size), part, TYPE(type), OP(op), WIN(win)));
    }
    return MPI_SUCCESS;
}

static int win_fetch_and_op(const void *data, void *into, handle type, int rank, int64_t place, handle op, handle win)
{
    return MPI_Fetch_and_op(data, into, TYPE(type), rank, (MPI_Aint)place, OP(op), WIN(win));
}

static int win_compare_and_swap(const void *data, const void *expected, void *into, handle type, int rank, int64_t place, handle win)
{
    return MPI_Compare_and_swap(data, expected, into, TYPE(type), rank, (MPI_Aint)place, WIN(win));
}

static int win_rput(const void *data, int64_t bytes, int rank, int64_t place, handle win, handle *request)
{
    COUNTED(as, bytes, TO(MPI_BYTE));
    MPI_Request begun;
    int code = MPI_Rput(data, as.count, as.type, rank, (MPI_Aint)place, as.count, as.type, WIN(win), &begun);
    if (code == MPI_SUCCESS)
        *request = TO(begun);
    return counted_end(&as, code);
}

static int win_rget(void *into, int64_t bytes, int rank, int64_t place, handle win, handle *request)
{
    COUNTED(as, bytes, TO(MPI_BYTE));
    MPI_Request begun;
    int code = MPI_Rget(into, as.count, as.type, rank, (MPI_Aint)place, as.count, as.type, WIN(win), &begun);
    if (code == MPI_SUCCESS)
        *request = TO(begun);
    return counted_end(&as, code);
}

static int win_raccumulate(const void *data, int64_t count, handle type, int rank, int64_t place, handle op, handle win,
                           handle *request)
{
    MPI_Request begun;
    if (count < 0 || count > INT_MAX)
        return MPI_ERR_COUNT;
    TRY(MPI_Raccumulate(data, (int)count, TYPE(type), rank, (MPI_Aint)place, (int)count, TYPE(type), OP(op), WIN(win), &begun));
    *request = TO(begun);
    return MPI_SUCCESS;
}

/* Whether the library's MPI_MIN and MPI_MAX know that numbers of this type have no sign. */
static int win_compares(handle type, int size, int *right)
{
    _Alignas(8) unsigned char small[8] = {0}, large[8] = {0}, kept[8];
    uint16_t order = 1;
    int first = *(unsigned char *)&order == 1;
    if (size < 1 || size > 8)
        return MPI_ERR_ARG;
    small[first ? 0 : size - 1] = 1;
    large[first ? size - 1 : 0] = 0x80;
    memcpy(kept, large, 8);
    TRY(MPI_Reduce_local(small, kept, 1, TYPE(type), MPI_MIN));
    *right = memcmp(kept, small, (size_t)size) == 0;
    memcpy(kept, large, 8);
    TRY(MPI_Reduce_local(small, kept, 1, TYPE(type), MPI_MAX));
    *right = *right && memcmp(kept, large, (size_t)size) == 0;
    return MPI_SUCCESS;
}

/* Whether the library adds many small integers modulo their size: Open MPI 4.1.4 stops at the largest. */
static int win_sums(handle type, int size, int *right)
{
    enum { MANY = 128 };
    _Alignas(8) unsigned char from[MANY], into[MANY];
    *right = 1;
    for (int top = 0x7f; top <= 0xff; top += 0x80) {
        const uint16_t most = (uint16_t)(size == 1 ? top << 8 | top : top << 8 | 0xff);
        for (int at = 0; at < MANY; at += 2)
            memcpy(from + at, &most, 2);
        memcpy(into, from, MANY);
        TRY(MPI_Reduce_local(from, into, MANY / size, TYPE(type), MPI_SUM));
        for (int at = 0; at < MANY / size; at++) {
            unsigned char one[2] = {0}, sum[2] = {0};
            uint16_t doubled;
            memcpy(one, from + at * size, (size_t)size);
            memcpy(sum, into + at * size, (size_t)size);
            memcpy(&doubled, one, 2);
            doubled = (uint16_t)(size == 1 ? one[0] + one[0] : doubled + doubled);
            const unsigned char small = (unsigned char)doubled;
            *right = *right && memcmp(size == 1 ? (const void *)&small : (const void *)&doubled, sum, (size_t)size) == 0;
        }
    }
    return MPI_SUCCESS;
}
