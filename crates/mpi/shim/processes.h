/* Two groups of processes, one of which may have been started by the other. */
#include "topologies.h"

static int comm_remote_size(handle comm, int *size) { return MPI_Comm_remote_size(COMM(comm), size); }

static int intercomm_create(handle local, int local_leader, handle bridge, int remote_leader, int tag, handle *made)
{
    MPI_Comm inter;
    TRY(MPI_Intercomm_create(COMM(local), local_leader, COMM(bridge), remote_leader, tag, &inter));
    return comm_made(inter, made);
}

static int intercomm_merge(handle inter, int high, handle *made)
{
    MPI_Comm all;
    TRY(MPI_Intercomm_merge(COMM(inter), high, &all));
    return comm_made(all, made);
}

/* What is sent and what is received differ in number here. */

static int inter_allgather(const void *data, int64_t count, void *into, int64_t each, handle type, handle comm)
{
    COUNTED(as, count, type);
    counted got;
    int code = count_as(each, type, &got);
    if (code != MPI_SUCCESS)
        return counted_end(&as, code);
    code = MPI_Allgather(data, as.count, as.type, into, got.count, got.type, COMM(comm));
    counted_end(&got, code);
    return counted_end(&as, code);
}

static int inter_alltoall(const void *data, int64_t count, void *into, int64_t each, handle type, handle comm)
{
    COUNTED(as, count, type);
    counted got;
    int code = count_as(each, type, &got);
    if (code != MPI_SUCCESS)
        return counted_end(&as, code);
    code = MPI_Alltoall(data, as.count, as.type, into, got.count, got.type, COMM(comm));
    counted_end(&got, code);
    return counted_end(&as, code);
}

/* Counts and displacements of so many parts, which have 31 bits. */

typedef struct {
    int *counts, *places;
} spread;

static int spread_of(const int64_t *counts, int count, spread *as)
{
    as->counts = malloc(2 * sizeof(int) * (size_t)(count == 0 ? 1 : count));
    if (as->counts == NULL)
        return MPI_ERR_NO_MEM;
    as->places = as->counts + count;
    int64_t place = 0;
    for (int at = 0; at < count; at++) {
        if (counts[at] < 0 || counts[at] > INT_MAX || place > INT_MAX) {
            free(as->counts);
            return MPI_ERR_COUNT;
        }
        as->counts[at] = (int)counts[at];
        as->places[at] = (int)place;
        place += counts[at];
    }
    return MPI_SUCCESS;
}

static int remote_spread(const int64_t *counts, handle comm, spread *as)
{
    int size;
    as->counts = as->places = NULL;
    if (counts == NULL)
        return MPI_SUCCESS;
    TRY(MPI_Comm_remote_size(COMM(comm), &size));
    return spread_of(counts, size, as);
}

static int inter_gatherv(const void *data, int64_t count, void *into, const int64_t *counts, handle type, int root, handle comm)
{
    spread to;
    if (count < 0 || count > INT_MAX)
        return MPI_ERR_COUNT;
    TRY(remote_spread(counts, comm, &to));
    int code = MPI_Gatherv(data, (int)count, TYPE(type), into, to.counts, to.places, TYPE(type), root, COMM(comm));
    free(to.counts);
    return code;
}

static int inter_scatterv(const void *data, const int64_t *counts, void *into, int64_t count, handle type, int root, handle comm)
{
    spread from;
    if (count < 0 || count > INT_MAX)
        return MPI_ERR_COUNT;
    TRY(remote_spread(counts, comm, &from));
    int code = MPI_Scatterv(data, from.counts, from.places, TYPE(type), into, (int)count, TYPE(type), root, COMM(comm));
    free(from.counts);
    return code;
}

static int inter_allgatherv(const void *data, int64_t count, void *into, const int64_t *counts, handle type, handle comm)
{
    spread to;
    if (count < 0 || count > INT_MAX)
        return MPI_ERR_COUNT;
    TRY(remote_spread(counts, comm, &to));
    int code = MPI_Allgatherv(data, (int)count, TYPE(type), into, to.counts, to.places, TYPE(type), COMM(comm));
    free(to.counts);
    return code;
}

static int inter_alltoallv(const void *data, const int64_t *counts, void *into, const int64_t *into_counts, handle type, handle comm)
{
    spread from, to;
    TRY(remote_spread(counts, comm, &from));
    int code = remote_spread(into_counts, comm, &to);
    if (code != MPI_SUCCESS) {
        free(from.counts);
        return code;
    }
    code = MPI_Alltoallv(data, from.counts, from.places, TYPE(type), into, to.counts, to.places, TYPE(type), COMM(comm));
    free(from.counts);
    free(to.counts);
    return code;
}

/* Names and values by turns, up to a null. */
static int info_of(const char *const *pairs, MPI_Info *info)
{
    *info = MPI_INFO_NULL;
    if (pairs == NULL || pairs[0] == NULL)
        return MPI_SUCCESS;
    TRY(MPI_Info_create(info));
    int code = MPI_SUCCESS;
    for (; code == MPI_SUCCESS && pairs[0] != NULL; pairs += 2)
        code = MPI_Info_set(*info, pairs[0], pairs[1]);
    if (code != MPI_SUCCESS)
        MPI_Info_free(info);
    return code;
}

static int comm_spawn(int commands, const upcall_mpi_command *command, int root, handle comm, handle *made, int *codes)
{
    MPI_Comm children;
    int at = 0, code = MPI_SUCCESS, *errors = codes == NULL ? MPI_ERRCODES_IGNORE : codes;
    char **programs = calloc((size_t)commands, sizeof(char *));
    char ***arguments = calloc((size_t)commands, sizeof(char **));
    int *processes = calloc((size_t)commands, sizeof(int));
    MPI_Info *infos = calloc((size_t)commands, sizeof(MPI_Info));
    if (programs == NULL || arguments == NULL || processes == NULL || infos == NULL)
        code = MPI_ERR_NO_MEM;
    for (; code == MPI_SUCCESS && at < commands; at++) {
        programs[at] = (char *)command[at].program;
        arguments[at] = (char **)command[at].arguments;
        processes[at] = command[at].processes;
        code = info_of(command[at].info, &infos[at]);
    }
    if (code == MPI_SUCCESS)
        code = MPI_Comm_spawn_multiple(commands, programs, arguments, processes, infos, root, COMM(comm), &children, errors);
    while (at-- > 0)
        if (infos[at] != MPI_INFO_NULL)
            MPI_Info_free(&infos[at]);
    free(programs);
    free(arguments);
    free(processes);
    free(infos);
    return code == MPI_SUCCESS ? comm_made(children, made) : code;
}

static int comm_parent(handle *made)
{
    MPI_Comm parent;
    TRY(MPI_Comm_get_parent(&parent));
    return comm_made(parent, made);
}

/* A name of MPI's, where there is room for it. */
static int named(const char *whole, char *name, int room)
{
    size_t length = strlen(whole);
    if (length >= (size_t)room)
        return MPI_ERR_ARG;
    memcpy(name, whole, length + 1);
    return MPI_SUCCESS;
}

static int open_port(char *name, int room)
{
    char whole[MPI_MAX_PORT_NAME] = "";
    TRY(MPI_Open_port(MPI_INFO_NULL, whole));
    return named(whole, name, room);
}

static int close_port(const char *name) { return MPI_Close_port((char *)name); }

static int comm_accept(const char *port, int root, handle comm, handle *made)
{
    MPI_Comm inter;
    TRY(MPI_Comm_accept((char *)port, MPI_INFO_NULL, root, COMM(comm), &inter));
    return comm_made(inter, made);
}

static int comm_connect(const char *port, int root, handle comm, handle *made)
{
    MPI_Comm inter;
    TRY(MPI_Comm_connect((char *)port, MPI_INFO_NULL, root, COMM(comm), &inter));
    return comm_made(inter, made);
}

static int publish_name(const char *service, const char *port) { return MPI_Publish_name((char *)service, MPI_INFO_NULL, (char *)port); }
static int unpublish_name(const char *service, const char *port) { return MPI_Unpublish_name((char *)service, MPI_INFO_NULL, (char *)port); }

static int lookup_name(const char *service, char *port, int room)
{
    char whole[MPI_MAX_PORT_NAME] = "";
    TRY(MPI_Lookup_name((char *)service, MPI_INFO_NULL, whole));
    return named(whole, port, room);
}
