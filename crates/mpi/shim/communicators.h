/* Groups, the communicators that are made of them, and what is kept with a communicator. */
#include "common.h"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#define GROUP(h) OF(MPI_Group, h)

/* A communicator that was made: its errors are told to whoever calls. */
static int comm_made(MPI_Comm comm, handle *made)
{
    *made = TO(comm);
    return comm == MPI_COMM_NULL ? MPI_SUCCESS : MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

static int group_made(MPI_Group group, handle *made)
{
    *made = TO(group);
    return MPI_SUCCESS;
}

static int comparison(int result)
{
    return result == MPI_IDENT ? 0 : result == MPI_CONGRUENT ? 1 : result == MPI_SIMILAR ? 2 : 3;
}

static int comm_group(handle comm, int remote, handle *made)
{
    MPI_Group group;
    TRY(remote ? MPI_Comm_remote_group(COMM(comm), &group) : MPI_Comm_group(COMM(comm), &group));
    return group_made(group, made);
}

static int group_rank(handle group, int *rank, int *size)
{
    TRY(MPI_Group_size(GROUP(group), size));
    TRY(MPI_Group_rank(GROUP(group), rank));
    if (*rank == MPI_UNDEFINED)
        *rank = -1;
    return MPI_SUCCESS;
}

static int group_combine(handle one, handle other, int how, handle *made)
{
    MPI_Group group;
    switch (how) {
    case 0: TRY(MPI_Group_union(GROUP(one), GROUP(other), &group)); break;
    case 1: TRY(MPI_Group_intersection(GROUP(one), GROUP(other), &group)); break;
    case 2: TRY(MPI_Group_difference(GROUP(one), GROUP(other), &group)); break;
    default: return MPI_ERR_ARG;
    }
    return group_made(group, made);
}

static int group_select(handle of, int count, const int *ranks, int without, handle *made)
{
    MPI_Group group;
    TRY(without ? MPI_Group_excl(GROUP(of), count, ranks, &group) : MPI_Group_incl(GROUP(of), count, ranks, &group));
    return group_made(group, made);
}

static int group_translate(handle of, int count, const int *ranks, handle other, int *into)
{
    TRY(MPI_Group_translate_ranks(GROUP(of), count, ranks, GROUP(other), into));
    for (int at = 0; at < count; at++)
        if (into[at] == MPI_UNDEFINED)
            into[at] = -1;
    return MPI_SUCCESS;
}

static int group_compare(handle one, handle other, int *how)
{
    int result;
    TRY(MPI_Group_compare(GROUP(one), GROUP(other), &result));
    *how = comparison(result);
    return MPI_SUCCESS;
}

static int group_free(handle *group)
{
    MPI_Group freed = GROUP(*group);
    TRY(MPI_Group_free(&freed));
    *group = TO(freed);
    return MPI_SUCCESS;
}

static int comm_compare(handle one, handle other, int *how)
{
    int result;
    TRY(MPI_Comm_compare(COMM(one), COMM(other), &result));
    *how = comparison(result);
    return MPI_SUCCESS;
}

static int comm_create(handle comm, handle group, handle *made)
{
    MPI_Comm part;
    TRY(MPI_Comm_create(COMM(comm), GROUP(group), &part));
    return comm_made(part, made);
}

static int comm_create_group(handle comm, handle group, int tag, handle *made)
{
    MPI_Comm part;
    TRY(MPI_Comm_create_group(COMM(comm), GROUP(group), tag, &part));
    return comm_made(part, made);
}

static int comm_split_shared(handle comm, int key, handle *made)
{
    MPI_Comm part;
    TRY(MPI_Comm_split_type(COMM(comm), MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &part));
    return comm_made(part, made);
}

static int comm_get_name(handle comm, char *name, int room, int *length)
{
    char whole[MPI_MAX_OBJECT_NAME];
    TRY(MPI_Comm_get_name(COMM(comm), whole, length));
    *length = *length < room ? *length : room;
    memcpy(name, whole, (size_t)*length);
    return MPI_SUCCESS;
}

/* longest: what a name has at most; one that is longer is not set. */
static int comm_set_name(handle comm, const char *name, int *longest)
{
    *longest = MPI_MAX_OBJECT_NAME - 1;
    return strlen(name) > (size_t)*longest ? MPI_ERR_ARG : MPI_Comm_set_name(COMM(comm), name);
}

static int comm_disconnect(handle *comm)
{
    MPI_Comm left = COMM(*comm);
    TRY(MPI_Comm_disconnect(&left));
    *comm = TO(left);
    return MPI_SUCCESS;
}

/* Attributes. What MPI calls when a communicator is duplicated or freed is told to the two functions of the key. */

typedef struct {
    upcall_mpi_copy *copy;
    upcall_mpi_drop *drop;
    void *key;
} kept;

static int copy_kept(MPI_Comm comm, int keyval, void *extra, void *value, void *into, int *copied)
{
    const kept *is = extra;
    void *made = NULL;
    int outcome = is->copy(is->key, value, &made);
    (void)comm;
    (void)keyval;
    *copied = outcome > 0;
    if (outcome > 0)
        *(void **)into = made;
    return outcome < 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int drop_kept(MPI_Comm comm, int keyval, void *value, void *extra)
{
    const kept *is = extra;
    (void)comm;
    (void)keyval;
    is->drop(is->key, value);
    return MPI_SUCCESS;
}

/* A key is for as long as the process: MPI frees its attributes when it is finalized. */
static int keyval_create(upcall_mpi_copy *copy, upcall_mpi_drop *drop, void *key, int *keyval)
{
    kept *is = malloc(sizeof(kept));
    if (is == NULL)
        return MPI_ERR_NO_MEM;
    *is = (kept){copy, drop, key};
    int code = MPI_Comm_create_keyval(copy_kept, drop_kept, keyval, is);
    if (code != MPI_SUCCESS)
        free(is);
    return code;
}

static int attr_set(handle comm, int keyval, void *value) { return MPI_Comm_set_attr(COMM(comm), keyval, value); }
static int attr_get(handle comm, int keyval, void **value, int *found) { return MPI_Comm_get_attr(COMM(comm), keyval, (void *)value, found); }
static int attr_delete(handle comm, int keyval) { return MPI_Comm_delete_attr(COMM(comm), keyval); }

static int comm_predefined(int which, int *value, int *found)
{
    static const int keys[] = {MPI_APPNUM, MPI_UNIVERSE_SIZE, MPI_WTIME_IS_GLOBAL, MPI_IO, MPI_HOST};
    int *is;
    if (which < 0 || which >= (int)(sizeof(keys) / sizeof(keys[0])))
        return MPI_ERR_ARG;
    TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, keys[which], (void *)&is, found));
    if (*found)
        *value = *is;
    return MPI_SUCCESS;
}

static double wtick(void) { return MPI_Wtick(); }

/* What goes on when processes fail: user-level failure mitigation, where the library has it. */

#if defined(OMPI_HAVE_MPI_EXT_FTMPI) || (defined(MPICH_VERSION) && defined(MPIX_ERR_REVOKED))
#define ULFM 1
#else
#define ULFM 0
#endif

/* Open MPI has the calls where its launcher was told so (--with-ft ulfm), and waits for ever in some of them where it was not. MPICH
   has them in all of its builds: those of its newer device, ch4, end the process, as assertions that fail. */
static int ulfm(void)
{
#if defined(OMPI_HAVE_MPI_EXT_FTMPI)
    int *is, found;
    return MPI_Comm_get_attr(MPI_COMM_WORLD, MPIX_FT, (void *)&is, &found) == MPI_SUCCESS && found && *is;
#elif ULFM
    char whole[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    return MPI_Get_library_version(whole, &length) == MPI_SUCCESS && strstr(whole, "ch3:") != NULL;
#else
    return 0;
#endif
}

#define NEEDS_ULFM                           \
    do {                                     \
        if (!ulfm())                         \
            return UPCALL_MPI_UNSUPPORTED;   \
    } while (0)

static int comm_revoke(handle comm)
{
    NEEDS_ULFM;
#if ULFM
    return MPIX_Comm_revoke(COMM(comm));
#else
    (void)comm;
    return UPCALL_MPI_UNSUPPORTED;
#endif
}

static int comm_is_revoked(handle comm, int *is)
{
    NEEDS_ULFM;
#if defined(OMPI_HAVE_MPI_EXT_FTMPI)
    return MPIX_Comm_is_revoked(COMM(comm), is);
#elif ULFM
    /* MPICH has no such call, and refuses whatever else is asked of one that is revoked. */
    int found, class, code = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, COMM(comm), &found, MPI_STATUS_IGNORE);
    TRY(MPI_Error_class(code, &class));
    *is = class == MPIX_ERR_REVOKED;
    return MPI_SUCCESS;
#else
    (void)comm;
    (void)is;
    return UPCALL_MPI_UNSUPPORTED;
#endif
}

static int comm_shrink(handle comm, handle *made)
{
    NEEDS_ULFM;
#if ULFM
    MPI_Comm left;
    TRY(MPIX_Comm_shrink(COMM(comm), &left));
    return comm_made(left, made);
#else
    (void)comm;
    (void)made;
    return UPCALL_MPI_UNSUPPORTED;
#endif
}

static int comm_agree(handle comm, int *flags)
{
    NEEDS_ULFM;
#if ULFM
    return MPIX_Comm_agree(COMM(comm), flags);
#else
    (void)comm;
    (void)flags;
    return UPCALL_MPI_UNSUPPORTED;
#endif
}

static int comm_failure_ack(handle comm)
{
    NEEDS_ULFM;
#if ULFM
    return MPIX_Comm_failure_ack(COMM(comm));
#else
    (void)comm;
    return UPCALL_MPI_UNSUPPORTED;
#endif
}

static int comm_failure_acked(handle comm, handle *made)
{
    NEEDS_ULFM;
#if ULFM
    MPI_Group failed;
    TRY(MPIX_Comm_failure_get_acked(COMM(comm), &failed));
    return group_made(failed, made);
#else
    (void)comm;
    (void)made;
    return UPCALL_MPI_UNSUPPORTED;
#endif
}
