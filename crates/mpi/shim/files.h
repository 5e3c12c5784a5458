/* Files of all ranks. Counts are bytes; offsets are elements of the view, which are bytes at first. */
#include "common.h"

#define FILE_OF(h) OF(MPI_File, h)

/* Names and values, one behind the other. */
static int hints_of(const char *const *hints, int count, MPI_Info *info)
{
    *info = MPI_INFO_NULL;
    if (count == 0)
        return MPI_SUCCESS;
    TRY(MPI_Info_create(info));
    for (int hint = 0; hint < count; hint++)
        TRY(MPI_Info_set(*info, hints[2 * hint], hints[2 * hint + 1]));
    return MPI_SUCCESS;
}

static int hints_end(MPI_Info *info, int code)
{
    if (*info != MPI_INFO_NULL)
        MPI_Info_free(info);
    return code;
}

/* mode: 1 read, 2 write, 4 create, 8 create or fail, 16 append, 32 delete when closed */
static int file_open(handle comm, const char *path, int mode, const char *const *hints, int count, handle *made)
{
    MPI_File file;
    MPI_Info info;
    int as = (mode & 3) == 3 ? MPI_MODE_RDWR : (mode & 2) ? MPI_MODE_WRONLY : MPI_MODE_RDONLY;
    as |= (mode & 12) ? MPI_MODE_CREATE : 0;
    as |= (mode & 8) ? MPI_MODE_EXCL : 0;
    as |= (mode & 16) ? MPI_MODE_APPEND : 0;
    as |= (mode & 32) ? MPI_MODE_DELETE_ON_CLOSE : 0;
    int code = hints_of(hints, count, &info);
    if (code == MPI_SUCCESS)
        code = MPI_File_open(COMM(comm), path, as, info, &file);
    if (code == MPI_SUCCESS) {
        *made = TO(file);
        code = MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    }
    return hints_end(&info, code);
}

static int file_close(handle *file)
{
    MPI_File closed = FILE_OF(*file);
    TRY(MPI_File_close(&closed));
    *file = TO(closed);
    return MPI_SUCCESS;
}

static int file_delete(const char *path) { return MPI_File_delete(path, MPI_INFO_NULL); }

static int file_size(handle file, int64_t *bytes)
{
    MPI_Offset size;
    TRY(MPI_File_get_size(FILE_OF(file), &size));
    *bytes = (int64_t)size;
    return MPI_SUCCESS;
}

static int file_resize(handle file, int64_t bytes) { return MPI_File_set_size(FILE_OF(file), (MPI_Offset)bytes); }

static int file_sync(handle file) { return MPI_File_sync(FILE_OF(file)); }
static int file_set_atomic(handle file, int atomic) { return MPI_File_set_atomicity(FILE_OF(file), atomic); }
static int file_atomic(handle file, int *atomic) { return MPI_File_get_atomicity(FILE_OF(file), atomic); }

/* The hint of this number: *found is 0 behind the last. Names have 256 bytes of room, values `room`. */
static int file_hint(handle file, int which, char *name, char *value, int room, int *found)
{
    MPI_Info info;
    int count;
    *found = 0;
    TRY(MPI_File_get_info(FILE_OF(file), &info));
    if (info == MPI_INFO_NULL)
        return MPI_SUCCESS;
    int code = MPI_Info_get_nkeys(info, &count);
    if (code == MPI_SUCCESS && which < count) {
        _Static_assert(MPI_MAX_INFO_KEY < 256, "a hint's name has its room");
        code = MPI_Info_get_nthkey(info, which, name);
        if (code == MPI_SUCCESS)
            code = MPI_Info_get(info, name, room - 1, value, found);
    }
    return hints_end(&info, code);
}

/*
 * Each rank sees of the file, from `place` on: `block` elements of `size` bytes, then nothing up to `stride` elements, and so on;
 * or, where `dims` is not 0, a part of an array: `dims` sizes, sizes of the part and starts.
 */
static int file_view(handle file, int64_t place, int size, int64_t block, int64_t stride, const int *array, int dims)
{
    MPI_Datatype element, run, seen;
    TRY(MPI_Type_contiguous(size, MPI_BYTE, &element));
    int code = MPI_Type_commit(&element);
    if (code == MPI_SUCCESS && dims > 0)
        code = MPI_Type_create_subarray(dims, array, array + dims, array + 2 * dims, MPI_ORDER_C, element, &seen);
    else if (code == MPI_SUCCESS && block == stride)
        code = MPI_Type_dup(element, &seen);
    else if (code == MPI_SUCCESS) {
        code = MPI_Type_contiguous((int)block, element, &run);
        if (code == MPI_SUCCESS) {
            code = MPI_Type_create_resized(run, 0, (MPI_Aint)stride * size, &seen);
            MPI_Type_free(&run);
        }
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Type_commit(&seen);
        if (code == MPI_SUCCESS)
            code = MPI_File_set_view(FILE_OF(file), (MPI_Offset)place, element, seen, "native", MPI_INFO_NULL);
        MPI_Type_free(&seen);
    }
    MPI_Type_free(&element);
    return code;
}

/* from: 0 the start, 1 the pointer, 2 the end; shared: the pointer that all ranks have */
static int file_seek(handle file, int64_t offset, int from, int shared)
{
    static const int whence[] = {MPI_SEEK_SET, MPI_SEEK_CUR, MPI_SEEK_END};
    if (shared)
        return MPI_File_seek_shared(FILE_OF(file), (MPI_Offset)offset, whence[from % 3]);
    return MPI_File_seek(FILE_OF(file), (MPI_Offset)offset, whence[from % 3]);
}

static int file_position(handle file, int shared, int64_t *offset)
{
    MPI_Offset at;
    TRY((shared ? MPI_File_get_position_shared : MPI_File_get_position)(FILE_OF(file), &at));
    *offset = (int64_t)at;
    return MPI_SUCCESS;
}

/* Where an element of the view is, in bytes. */
static int file_place(handle file, int64_t offset, int64_t *bytes)
{
    MPI_Offset at;
    TRY(MPI_File_get_byte_offset(FILE_OF(file), (MPI_Offset)offset, &at));
    *bytes = (int64_t)at;
    return MPI_SUCCESS;
}

/* Where the elements are: at an offset, at the pointer of this rank, or at that of all; and whether all ranks call together. */
enum { AT, AT_ALL, POINTER, POINTER_ALL, SHARED, ORDERED };

static int file_read(handle file, int how, int64_t offset, void *into, int64_t bytes, upcall_mpi_status *status)
{
    COUNTED(as, bytes, TO(MPI_BYTE));
    MPI_File from = FILE_OF(file);
    MPI_Offset at = (MPI_Offset)offset;
    int code = MPI_ERR_ARG;
    switch (how) {
    case AT: code = MPI_File_read_at(from, at, into, as.count, as.type, STATUS(status)); break;
    case AT_ALL: code = MPI_File_read_at_all(from, at, into, as.count, as.type, STATUS(status)); break;
    case POINTER: code = MPI_File_read(from, into, as.count, as.type, STATUS(status)); break;
    case POINTER_ALL: code = MPI_File_read_all(from, into, as.count, as.type, STATUS(status)); break;
    case SHARED: code = MPI_File_read_shared(from, into, as.count, as.type, STATUS(status)); break;
    case ORDERED: code = MPI_File_read_ordered(from, into, as.count, as.type, STATUS(status)); break;
    }
    return counted_end(&as, code);
}

static int file_write(handle file, int how, int64_t offset, const void *data, int64_t bytes, upcall_mpi_status *status)
{
    COUNTED(as, bytes, TO(MPI_BYTE));
    MPI_File to = FILE_OF(file);
    MPI_Offset at = (MPI_Offset)offset;
    int code = MPI_ERR_ARG;
    switch (how) {
    case AT: code = MPI_File_write_at(to, at, data, as.count, as.type, STATUS(status)); break;
    case AT_ALL: code = MPI_File_write_at_all(to, at, data, as.count, as.type, STATUS(status)); break;
    case POINTER: code = MPI_File_write(to, data, as.count, as.type, STATUS(status)); break;
    case POINTER_ALL: code = MPI_File_write_all(to, data, as.count, as.type, STATUS(status)); break;
    case SHARED: code = MPI_File_write_shared(to, data, as.count, as.type, STATUS(status)); break;
    case ORDERED: code = MPI_File_write_ordered(to, data, as.count, as.type, STATUS(status)); break;
    }
    return counted_end(&as, code);
}
