/* Calls all of MPI behind libupcall, on as many ranks as it is started on, with random sizes that all ranks know. */
#include "check.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#define MOST 200

static Failure *failure;
static const UpcallMpiCommunicator *world;
static int32_t rank, size;
static atomic_int released;

/* One random stream, the same on all ranks. */
static uint64_t state = 42;

static uint32_t draw(uint32_t below) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % below;
}

#define EXPECT(what) expect(what, #what, __LINE__)

static void expect(bool holds, const char *what, int line) {
    check(failure);
    if (!holds) {
        fprintf(stderr, "rank %d, line %d: not so: %s\n", rank, line, what);
        exit(1);
    }
}

/* The call before has failed, with this code and this text in its message. */
static void fails(int32_t code, const char *text, int line) {
    size_t len;
    const char *message = failure == NULL ? NULL : Failure_message(failure, &len);
    char said[400] = "";
    if (message != NULL) memcpy(said, message, len < 399 ? len : 399);
    if (failure == NULL || failure->code != code || strstr(said, text) == NULL) {
        fprintf(stderr, "rank %d, line %d: code %d, `%s`\n", rank, line, failure ? failure->code : 0, said);
        exit(1);
    }
    upcall_failure_release(failure);
    failure = NULL;
}

static Slice_u8 all_of(const void *data, size_t bytes) {
    return Slice_u8_from(data, bytes);
}

static SliceMut_u8 room(void *data, size_t bytes) {
    return SliceMut_u8_from(data, bytes);
}

/* What rank `r` has at `index`, in the round that is under way. */
static uint32_t value(int32_t r, uint32_t index) {
    return (uint32_t)(state >> 40) * 31 + (uint32_t)r * 1009 + index * 7;
}

static void fill(uint32_t *to, int32_t r, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) to[i] = value(r, i);
}

static void release(void *context) {
    (void)context;
    released++;
}

static void never(void *context) {
    (void)context;
    abort();
}

static int32_t combine(void *context, Slice_u8 from, SliceMut_u8 into) {
    int32_t fail_at = *(int32_t *)context;
    const uint32_t *a = (const void *)from.data;
    uint32_t *b = (void *)into.data;
    /* Not commutative: the left value of the lowest rank, and the right one of the highest. */
    for (size_t i = 0; i + 1 < into.len / 4; i += 2) b[i] = a[i];
    return rank == fail_at ? 7 : 0;
}

static void messages(void) {
    uint32_t count = draw(MOST), sent[MOST], got[MOST] = {0};
    int32_t next = (rank + 1) % size, before = (rank + size - 1) % size;
    UpcallMpiStatus status;
    fill(sent, rank, count);
    upcall_mpi_communicator_send_receive(world, all_of(sent, count * 4), next, 3, room(got, sizeof got), before, -1,
                                         &status, &failure);
    EXPECT(status.source == before && status.tag == 3 && status.bytes == count * 4 && status.cancelled == 0);
    for (uint32_t i = 0; i < count; i++) EXPECT(got[i] == value(before, i));

    /* Of unknown size, looked for and then matched. */
    UpcallMpiRequest *request =
        upcall_mpi_communicator_start_send(world, all_of(sent, count * 4), next, 4, UpcallMpiMode_Synchronous, &failure);
    EXPECT(upcall_mpi_communicator_probe(world, -1, 4, true, &status, &failure));
    EXPECT(status.bytes == count * 4);
    UpcallMpiMessage *message = upcall_mpi_message_new(NULL);
    EXPECT(upcall_mpi_communicator_matched(world, before, 4, true, message, &failure));
    EXPECT(upcall_mpi_message_is_matched(message, NULL));
    upcall_mpi_message_status(message, &status, &failure);
    EXPECT(status.source == before && status.bytes == count * 4);
    memset(got, 0, sizeof got);
    upcall_mpi_message_receive_into(message, room(got, sizeof got), &failure);
    for (uint32_t i = 0; i < count; i++) EXPECT(got[i] == value(before, i));
    EXPECT(!upcall_mpi_communicator_matched(world, before, 4, false, message, &failure));
    upcall_mpi_message_receive(message, &failure);
    fails(UPCALL_MPI_USAGE, "none was", __LINE__);
    upcall_mpi_request_wait(request, &status, &failure);
    EXPECT(failure == NULL);
    upcall_mpi_request_release(request);

    /* A message that is matched and not received does no harm. */
    request = upcall_mpi_communicator_start_send(world, all_of(sent, count * 4), next, 5, UpcallMpiMode_Standard, &failure);
    EXPECT(upcall_mpi_communicator_matched(world, before, 5, true, message, &failure));
    upcall_mpi_message_release(message);
    upcall_mpi_request_release(request);

    upcall_mpi_communicator_send(world, all_of(sent, count * 4), size, 0, UpcallMpiMode_Standard, &failure);
    fails(UPCALL_MPI_RANK, "there is no rank", __LINE__);
    upcall_mpi_communicator_send(world, all_of(sent, 4), -2, 0, UpcallMpiMode_Standard, &failure);
    fails(UPCALL_MPI_RANK, "there is no rank -2", __LINE__);
    upcall_mpi_communicator_send(world, all_of(sent, 4), next, -1, UpcallMpiMode_Standard, &failure);
    fails(UPCALL_MPI_TAG, "a tag is 0 or more", __LINE__);
}

static void requests(void) {
    uint32_t count = draw(MOST - 1) + 1, sent[MOST], lent[MOST] = {0}, copied[MOST] = {0};
    int32_t next = (rank + 1) % size, before = (rank + size - 1) % size;
    int begun = released;
    UpcallMpiStatus status;
    fill(sent, rank, count);
    UpcallMpiRequest *all[4] = {
        upcall_mpi_communicator_start_receive_lent(world, lent, sizeof lent, before, 1, never, NULL, release, &failure),
        upcall_mpi_communicator_start_receive(world, sizeof copied, -1, 2, &failure),
        upcall_mpi_communicator_start_send_lent(world, sent, count * 4, next, 1, UpcallMpiMode_Synchronous, never, NULL,
                                                release, &failure),
        upcall_mpi_communicator_start_send(world, all_of(sent, count * 4), next, 2, UpcallMpiMode_Standard, &failure),
    };
    EXPECT(failure == NULL);
    UpcallMpiRequests *set = upcall_mpi_requests_new(NULL);
    for (int i = 0; i < 4; i++) upcall_mpi_requests_add(set, all[i], &failure);
    bool seen[4] = {false};
    for (int i = 0; i < 4; i++) {
        int64_t index = upcall_mpi_requests_wait_any(set, &failure);
        EXPECT(index >= 0 && index < 4 && !seen[index]);
        seen[index] = true;
    }
    EXPECT(upcall_mpi_requests_wait_any(set, &failure) == -1 && upcall_mpi_requests_test_any(set, &failure) == -1);
    upcall_mpi_requests_release(set);
    EXPECT(released == begun + 2);
    upcall_mpi_request_wait(all[0], &status, &failure);
    EXPECT(status.source == before && status.tag == 1 && status.bytes == count * 4);
    EXPECT(upcall_mpi_request_test(all[1], NULL, &failure));
    upcall_mpi_request_copy(all[1], room(copied, 0), &failure);
    fails(UPCALL_MPI_TYPE, "there is room for 0", __LINE__);
    EXPECT(upcall_mpi_request_copy(all[1], room(copied, sizeof copied), &failure) == count * 4);
    for (uint32_t i = 0; i < count; i++) EXPECT(lent[i] == value(before, i) && copied[i] == lent[i]);
    Buffer_u8 taken = upcall_mpi_request_take(all[1], &failure);
    EXPECT(taken.len == count * 4 && memcmp(taken.data, copied, taken.len) == 0);
    Buffer_u8_release(&taken);
    for (int i = 0; i < 4; i++) upcall_mpi_request_release(all[i]);

    /* Cancelled, and given up. */
    begun = released;
    UpcallMpiRequest *idle =
        upcall_mpi_communicator_start_receive_lent(world, lent, sizeof lent, before, 9, never, NULL, release, &failure);
    EXPECT(!upcall_mpi_request_test(idle, &status, &failure));
    upcall_mpi_request_take(idle, &failure);
    fails(UPCALL_MPI_USAGE, "it has not ended", __LINE__);
    upcall_mpi_request_cancel(idle, &failure);
    upcall_mpi_request_wait(idle, &status, &failure);
    EXPECT(status.cancelled == 1 && status.bytes == 0 && released == begun + 1);
    upcall_mpi_request_release(idle);
    idle = upcall_mpi_communicator_start_receive_lent(world, lent, sizeof lent, before, 9, never, NULL, release, &failure);
    EXPECT(failure == NULL);
    upcall_mpi_request_release(idle);
    EXPECT(released == begun + 2);
    /* What cannot begin releases its memory too. */
    upcall_mpi_communicator_start_receive_lent(world, lent, sizeof lent, size, 9, never, NULL, release, &failure);
    fails(UPCALL_MPI_RANK, "there is no rank", __LINE__);
    EXPECT(released == begun + 3);
}

static void collectives(void) {
    uint32_t count = draw(MOST), mine[MOST * 5], got[MOST * 5], root = draw((uint32_t)size);
    size_t bytes = count * 4, everybody = bytes * (size_t)size;
    fill(mine, rank, count * (uint32_t)size);
    upcall_mpi_communicator_barrier(world, &failure);
    memcpy(got, mine, bytes);
    upcall_mpi_communicator_broadcast(world, room(got, bytes), (int32_t)root, &failure);
    for (uint32_t i = 0; i < count; i++) EXPECT(got[i] == value((int32_t)root, i));
    Buffer_u8 any =
        upcall_mpi_communicator_broadcast_any(world, all_of(mine, rank == (int32_t)root ? bytes : 0), true, (int32_t)root, &failure);
    EXPECT(any.len == bytes && memcmp(any.data, got, bytes) == 0);
    Buffer_u8_release(&any);
    upcall_mpi_communicator_broadcast_any(world, all_of(mine, 0), rank != (int32_t)root, (int32_t)root, &failure);
    fails(UPCALL_MPI_USAGE, "has failed to give one", __LINE__);

    upcall_mpi_communicator_gather(world, all_of(mine, bytes), room(got, rank == (int32_t)root ? everybody : 0), (int32_t)root, &failure);
    for (int32_t r = 0; rank == (int32_t)root && r < size; r++)
        for (uint32_t i = 0; i < count; i++) EXPECT(got[(uint32_t)r * count + i] == value(r, i));
    upcall_mpi_communicator_all_gather(world, all_of(mine, bytes), room(got, everybody), &failure);
    for (int32_t r = 0; r < size; r++)
        for (uint32_t i = 0; i < count; i++) EXPECT(got[(uint32_t)r * count + i] == value(r, i));
    upcall_mpi_communicator_all_gather(world, all_of(mine, bytes), room(got, everybody + 1), &failure);
    fails(UPCALL_MPI_USAGE, "the slice for all ranks", __LINE__);

    Slice_u8 whole = all_of(mine, rank == (int32_t)root ? everybody : 0);
    upcall_mpi_communicator_scatter_into(world, whole, room(got, bytes), (int32_t)root, &failure);
    for (uint32_t i = 0; i < count; i++) EXPECT(got[i] == value((int32_t)root, (uint32_t)rank * count + i));
    Buffer_u8 part = upcall_mpi_communicator_scatter(world, whole, 4, (int32_t)root, &failure);
    EXPECT(part.len == bytes && memcmp(part.data, got, bytes) == 0);
    Buffer_u8_release(&part);
    if (size > 1) {
        /* Even in bytes, and not in elements: told to all ranks. */
        upcall_mpi_communicator_scatter(world, all_of(mine, 4 * (size_t)size + (size_t)size), 4, 0, &failure);
        fails(UPCALL_MPI_USAGE, "no multiple of the", __LINE__);
        upcall_mpi_communicator_all_to_all(world, all_of(mine, 5 * (size_t)size), room(got, 5 * (size_t)size), 4, &failure);
        fails(UPCALL_MPI_USAGE, "no multiple of the", __LINE__);
    }
    upcall_mpi_communicator_all_to_all(world, all_of(mine, everybody), room(got, everybody), 4, &failure);
    for (int32_t r = 0; r < size; r++)
        for (uint32_t i = 0; i < count; i++)
            EXPECT(got[(uint32_t)r * count + i] == value(r, (uint32_t)rank * count + i));
}

static void parts(void) {
    uint32_t counts[5], mine[MOST * 5], root = draw((uint32_t)size);
    uint64_t told[5], bytes[5], all = 0;
    for (int32_t r = 0; r < size; r++) counts[r] = draw(MOST);
    for (int32_t r = 0; r < size; r++) all += bytes[r] = counts[r] * 4;
    fill(mine, rank, (uint32_t)(all / 4) > counts[rank] ? (uint32_t)(all / 4) : counts[rank]);
    Buffer_u8 got = upcall_mpi_communicator_all_gather_parts(world, all_of(mine, bytes[rank]), SliceMut_u64_from(told, (size_t)size), &failure);
    const uint32_t *at = (const void *)got.data;
    EXPECT(got.len == all && memcmp(told, bytes, 8 * (size_t)size) == 0);
    for (int32_t r = 0; r < size; r++)
        for (uint32_t i = 0; i < counts[r]; i++) EXPECT(*at++ == value(r, i));
    Buffer_u8 once = upcall_mpi_communicator_gather_parts(world, all_of(mine, bytes[rank]), SliceMut_u64_from(told, (size_t)size), (int32_t)root, &failure);
    EXPECT(rank == (int32_t)root ? once.len == all && memcmp(once.data, got.data, all) == 0 : once.len == 0);
    Buffer_u8_release(&once);
    Buffer_u8_release(&got);

    got = upcall_mpi_communicator_scatter_parts(world, all_of(mine, all), Slice_u64_from(bytes, (size_t)size), (int32_t)root, &failure);
    uint32_t offset = 0;
    for (int32_t r = 0; r < rank; r++) offset += counts[r];
    EXPECT(got.len == bytes[rank]);
    for (uint32_t i = 0; i < counts[rank]; i++) EXPECT(((const uint32_t *)(const void *)got.data)[i] == value((int32_t)root, offset + i));
    Buffer_u8_release(&got);

    got = upcall_mpi_communicator_all_to_all_parts(world, all_of(mine, all), Slice_u64_from(bytes, (size_t)size),
                                                   SliceMut_u64_from(told, (size_t)size), &failure);
    at = (const void *)got.data;
    for (int32_t r = 0; r < size; r++) {
        EXPECT(told[r] == bytes[rank]);
        for (uint32_t i = 0; i < counts[rank]; i++) EXPECT(*at++ == value(r, offset + i));
    }
    Buffer_u8_release(&got);
    upcall_mpi_communicator_all_gather_parts(world, all_of(mine, 4), SliceMut_u64_from(told, 0), &failure);
    fails(UPCALL_MPI_USAGE, "room for 0 counts", __LINE__);
}

static uint32_t sum(int32_t ranks, uint32_t index) {
    uint32_t all = 0;
    for (int32_t r = 0; r < ranks; r++) all += value(r, index);
    return all;
}

static void reductions(void) {
    uint32_t count = draw(MOST / 2) * 2, mine[MOST], got[MOST] = {0}, root = draw((uint32_t)size);
    size_t bytes = count * 4;
    fill(mine, rank, count);
    UpcallMpiOperation *add = upcall_mpi_operation_named(Str_from("Sum"), Str_from("u32"), &failure);
    EXPECT(upcall_mpi_operation_element(add, NULL) == 4);
    upcall_mpi_communicator_all_reduce(world, all_of(mine, bytes), room(got, bytes), add, &failure);
    for (uint32_t i = 0; i < count; i++) EXPECT(got[i] == sum(size, i));
    memset(got, 0, sizeof got);
    upcall_mpi_communicator_reduce(world, all_of(mine, bytes), room(got, bytes), add, (int32_t)root, &failure);
    for (uint32_t i = 0; rank == (int32_t)root && i < count; i++) EXPECT(got[i] == sum(size, i));
    upcall_mpi_communicator_all_reduce_checked(world, all_of(mine, bytes), room(got, bytes), add, &failure);
    for (uint32_t i = 0; i < count; i++) EXPECT(got[i] == sum(size, i));
    upcall_mpi_communicator_scan(world, all_of(mine, bytes), room(got, bytes), add, &failure);
    for (uint32_t i = 0; i < count; i++) EXPECT(got[i] == sum(rank + 1, i));
    memset(got, 0, sizeof got);
    upcall_mpi_communicator_exclusive_scan(world, all_of(mine, bytes), room(got, bytes), add, &failure);
    for (uint32_t i = 0; i < count; i++) EXPECT(got[i] == sum(rank, i));
    memcpy(got, mine, bytes);
    upcall_mpi_communicator_all_reduce_in_place(world, room(got, bytes), add, &failure);
    for (uint32_t i = 0; i < count; i++) EXPECT(got[i] == sum(size, i));
    /* Numbers that do not lie where numbers of their type do. */
    unsigned char odd[MOST * 4 + 1];
    memcpy(odd + 1, mine, bytes);
    upcall_mpi_communicator_all_reduce_in_place(world, room(odd + 1, bytes), add, &failure);
    EXPECT(memcmp(odd + 1, got, bytes) == 0);
    upcall_mpi_communicator_all_reduce_in_place(world, room(odd, 7), add, &failure);
    fails(UPCALL_MPI_USAGE, "no whole number of elements of 4", __LINE__);

    uint64_t shares[5];
    uint32_t offset = 0, left = count;
    for (int32_t r = 0; r < size; r++) {
        uint32_t share = r + 1 == size ? left : draw(left + 1);
        if (r < rank) offset += share;
        shares[r] = share * 4;
        left -= share;
    }
    fill(mine, rank, count);
    upcall_mpi_communicator_reduce_scatter(world, all_of(mine, bytes), room(got, shares[rank]), Slice_u64_from(shares, (size_t)size), add, &failure);
    for (uint32_t i = 0; i < shares[rank] / 4; i++) EXPECT(got[i] == sum(size, offset + i));
    upcall_mpi_operation_release(add);
    upcall_mpi_operation_named(Str_from("Plus"), Str_from("u32"), &failure);
    fails(UPCALL_MPI_USAGE, "the operations are", __LINE__);

    int begun = released, fail_at = -1;
    UpcallMpiOperation *ends = upcall_mpi_operation_new(8, false, combine, &fail_at, release, &failure);
    upcall_mpi_communicator_all_reduce(world, all_of(mine, bytes), room(got, bytes), ends, &failure);
    for (uint32_t i = 0; i < count; i++) EXPECT(got[i] == value(i % 2 == 0 ? 0 : size - 1, i));
    memset(got, 0, sizeof got);
    upcall_mpi_communicator_reduce_by(world, UpcallMpiReduction_AllReduce, all_of(mine, bytes), room(got, bytes), 0, 8, false, combine,
                                      &fail_at, &failure);
    for (uint32_t i = 0; i < count; i++) EXPECT(got[i] == value(i % 2 == 0 ? 0 : size - 1, i));
    if (size > 1) {
        /* On all ranks, whoever has failed; some MPIs call it on one rank only. */
        fail_at = rank;
        mine[0] = mine[1] = 1;
        upcall_mpi_communicator_all_reduce_checked(world, all_of(mine, 8), room(got, 8), ends, &failure);
        fails(UPCALL_MPI_OPERATION, "failed", __LINE__);
    }
    EXPECT(released == begun);
    upcall_mpi_operation_release(ends);
    EXPECT(released == begun + 1);
}

static void communicators(const UpcallMpi *mpi) {
    UpcallMpiCommunicator *twin = upcall_mpi_communicator_duplicate(world, &failure);
    EXPECT(upcall_mpi_communicator_size(twin, &failure) == size);
    UpcallMpiCommunicator *half = upcall_mpi_communicator_split(twin, rank == 0 ? -1 : rank % 2, -rank, &failure);
    EXPECT(upcall_mpi_communicator_is_none(half, &failure) == (rank == 0));
    if (rank == 0) {
        upcall_mpi_communicator_barrier(half, &failure);
        fails(UPCALL_MPI_USAGE, "this process is not in it", __LINE__);
    } else {
        int32_t least = rank % 2 == 0 ? 2 : 1, members = (size - 1 - least) / 2 + 1;
        EXPECT(upcall_mpi_communicator_size(half, &failure) == members);
        EXPECT(upcall_mpi_communicator_rank(half, &failure) == members - 1 - (rank - least) / 2);
    }
    /* The message holds its communicator. */
    UpcallMpiRequest *request =
        upcall_mpi_communicator_start_send(twin, all_of("late", 4), (rank + 1) % size, 1, UpcallMpiMode_Standard, &failure);
    UpcallMpiMessage *message = upcall_mpi_message_new(NULL);
    EXPECT(upcall_mpi_communicator_matched(twin, -1, -1, true, message, &failure));
    upcall_mpi_communicator_release(twin);
    Buffer_u8 late = upcall_mpi_message_receive(message, &failure);
    EXPECT(late.len == 4 && memcmp(late.data, "late", 4) == 0);
    Buffer_u8_release(&late);
    upcall_mpi_message_release(message);
    upcall_mpi_request_wait(request, NULL, &failure);
    upcall_mpi_request_release(request);
    upcall_mpi_communicator_release(half);
    UpcallMpiCommunicator *own = upcall_mpi_own(mpi, &failure);
    EXPECT(upcall_mpi_communicator_size(own, &failure) == 1);
    upcall_mpi_communicator_release(own);
    EXPECT(upcall_mpi_communicator_largest_tag(world, &failure) >= 32767);
}

#include "ranks_files.h"
#include "ranks_misuse.h"

static void *finalize(void *request) {
    upcall_mpi_request_release(request);
    return NULL;
}

/* Only the main thread may call MPI; what another one releases is freed at the main thread's next call. */
static void finaliser(void) {
    char memory[8];
    int begun = released;
    pthread_t thread;
    UpcallMpiRequest *request = upcall_mpi_communicator_start_receive_lent(world, memory, 8, 0, 77, never, NULL, release, &failure);
    EXPECT(failure == NULL && pthread_create(&thread, NULL, finalize, request) == 0);
    pthread_join(thread, NULL);
    EXPECT(released == begun);
    upcall_mpi_communicator_barrier(world, &failure);
    EXPECT(released == begun + 1);
}

int main(void) {
    UpcallMpi *mpi = upcall_mpi_start(UpcallMpiThreads_Funneled, &failure);
    check(failure);
    world = upcall_mpi_world(mpi, &failure);
    rank = upcall_mpi_communicator_rank(world, &failure);
    size = upcall_mpi_communicator_size(world, &failure);
    EXPECT(rank >= 0 && rank < size && size <= 5);
    for (int round = 0; round < 20; round++) {
        messages();
        requests();
        collectives();
        parts();
        reductions();
        communicators(mpi);
    }
    files();
    neighbors();
    closed(mpi);
    between_groups(mpi);
    calls_within_an_operation();
    if (upcall_mpi_threads(mpi, &failure) == UpcallMpiThreads_Funneled) finaliser();
    upcall_mpi_start(UpcallMpiThreads_Single, &failure);
    fails(UPCALL_MPI_LIFECYCLE, "started already", __LINE__);
    upcall_mpi_finish(mpi, &failure);
    EXPECT(failure == NULL);
    upcall_mpi_communicator_barrier(world, &failure);
    fails(UPCALL_MPI_LIFECYCLE, "finalized", __LINE__);
    upcall_mpi_communicator_release((UpcallMpiCommunicator *)world);
    upcall_mpi_release(mpi);
    printf("well\n");
    return 0;
}
