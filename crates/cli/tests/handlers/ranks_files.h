/* Files of all ranks, and ranks with neighbors: a part of ranks.c, whose checks it uses. */
#include <string.h>
#include <unistd.h>

/* A path that all ranks have. */
static void path_of(char *to, size_t room_for, const char *name) {
    int32_t id = (int32_t)getpid();
    upcall_mpi_communicator_broadcast(world, room(&id, sizeof id), 0, &failure);
    snprintf(to, room_for, "/tmp/upcall-c-%s-%d", name, id);
}

static void files(void) {
    char path[100];
    path_of(path, sizeof path, "files");
    upcall_mpi_communicator_file_open(world, Str_from(path), UPCALL_MPI_FILE_READ, Str_from(""), &failure);
    fails(UPCALL_MPI_NOT_FOUND, path, __LINE__);
    upcall_mpi_communicator_file_open(world, Str_from(path), UPCALL_MPI_FILE_READ, Str_from("no hint"), &failure);
    fails(UPCALL_MPI_USAGE, "is no `name=value`", __LINE__);
    uint32_t how = UPCALL_MPI_FILE_READ | UPCALL_MPI_FILE_WRITE | UPCALL_MPI_FILE_CREATE_NEW | UPCALL_MPI_FILE_DELETE_ON_CLOSE;
    UpcallMpiFile *file = upcall_mpi_communicator_file_open(world, Str_from(path), how, Str_from("cb_nodes=1\n"), &failure);
    EXPECT(file != NULL);

    /* Blocks of two in turn, behind a head of 5 bytes. */
    uint32_t mine[6], all[30], got[30] = {0};
    for (int32_t r = 0; r < size; r++) {
        for (uint32_t i = 0; i < 6; i++) all[(i / 2) * 2 * (uint32_t)size + 2 * (uint32_t)r + i % 2] = value(r, i);
    }
    fill(mine, rank, 6);
    upcall_mpi_file_view_blocks(file, 4, 5, 2, &failure);
    upcall_mpi_file_write(file, all_of(mine, sizeof mine), UpcallMpiPlace_AtAll, 0, &failure);
    upcall_mpi_file_sync(file, &failure);
    upcall_mpi_file_view(file, 4, 5, &failure);
    uint64_t bytes = 24 * (uint64_t)size;
    EXPECT(upcall_mpi_file_size(file, &failure) == 5 + bytes);
    EXPECT(upcall_mpi_file_read(file, room(got, sizeof got), 4, UpcallMpiPlace_AtAll, 0, &failure) == bytes);
    EXPECT(memcmp(got, all, bytes) == 0);
    EXPECT(upcall_mpi_file_seek(file, 3, UpcallMpiSeek_Start, false, &failure) == 3);
    EXPECT(upcall_mpi_file_read(file, room(got, 8), 4, UpcallMpiPlace_Pointer, 0, &failure) == 8);
    EXPECT(got[0] == all[3] && got[1] == all[4] && upcall_mpi_file_position(file, false, &failure) == 5);
    upcall_mpi_file_seek(file, 0, UpcallMpiSeek_Start, true, &failure);
    EXPECT(upcall_mpi_file_read(file, room(got, 4), 4, UpcallMpiPlace_Ordered, 0, &failure) == 4 && got[0] == all[rank]);

    /* As rows of as many columns as ranks. */
    uint64_t array[2] = {6, (uint64_t)size}, part[2] = {4, 1}, starts[2] = {1, (uint64_t)rank};
    upcall_mpi_file_view_subarray(file, 4, 5, Slice_u64_from(array, 2), Slice_u64_from(part, 2), Slice_u64_from(starts, 2),
                                  &failure);
    EXPECT(upcall_mpi_file_read(file, room(got, 16), 4, UpcallMpiPlace_AtAll, 0, &failure) == 16);
    for (int row = 1; row < 5; row++) EXPECT(got[row - 1] == all[row * size + rank]);
    upcall_mpi_file_view_strided(file, 4, 5, (uint64_t)rank, 1, (uint64_t)size, &failure);
    EXPECT(upcall_mpi_file_read(file, room(got, 24), 4, UpcallMpiPlace_AtAll, 0, &failure) == 24);
    for (int row = 0; row < 6; row++) EXPECT(got[row] == all[row * size + rank]);

    /* In the background, with memory of ours and of the library's. */
    upcall_mpi_file_view(file, 4, 5, &failure);
    int begun = released;
    UpcallMpiStatus status;
    UpcallMpiRequest *writes = upcall_mpi_file_start_write_at_lent(file, mine, 24, 6 * (uint64_t)rank, never, NULL, release, &failure);
    upcall_mpi_request_wait(writes, &status, &failure);
    EXPECT(released == begun + 1 && status.bytes == 24 && status.cancelled == 0);
    upcall_mpi_file_sync(file, &failure);
    upcall_mpi_communicator_barrier(world, &failure);
    int32_t other = (rank + 1) % size;
    UpcallMpiRequest *reads = upcall_mpi_file_start_read_at(file, 24, 4, 6 * (uint64_t)other, &failure);
    UpcallMpiRequest *lent = upcall_mpi_file_start_read_at_lent(file, got, 24, 4, 6 * (uint64_t)rank, never, NULL, release, &failure);
    UpcallMpiRequests *set = upcall_mpi_requests_new(NULL);
    upcall_mpi_requests_add(set, reads, &failure);
    upcall_mpi_requests_add(set, lent, &failure);
    EXPECT(upcall_mpi_requests_wait_any(set, &failure) >= 0 && upcall_mpi_requests_wait_any(set, &failure) >= 0);
    upcall_mpi_requests_release(set);
    EXPECT(memcmp(got, mine, 24) == 0 && released == begun + 2);
    EXPECT(upcall_mpi_request_copy(reads, room(got, 24), &failure) == 24);
    for (uint32_t i = 0; i < 6; i++) EXPECT(got[i] == value(other, i));
    upcall_mpi_request_release(writes);
    upcall_mpi_request_release(reads);
    upcall_mpi_request_release(lent);

    upcall_mpi_file_write(file, all_of(mine, 5), UpcallMpiPlace_At, 0, &failure);
    fails(UPCALL_MPI_TYPE, "no whole number of the view's elements", __LINE__);
    upcall_mpi_file_seek(file, -1, UpcallMpiSeek_Start, false, &failure);
    fails(UPCALL_MPI_RANGE, path, __LINE__);
    upcall_mpi_file_view_blocks(file, 4, 0, rank == 0 ? 0 : 1, &failure);
    fails(UPCALL_MPI_USAGE, "set the view of", __LINE__);
    upcall_mpi_file_close(file, &failure);
    upcall_mpi_file_close(file, &failure);
    EXPECT(failure == NULL);
    upcall_mpi_file_size(file, &failure);
    fails(UPCALL_MPI_USAGE, "closed", __LINE__);
    upcall_mpi_file_release(file);
    EXPECT(access(path, F_OK) != 0);

    /* One that is released open is closed with MPI. */
    file = upcall_mpi_communicator_file_open(world, Str_from("/dev/null"), UPCALL_MPI_FILE_READ, Str_from(""), &failure);
    upcall_mpi_file_release(file);
    upcall_mpi_communicator_file_delete(world, Str_from(path), &failure);
    fails(UPCALL_MPI_NOT_FOUND, path, __LINE__);
}

/* A ring, of which each rank says the edge of the next. */
static void neighbors(void) {
    int32_t next = (rank + 1) % size, before = (rank + size - 1) % size, after = (next + 1) % size, one = 1;
    UpcallMpiCommunicator *ring = upcall_mpi_communicator_graph(
        world, Slice_i32_from(&next, 1), Slice_i32_from(&one, 1), Slice_i32_from(&after, 1), (Slice_u32){0}, false, &failure);
    int32_t got = -1;
    upcall_mpi_communicator_neighbor_all_gather(ring, all_of(&rank, 4), room(&got, 4), &failure);
    EXPECT(got == before);
    upcall_mpi_communicator_release(ring);
    int32_t two = 2;
    upcall_mpi_communicator_graph(world, Slice_i32_from(&next, 1), Slice_i32_from(rank == 0 ? &two : &one, 1),
                                  Slice_i32_from(&after, 1), (Slice_u32){0}, false, &failure);
    fails(UPCALL_MPI_USAGE, rank == 0 ? "one degree for each" : "what rank 0 has given", __LINE__);
}
