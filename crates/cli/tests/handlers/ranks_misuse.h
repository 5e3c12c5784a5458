/* What has been ended, and calls where none may be: a part of ranks.c, whose checks it uses. */

/* All that is done to a communicator that has been closed is a failure: Open MPI ended the process at its first send. */
static void closed(const UpcallMpi *mpi) {
    uint32_t word = 1, got = 0;
    UpcallMpiStatus status;
    UpcallMpiCommunicator *twin = upcall_mpi_communicator_duplicate(world, &failure);
    UpcallMpiGroup *group = upcall_mpi_communicator_group(twin, &failure);
    UpcallMpiWindow *window = upcall_mpi_communicator_window(twin, 4, 4, &failure);
    UpcallMpiRequest *rounds = upcall_mpi_communicator_receive_init(twin, 4, 0, 1, &failure);
    UpcallMpiMessage *message = upcall_mpi_message_new(NULL);
    UpcallMpiOperation *add = upcall_mpi_operation_named(Str_from("Sum"), Str_from("u32"), &failure);
    UpcallMpiRequest *request = upcall_mpi_communicator_start_receive(twin, 4, rank, 2, &failure);
    upcall_mpi_communicator_send(twin, all_of(&word, 4), rank, 2, UpcallMpiMode_Standard, &failure);
    EXPECT(failure == NULL);
    upcall_mpi_communicator_close(twin, &failure);
    upcall_mpi_communicator_close(twin, &failure);
    EXPECT(failure == NULL);

#define REFUSED(call)                                                              \
    call;                                                                          \
    fails(UPCALL_MPI_LIFECYCLE, "it has been closed", __LINE__)
    REFUSED(upcall_mpi_communicator_send(twin, all_of(&word, 4), rank, 0, UpcallMpiMode_Standard, &failure));
    REFUSED(upcall_mpi_communicator_receive_into(twin, room(&got, 4), rank, 0, &status, &failure));
    REFUSED(upcall_mpi_communicator_start_send(twin, all_of(&word, 4), rank, 0, UpcallMpiMode_Standard, &failure));
    REFUSED(upcall_mpi_communicator_matched(twin, -1, -1, false, message, &failure));
    REFUSED(upcall_mpi_communicator_probe(twin, -1, -1, false, &status, &failure));
    REFUSED(upcall_mpi_communicator_barrier(twin, &failure));
    REFUSED(upcall_mpi_communicator_all_reduce(twin, all_of(&word, 4), room(&got, 4), add, &failure));
    REFUSED(upcall_mpi_communicator_send_init(twin, 4, rank, 0, UpcallMpiMode_Standard, &failure));
    REFUSED(upcall_mpi_communicator_duplicate(twin, &failure));
    REFUSED(upcall_mpi_communicator_split(twin, 0, 0, &failure));
    REFUSED(upcall_mpi_communicator_window(twin, 1, 4, &failure));
    REFUSED(upcall_mpi_communicator_group(twin, &failure));
    REFUSED(upcall_mpi_communicator_compare(world, twin, &failure));
    REFUSED(upcall_mpi_communicator_name(twin, &failure));
    REFUSED(upcall_mpi_communicator_rank(twin, &failure));
    REFUSED(upcall_mpi_communicator_file_open(twin, Str_from("/tmp/none"), UPCALL_MPI_FILE_READ, Str_from(""), &failure));

    /* What was made of it goes on. */
    upcall_mpi_request_wait(request, &status, &failure);
    EXPECT(status.bytes == 4 && status.source == rank);
    EXPECT(upcall_mpi_group_size(group, &failure) == size);
    upcall_mpi_request_start(rounds, &failure);
    upcall_mpi_request_release(rounds);
    UpcallMpiEpoch *epoch = upcall_mpi_window_lock(window, UpcallMpiLock_Exclusive, rank, &failure);
    upcall_mpi_epoch_put(epoch, all_of(&word, 4), rank, 3, &failure);
    upcall_mpi_epoch_end(epoch, &failure);
    upcall_mpi_epoch_end(epoch, &failure);
    fails(UPCALL_MPI_SYNCHRONIZATION, "the epoch has ended", __LINE__);
    upcall_mpi_epoch_put(epoch, all_of(&word, 4), rank, 3, &failure);
    fails(UPCALL_MPI_SYNCHRONIZATION, "the epoch has ended", __LINE__);
    upcall_mpi_epoch_release(epoch);
    upcall_mpi_window_free(window, &failure);
    upcall_mpi_window_free(window, &failure);
    EXPECT(failure == NULL);
    upcall_mpi_window_fence(window, &failure);
    fails(UPCALL_MPI_USAGE, "the window has been freed", __LINE__);
    upcall_mpi_window_release(window);

    /* What MPI has from the start is not closed. */
    UpcallMpiCommunicator *own = upcall_mpi_own(mpi, &failure);
    upcall_mpi_communicator_close(own, &failure);
    EXPECT(upcall_mpi_communicator_size(own, &failure) == 1);
    upcall_mpi_communicator_release(own);
    upcall_mpi_operation_release(add);
    upcall_mpi_message_release(message);
    upcall_mpi_group_release(group);
    upcall_mpi_request_release(request);
    upcall_mpi_communicator_release(twin);
}

static int32_t combine_and_call(void *context, Slice_u8 from, SliceMut_u8 into) {
    (void)from, (void)into;
    Failure *refused = NULL;
    upcall_mpi_communicator_barrier(world, &refused);
    *(int32_t *)context = refused == NULL ? 0 : refused->code;
    upcall_failure_release(refused);
    return 9;
}

/* A barrier in an operation hung. */
static void calls_within_an_operation(void) {
    uint32_t word = 1, got = 0;
    int32_t code = UPCALL_MPI_USAGE;
    UpcallMpiOperation *calls = upcall_mpi_operation_new(4, true, combine_and_call, &code, release, &failure);
    upcall_mpi_communicator_all_reduce_checked(world, all_of(&word, 4), room(&got, 4), calls, &failure);
    if (size > 1) fails(UPCALL_MPI_OPERATION, "its operation failed", __LINE__);
    EXPECT(code == UPCALL_MPI_USAGE);
    upcall_mpi_operation_release(calls);
    upcall_mpi_communicator_barrier(world, &failure);
    EXPECT(failure == NULL);
}

/* Persistent, buffered and typed messages go to the other group, too; a leader and a place that are negative are shown so. */
static void between_groups(const UpcallMpi *mpi) {
    upcall_mpi_communicator_intercommunicator(world, -1, world, 0, 1, &failure);
    fails(UPCALL_MPI_RANK, "there is no rank -1", __LINE__);
    UpcallMpiWindow *window = upcall_mpi_communicator_window(world, 1, 4, &failure);
    UpcallMpiEpoch *epoch = upcall_mpi_window_lock(window, UpcallMpiLock_Shared, rank, &failure);
    upcall_mpi_epoch_put(epoch, all_of("word", 4), rank, (uint64_t)-5, &failure);
    fails(UPCALL_MPI_RANGE, "there is no element -5", __LINE__);
    upcall_mpi_epoch_end(epoch, &failure);
    upcall_mpi_epoch_release(epoch);
    upcall_mpi_window_free(window, &failure);
    upcall_mpi_window_release(window);
    upcall_mpi_communicator_send(world, all_of("word", 4), size, 0, UpcallMpiMode_Standard, &failure);
    fails(UPCALL_MPI_RANK, "send 4 bytes to rank", __LINE__);
    if (size == 1) return;

    UpcallMpiCommunicator *half = upcall_mpi_communicator_split(world, rank % 2, rank, &failure);
    UpcallMpiCommunicator *inter = upcall_mpi_communicator_intercommunicator(half, 0, world, 1 - rank % 2, 1, &failure);
    EXPECT(upcall_mpi_communicator_is_inter(inter, &failure));
    if (rank < 2) {
        uint32_t mine = 7 + (uint32_t)rank, theirs = 8 - (uint32_t)rank, got = 0;
        UpcallMpiStatus status;
        UpcallMpiRequest *sends = upcall_mpi_communicator_send_init(inter, 4, 0, 1, UpcallMpiMode_Standard, &failure);
        UpcallMpiRequest *receives = upcall_mpi_communicator_receive_init(inter, 4, 0, 1, &failure);
        EXPECT(failure == NULL);
        upcall_mpi_request_write(sends, all_of(&mine, 4), &failure);
        upcall_mpi_request_start(receives, &failure);
        upcall_mpi_request_start(sends, &failure);
        upcall_mpi_request_wait(sends, NULL, &failure);
        upcall_mpi_request_wait(receives, &status, &failure);
        EXPECT(upcall_mpi_request_copy(receives, room(&got, 4), &failure) == 4 && got == theirs);
        upcall_mpi_request_release(sends);
        upcall_mpi_request_release(receives);

        UpcallMpiSendBuffer *buffer = upcall_mpi_attach_buffer(mpi, 100, &failure);
        upcall_mpi_communicator_send(inter, all_of(&mine, 4), 0, 2, UpcallMpiMode_Buffered, &failure);
        got = 0;
        upcall_mpi_communicator_receive_into(inter, room(&got, 4), 0, 2, &status, &failure);
        EXPECT(got == theirs && status.bytes == 4);
        upcall_mpi_send_buffer_detach(buffer, &failure);
        upcall_mpi_send_buffer_release(buffer);

        UpcallMpiElementType *number = upcall_mpi_element_type_new(Str_from("u32"), 4, &failure);
        UpcallMpiDatatype *typed = upcall_mpi_datatype_new(inter, number, &failure);
        EXPECT(typed != NULL);
        if (rank == 0) upcall_mpi_communicator_send_typed(inter, all_of(&mine, 4), typed, 0, 3, &failure);
        got = 0;
        EXPECT(upcall_mpi_communicator_receive_typed_into(inter, room(&got, 4), typed, 0, 3, &status, &failure) == 1);
        EXPECT(got == theirs);
        if (rank == 1) upcall_mpi_communicator_send_typed(inter, all_of(&mine, 4), typed, 0, 3, &failure);
        EXPECT(failure == NULL);
        upcall_mpi_datatype_release(typed);
        upcall_mpi_element_type_release(number);
    }
    upcall_mpi_communicator_release(inter);
    upcall_mpi_communicator_release(half);
}
