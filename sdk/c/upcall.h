/* Made by upcall bindgen 0.1.0 --config bindgen.toml --library upcall --rust src/lib.rs; do not edit. */
#ifndef UPCALL_UPCALL_H
#define UPCALL_UPCALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef UPCALL_HEADER_MACROS
#define UPCALL_HEADER_MACROS

/* What an address of the type is a multiple of. */
#if defined(__cplusplus)
#define UPCALL_ALIGNOF(type) alignof(type)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define UPCALL_ALIGNOF(type) _Alignof(type)
#else
#define UPCALL_ALIGNOF(type) offsetof(struct { char before; type value; }, value)
#endif

/* A condition that the compiler checks. */
#if defined(__cplusplus)
#define UPCALL_ASSERT(condition) static_assert(condition, #condition)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define UPCALL_ASSERT(condition) _Static_assert(condition, #condition)
#else
#define UPCALL_ASSERT(condition) extern char upcall_assert[(condition) ? 1 : -1]
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#define UPCALL_ALIGN(bytes) __declspec(align(bytes))
#define UPCALL_DEPRECATED(message) __declspec(deprecated(message))
#define UPCALL_EXTENSION
#define UPCALL_SYMBOL(name)
#else
#define UPCALL_ALIGN(bytes) __attribute__((aligned(bytes)))
#define UPCALL_DEPRECATED(message) __attribute__((deprecated(message)))
#define UPCALL_EXTENSION __extension__
#define UPCALL_TEXT_OF(name) #name
#define UPCALL_TEXT(name) UPCALL_TEXT_OF(name)
#define UPCALL_SYMBOL(name) __asm__(UPCALL_TEXT(__USER_LABEL_PREFIX__) name)
#endif

/* Before what the library exports. */
#ifndef UPCALL_API
#if defined(_WIN32)
#define UPCALL_API __declspec(dllimport)
#else
#define UPCALL_API
#endif
#endif

#endif /* UPCALL_HEADER_MACROS */

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct Str Str;
typedef struct UpcallFlowBuilder UpcallFlowBuilder;
typedef struct UpcallTask UpcallTask;
typedef struct Text Text;
typedef struct Failure Failure;
typedef struct Slice_u8 Slice_u8;
typedef struct UpcallPool UpcallPool;
typedef struct SliceMut_u8 SliceMut_u8;
typedef struct UpcallFound UpcallFound;
typedef struct UpcallSeen UpcallSeen;
typedef struct Buffer_UpcallSeen Buffer_UpcallSeen;
typedef struct Buffer_u8 Buffer_u8;
typedef struct UpcallFlow UpcallFlow;
typedef struct UpcallWatch UpcallWatch;
typedef struct UpcallGraph UpcallGraph;
typedef struct UpcallGraphRun UpcallGraphRun;
typedef struct UpcallMpiEpoch UpcallMpiEpoch;
typedef struct UpcallMpiRequest UpcallMpiRequest;
typedef struct UpcallMpiCombining UpcallMpiCombining;
typedef struct UpcallMpiKey UpcallMpiKey;
typedef struct UpcallMpiCommunicator UpcallMpiCommunicator;
typedef struct Slice_u64 Slice_u64;
typedef struct UpcallMpiOperation UpcallMpiOperation;
typedef struct UpcallMpiBuffer UpcallMpiBuffer;
typedef struct UpcallMpiMemory UpcallMpiMemory;
typedef struct UpcallMpiSendBuffer UpcallMpiSendBuffer;
typedef struct UpcallMpi UpcallMpi;
typedef struct UpcallMpiElementType UpcallMpiElementType;
typedef struct UpcallMpiChecked UpcallMpiChecked;
typedef struct UpcallMpiStatus UpcallMpiStatus;
typedef struct UpcallMpiExposure UpcallMpiExposure;
typedef struct UpcallMpiExactSum UpcallMpiExactSum;
typedef struct UpcallMpiGroup UpcallMpiGroup;
typedef struct Buffer_i32 Buffer_i32;
typedef struct UpcallMpiFile UpcallMpiFile;
typedef struct Slice_i32 Slice_i32;
typedef struct UpcallCombineHandler UpcallCombineHandler;
typedef struct UpcallCombiner UpcallCombiner;
typedef struct SliceMut_u64 SliceMut_u64;
typedef struct UpcallMpiMessage UpcallMpiMessage;
typedef struct UpcallMpiPartitions UpcallMpiPartitions;
typedef struct UpcallMpiPort UpcallMpiPort;
typedef struct UpcallMpiPublished UpcallMpiPublished;
typedef struct UpcallMpiPrograms UpcallMpiPrograms;
typedef struct UpcallMpiRequests UpcallMpiRequests;
typedef struct SliceMut_i32 SliceMut_i32;
typedef struct Slice_u32 Slice_u32;
typedef struct UpcallMpiDatatype UpcallMpiDatatype;
typedef struct UpcallMpiWindow UpcallMpiWindow;
typedef struct Slice_i8 Slice_i8;
typedef struct EndsI8 EndsI8;
typedef struct Slice_i16 Slice_i16;
typedef struct EndsI16 EndsI16;
typedef struct EndsI32 EndsI32;
typedef struct Slice_i64 Slice_i64;
typedef struct EndsI64 EndsI64;
typedef struct EndsU8 EndsU8;
typedef struct Slice_u16 Slice_u16;
typedef struct EndsU16 EndsU16;
typedef struct EndsU32 EndsU32;
typedef struct EndsU64 EndsU64;
typedef struct Slice_f32 Slice_f32;
typedef struct EndsF32 EndsF32;
typedef struct Slice_f64 Slice_f64;
typedef struct EndsF64 EndsF64;
typedef struct UpcallEvent UpcallEvent;

struct Str {
    const uint8_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Str) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Str) == 8);
UPCALL_ASSERT(offsetof(struct Str, data) == 0);
UPCALL_ASSERT(offsetof(struct Str, len) == 8);
/** UTF-8 text that ends in a zero and must live until the call returns. */
static inline Str Str_from(const char *text) {
    Str str;
    str.data = (const uint8_t *)text;
    str.len = strlen(text);
    return str;
}

/**
 * A flow that is described and has not started.
 * Made by `upcall_flow_builder_new`.
 * Made by `upcall_flow_builder_with_keys`.
 * Released by `upcall_flow_builder_release`.
 */
struct UpcallFlowBuilder;

/**
 * Something that takes a while: a start, a put that needs its version, a drain, a stop. One thread waits for it, or one event
 * loop is woken; whoever asked last. Released before its end, it is no longer waited for: a start, a put or a stop goes on.
 * Released by `upcall_task_release`.
 */
struct UpcallTask;

struct Text {
    uint8_t *data;
    size_t len;
    size_t capacity;
    void (*release)(uint8_t *data, size_t len, size_t capacity);
};
UPCALL_ASSERT(sizeof(Text) == 32);
UPCALL_ASSERT(UPCALL_ALIGNOF(Text) == 8);
UPCALL_ASSERT(offsetof(struct Text, data) == 0);
UPCALL_ASSERT(offsetof(struct Text, len) == 8);
UPCALL_ASSERT(offsetof(struct Text, capacity) == 16);
UPCALL_ASSERT(offsetof(struct Text, release) == 24);
/** Gives the elements back to the library; a second call does nothing. */
static inline void Text_release(Text *buffer) {
    if (buffer->release) {
        buffer->release(buffer->data, buffer->len, buffer->capacity);
    }
    memset(buffer, 0, sizeof *buffer);
}

struct Failure {
    Text message;
    int32_t code;
};
UPCALL_ASSERT(sizeof(Failure) == 40);
UPCALL_ASSERT(UPCALL_ALIGNOF(Failure) == 8);
UPCALL_ASSERT(offsetof(struct Failure, message) == 0);
UPCALL_ASSERT(offsetof(struct Failure, code) == 32);
/** What went wrong: `*len` bytes of UTF-8 without a final zero, until the failure is released. */
static inline const char *Failure_message(const Failure *failure, size_t *len) {
    *len = failure->message.len;
    return (const char *)failure->message.data;
}

struct Slice_u8 {
    const uint8_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Slice_u8) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Slice_u8) == 8);
UPCALL_ASSERT(offsetof(struct Slice_u8, data) == 0);
UPCALL_ASSERT(offsetof(struct Slice_u8, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline Slice_u8 Slice_u8_from(const uint8_t *data, size_t len) {
    Slice_u8 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/**
 * A pool of a running flow, for any thread. Puts that wait for credit without a thread come before all that are asked for
 * later.
 * Released by `upcall_pool_release`.
 */
struct UpcallPool;

/** What `UpcallPool::send` does. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallSend : uint32_t {
    /** Puts an object. */
    UpcallSend_Put = UINT32_C(0),
    /** Puts an object if the newest version of its key is the one that is given, 0 for none. */
    UpcallSend_PutIf = UINT32_C(1),
    /** Runs the handlers and stores nothing. */
    UpcallSend_Trigger = UINT32_C(2),
    /** Removes a key. */
    UpcallSend_Remove = UINT32_C(3),
};
typedef enum UpcallSend UpcallSend;
#else
typedef uint32_t UpcallSend;
/** Puts an object. */
#define UpcallSend_Put ((UpcallSend)UINT32_C(0))
/** Puts an object if the newest version of its key is the one that is given, 0 for none. */
#define UpcallSend_PutIf ((UpcallSend)UINT32_C(1))
/** Runs the handlers and stores nothing. */
#define UpcallSend_Trigger ((UpcallSend)UINT32_C(2))
/** Removes a key. */
#define UpcallSend_Remove ((UpcallSend)UINT32_C(3))
#endif
UPCALL_ASSERT(sizeof(UpcallSend) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallSend) == 4);

/** What `UpcallPool::get` goes by. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallAsOf : uint32_t {
    /** The newest version. */
    UpcallAsOf_Now = UINT32_C(0),
    /** The newest version that is not after one of the pool's. */
    UpcallAsOf_Version = UINT32_C(1),
    /** The newest version that is not after a time, in nanoseconds since the Unix epoch. */
    UpcallAsOf_Time = UINT32_C(2),
};
typedef enum UpcallAsOf UpcallAsOf;
#else
typedef uint32_t UpcallAsOf;
/** The newest version. */
#define UpcallAsOf_Now ((UpcallAsOf)UINT32_C(0))
/** The newest version that is not after one of the pool's. */
#define UpcallAsOf_Version ((UpcallAsOf)UINT32_C(1))
/** The newest version that is not after a time, in nanoseconds since the Unix epoch. */
#define UpcallAsOf_Time ((UpcallAsOf)UINT32_C(2))
#endif
UPCALL_ASSERT(sizeof(UpcallAsOf) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallAsOf) == 4);

struct SliceMut_u8 {
    uint8_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(SliceMut_u8) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(SliceMut_u8) == 8);
UPCALL_ASSERT(offsetof(struct SliceMut_u8, data) == 0);
UPCALL_ASSERT(offsetof(struct SliceMut_u8, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline SliceMut_u8 SliceMut_u8_from(uint8_t *data, size_t len) {
    SliceMut_u8 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/** An object of a pool, or none: what is written beside its value. */
struct UpcallFound {
    /** Its version; 0 for none. */
    uint64_t version;
    /** Nanoseconds since the Unix epoch. */
    uint64_t time;
    /** Bytes of its value. */
    uint64_t len;
};
UPCALL_ASSERT(sizeof(UpcallFound) == 24);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallFound) == 8);
UPCALL_ASSERT(offsetof(struct UpcallFound, version) == 0);
UPCALL_ASSERT(offsetof(struct UpcallFound, time) == 8);
UPCALL_ASSERT(offsetof(struct UpcallFound, len) == 16);

/** One version that is kept of a key. */
struct UpcallSeen {
    /** The version. */
    uint64_t version;
    /** Nanoseconds since the Unix epoch. */
    uint64_t time;
    /** 1 where this version removed the key, else 0. */
    uint64_t removed;
};
UPCALL_ASSERT(sizeof(UpcallSeen) == 24);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallSeen) == 8);
UPCALL_ASSERT(offsetof(struct UpcallSeen, version) == 0);
UPCALL_ASSERT(offsetof(struct UpcallSeen, time) == 8);
UPCALL_ASSERT(offsetof(struct UpcallSeen, removed) == 16);

struct Buffer_UpcallSeen {
    UpcallSeen *data;
    size_t len;
    size_t capacity;
    void (*release)(UpcallSeen *data, size_t len, size_t capacity);
};
UPCALL_ASSERT(sizeof(Buffer_UpcallSeen) == 32);
UPCALL_ASSERT(UPCALL_ALIGNOF(Buffer_UpcallSeen) == 8);
UPCALL_ASSERT(offsetof(struct Buffer_UpcallSeen, data) == 0);
UPCALL_ASSERT(offsetof(struct Buffer_UpcallSeen, len) == 8);
UPCALL_ASSERT(offsetof(struct Buffer_UpcallSeen, capacity) == 16);
UPCALL_ASSERT(offsetof(struct Buffer_UpcallSeen, release) == 24);
/** Gives the elements back to the library; a second call does nothing. */
static inline void Buffer_UpcallSeen_release(Buffer_UpcallSeen *buffer) {
    if (buffer->release) {
        buffer->release(buffer->data, buffer->len, buffer->capacity);
    }
    memset(buffer, 0, sizeof *buffer);
}

struct Buffer_u8 {
    uint8_t *data;
    size_t len;
    size_t capacity;
    void (*release)(uint8_t *data, size_t len, size_t capacity);
};
UPCALL_ASSERT(sizeof(Buffer_u8) == 32);
UPCALL_ASSERT(UPCALL_ALIGNOF(Buffer_u8) == 8);
UPCALL_ASSERT(offsetof(struct Buffer_u8, data) == 0);
UPCALL_ASSERT(offsetof(struct Buffer_u8, len) == 8);
UPCALL_ASSERT(offsetof(struct Buffer_u8, capacity) == 16);
UPCALL_ASSERT(offsetof(struct Buffer_u8, release) == 24);
/** Gives the elements back to the library; a second call does nothing. */
static inline void Buffer_u8_release(Buffer_u8 *buffer) {
    if (buffer->release) {
        buffer->release(buffer->data, buffer->len, buffer->capacity);
    }
    memset(buffer, 0, sizeof *buffer);
}

/**
 * A running flow. Released before it was stopped, it stops on a thread of its own, so that whoever releases it never waits
 * for a handler: what is in flight is lost.
 * Released by `upcall_flow_release`.
 */
struct UpcallFlow;

/**
 * A watch on some pools, which ends when it is released.
 * Released by `upcall_watch_release`.
 */
struct UpcallWatch;

/**
 * A graph's file, mapped.
 * Made by `upcall_graph_new`.
 * Released by `upcall_graph_release`.
 */
struct UpcallGraph;

/**
 * A run of a vertex program of the program that has loaded us. It is described, started once, and asked for what it has come to.
 * Made by `upcall_graph_run_new`.
 * Released by `upcall_graph_run_release`.
 */
struct UpcallGraphRun;

/**
 * What is done to a window between two points in time. Places and counts are of elements, and data whole ones.
 *
 * It ends by `end`; released before that it stays open, and neither is its window freed nor MPI finalized. What is done to it once
 * it has ended is a failure.
 * Released by `upcall_mpi_epoch_release`.
 */
struct UpcallMpiEpoch;

/**
 * A call that goes on: a send or a receive, a call of all ranks, or a read or write of a file or of a window, with the memory that
 * it reads or fills. That is the library's own, or the caller's, who keeps it where it is until it is told that MPI needs it
 * no more. Released before its end, a receive is cancelled, and a send goes on by itself.
 * Released by `upcall_mpi_request_release`.
 */
struct UpcallMpiRequest;

/**
 * One of MPI's own operations on numbers: of a window nobody runs a function.
 * Made by `upcall_mpi_combining_named`.
 * Released by `upcall_mpi_combining_release`.
 */
struct UpcallMpiCombining;

/**
 * What a value is kept under, with any communicator. It may be released before its values are.
 * Made by `upcall_mpi_key_new`.
 * Released by `upcall_mpi_key_release`.
 */
struct UpcallMpiKey;

/**
 * Processes that pass messages to one another, each with a rank from 0 on. One that was made is freed when it is released,
 * which the ranks do in the same order.
 * Released by `upcall_mpi_communicator_release`.
 */
struct UpcallMpiCommunicator;

/** What all ranks do together. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallMpiCollective : uint32_t {
    /** They wait for each other. */
    UpcallMpiCollective_Barrier = UINT32_C(0),
    /** All get what the root has, into memory of the same size. */
    UpcallMpiCollective_Broadcast = UINT32_C(1),
    /** The root gets what all have, of the same size. */
    UpcallMpiCollective_Gather = UINT32_C(2),
    /** Each gets its part of what the root has, of the same size. */
    UpcallMpiCollective_Scatter = UINT32_C(3),
    /** As `Gather`, for all. */
    UpcallMpiCollective_AllGather = UINT32_C(4),
    /** Each has a part for each, of the same size. */
    UpcallMpiCollective_AllToAll = UINT32_C(5),
    /** As `Gather`: `counts[r]` bytes of rank `r`, as all know. */
    UpcallMpiCollective_GatherParts = UINT32_C(6),
    /** As `Scatter`: `counts[r]` bytes for rank `r`, as all know. */
    UpcallMpiCollective_ScatterParts = UINT32_C(7),
    /** As `GatherParts`, for all. */
    UpcallMpiCollective_AllGatherParts = UINT32_C(8),
    /** Each has `counts[r]` bytes for rank `r`, and gets `into_counts[r]` of it. */
    UpcallMpiCollective_AllToAllParts = UINT32_C(9),
    /** The root gets what all have, combined. */
    UpcallMpiCollective_Reduce = UINT32_C(10),
    /** As `Reduce`, for all. */
    UpcallMpiCollective_AllReduce = UINT32_C(11),
    /** Each gets its part of what all have, combined: `counts[r]` bytes for rank `r`. */
    UpcallMpiCollective_ReduceScatter = UINT32_C(12),
    /** Each gets what the ranks up to it have, combined. */
    UpcallMpiCollective_Scan = UINT32_C(13),
    /** Each gets what the ranks before it have, combined; rank 0 gets nothing. */
    UpcallMpiCollective_ExclusiveScan = UINT32_C(14),
};
typedef enum UpcallMpiCollective UpcallMpiCollective;
#else
typedef uint32_t UpcallMpiCollective;
/** They wait for each other. */
#define UpcallMpiCollective_Barrier ((UpcallMpiCollective)UINT32_C(0))
/** All get what the root has, into memory of the same size. */
#define UpcallMpiCollective_Broadcast ((UpcallMpiCollective)UINT32_C(1))
/** The root gets what all have, of the same size. */
#define UpcallMpiCollective_Gather ((UpcallMpiCollective)UINT32_C(2))
/** Each gets its part of what the root has, of the same size. */
#define UpcallMpiCollective_Scatter ((UpcallMpiCollective)UINT32_C(3))
/** As `Gather`, for all. */
#define UpcallMpiCollective_AllGather ((UpcallMpiCollective)UINT32_C(4))
/** Each has a part for each, of the same size. */
#define UpcallMpiCollective_AllToAll ((UpcallMpiCollective)UINT32_C(5))
/** As `Gather`: `counts[r]` bytes of rank `r`, as all know. */
#define UpcallMpiCollective_GatherParts ((UpcallMpiCollective)UINT32_C(6))
/** As `Scatter`: `counts[r]` bytes for rank `r`, as all know. */
#define UpcallMpiCollective_ScatterParts ((UpcallMpiCollective)UINT32_C(7))
/** As `GatherParts`, for all. */
#define UpcallMpiCollective_AllGatherParts ((UpcallMpiCollective)UINT32_C(8))
/** Each has `counts[r]` bytes for rank `r`, and gets `into_counts[r]` of it. */
#define UpcallMpiCollective_AllToAllParts ((UpcallMpiCollective)UINT32_C(9))
/** The root gets what all have, combined. */
#define UpcallMpiCollective_Reduce ((UpcallMpiCollective)UINT32_C(10))
/** As `Reduce`, for all. */
#define UpcallMpiCollective_AllReduce ((UpcallMpiCollective)UINT32_C(11))
/** Each gets its part of what all have, combined: `counts[r]` bytes for rank `r`. */
#define UpcallMpiCollective_ReduceScatter ((UpcallMpiCollective)UINT32_C(12))
/** Each gets what the ranks up to it have, combined. */
#define UpcallMpiCollective_Scan ((UpcallMpiCollective)UINT32_C(13))
/** Each gets what the ranks before it have, combined; rank 0 gets nothing. */
#define UpcallMpiCollective_ExclusiveScan ((UpcallMpiCollective)UINT32_C(14))
#endif
UPCALL_ASSERT(sizeof(UpcallMpiCollective) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiCollective) == 4);

struct Slice_u64 {
    const uint64_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Slice_u64) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Slice_u64) == 8);
UPCALL_ASSERT(offsetof(struct Slice_u64, data) == 0);
UPCALL_ASSERT(offsetof(struct Slice_u64, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline Slice_u64 Slice_u64_from(const uint64_t *data, size_t len) {
    Slice_u64 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/**
 * What a reduction does with two elements: an operation of MPI's, or a function.
 * Made by `upcall_mpi_operation_named`.
 * Made by `upcall_mpi_operation_new`.
 * Released by `upcall_mpi_operation_release`.
 */
struct UpcallMpiOperation;

/**
 * Memory on huge pages, which MPIs move faster than other memory: some bytes that are zero at first. For few large buffers that
 * are used often.
 *
 * When it is released the system has its pages back at once; the addresses stay, for the next one, so that whoever still reads or
 * writes there meets zeroes, or another buffer, and no fault.
 * Made by `upcall_mpi_buffer_new`.
 * Released by `upcall_mpi_buffer_release`.
 */
struct UpcallMpiBuffer;

/** A place in memory, for as long as the object that has told it says. */
struct UpcallMpiMemory {
    /** Its address. */
    uint64_t address;
    /** Its bytes. */
    uint64_t bytes;
};
UPCALL_ASSERT(sizeof(UpcallMpiMemory) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiMemory) == 8);
UPCALL_ASSERT(offsetof(struct UpcallMpiMemory, address) == 0);
UPCALL_ASSERT(offsetof(struct UpcallMpiMemory, bytes) == 8);

/**
 * The room for buffered sends, until it is detached. One that is released before stays attached, as nothing waits in a
 * release, until another takes its place.
 * Released by `upcall_mpi_send_buffer_release`.
 */
struct UpcallMpiSendBuffer;

/**
 * MPI, which has been started. There is one per process, and only once. It is finalized by `finish` and by nothing else:
 * releasing this does not wait for other processes.
 * Made by `upcall_mpi_start`.
 * Released by `upcall_mpi_release`.
 */
struct UpcallMpi;

/**
 * A type of elements as checked messages name it, and as MPI is told its fields.
 * Made by `upcall_mpi_element_type_new`.
 * Released by `upcall_mpi_element_type_release`.
 */
struct UpcallMpiElementType;

/**
 * A communicator whose messages say which type their elements have.
 * Released by `upcall_mpi_checked_release`.
 */
struct UpcallMpiChecked;

/** What is known of a message that has arrived. */
struct UpcallMpiStatus {
    /** The rank that has sent it; -1 where the receive was cancelled. */
    int32_t source;
    /** Its tag. */
    int32_t tag;
    /** Its bytes. */
    uint64_t bytes;
    /** 1 where the receive was cancelled before anything arrived, else 0. */
    uint64_t cancelled;
};
UPCALL_ASSERT(sizeof(UpcallMpiStatus) == 24);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiStatus) == 8);
UPCALL_ASSERT(offsetof(struct UpcallMpiStatus, source) == 0);
UPCALL_ASSERT(offsetof(struct UpcallMpiStatus, tag) == 4);
UPCALL_ASSERT(offsetof(struct UpcallMpiStatus, bytes) == 8);
UPCALL_ASSERT(offsetof(struct UpcallMpiStatus, cancelled) == 16);

/** How a message is sent. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallMpiMode : uint32_t {
    /** Ends when the bytes may be changed again. */
    UpcallMpiMode_Standard = UINT32_C(0),
    /** Ends when the receiver has begun to receive. */
    UpcallMpiMode_Synchronous = UINT32_C(1),
    /** The receiver is known to wait already. */
    UpcallMpiMode_Ready = UINT32_C(2),
    /** The bytes are copied into the room for buffered sends, whether or not anybody receives them. */
    UpcallMpiMode_Buffered = UINT32_C(3),
};
typedef enum UpcallMpiMode UpcallMpiMode;
#else
typedef uint32_t UpcallMpiMode;
/** Ends when the bytes may be changed again. */
#define UpcallMpiMode_Standard ((UpcallMpiMode)UINT32_C(0))
/** Ends when the receiver has begun to receive. */
#define UpcallMpiMode_Synchronous ((UpcallMpiMode)UINT32_C(1))
/** The receiver is known to wait already. */
#define UpcallMpiMode_Ready ((UpcallMpiMode)UINT32_C(2))
/** The bytes are copied into the room for buffered sends, whether or not anybody receives them. */
#define UpcallMpiMode_Buffered ((UpcallMpiMode)UINT32_C(3))
#endif
UPCALL_ASSERT(sizeof(UpcallMpiMode) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiMode) == 4);

/** Which threads may call MPI. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallMpiThreads : uint32_t {
    /** The process has one. */
    UpcallMpiThreads_Single = UINT32_C(0),
    /** The one that has started it. */
    UpcallMpiThreads_Funneled = UINT32_C(1),
    /** One at a time. */
    UpcallMpiThreads_Serialized = UINT32_C(2),
    /** All, as they like. */
    UpcallMpiThreads_Multiple = UINT32_C(3),
};
typedef enum UpcallMpiThreads UpcallMpiThreads;
#else
typedef uint32_t UpcallMpiThreads;
/** The process has one. */
#define UpcallMpiThreads_Single ((UpcallMpiThreads)UINT32_C(0))
/** The one that has started it. */
#define UpcallMpiThreads_Funneled ((UpcallMpiThreads)UINT32_C(1))
/** One at a time. */
#define UpcallMpiThreads_Serialized ((UpcallMpiThreads)UINT32_C(2))
/** All, as they like. */
#define UpcallMpiThreads_Multiple ((UpcallMpiThreads)UINT32_C(3))
#endif
UPCALL_ASSERT(sizeof(UpcallMpiThreads) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiThreads) == 4);

/**
 * This rank's memory, which others access until it is waited for.
 * Released by `upcall_mpi_exposure_release`.
 */
struct UpcallMpiExposure;

/** Which floating-point numbers bytes are. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallMpiReal : uint32_t {
    /** Of 4 bytes. */
    UpcallMpiReal_Single = UINT32_C(0),
    /** Of 8 bytes. */
    UpcallMpiReal_Double = UINT32_C(1),
};
typedef enum UpcallMpiReal UpcallMpiReal;
#else
typedef uint32_t UpcallMpiReal;
/** Of 4 bytes. */
#define UpcallMpiReal_Single ((UpcallMpiReal)UINT32_C(0))
/** Of 8 bytes. */
#define UpcallMpiReal_Double ((UpcallMpiReal)UINT32_C(1))
#endif
UPCALL_ASSERT(sizeof(UpcallMpiReal) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiReal) == 4);

/**
 * A sum that is exact until it is read: the same bits in whichever order, and in whatever parts, numbers are added. Its value is
 * the number that is nearest to it, as if it had been computed with infinite precision and rounded once.
 * Made by `upcall_mpi_exact_sum_new`.
 * Released by `upcall_mpi_exact_sum_release`.
 */
struct UpcallMpiExactSum;

/**
 * Processes in an order: what a communicator is made of. It passes no messages by itself, and every call on it is of this
 * process alone.
 * Released by `upcall_mpi_group_release`.
 */
struct UpcallMpiGroup;

struct Buffer_i32 {
    int32_t *data;
    size_t len;
    size_t capacity;
    void (*release)(int32_t *data, size_t len, size_t capacity);
};
UPCALL_ASSERT(sizeof(Buffer_i32) == 32);
UPCALL_ASSERT(UPCALL_ALIGNOF(Buffer_i32) == 8);
UPCALL_ASSERT(offsetof(struct Buffer_i32, data) == 0);
UPCALL_ASSERT(offsetof(struct Buffer_i32, len) == 8);
UPCALL_ASSERT(offsetof(struct Buffer_i32, capacity) == 16);
UPCALL_ASSERT(offsetof(struct Buffer_i32, release) == 24);
/** Gives the elements back to the library; a second call does nothing. */
static inline void Buffer_i32_release(Buffer_i32 *buffer) {
    if (buffer->release) {
        buffer->release(buffer->data, buffer->len, buffer->capacity);
    }
    memset(buffer, 0, sizeof *buffer);
}

/**
 * A file that the ranks of a communicator have opened together. Offsets count the elements of the view, which are bytes until a
 * view says otherwise. `close` closes it, with all ranks together: one that is released before stays open until MPI is
 * finalized, which closes it. Any thread may call that may call MPI; closing and views wait for calls of others.
 * Released by `upcall_mpi_file_release`.
 */
struct UpcallMpiFile;

/** From where a pointer is moved. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallMpiSeek : uint32_t {
    /** The start of the view. */
    UpcallMpiSeek_Start = UINT32_C(0),
    /** Where it is. */
    UpcallMpiSeek_Current = UINT32_C(1),
    /** The file's end. */
    UpcallMpiSeek_End = UINT32_C(2),
};
typedef enum UpcallMpiSeek UpcallMpiSeek;
#else
typedef uint32_t UpcallMpiSeek;
/** The start of the view. */
#define UpcallMpiSeek_Start ((UpcallMpiSeek)UINT32_C(0))
/** Where it is. */
#define UpcallMpiSeek_Current ((UpcallMpiSeek)UINT32_C(1))
/** The file's end. */
#define UpcallMpiSeek_End ((UpcallMpiSeek)UINT32_C(2))
#endif
UPCALL_ASSERT(sizeof(UpcallMpiSeek) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiSeek) == 4);

/** Where in a file bytes are read or written, and by whom. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallMpiPlace : uint32_t {
    /** At an offset, in elements of the view. */
    UpcallMpiPlace_At = UINT32_C(0),
    /** At an offset of each rank's own, all ranks together. */
    UpcallMpiPlace_AtAll = UINT32_C(1),
    /** From this rank's pointer on, which moves behind them. */
    UpcallMpiPlace_Pointer = UINT32_C(2),
    /** The same, all ranks together. */
    UpcallMpiPlace_PointerAll = UINT32_C(3),
    /** From the pointer on that all ranks have, in no order. */
    UpcallMpiPlace_Shared = UINT32_C(4),
    /** The same, all ranks together and in their order. */
    UpcallMpiPlace_Ordered = UINT32_C(5),
};
typedef enum UpcallMpiPlace UpcallMpiPlace;
#else
typedef uint32_t UpcallMpiPlace;
/** At an offset, in elements of the view. */
#define UpcallMpiPlace_At ((UpcallMpiPlace)UINT32_C(0))
/** At an offset of each rank's own, all ranks together. */
#define UpcallMpiPlace_AtAll ((UpcallMpiPlace)UINT32_C(1))
/** From this rank's pointer on, which moves behind them. */
#define UpcallMpiPlace_Pointer ((UpcallMpiPlace)UINT32_C(2))
/** The same, all ranks together. */
#define UpcallMpiPlace_PointerAll ((UpcallMpiPlace)UINT32_C(3))
/** From the pointer on that all ranks have, in no order. */
#define UpcallMpiPlace_Shared ((UpcallMpiPlace)UINT32_C(4))
/** The same, all ranks together and in their order. */
#define UpcallMpiPlace_Ordered ((UpcallMpiPlace)UINT32_C(5))
#endif
UPCALL_ASSERT(sizeof(UpcallMpiPlace) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiPlace) == 4);

struct Slice_i32 {
    const int32_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Slice_i32) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Slice_i32) == 8);
UPCALL_ASSERT(offsetof(struct Slice_i32, data) == 0);
UPCALL_ASSERT(offsetof(struct Slice_i32, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline Slice_i32 Slice_i32_from(const int32_t *data, size_t len) {
    Slice_i32 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/** How alike two groups or communicators are. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallMpiComparison : uint32_t {
    /** They are one and the same. */
    UpcallMpiComparison_Identical = UINT32_C(0),
    /** Two communicators of the same processes in the same order. */
    UpcallMpiComparison_Congruent = UINT32_C(1),
    /** The same processes in another order. */
    UpcallMpiComparison_Similar = UINT32_C(2),
    /** Other processes. */
    UpcallMpiComparison_Unequal = UINT32_C(3),
};
typedef enum UpcallMpiComparison UpcallMpiComparison;
#else
typedef uint32_t UpcallMpiComparison;
/** They are one and the same. */
#define UpcallMpiComparison_Identical ((UpcallMpiComparison)UINT32_C(0))
/** Two communicators of the same processes in the same order. */
#define UpcallMpiComparison_Congruent ((UpcallMpiComparison)UINT32_C(1))
/** The same processes in another order. */
#define UpcallMpiComparison_Similar ((UpcallMpiComparison)UINT32_C(2))
/** Other processes. */
#define UpcallMpiComparison_Unequal ((UpcallMpiComparison)UINT32_C(3))
#endif
UPCALL_ASSERT(sizeof(UpcallMpiComparison) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiComparison) == 4);

/**
 * A handler of kind COMBINE, of whichever guest, which is to be an operation: named as in a flow's file.
 * Made by `upcall_combine_handler_new`.
 * Released by `upcall_combine_handler_release`.
 */
struct UpcallCombineHandler;

/**
 * A handler that was loaded and combines arrays for the program.
 * Released by `upcall_combiner_release`.
 */
struct UpcallCombiner;

struct SliceMut_u64 {
    uint64_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(SliceMut_u64) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(SliceMut_u64) == 8);
UPCALL_ASSERT(offsetof(struct SliceMut_u64, data) == 0);
UPCALL_ASSERT(offsetof(struct SliceMut_u64, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline SliceMut_u64 SliceMut_u64_from(uint64_t *data, size_t len) {
    SliceMut_u64 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/** A part of MPI's standard, or an extension of it, that an MPI may lack. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallMpiOptional : uint32_t {
    /** Counts of 64 bits (MPI 4). */
    UpcallMpiOptional_LargeCounts = UINT32_C(0),
    /** Collectives that are prepared once and started often (MPI 4). */
    UpcallMpiOptional_PersistentCollectives = UINT32_C(1),
    /** Sends and receives in partitions (MPI 4). */
    UpcallMpiOptional_Partitioned = UINT32_C(2),
    /** A send and a receive as one request (MPI 4). */
    UpcallMpiOptional_NonBlockingSendReceive = UINT32_C(3),
    /** Sessions in place of one world (MPI 4). */
    UpcallMpiOptional_Sessions = UINT32_C(4),
    /** Going on where a process has died: the extension ULFM. */
    UpcallMpiOptional_FaultTolerance = UINT32_C(5),
    /** The standard's own binary interface (MPI 5). */
    UpcallMpiOptional_StandardAbi = UINT32_C(6),
};
typedef enum UpcallMpiOptional UpcallMpiOptional;
#else
typedef uint32_t UpcallMpiOptional;
/** Counts of 64 bits (MPI 4). */
#define UpcallMpiOptional_LargeCounts ((UpcallMpiOptional)UINT32_C(0))
/** Collectives that are prepared once and started often (MPI 4). */
#define UpcallMpiOptional_PersistentCollectives ((UpcallMpiOptional)UINT32_C(1))
/** Sends and receives in partitions (MPI 4). */
#define UpcallMpiOptional_Partitioned ((UpcallMpiOptional)UINT32_C(2))
/** A send and a receive as one request (MPI 4). */
#define UpcallMpiOptional_NonBlockingSendReceive ((UpcallMpiOptional)UINT32_C(3))
/** Sessions in place of one world (MPI 4). */
#define UpcallMpiOptional_Sessions ((UpcallMpiOptional)UINT32_C(4))
/** Going on where a process has died: the extension ULFM. */
#define UpcallMpiOptional_FaultTolerance ((UpcallMpiOptional)UINT32_C(5))
/** The standard's own binary interface (MPI 5). */
#define UpcallMpiOptional_StandardAbi ((UpcallMpiOptional)UINT32_C(6))
#endif
UPCALL_ASSERT(sizeof(UpcallMpiOptional) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiOptional) == 4);

/**
 * Room for a message that was matched, and is this process's to receive: nobody else gets it. It may be used for one message
 * after the other. One that is not received is thrown away when another is matched, or the room is released.
 * Made by `upcall_mpi_message_new`.
 * Released by `upcall_mpi_message_release`.
 */
struct UpcallMpiMessage;

/**
 * A message whose partitions are sent as soon as they are ready, or looked at as soon as they have arrived, again and again, by
 * whichever threads (MPI 4; Open MPI before 5 has none).
 * Released by `upcall_mpi_partitions_release`.
 */
struct UpcallMpiPartitions;

/**
 * Where other programs may connect to. It is closed when it is released.
 * Released by `upcall_mpi_port_release`.
 */
struct UpcallMpiPort;

/**
 * The name of a port under that of a service. It is taken back when it is released.
 * Released by `upcall_mpi_published_release`.
 */
struct UpcallMpiPublished;

/**
 * Programs to start, how often, and where. What is said is said of the last one that was added.
 * Made by `upcall_mpi_programs_new`.
 * Released by `upcall_mpi_programs_release`.
 */
struct UpcallMpiPrograms;

/** Which reduction `UpcallMpiCommunicator::reduce_by` is. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallMpiReduction : uint32_t {
    /** For one rank. */
    UpcallMpiReduction_Reduce = UINT32_C(0),
    /** For all ranks. */
    UpcallMpiReduction_AllReduce = UINT32_C(1),
    /** Over the ranks up to each, itself included. */
    UpcallMpiReduction_Scan = UINT32_C(2),
    /** Over the ranks below each. */
    UpcallMpiReduction_ExclusiveScan = UINT32_C(3),
};
typedef enum UpcallMpiReduction UpcallMpiReduction;
#else
typedef uint32_t UpcallMpiReduction;
/** For one rank. */
#define UpcallMpiReduction_Reduce ((UpcallMpiReduction)UINT32_C(0))
/** For all ranks. */
#define UpcallMpiReduction_AllReduce ((UpcallMpiReduction)UINT32_C(1))
/** Over the ranks up to each, itself included. */
#define UpcallMpiReduction_Scan ((UpcallMpiReduction)UINT32_C(2))
/** Over the ranks below each. */
#define UpcallMpiReduction_ExclusiveScan ((UpcallMpiReduction)UINT32_C(3))
#endif
UPCALL_ASSERT(sizeof(UpcallMpiReduction) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiReduction) == 4);

/**
 * Requests of which the first that ends is waited for.
 * Made by `upcall_mpi_requests_new`.
 * Released by `upcall_mpi_requests_release`.
 */
struct UpcallMpiRequests;

struct SliceMut_i32 {
    int32_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(SliceMut_i32) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(SliceMut_i32) == 8);
UPCALL_ASSERT(offsetof(struct SliceMut_i32, data) == 0);
UPCALL_ASSERT(offsetof(struct SliceMut_i32, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline SliceMut_i32 SliceMut_i32_from(int32_t *data, size_t len) {
    SliceMut_i32 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

struct Slice_u32 {
    const uint32_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Slice_u32) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Slice_u32) == 8);
UPCALL_ASSERT(offsetof(struct Slice_u32, data) == 0);
UPCALL_ASSERT(offsetof(struct Slice_u32, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline Slice_u32 Slice_u32_from(const uint32_t *data, size_t len) {
    Slice_u32 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/**
 * A struct as MPI knows it: its fields, each a number at its place. What C programs make with `MPI_Type_create_struct` matches it
 * where their numbers do, in the order of the fields. Padding does not travel.
 * Made by `upcall_mpi_datatype_new`.
 * Released by `upcall_mpi_datatype_release`.
 */
struct UpcallMpiDatatype;

/**
 * Memory of each rank's of a communicator, which all of them read and write: so many elements at each, from 0 on. What is done
 * lies in an epoch, which begins with a call here and ends with `end`.
 *
 * It ends by `free`, which all ranks call in one order; released before that, as by a finaliser, it stays until MPI is finalized.
 * What is done to it once it has been freed is a failure.
 * Released by `upcall_mpi_window_release`.
 */
struct UpcallMpiWindow;

/** Who else may lock the same rank's memory. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
enum UpcallMpiLock : uint32_t {
    /** Others that share it. */
    UpcallMpiLock_Shared = UINT32_C(0),
    /** Nobody. */
    UpcallMpiLock_Exclusive = UINT32_C(1),
};
typedef enum UpcallMpiLock UpcallMpiLock;
#else
typedef uint32_t UpcallMpiLock;
/** Others that share it. */
#define UpcallMpiLock_Shared ((UpcallMpiLock)UINT32_C(0))
/** Nobody. */
#define UpcallMpiLock_Exclusive ((UpcallMpiLock)UINT32_C(1))
#endif
UPCALL_ASSERT(sizeof(UpcallMpiLock) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallMpiLock) == 4);

struct Slice_i8 {
    const int8_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Slice_i8) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Slice_i8) == 8);
UPCALL_ASSERT(offsetof(struct Slice_i8, data) == 0);
UPCALL_ASSERT(offsetof(struct Slice_i8, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline Slice_i8 Slice_i8_from(const int8_t *data, size_t len) {
    Slice_i8 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/** The least and the greatest of some `i8`. */
struct EndsI8 {
    /** The least value. */
    int8_t min;
    /** The greatest value. */
    int8_t max;
};
UPCALL_ASSERT(sizeof(EndsI8) == 2);
UPCALL_ASSERT(UPCALL_ALIGNOF(EndsI8) == 1);
UPCALL_ASSERT(offsetof(struct EndsI8, min) == 0);
UPCALL_ASSERT(offsetof(struct EndsI8, max) == 1);

struct Slice_i16 {
    const int16_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Slice_i16) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Slice_i16) == 8);
UPCALL_ASSERT(offsetof(struct Slice_i16, data) == 0);
UPCALL_ASSERT(offsetof(struct Slice_i16, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline Slice_i16 Slice_i16_from(const int16_t *data, size_t len) {
    Slice_i16 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/** The least and the greatest of some `i16`. */
struct EndsI16 {
    /** The least value. */
    int16_t min;
    /** The greatest value. */
    int16_t max;
};
UPCALL_ASSERT(sizeof(EndsI16) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(EndsI16) == 2);
UPCALL_ASSERT(offsetof(struct EndsI16, min) == 0);
UPCALL_ASSERT(offsetof(struct EndsI16, max) == 2);

/** The least and the greatest of some `i32`. */
struct EndsI32 {
    /** The least value. */
    int32_t min;
    /** The greatest value. */
    int32_t max;
};
UPCALL_ASSERT(sizeof(EndsI32) == 8);
UPCALL_ASSERT(UPCALL_ALIGNOF(EndsI32) == 4);
UPCALL_ASSERT(offsetof(struct EndsI32, min) == 0);
UPCALL_ASSERT(offsetof(struct EndsI32, max) == 4);

struct Slice_i64 {
    const int64_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Slice_i64) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Slice_i64) == 8);
UPCALL_ASSERT(offsetof(struct Slice_i64, data) == 0);
UPCALL_ASSERT(offsetof(struct Slice_i64, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline Slice_i64 Slice_i64_from(const int64_t *data, size_t len) {
    Slice_i64 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/** The least and the greatest of some `i64`. */
struct EndsI64 {
    /** The least value. */
    int64_t min;
    /** The greatest value. */
    int64_t max;
};
UPCALL_ASSERT(sizeof(EndsI64) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(EndsI64) == 8);
UPCALL_ASSERT(offsetof(struct EndsI64, min) == 0);
UPCALL_ASSERT(offsetof(struct EndsI64, max) == 8);

/** The least and the greatest of some `u8`. */
struct EndsU8 {
    /** The least value. */
    uint8_t min;
    /** The greatest value. */
    uint8_t max;
};
UPCALL_ASSERT(sizeof(EndsU8) == 2);
UPCALL_ASSERT(UPCALL_ALIGNOF(EndsU8) == 1);
UPCALL_ASSERT(offsetof(struct EndsU8, min) == 0);
UPCALL_ASSERT(offsetof(struct EndsU8, max) == 1);

struct Slice_u16 {
    const uint16_t *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Slice_u16) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Slice_u16) == 8);
UPCALL_ASSERT(offsetof(struct Slice_u16, data) == 0);
UPCALL_ASSERT(offsetof(struct Slice_u16, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline Slice_u16 Slice_u16_from(const uint16_t *data, size_t len) {
    Slice_u16 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/** The least and the greatest of some `u16`. */
struct EndsU16 {
    /** The least value. */
    uint16_t min;
    /** The greatest value. */
    uint16_t max;
};
UPCALL_ASSERT(sizeof(EndsU16) == 4);
UPCALL_ASSERT(UPCALL_ALIGNOF(EndsU16) == 2);
UPCALL_ASSERT(offsetof(struct EndsU16, min) == 0);
UPCALL_ASSERT(offsetof(struct EndsU16, max) == 2);

/** The least and the greatest of some `u32`. */
struct EndsU32 {
    /** The least value. */
    uint32_t min;
    /** The greatest value. */
    uint32_t max;
};
UPCALL_ASSERT(sizeof(EndsU32) == 8);
UPCALL_ASSERT(UPCALL_ALIGNOF(EndsU32) == 4);
UPCALL_ASSERT(offsetof(struct EndsU32, min) == 0);
UPCALL_ASSERT(offsetof(struct EndsU32, max) == 4);

/** The least and the greatest of some `u64`. */
struct EndsU64 {
    /** The least value. */
    uint64_t min;
    /** The greatest value. */
    uint64_t max;
};
UPCALL_ASSERT(sizeof(EndsU64) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(EndsU64) == 8);
UPCALL_ASSERT(offsetof(struct EndsU64, min) == 0);
UPCALL_ASSERT(offsetof(struct EndsU64, max) == 8);

struct Slice_f32 {
    const float *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Slice_f32) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Slice_f32) == 8);
UPCALL_ASSERT(offsetof(struct Slice_f32, data) == 0);
UPCALL_ASSERT(offsetof(struct Slice_f32, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline Slice_f32 Slice_f32_from(const float *data, size_t len) {
    Slice_f32 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/** The least and the greatest of some `f32`. */
struct EndsF32 {
    /** The least value. */
    float min;
    /** The greatest value. */
    float max;
};
UPCALL_ASSERT(sizeof(EndsF32) == 8);
UPCALL_ASSERT(UPCALL_ALIGNOF(EndsF32) == 4);
UPCALL_ASSERT(offsetof(struct EndsF32, min) == 0);
UPCALL_ASSERT(offsetof(struct EndsF32, max) == 4);

struct Slice_f64 {
    const double *data;
    size_t len;
};
UPCALL_ASSERT(sizeof(Slice_f64) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(Slice_f64) == 8);
UPCALL_ASSERT(offsetof(struct Slice_f64, data) == 0);
UPCALL_ASSERT(offsetof(struct Slice_f64, len) == 8);
/** `len` elements at `data`, which must live until the call returns. */
static inline Slice_f64 Slice_f64_from(const double *data, size_t len) {
    Slice_f64 slice;
    slice.data = data;
    slice.len = len;
    return slice;
}

/** The least and the greatest of some `f64`. */
struct EndsF64 {
    /** The least value. */
    double min;
    /** The greatest value. */
    double max;
};
UPCALL_ASSERT(sizeof(EndsF64) == 16);
UPCALL_ASSERT(UPCALL_ALIGNOF(EndsF64) == 8);
UPCALL_ASSERT(offsetof(struct EndsF64, min) == 0);
UPCALL_ASSERT(offsetof(struct EndsF64, max) == 8);

/** The head of an event, before the bytes of its pool's path, its key and its value, which end at a multiple of 8. */
struct UpcallEvent {
    /** One of `UPCALL_EVENT_PUT`, `UPCALL_EVENT_REMOVED` and `UPCALL_EVENT_MISSED`. */
    uint32_t what;
    /** Bytes of the pool's path. */
    uint32_t pool;
    /** Bytes of the key. */
    uint32_t key;
    /** Bytes of the value. */
    uint32_t value;
    /** The version; the smallest that was missed. */
    uint64_t version;
    /** Nanoseconds since the Unix epoch; the largest version that was missed. */
    uint64_t time;
    /** How many were missed. */
    uint64_t missed;
};
UPCALL_ASSERT(sizeof(UpcallEvent) == 40);
UPCALL_ASSERT(UPCALL_ALIGNOF(UpcallEvent) == 8);
UPCALL_ASSERT(offsetof(struct UpcallEvent, what) == 0);
UPCALL_ASSERT(offsetof(struct UpcallEvent, pool) == 4);
UPCALL_ASSERT(offsetof(struct UpcallEvent, key) == 8);
UPCALL_ASSERT(offsetof(struct UpcallEvent, value) == 12);
UPCALL_ASSERT(offsetof(struct UpcallEvent, version) == 16);
UPCALL_ASSERT(offsetof(struct UpcallEvent, time) == 24);
UPCALL_ASSERT(offsetof(struct UpcallEvent, missed) == 32);

/**
 * Reads the text of a flow's file, in TOML. `path` is where it is, or would be: paths in it are relative to its folder, and
 * messages name it. It is empty where there is no file: paths are relative to the current folder then. Handlers that name no
 * code are given by the program.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallFlowBuilder *upcall_flow_builder_new(Str text, Str path, Failure **failure);

/**
 * As `new`, behind the flow's own keys (`workers = 2`), each on a line, which the program adds to those of its file: places
 * that messages name are those of the file.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallFlowBuilder *upcall_flow_builder_with_keys(Str keys, Str text, Str path, Failure **failure);

/**
 * Says which guest the program itself is, as in `csharp`: its runtime runs the handlers that the flow's file names of this
 * guest, and those that are given. `table` is its SDK's `GuestTable`, which stays for ever; `threads` is one of
 * `UPCALL_THREADS_ANY`, `UPCALL_THREADS_OWN` and `UPCALL_THREADS_ONE`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_flow_builder_program(UpcallFlowBuilder *upcall_flow_builder, Str guest, const void *table, uint32_t threads, Failure **failure);

/**
 * Gives the handler of this name, before the start: a module of the program's table, which the flow owns from now on, also
 * where this fails, and releases by the table's `unload` on whatever thread. Where nobody has said yet which guest the
 * program is (`program`), it fails and the module stays the caller's: there is no table to release it by.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_flow_builder_give(UpcallFlowBuilder *upcall_flow_builder, Str handler, void *module, Failure **failure);

/**
 * Starts it: other guests that the flow's file names, and all handlers. Their constructors and OPEN run meanwhile, on the
 * workers, so an event loop that they need must go on. Once.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallTask *upcall_flow_builder_start(UpcallFlowBuilder *upcall_flow_builder, Failure **failure);

UPCALL_API void upcall_flow_builder_release(UpcallFlowBuilder *upcall_flow_builder);

/**
 * Gives the handler of this name, before the start: a function that is called with the key, the value and the version of
 * each object, and with what `upcall_emit` and `upcall_fail` take; all of them end with the call. It returns 0, or anything
 * else where the object has failed. All workers call it, several at once unless the handler's `order` is `single`.
 *
 * `handle` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `handle_context`. That belongs to the library with the call, also where the call fails: `handle_release`, which may be
 * null, is called with it once, on any thread, when `handle` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_flow_builder_on_object(UpcallFlowBuilder *upcall_flow_builder, Str handler, int32_t (*handle)(void *context, Str arg0, Slice_u8 arg1, uint64_t arg2, void *arg3), void *handle_context, void (*handle_release)(void *context), Failure **failure);

/**
 * Emits an object into the handler's first pool.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_emit(void *emit, Slice_u8 key, Slice_u8 value, Failure **failure);

/**
 * Emits an object into a pool that the handler names in its `to`. Another one fails the object.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_emit_to(void *emit, Str pool, Slice_u8 key, Slice_u8 value, Failure **failure);

/**
 * Says why the object fails, for its dead letter: text that may quote whatever the object holds, as what is not UTF-8 in it
 * is replaced. What it returns, a handler may return.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_fail(void *emit, Slice_u8 message, Failure **failure);

/**
 * The pool's path.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_pool_path(const UpcallPool *upcall_pool, Failure **failure);

/**
 * What its values are: a word of a flow's file (`bytes`, `text`, `u64`), `blittable Reading 16` or `packed Order`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_pool_value_type(const UpcallPool *upcall_pool, Failure **failure);

/**
 * Fails on a worker of the pool's flow, where whoever waits for the flow would wait for itself. To be asked before a call
 * that may wait: one that is refused only when it has to wait is refused under load only.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_pool_may_wait(const UpcallPool *upcall_pool, Failure **failure);

/**
 * Puts an object. Waits for credit, so a handler of the same flow must not call it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_pool_put(const UpcallPool *upcall_pool, Slice_u8 key, Slice_u8 value, Failure **failure);

/**
 * Puts an object if there is credit. Returns whether there was.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_pool_try_put(const UpcallPool *upcall_pool, Slice_u8 key, Slice_u8 value, Failure **failure);

/**
 * Puts objects, each as the lengths of its key and its value (`u32` each) and their bytes, until there is no credit.
 * Returns how many bytes of `objects` were taken. Waits for credit first if `wait` says so. Fails where the first object
 * cannot be put; one behind it ends the call, and the next, which begins with it, fails.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_pool_put_many(const UpcallPool *upcall_pool, Slice_u8 objects, bool wait, Failure **failure);

/**
 * Puts, puts on condition, triggers or removes, without waiting: key and value are copied where there is no credit. The
 * task has the version, of a trigger 0.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallTask *upcall_pool_send(const UpcallPool *upcall_pool, UpcallSend what, Slice_u8 key, Slice_u8 value, uint64_t previous, Failure **failure);

/**
 * Copies the value of a key into `room` if it fits, and writes what was found. Returns whether the value was copied, or
 * there is none: if not, ask again with room for `found.len` bytes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_pool_get(const UpcallPool *upcall_pool, Slice_u8 key, UpcallAsOf of, uint64_t at, SliceMut_u8 room, UpcallFound *found, Failure **failure);

/**
 * The versions of a key that are kept, oldest first.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_UpcallSeen upcall_pool_versions(const UpcallPool *upcall_pool, Slice_u8 key, Failure **failure);

/**
 * The keys that begin with `prefix`, sorted, each as its length (`u32`) and its bytes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_pool_list(const UpcallPool *upcall_pool, Slice_u8 prefix, Failure **failure);

UPCALL_API void upcall_pool_release(UpcallPool *upcall_pool);

/**
 * The pool with this path.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallPool *upcall_flow_pool(const UpcallFlow *upcall_flow, Str path, Failure **failure);

/**
 * The paths of its pools, one per line.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_flow_pools(const UpcallFlow *upcall_flow, Failure **failure);

/**
 * Watches the pool of this path and all below it, from now on, with room for so many events.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallWatch *upcall_flow_watch(const UpcallFlow *upcall_flow, Str prefix, uint64_t events, Failure **failure);

/**
 * Until nothing is in flight and every handler knows that its input has ended.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallTask *upcall_flow_drain(const UpcallFlow *upcall_flow, Failure **failure);

/**
 * Until nothing is in flight.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallTask *upcall_flow_settle(const UpcallFlow *upcall_flow, Failure **failure);

/**
 * Lets nothing wait for a retry any more, and no call for longer than five seconds.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_flow_hurry(const UpcallFlow *upcall_flow, Failure **failure);

/**
 * What the flow has done so far, as JSON. A flow that has been stopped has none any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_flow_report(const UpcallFlow *upcall_flow, Failure **failure);

/**
 * The dead letters about items of a pool that are kept, oldest first, as a list in JSON. A flow that has been stopped
 * has none any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_flow_dead_letters(const UpcallFlow *upcall_flow, Str pool, Failure **failure);

/**
 * Objects in flight.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_flow_in_flight(const UpcallFlow *upcall_flow, Failure **failure);

/**
 * Fails with what has stopped the flow, if anything has.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_flow_check(const UpcallFlow *upcall_flow, Failure **failure);

/**
 * Stops the workers and closes every handler; what is in flight is lost. Its handlers may ask for that too. Who asks again
 * waits for the same, which then has ended well.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallTask *upcall_flow_stop(const UpcallFlow *upcall_flow, Failure **failure);

UPCALL_API void upcall_flow_release(UpcallFlow *upcall_flow);

/**
 * Whether it has ended. If not, `wake` is called once it may have, on any thread, and must only pass that on: asking
 * again is for another moment. A later call replaces it.
 *
 * `wake` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `wake_context`. That belongs to the library with the call, also where the call fails: `wake_release`, which may be
 * null, is called with it once, on any thread, when `wake` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_task_poll(const UpcallTask *upcall_task, void (*wake)(void *context), void *wake_context, void (*wake_release)(void *context), Failure **failure);

/**
 * Waits until it has ended, so many milliseconds at most; for ever with a negative number. Returns whether it has. Behind a
 * wait for ever, or one that really waited, no thread of the task's is left.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_task_wait(const UpcallTask *upcall_task, int64_t milliseconds, Failure **failure);

/**
 * Ends well, or says why it failed.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_task_check(const UpcallTask *upcall_task, Failure **failure);

/**
 * The version that a put or a removal has become.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_task_version(const UpcallTask *upcall_task, Failure **failure);

/**
 * The flow that has started. Taken once.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallFlow *upcall_task_flow(const UpcallTask *upcall_task, Failure **failure);

UPCALL_API void upcall_task_release(UpcallTask *upcall_task);

/**
 * The events that are there, each an `UpcallEvent` and its bytes; waits so many milliseconds for the first. Empty when
 * there was none, or when the flow has stopped.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_watch_next(const UpcallWatch *upcall_watch, uint64_t milliseconds, Failure **failure);

/**
 * As `next`, for an event loop: where there is none, `wake` is called once there may be, on any thread, and must only pass
 * that on.
 *
 * `wake` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `wake_context`. That belongs to the library with the call, also where the call fails: `wake_release`, which may be
 * null, is called with it once, on any thread, when `wake` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_watch_poll(const UpcallWatch *upcall_watch, void (*wake)(void *context), void *wake_context, void (*wake_release)(void *context), Failure **failure);

/**
 * Whether the flow has stopped, so that no event will come but those that wait.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_watch_has_ended(const UpcallWatch *upcall_watch, Failure **failure);

UPCALL_API void upcall_watch_release(UpcallWatch *upcall_watch);

/**
 * Maps a file that `upcall graph build` has made. Nobody may write or shorten it as long as it is mapped.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallGraph *upcall_graph_new(Str path, Failure **failure);

/**
 * How many vertices it has.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_graph_vertices(const UpcallGraph *upcall_graph, Failure **failure);

/**
 * How many edges; each counts once per direction where they have none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_graph_edges(const UpcallGraph *upcall_graph, Failure **failure);

/**
 * Whether edges have a direction.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_graph_is_directed(const UpcallGraph *upcall_graph, Failure **failure);

/**
 * What the lists of edges have called a vertex.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_graph_vertex_name(const UpcallGraph *upcall_graph, uint64_t vertex, Failure **failure);

UPCALL_API void upcall_graph_release(UpcallGraph *upcall_graph);

/**
 * Describes a run over a graph, of a program that messages call by this name.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallGraphRun *upcall_graph_run_new(const UpcallGraph *graph, Str name, Failure **failure);

/**
 * Gives the program: a module of the table of this guest, which the run owns from now on, also where this fails later. `threads`
 * is one of `UPCALL_THREADS_ANY`, `UPCALL_THREADS_OWN` and `UPCALL_THREADS_ONE`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_graph_run_program(UpcallGraphRun *upcall_graph_run, Str guest, const void *table, uint32_t threads, void *module, Failure **failure);

/**
 * What the program is told when it is opened.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_graph_run_set(UpcallGraphRun *upcall_graph_run, Str name, Str value, Failure **failure);

/**
 * How many iterations there are at most, and on how many threads, 0 for one per core.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_graph_run_limit(UpcallGraphRun *upcall_graph_run, uint64_t iterations, uint32_t threads, Failure **failure);

/**
 * Has vertices updated in intervals of so many, one interval after the other, and see what those of earlier ones show in the same
 * iteration.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_graph_run_gauss_seidel(UpcallGraphRun *upcall_graph_run, uint64_t vertices, Failure **failure);

/**
 * Has vertices' values kept in nameless, mapped files in a folder, and not in memory.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_graph_run_values_in(UpcallGraphRun *upcall_graph_run, Str folder, Failure **failure);

/**
 * Starts it, once: on a thread of its own, which calls the program as its guest's threads allow, so an event loop must go on.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallTask *upcall_graph_run_start(UpcallGraphRun *upcall_graph_run, Failure **failure);

/**
 * Has it end with `UPCALL_STOPPED` when its workers have done what they are at.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_graph_run_stop(const UpcallGraphRun *upcall_graph_run, Failure **failure);

/**
 * How many iterations there were.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_graph_run_iterations(const UpcallGraphRun *upcall_graph_run, Failure **failure);

/**
 * Copies what vertices have kept to themselves, as numbers of the program's type `own`, side by side.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_graph_run_own(const UpcallGraphRun *upcall_graph_run, SliceMut_u8 room, Failure **failure);

/**
 * The same of the values of edges, of the type `edge`, in the order of incoming ones: by their destinations, then by their sources.
 * None where the program does not write them.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_graph_run_edges(const UpcallGraphRun *upcall_graph_run, SliceMut_u8 room, Failure **failure);

/**
 * The same of what they showed at the end, of the type `shown`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_graph_run_shown(const UpcallGraphRun *upcall_graph_run, SliceMut_u8 room, Failure **failure);

UPCALL_API void upcall_graph_run_release(UpcallGraphRun *upcall_graph_run);

/**
 * Begins to write a copy of elements at a rank, from its element `at` on, in an epoch of locks. When the request has ended they
 * have been read, and are there at the latest when the epoch has ended, or after a flush. Nothing is cancelled; a request that is
 * released is waited for by its epoch, and one that is waited for when that has ended says that it has ended; so below.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_epoch_start_put(const UpcallMpiEpoch *upcall_mpi_epoch, Slice_u8 data, int32_t to, uint64_t at, Failure **failure);

/**
 * The same of so many bytes at an address. `keep` is never called: it is released when the transfer has ended, and until then
 * they stay there, unchanged; so below.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_epoch_start_put_lent(const UpcallMpiEpoch *upcall_mpi_epoch, const void *address, size_t bytes, int32_t to, uint64_t at, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * Begins to read so many bytes of elements of a rank's, in an epoch of locks, into memory of the library's: the request's `take`
 * and `copy` have them at the end.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_epoch_start_get(const UpcallMpiEpoch *upcall_mpi_epoch, size_t bytes, int32_t from, uint64_t at, Failure **failure);

/**
 * The same into so many bytes at an address, where they are when the request has ended.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_epoch_start_get_lent(const UpcallMpiEpoch *upcall_mpi_epoch, void *address, size_t bytes, int32_t from, uint64_t at, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * Begins to combine a copy of elements into those of a rank's, each at once, in an epoch of locks.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_epoch_start_accumulate(const UpcallMpiEpoch *upcall_mpi_epoch, Slice_u8 data, int32_t to, uint64_t at, const UpcallMpiCombining *by, Failure **failure);

/**
 * The same of so many bytes at an address.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_epoch_start_accumulate_lent(const UpcallMpiEpoch *upcall_mpi_epoch, const void *address, size_t bytes, int32_t to, uint64_t at, const UpcallMpiCombining *by, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * One whose values a duplicate of the communicator has as well, where they are copied, or has not.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiKey *upcall_mpi_key_new(bool copied, Failure **failure);

UPCALL_API void upcall_mpi_key_release(UpcallMpiKey *upcall_mpi_key);

/**
 * Keeps the number of a value, which is not 0, with this communicator, on this process, instead of what was there under this
 * key. `released` is called once, on whichever thread, when no communicator has it any more; it must not call MPI.
 *
 * `released` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `released_context`. That belongs to the library with the call, also where the call fails: `released_release`, which may be
 * null, is called with it once, on any thread, when `released` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_set_value(const UpcallMpiCommunicator *upcall_mpi_communicator, const UpcallMpiKey *key, uint64_t number, void (*released)(void *context), void *released_context, void (*released_release)(void *context), Failure **failure);

/**
 * The number that is kept under this key; 0 where there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_mpi_communicator_value(const UpcallMpiCommunicator *upcall_mpi_communicator, const UpcallMpiKey *key, Failure **failure);

/**
 * Takes away what is kept under this key. Returns whether there was anything.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_communicator_remove_value(const UpcallMpiCommunicator *upcall_mpi_communicator, const UpcallMpiKey *key, Failure **failure);

/**
 * Begins a call of all ranks with a copy of what this one gives, which has room for so many bytes: `take` and `copy` have
 * what has come. `element` is the bytes of an element, of which parts have whole ones; an operation is for those that
 * combine; counts are of bytes, of those that have them. Where this rank gives or gets nothing, that is empty. A broadcast
 * sends `data` at the root, and others have as much room.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_start_collective(const UpcallMpiCommunicator *upcall_mpi_communicator, UpcallMpiCollective what, Slice_u8 data, size_t room, int32_t root, size_t element, Slice_u64 counts, Slice_u64 into_counts, const UpcallMpiOperation *operation, Failure **failure);

/**
 * The same over memory at addresses. `keep` is never called: it is released when MPI needs that no more, on any thread, and
 * until then all of it stays there, what is sent unchanged, and what comes unused. Both are apart; numbers lie where their
 * type has them. A broadcast reads at the root, and fills elsewhere, what is at `into`, and has no other memory.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_start_collective_lent(const UpcallMpiCommunicator *upcall_mpi_communicator, UpcallMpiCollective what, const void *address, size_t bytes, void *into, size_t room, int32_t root, size_t element, Slice_u64 counts, Slice_u64 into_counts, const UpcallMpiOperation *operation, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * Makes a call of all ranks ready that sends so many bytes out of memory of the library's and has as much room there: each
 * round is written by `write`, started by `start`, waited for, and read by `take` or `copy`. All ranks make the same ready
 * and start it in the same order. The rest as of `start_collective`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_collective_init(const UpcallMpiCommunicator *upcall_mpi_communicator, UpcallMpiCollective what, size_t bytes, size_t room, int32_t root, size_t element, Slice_u64 counts, Slice_u64 into_counts, const UpcallMpiOperation *operation, Failure **failure);

/**
 * The same over memory at addresses, as of `start_collective_lent`; while no round is under way it is the caller's to use.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_collective_init_lent(const UpcallMpiCommunicator *upcall_mpi_communicator, UpcallMpiCollective what, const void *address, size_t bytes, void *into, size_t room, int32_t root, size_t element, Slice_u64 counts, Slice_u64 into_counts, const UpcallMpiOperation *operation, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/** Some bytes of memory, for a language that sees memory by slices alone. */
UPCALL_API SliceMut_u8 upcall_mpi_memory_view(uint64_t address, uint64_t bytes);

/**
 * One of so many bytes. MPI need not have been started.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiBuffer *upcall_mpi_buffer_new(size_t bytes, Failure **failure);

/**
 * Where it is, until it is released.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_buffer_memory(const UpcallMpiBuffer *upcall_mpi_buffer, UpcallMpiMemory *memory, Failure **failure);

/**
 * Whether what was written there lies on huge pages. It reads what the system says of all memory of the process.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_buffer_has_huge_pages(const UpcallMpiBuffer *upcall_mpi_buffer, Failure **failure);

UPCALL_API void upcall_mpi_buffer_release(UpcallMpiBuffer *upcall_mpi_buffer);

/**
 * How many bytes are under way.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_mpi_send_buffer_used(const UpcallMpiSendBuffer *upcall_mpi_send_buffer, Failure **failure);

/**
 * Waits until all that was sent by it has left, and takes it away. A second call does nothing.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_send_buffer_detach(const UpcallMpiSendBuffer *upcall_mpi_send_buffer, Failure **failure);

UPCALL_API void upcall_mpi_send_buffer_release(UpcallMpiSendBuffer *upcall_mpi_send_buffer);

/**
 * Attaches room for so many bytes of messages at once, for the buffered sends of all communicators and threads. There is
 * one at a time.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiSendBuffer *upcall_mpi_attach_buffer(const UpcallMpi *upcall_mpi, size_t bytes, Failure **failure);

/**
 * One by its name, a number's as in Rust (`f64`) or a struct's, with so many bytes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiElementType *upcall_mpi_element_type_new(Str name, size_t size, Failure **failure);

/**
 * Adds the next field of a struct: its name, the name of its type (of an array, of the array's elements), its place and its
 * bytes. Types are the same where their names, sizes and fields are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_element_type_field(UpcallMpiElementType *upcall_mpi_element_type, Str name, Str type_name, size_t offset, size_t size, Failure **failure);

UPCALL_API void upcall_mpi_element_type_release(UpcallMpiElementType *upcall_mpi_element_type);

/**
 * The same processes, whose messages say which type their elements have, where all of them want it: unless the environment
 * says so (`UPCALL_MPI_CHECK_TYPES`, `1` or `0`), where each has given `wanted`. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiChecked *upcall_mpi_communicator_checked(const UpcallMpiCommunicator *upcall_mpi_communicator, bool wanted, Failure **failure);

/**
 * Whether types are checked.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_checked_is_on(const UpcallMpiChecked *upcall_mpi_checked, Failure **failure);

/**
 * Sends elements of a type, as bytes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_checked_send(const UpcallMpiChecked *upcall_mpi_checked, Slice_u8 data, const UpcallMpiElementType *of, int32_t to, int32_t tag, Failure **failure);

/**
 * Receives elements of a type, of which there may be fewer than there is room for. Where the sender's type is another the
 * message is gone.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_checked_receive_into(const UpcallMpiChecked *upcall_mpi_checked, SliceMut_u8 into, const UpcallMpiElementType *of, int32_t from, int32_t tag, UpcallMpiStatus *status, Failure **failure);

/**
 * Receives elements of a type, however many there are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_checked_receive(const UpcallMpiChecked *upcall_mpi_checked, const UpcallMpiElementType *of, int32_t from, int32_t tag, UpcallMpiStatus *status, Failure **failure);

/**
 * Sends elements of one type to one rank and receives some of another from another, which cannot block each other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_checked_send_receive(const UpcallMpiChecked *upcall_mpi_checked, Slice_u8 data, const UpcallMpiElementType *of, int32_t to, int32_t send_tag, SliceMut_u8 into, const UpcallMpiElementType *into_of, int32_t from, int32_t receive_tag, UpcallMpiStatus *status, Failure **failure);

/**
 * The communicator for what all ranks do together with elements of a type, which they compare: one small exchange, where
 * types are checked. What is sent from rank to rank on it is not checked. It may be used for longer than this one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_checked_together(const UpcallMpiChecked *upcall_mpi_checked, const UpcallMpiElementType *of, Failure **failure);

UPCALL_API void upcall_mpi_checked_release(UpcallMpiChecked *upcall_mpi_checked);

/**
 * Waits until all ranks have called it; between two groups, those of both.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_barrier(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Gives all ranks the bytes of one, of which all have as many.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_broadcast(const UpcallMpiCommunicator *upcall_mpi_communicator, SliceMut_u8 data, int32_t root, Failure **failure);

/**
 * As `broadcast`, where the root alone knows how many there are: one exchange more. Where the root has none to give, as
 * its value could not be written, it says that they are not `valid`, and all ranks fail.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_broadcast_any(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, bool valid, int32_t root, Failure **failure);

/**
 * Gives one rank the bytes of all, of which all have as many, in the order of the ranks. `into` counts at the root.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_gather(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, int32_t root, Failure **failure);

/**
 * As `gather`, for all ranks.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_all_gather(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, Failure **failure);

/**
 * Gives each rank its part of what one has: as many bytes each, in the order of the ranks. `data` counts at the root.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_scatter_into(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, int32_t root, Failure **failure);

/**
 * As `scatter_into`, where the root alone knows how many elements, of so many bytes each, there are: one exchange more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_scatter(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, size_t element, int32_t root, Failure **failure);

/**
 * Each rank has a part for each other: what comes back is what all had for this one. All parts are as large, in elements
 * of so many bytes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_all_to_all(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, size_t element, Failure **failure);

/**
 * Whether this process is in none: it gave no color to `split`, is not in the group that `create` was given, or has no place
 * on the grid. All calls but this fail then.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_communicator_is_none(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * This process's rank, from 0 on.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_mpi_communicator_rank(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * How many processes there are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_mpi_communicator_size(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * The same processes, whose messages never meet those of this communicator; of a grid or graph one more. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_duplicate(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Frees what MPI has of it, which the ranks do in the same order, where it stays until it is released: all but that
 * fails from then on. What MPI has from the start is not closed, and a second call does nothing. Where requests go on, or
 * on a thread that may not call MPI, it is freed when it is released.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_close(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * The processes that give the same `color`, ranked by `key` and then as here; none for those whose color is negative. A
 * color that is larger than an `i32` is a failure on all ranks. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_split(const UpcallMpiCommunicator *upcall_mpi_communicator, int64_t color, int32_t key, Failure **failure);

/**
 * The largest tag that messages may have: 32,767 or more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_mpi_communicator_largest_tag(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Ends all processes of the job at once, with this exit code. It does not return.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_abort(const UpcallMpiCommunicator *upcall_mpi_communicator, int32_t code, Failure **failure);

/**
 * Sends bytes. Returns when they may be changed again, which may be before or after they are received.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_send(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, int32_t to, int32_t tag, UpcallMpiMode mode, Failure **failure);

/**
 * Receives at most as many bytes as there is room for, from a rank and with a tag, or `UPCALL_MPI_ANY`. Without a status
 * nobody hears how many there were.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_receive_into(const UpcallMpiCommunicator *upcall_mpi_communicator, SliceMut_u8 into, int32_t from, int32_t tag, UpcallMpiStatus *status, Failure **failure);

/**
 * Receives a message of any size.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_receive(const UpcallMpiCommunicator *upcall_mpi_communicator, int32_t from, int32_t tag, UpcallMpiStatus *status, Failure **failure);

/**
 * Sends to one rank and receives from another in one call, which cannot block each other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_send_receive(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, int32_t to, int32_t send_tag, SliceMut_u8 into, int32_t from, int32_t receive_tag, UpcallMpiStatus *status, Failure **failure);

UPCALL_API void upcall_mpi_communicator_release(UpcallMpiCommunicator *upcall_mpi_communicator);

/**
 * Loads the MPI whose launcher has started this process, or the machine's own where none has, and starts it on this thread.
 * What it gives is in `threads`, and may be less than `wanted`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpi *upcall_mpi_start(UpcallMpiThreads wanted, Failure **failure);

/**
 * Finalizes MPI, which waits for the other processes. On the thread that has started it, once.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_finish(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * All processes of the job.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_world(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * This process alone.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_own(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * Which threads may call it. A call of another one is an error.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiThreads upcall_mpi_threads(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * What the MPI calls itself: `Open MPI v4.1.4, …`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_mpi_library(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * The version of MPI's standard that it has: `3.1`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_mpi_standard(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * The name of the machine that this process runs on.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_mpi_processor(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * Seconds since some moment in the past, by the clock of MPI's.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mpi_time(const UpcallMpi *upcall_mpi, Failure **failure);

UPCALL_API void upcall_mpi_release(UpcallMpi *upcall_mpi);

/**
 * An operation on numbers by their names, as `upcall_mpi_operation_named` has them, or `Replace`, or `Nothing`, which leaves
 * what is there.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCombining *upcall_mpi_combining_named(Str operator_, Str number, Failure **failure);

UPCALL_API void upcall_mpi_combining_release(UpcallMpiCombining *upcall_mpi_combining);

/**
 * Writes a copy of elements at a rank, from its element `at` on.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_put(const UpcallMpiEpoch *upcall_mpi_epoch, Slice_u8 data, int32_t to, uint64_t at, Failure **failure);

/**
 * The same of so many bytes at an address. `keep` is never called: it is released when the epoch has ended, and until then
 * they stay there, unchanged; so below.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_put_lent(const UpcallMpiEpoch *upcall_mpi_epoch, const void *address, size_t bytes, int32_t to, uint64_t at, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * Reads elements of a rank's into so many bytes at an address, where they are when the epoch has ended, or after a flush.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_get_lent(const UpcallMpiEpoch *upcall_mpi_epoch, void *address, size_t bytes, int32_t from, uint64_t at, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * The same, in an epoch of locks: they are there when it returns.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_fetch(const UpcallMpiEpoch *upcall_mpi_epoch, SliceMut_u8 into, int32_t from, uint64_t at, Failure **failure);

/**
 * Combines a copy of elements into those of a rank's, each at once.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_accumulate(const UpcallMpiEpoch *upcall_mpi_epoch, Slice_u8 data, int32_t to, uint64_t at, const UpcallMpiCombining *by, Failure **failure);

/**
 * The same of bytes at an address.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_accumulate_lent(const UpcallMpiEpoch *upcall_mpi_epoch, const void *address, size_t bytes, int32_t to, uint64_t at, const UpcallMpiCombining *by, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * As `accumulate`; what was there before is at the address when the epoch has ended.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_get_accumulate_lent(const UpcallMpiEpoch *upcall_mpi_epoch, Slice_u8 data, void *before, size_t bytes, int32_t to, uint64_t at, const UpcallMpiCombining *by, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * As `accumulate`, in an epoch of locks: what was there before is in `before` when it returns.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_fetch_and_accumulate(const UpcallMpiEpoch *upcall_mpi_epoch, Slice_u8 data, SliceMut_u8 before, int32_t to, uint64_t at, const UpcallMpiCombining *by, Failure **failure);

/**
 * The same of one number, which is faster.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_fetch_and_op(const UpcallMpiEpoch *upcall_mpi_epoch, Slice_u8 value, SliceMut_u8 before, int32_t to, uint64_t at, const UpcallMpiCombining *by, Failure **failure);

/**
 * The same; what was there before is at the address when the epoch has ended.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_fetch_and_op_lent(const UpcallMpiEpoch *upcall_mpi_epoch, Slice_u8 value, void *before, size_t bytes, int32_t to, uint64_t at, const UpcallMpiCombining *by, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * Writes an integer at a rank if what is there is `expected`, at once, in an epoch of locks: what was there is in `before` when
 * it returns. Of the operation only its numbers count.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_compare_and_swap(const UpcallMpiEpoch *upcall_mpi_epoch, Slice_u8 expected, Slice_u8 value, SliceMut_u8 before, int32_t to, uint64_t at, const UpcallMpiCombining *of, Failure **failure);

/**
 * The same; what was there before is at the address when the epoch has ended.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_compare_and_swap_lent(const UpcallMpiEpoch *upcall_mpi_epoch, Slice_u8 expected, Slice_u8 value, void *before, size_t bytes, int32_t to, uint64_t at, const UpcallMpiCombining *of, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * Completes what was begun with a rank, or with all (`UPCALL_MPI_ANY`), in an epoch of locks: there too, or `local` on this side
 * only, where what was put has been read and may not be there yet.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_flush(const UpcallMpiEpoch *upcall_mpi_epoch, int32_t rank, bool local, Failure **failure);

/**
 * Where a rank's memory is, in an epoch of memory in place, until that has ended. What is there when the window has been freed is
 * nobody's.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_memory(const UpcallMpiEpoch *upcall_mpi_epoch, int32_t rank, UpcallMpiMemory *memory, Failure **failure);

/**
 * Whether it has ended.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_epoch_has_ended(const UpcallMpiEpoch *upcall_mpi_epoch, Failure **failure);

/**
 * Ends it: what was begun is done, also where it fails, but where this thread may not call MPI.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_epoch_end(const UpcallMpiEpoch *upcall_mpi_epoch, Failure **failure);

UPCALL_API void upcall_mpi_epoch_release(UpcallMpiEpoch *upcall_mpi_epoch);

/**
 * Waits until all ranks that it is for have ended their access.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_exposure_wait(const UpcallMpiExposure *upcall_mpi_exposure, Failure **failure);

/**
 * Whether they have, which ends it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_exposure_test(const UpcallMpiExposure *upcall_mpi_exposure, Failure **failure);

UPCALL_API void upcall_mpi_exposure_release(UpcallMpiExposure *upcall_mpi_exposure);

/**
 * Sums the elements of all ranks, of which all have as many, element by element, without rounding but that of each result:
 * the same bits whatever the number of ranks. It takes longer than a sum of MPI's: of a thousand elements and more 10 to 35
 * times. Where each rank has many numbers for one sum, `sum_reproducible` costs next to nothing.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_all_reduce_reproducible(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, UpcallMpiReal of, Failure **failure);

/**
 * As `all_reduce_reproducible`, for one rank. `into` counts at the root.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_reduce_reproducible(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, UpcallMpiReal of, int32_t root, Failure **failure);

/**
 * The sum of all elements of all ranks, which may have different numbers of them: the same bits whatever the number of
 * ranks, and however the elements are cut among them. Of numbers of 4 bytes it is one of those.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mpi_communicator_sum_reproducible(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, UpcallMpiReal of, Failure **failure);

/**
 * One of nothing: 0.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiExactSum *upcall_mpi_exact_sum_new(UpcallMpiReal of, Failure **failure);

/**
 * Adds a number, as one of the sum's own.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_exact_sum_add(UpcallMpiExactSum *upcall_mpi_exact_sum, double number, Failure **failure);

/**
 * Adds numbers of the sum's own.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_exact_sum_add_all(UpcallMpiExactSum *upcall_mpi_exact_sum, Slice_u8 data, Failure **failure);

/**
 * Adds what another of the same numbers has.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_exact_sum_merge(UpcallMpiExactSum *upcall_mpi_exact_sum, const UpcallMpiExactSum *other, Failure **failure);

/**
 * The number that is nearest to the sum; of two that are as near, the even one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mpi_exact_sum_value(const UpcallMpiExactSum *upcall_mpi_exact_sum, Failure **failure);

/**
 * Adds up the sums of all ranks: afterwards each has that of all. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_exact_sum_all_reduce(UpcallMpiExactSum *upcall_mpi_exact_sum, const UpcallMpiCommunicator *comm, Failure **failure);

UPCALL_API void upcall_mpi_exact_sum_release(UpcallMpiExactSum *upcall_mpi_exact_sum);

/**
 * Ends what is under way on this communicator, on all ranks: only `shrink` and `agree` go on with it. One rank calls it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_revoke(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Whether it was revoked, as far as this rank knows by now.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_communicator_is_revoked(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * The ranks that live, in the order that they have here. Collective over these.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_shrink(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * The bits that are set in what all ranks that live give. Collective over these.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_mpi_communicator_agree(const UpcallMpiCommunicator *upcall_mpi_communicator, int32_t flags, Failure **failure);

/**
 * Takes note of the ranks that are known to have died: what receives from any rank waits for the others again.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_acknowledge_failures(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * The processes whose failure was acknowledged.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiGroup *upcall_mpi_communicator_acknowledged_failures(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * The ranks whose failure was acknowledged.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_i32 upcall_mpi_communicator_failed_ranks(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Opens a file. `how` is the sum of `UPCALL_MPI_FILE_READ` and its like; hints are lines of `name=value`, as MPI's manual has
 * them, of which it ignores what it does not know. Collective: all ranks say the same.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiFile *upcall_mpi_communicator_file_open(const UpcallMpiCommunicator *upcall_mpi_communicator, Str path, uint32_t how, Str hints, Failure **failure);

/**
 * Deletes a file: one rank does that, when none has it open.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_file_delete(const UpcallMpiCommunicator *upcall_mpi_communicator, Str path, Failure **failure);

/**
 * Closes it, when all that was begun has ended, and says whether that went well. Collective. A second call does nothing.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_file_close(const UpcallMpiFile *upcall_mpi_file, Failure **failure);

/**
 * Its bytes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_mpi_file_size(const UpcallMpiFile *upcall_mpi_file, Failure **failure);

/**
 * Makes it as large: what is behind is cut off, what is new is zero. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_file_set_size(const UpcallMpiFile *upcall_mpi_file, uint64_t bytes, Failure **failure);

/**
 * Takes room for so many bytes, so that writing them does not find the disk full; a larger file stays as it is. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_file_preallocate(const UpcallMpiFile *upcall_mpi_file, uint64_t bytes, Failure **failure);

/**
 * Brings what was written to the disk, and what others have brought there to this rank's eyes. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_file_sync(const UpcallMpiFile *upcall_mpi_file, Failure **failure);

/**
 * Whether each read and write is done at once, as others see it, without `sync`. Off at first. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_file_set_atomic(const UpcallMpiFile *upcall_mpi_file, bool atomic, Failure **failure);

/**
 * Whether it is.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_file_is_atomic(const UpcallMpiFile *upcall_mpi_file, Failure **failure);

/**
 * The hints in use, as lines of `name=value`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_mpi_file_hints(const UpcallMpiFile *upcall_mpi_file, Failure **failure);

/**
 * Moves this rank's pointer, or the one that all ranks have, which they do together: where it is then, in elements of the
 * view.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_mpi_file_seek(const UpcallMpiFile *upcall_mpi_file, int64_t offset, UpcallMpiSeek from, bool shared, Failure **failure);

/**
 * Where this rank's pointer is, or the one that all ranks have, in elements of the view.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_mpi_file_position(const UpcallMpiFile *upcall_mpi_file, bool shared, Failure **failure);

/**
 * Reads bytes of elements of so many each: how many bytes there were before the file's end, which may be none. `offset` is
 * for places that have one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_mpi_file_read(const UpcallMpiFile *upcall_mpi_file, SliceMut_u8 into, size_t element, UpcallMpiPlace place, uint64_t offset, Failure **failure);

/**
 * Writes bytes, all of them.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_file_write(const UpcallMpiFile *upcall_mpi_file, Slice_u8 data, UpcallMpiPlace place, uint64_t offset, Failure **failure);

UPCALL_API void upcall_mpi_file_release(UpcallMpiFile *upcall_mpi_file);

/**
 * This process's rank in it; -1 where it is not in it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_mpi_group_rank(const UpcallMpiGroup *upcall_mpi_group, Failure **failure);

/**
 * How many processes it has.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_mpi_group_size(const UpcallMpiGroup *upcall_mpi_group, Failure **failure);

/**
 * The processes of this one, and then those of the other that are not in this one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiGroup *upcall_mpi_group_union(const UpcallMpiGroup *upcall_mpi_group, const UpcallMpiGroup *other, Failure **failure);

/**
 * The processes of this one that are in the other, too.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiGroup *upcall_mpi_group_intersection(const UpcallMpiGroup *upcall_mpi_group, const UpcallMpiGroup *other, Failure **failure);

/**
 * The processes of this one that are not in the other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiGroup *upcall_mpi_group_difference(const UpcallMpiGroup *upcall_mpi_group, const UpcallMpiGroup *other, Failure **failure);

/**
 * Its processes of these ranks, in this order.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiGroup *upcall_mpi_group_include(const UpcallMpiGroup *upcall_mpi_group, Slice_i32 ranks, Failure **failure);

/**
 * Its processes without those of these ranks.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiGroup *upcall_mpi_group_exclude(const UpcallMpiGroup *upcall_mpi_group, Slice_i32 ranks, Failure **failure);

/**
 * Its processes of ranges of ranks, each of which is three numbers: the first rank, the last one if a step reaches it, and the
 * step, which may be negative.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiGroup *upcall_mpi_group_include_ranges(const UpcallMpiGroup *upcall_mpi_group, Slice_i32 ranges, Failure **failure);

/**
 * Its processes without those of such ranges.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiGroup *upcall_mpi_group_exclude_ranges(const UpcallMpiGroup *upcall_mpi_group, Slice_i32 ranges, Failure **failure);

/**
 * Which ranks those of these ranks have in the other one; -1 for those that are not in it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_i32 upcall_mpi_group_translate(const UpcallMpiGroup *upcall_mpi_group, Slice_i32 ranks, const UpcallMpiGroup *other, Failure **failure);

/**
 * How alike the two are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiComparison upcall_mpi_group_compare(const UpcallMpiGroup *upcall_mpi_group, const UpcallMpiGroup *other, Failure **failure);

UPCALL_API void upcall_mpi_group_release(UpcallMpiGroup *upcall_mpi_group);

/**
 * Its processes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiGroup *upcall_mpi_communicator_group(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * The processes of a group, in its order; none for those that are not in it. Collective over all ranks of this
 * communicator, which all give the same group.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_create(const UpcallMpiCommunicator *upcall_mpi_communicator, const UpcallMpiGroup *group, Failure **failure);

/**
 * As `create`, collective over the processes of the group only. `tag` tells apart what threads make at once.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_create_group(const UpcallMpiCommunicator *upcall_mpi_communicator, const UpcallMpiGroup *group, int32_t tag, Failure **failure);

/**
 * The processes that share memory with this one (those of its machine), ranked by `key` and then as here. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_split_shared_memory(const UpcallMpiCommunicator *upcall_mpi_communicator, int32_t key, Failure **failure);

/**
 * How alike this one and another are: a duplicate is congruent.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiComparison upcall_mpi_communicator_compare(const UpcallMpiCommunicator *upcall_mpi_communicator, const UpcallMpiCommunicator *other, Failure **failure);

/**
 * Its name, as debuggers and profilers show it; empty where it has none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_mpi_communicator_name(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Names it, on this process.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_set_name(const UpcallMpiCommunicator *upcall_mpi_communicator, Str name, Failure **failure);

/**
 * One by its guest (`native`, `csharp`, `java`, `python`, `node`, `wasm`), the file that has it, and its class, as a flow's
 * file says them. The file is relative to the current folder.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallCombineHandler *upcall_combine_handler_new(Str guest, Str file, Str class_, Failure **failure);

/**
 * Gives it a setting, which it reads when it is opened.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_combine_handler_setting(UpcallCombineHandler *upcall_combine_handler, Str name, Str value, Failure **failure);

/**
 * Has it run in a process of its own, as all handlers in JavaScript do.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_combine_handler_isolate(UpcallCombineHandler *upcall_combine_handler, Failure **failure);

/**
 * Says which guest the program itself is, as in `csharp`: its runtime runs the handler where that is of this guest. `table`
 * is its SDK's `GuestTable`, which stays for ever; `threads` is one of `UPCALL_THREADS_ANY`, `UPCALL_THREADS_OWN` and
 * `UPCALL_THREADS_ONE`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_combine_handler_program(UpcallCombineHandler *upcall_combine_handler, Str guest, const void *table, uint32_t threads, Failure **failure);

/**
 * Loads it as an operation on elements of a type: its name, as the handler has it, and its size. It is called once per chunk,
 * on the threads that call the reduction, by an instance of each thread's own; of a guest that has one worker (Python), on
 * the thread that this is called on, and nowhere else.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiOperation *upcall_combine_handler_operation(const UpcallCombineHandler *upcall_combine_handler, Str element, size_t size, Failure **failure);

/**
 * Loads it to be called by the program, without MPI: where that is reached by another library than this one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallCombiner *upcall_combine_handler_combiner(const UpcallCombineHandler *upcall_combine_handler, Str element, size_t size, Failure **failure);

UPCALL_API void upcall_combine_handler_release(UpcallCombineHandler *upcall_combine_handler);

/**
 * Whether it may be called with its arrays in any order.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_combiner_commutes(const UpcallCombiner *upcall_combiner, Failure **failure);

/**
 * Combines the first array into the second, of as many whole elements, which are aligned as such elements are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_combiner_combine(const UpcallCombiner *upcall_combiner, Slice_u8 from, SliceMut_u8 into, Failure **failure);

UPCALL_API void upcall_combiner_release(UpcallCombiner *upcall_combiner);

/**
 * Joins these ranks with those of another communicator, each side led by a rank of its own. The leaders are ranks of one
 * `bridge`, in which `remote_leader` is the other side's, and exchange messages there with this tag. Collective over both
 * sides, which have no process in common. Between two groups every rank that is sent to or received from is one of the
 * other group, as are the roots of what is called `inter_…`, but for `UPCALL_MPI_ROOT_HERE` and `…_BESIDE`, which the root
 * and those beside it say.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_intercommunicator(const UpcallMpiCommunicator *upcall_mpi_communicator, int32_t leader, const UpcallMpiCommunicator *bridge, int32_t remote_leader, int32_t tag, Failure **failure);

/**
 * Whether it is between two groups.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_communicator_is_inter(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Between two groups: how many processes the other one has.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_mpi_communicator_remote_size(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Between two groups: the processes of the other one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiGroup *upcall_mpi_communicator_remote_group(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * All processes of both groups: first those of the group that says that it is not `high`. Collective over both.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_merge(const UpcallMpiCommunicator *upcall_mpi_communicator, bool high, Failure **failure);

/**
 * Ends it when all messages have arrived, after which neither group waits for the other where it finalizes MPI. No other
 * thread may be in a call on it. Collective over both.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_disconnect(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Gives all ranks of the other group the bytes of the root, of which all have as many.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_inter_broadcast(const UpcallMpiCommunicator *upcall_mpi_communicator, SliceMut_u8 data, int32_t root, Failure **failure);

/**
 * As `inter_broadcast`, where the root alone knows how many there are, or that its value is not `valid`, which all of the
 * other group are told.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_inter_broadcast_any(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, bool valid, int32_t root, Failure **failure);

/**
 * Gives the root the bytes of the other group's ranks, of which all have as many. `into` counts at the root, and `data` in
 * the other group.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_inter_gather(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, int32_t root, Failure **failure);

/**
 * As `inter_gather`, where each may have another number of bytes: at the root, how many each has is written.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_inter_gather_parts(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u64 counts, int32_t root, Failure **failure);

/**
 * Gives each rank of the other group its part of what the root has: as many bytes each, as `into` has room for there.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_inter_scatter_into(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, int32_t root, Failure **failure);

/**
 * Gives each rank of the other group its part of what the root has: `counts[r]` bytes for rank `r`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_inter_scatter_parts(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, Slice_u64 counts, int32_t root, Failure **failure);

/**
 * Gives each group the bytes of all ranks of the other, of which all of a group have as many.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_inter_all_gather(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, Failure **failure);

/**
 * As `inter_all_gather`, where each rank may have another number of bytes: how many each of the other group has is written.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_inter_all_gather_parts(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u64 counts, Failure **failure);

/**
 * Each rank has a part for each of the other group, all of them as large, in elements of so many bytes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_inter_all_to_all(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, size_t element, Failure **failure);

/**
 * Each rank has `counts[r]` bytes for rank `r` of the other group: how many each of those had for this one is written.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_inter_all_to_all_parts(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, Slice_u64 counts, SliceMut_u64 received, Failure **failure);

/**
 * Combines the elements of the other group's ranks, of which all have as many, for the root. `into` counts there, and `data`
 * in the other group.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_inter_reduce(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, const UpcallMpiOperation *operation, int32_t root, Failure **failure);

/**
 * Combines the elements of each group for all ranks of the other. All ranks of both have as many.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_inter_all_reduce(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, const UpcallMpiOperation *operation, Failure **failure);

/**
 * Waits until another program's ranks connect to a port of this one. The port's name counts at the root. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_accept(const UpcallMpiCommunicator *upcall_mpi_communicator, Str port, int32_t root, Failure **failure);

/**
 * Joins the ranks of another program that wait at a port. The port's name counts at the root. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_connect(const UpcallMpiCommunicator *upcall_mpi_communicator, Str port, int32_t root, Failure **failure);

/**
 * Whether MPI was started in this process and has not been finalized.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_is_initialized(Failure **failure);

/**
 * Whether MPI has been finalized in this process: it cannot be started again.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_is_finalized(Failure **failure);

/**
 * Whether this thread is the one that has started MPI.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_is_main_thread(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * Which threads `start` was asked for; what was given is in `threads`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiThreads upcall_mpi_threads_wanted(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * Seconds between two ticks of the clock of `time`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mpi_time_resolution(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * Whether the clocks of all ranks show the same time.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_time_is_global(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * How many processes the launcher has room for, those that run included; -1 where it does not say.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_mpi_universe_size(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * Which of the programs this is that were started at once, from 0 on; -1 where nobody says.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_mpi_program_number(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * Which rank may read and write files as the language does: `UPCALL_MPI_ANY`, or `UPCALL_MPI_NONE`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_mpi_io_rank(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * The rank of the host process; -1 where there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_mpi_host_rank(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * Whether the MPI has it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_has(const UpcallMpi *upcall_mpi, UpcallMpiOptional part, Failure **failure);

/**
 * Room for a message.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiMessage *upcall_mpi_message_new(Failure **failure);

/**
 * Whether there is a message, which has not been received.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_message_is_matched(const UpcallMpiMessage *upcall_mpi_message, Failure **failure);

/**
 * Who has sent it, with which tag, and how large it is.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_message_status(UpcallMpiMessage *upcall_mpi_message, UpcallMpiStatus *status, Failure **failure);

/**
 * Receives it into memory that may have room for more. Where it is larger it is thrown away.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_message_receive_into(UpcallMpiMessage *upcall_mpi_message, SliceMut_u8 into, Failure **failure);

/**
 * Receives it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_message_receive(UpcallMpiMessage *upcall_mpi_message, Failure **failure);

UPCALL_API void upcall_mpi_message_release(UpcallMpiMessage *upcall_mpi_message);

/**
 * Looks for a message from a rank and with a tag, or `UPCALL_MPI_ANY`: waits for one, or says whether one has arrived
 * already. Whoever receives next may have it: of several threads, use `matched`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_communicator_probe(const UpcallMpiCommunicator *upcall_mpi_communicator, int32_t from, int32_t tag, bool wait, UpcallMpiStatus *status, Failure **failure);

/**
 * Takes a message from a rank and with a tag, or `UPCALL_MPI_ANY`, to be received later: waits for it, or takes one that
 * has arrived already. Returns whether there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_communicator_matched(const UpcallMpiCommunicator *upcall_mpi_communicator, int32_t from, int32_t tag, bool wait, UpcallMpiMessage *message, Failure **failure);

/**
 * An operation of MPI's (`Sum`, `Product`, `Min`, `Max`, `LogicalAnd`, `LogicalOr`, `LogicalXor`, `BitAnd`, `BitOr`,
 * `BitXor`) on numbers (`i8` to `i64`, `u8` to `u64`, `f32`, `f64`); of `MinWithPlace` and `MaxWithPlace` an element is such
 * a number and, behind it, a place of 4 bytes, laid out as C does.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiOperation *upcall_mpi_operation_named(Str operator_, Str number, Failure **failure);

/**
 * A function on elements of so many bytes each, called once per chunk of them: it combines `from` into `into`, element by
 * element; where the order matters, `from` is what lower ranks have. It returns 0, or anything else where it has failed,
 * which is the failure of the reduction when that has ended. It is called on the threads that call the reduction, on
 * several at once where they do, and of one that was begun on any thread that calls MPI before it has ended; it must not call
 * MPI, which is a failure there. A call that was begun keeps it. There may be 64 at a time.
 *
 * `combine` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `combine_context`. That belongs to the library with the call, also where the call fails: `combine_release`, which may be
 * null, is called with it once, on any thread, when `combine` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiOperation *upcall_mpi_operation_new(size_t size, bool commutes, int32_t (*combine)(void *context, Slice_u8 arg0, SliceMut_u8 arg1), void *combine_context, void (*combine_release)(void *context), Failure **failure);

/**
 * The bytes of an element.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_mpi_operation_element(const UpcallMpiOperation *upcall_mpi_operation, Failure **failure);

UPCALL_API void upcall_mpi_operation_release(UpcallMpiOperation *upcall_mpi_operation);

/**
 * Starts a round.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_partitions_start(const UpcallMpiPartitions *upcall_mpi_partitions, Failure **failure);

/**
 * Sends a partition, which is not to be changed until the round has ended.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_partitions_ready(const UpcallMpiPartitions *upcall_mpi_partitions, size_t partition, Failure **failure);

/**
 * Whether a partition has arrived, and may be read.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_partitions_has_arrived(const UpcallMpiPartitions *upcall_mpi_partitions, size_t partition, Failure **failure);

/**
 * Waits until the round has ended. Of a send, partitions that are not ready go as they are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_partitions_wait(const UpcallMpiPartitions *upcall_mpi_partitions, Failure **failure);

/**
 * Whether a round is under way.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_partitions_is_active(const UpcallMpiPartitions *upcall_mpi_partitions, Failure **failure);

/**
 * Writes a partition into the library's memory and sends it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_partitions_write(const UpcallMpiPartitions *upcall_mpi_partitions, size_t partition, Slice_u8 data, Failure **failure);

/**
 * Copies a partition that has arrived out of the library's memory. Returns whether it has.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_partitions_copy(const UpcallMpiPartitions *upcall_mpi_partitions, size_t partition, SliceMut_u8 into, Failure **failure);

UPCALL_API void upcall_mpi_partitions_release(UpcallMpiPartitions *upcall_mpi_partitions);

/**
 * Makes a message of so many partitions ready, of as many bytes each, out of memory of the library's: `write` fills a
 * partition and sends it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiPartitions *upcall_mpi_communicator_partitioned_send_init(const UpcallMpiCommunicator *upcall_mpi_communicator, size_t bytes, size_t partitions, int32_t to, int32_t tag, Failure **failure);

/**
 * The same of bytes at an address, which may be changed until their partition is ready. `keep` is never called: it is
 * released when MPI needs them no more, on any thread, and until then they stay there.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiPartitions *upcall_mpi_communicator_partitioned_send_init_lent(const UpcallMpiCommunicator *upcall_mpi_communicator, const void *address, size_t bytes, size_t partitions, int32_t to, int32_t tag, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * Makes the receive of such a message ready, whose partitions are as the receiver likes, into memory of the library's:
 * `copy` reads a partition.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiPartitions *upcall_mpi_communicator_partitioned_receive_init(const UpcallMpiCommunicator *upcall_mpi_communicator, size_t bytes, size_t partitions, int32_t from, int32_t tag, Failure **failure);

/**
 * The same into memory at an address, of which a partition that has arrived may be read; `keep` as of
 * `partitioned_send_init_lent`.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiPartitions *upcall_mpi_communicator_partitioned_receive_init_lent(const UpcallMpiCommunicator *upcall_mpi_communicator, void *address, size_t bytes, size_t partitions, int32_t from, int32_t tag, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * Gives one rank the bytes of all, in the order of the ranks, and writes how many each has. Both are for the root: others
 * get nothing.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_gather_parts(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u64 counts, int32_t root, Failure **failure);

/**
 * As `gather_parts`, for all ranks.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_all_gather_parts(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u64 counts, Failure **failure);

/**
 * As `gather_parts`, of values: where this rank's could not be written it says that it is not `valid`, and all ranks fail.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_gather_values(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, bool valid, SliceMut_u64 counts, int32_t root, Failure **failure);

/**
 * As `gather_values`, for all ranks.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_all_gather_values(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, bool valid, SliceMut_u64 counts, Failure **failure);

/**
 * Gives each rank its part of what one has: `counts[r]` bytes for rank `r`, which the root says.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_scatter_parts(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, Slice_u64 counts, int32_t root, Failure **failure);

/**
 * Each rank has a part for each other: `counts[r]` bytes for rank `r`. What comes back is what all had for this one, in the
 * order of the ranks, and how many bytes are whose is written.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_all_to_all_parts(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, Slice_u64 counts, SliceMut_u64 received, Failure **failure);

/**
 * Its name, which others are told.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_mpi_port_name(const UpcallMpiPort *upcall_mpi_port, Failure **failure);

/**
 * Tells others its name under that of a service, until what is returned is released.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiPublished *upcall_mpi_port_publish(const UpcallMpiPort *upcall_mpi_port, Str service, Failure **failure);

UPCALL_API void upcall_mpi_port_release(UpcallMpiPort *upcall_mpi_port);

/**
 * Opens a port that other programs may connect to.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiPort *upcall_mpi_open_port(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * The name of the port that was published as a service.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Text upcall_mpi_look_up(const UpcallMpi *upcall_mpi, Str service, Failure **failure);

/**
 * None.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiPrograms *upcall_mpi_programs_new(Failure **failure);

/**
 * So many processes of the program at a path, or by a name that is on `PATH`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_programs_add(UpcallMpiPrograms *upcall_mpi_programs, Str path, int32_t processes, Failure **failure);

/**
 * One argument more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_programs_argument(UpcallMpiPrograms *upcall_mpi_programs, Str argument, Failure **failure);

/**
 * The folder that its processes start in. Where nothing is said, the launcher's.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_programs_directory(UpcallMpiPrograms *upcall_mpi_programs, Str directory, Failure **failure);

/**
 * One host more that its processes start on. Where nothing is said, the launcher's.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_programs_host(UpcallMpiPrograms *upcall_mpi_programs, Str host, Failure **failure);

/**
 * Something else that the launcher is told, by a name that it knows.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_programs_info(UpcallMpiPrograms *upcall_mpi_programs, Str name, Str value, Failure **failure);

UPCALL_API void upcall_mpi_programs_release(UpcallMpiPrograms *upcall_mpi_programs);

/**
 * Starts the processes of programs, in one group in the order of the programs: they see these ranks as their parent. What
 * the programs are counts at the root, and all ranks give as many. Collective; it returns when they have started MPI.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_spawn(const UpcallMpiCommunicator *upcall_mpi_communicator, const UpcallMpiPrograms *programs, int32_t root, Failure **failure);

/**
 * The processes that have started this one and those of its world; none where the launcher has.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_parent(const UpcallMpi *upcall_mpi, Failure **failure);

/**
 * Combines the elements of all ranks, of which all have as many, for one of them. `into` counts at the root.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_reduce(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, const UpcallMpiOperation *operation, int32_t root, Failure **failure);

/**
 * As `reduce`, for all ranks.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_all_reduce(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, const UpcallMpiOperation *operation, Failure **failure);

/**
 * As `all_reduce`, where what is combined is replaced by what comes of it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_all_reduce_in_place(const UpcallMpiCommunicator *upcall_mpi_communicator, SliceMut_u8 data, const UpcallMpiOperation *operation, Failure **failure);

/**
 * As `all_reduce`; where the operation failed on one rank it is a failure on all of them, for one small exchange more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_all_reduce_checked(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, const UpcallMpiOperation *operation, Failure **failure);

/**
 * Combines the elements of all ranks and gives each its part: `counts[r]` bytes for rank `r`. `into` has room for this
 * rank's.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_reduce_scatter(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, Slice_u64 counts, const UpcallMpiOperation *operation, Failure **failure);

/**
 * Combines the elements of the ranks up to this one, itself included.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_scan(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, const UpcallMpiOperation *operation, Failure **failure);

/**
 * As `scan`, without this rank: `into` stays as it is at rank 0.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_exclusive_scan(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, const UpcallMpiOperation *operation, Failure **failure);

/**
 * A reduction by a function that ends with the call, and so may be one of a language that has a single thread: as
 * `UpcallMpiOperation`'s, on elements of so many bytes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_reduce_by(const UpcallMpiCommunicator *upcall_mpi_communicator, UpcallMpiReduction what, Slice_u8 data, SliceMut_u8 into, int32_t root, size_t element, bool commutes, int32_t (*combine)(void *context, Slice_u8 arg0, SliceMut_u8 arg1), void *combine_context, Failure **failure);

/**
 * Waits until it has ended. Once it has, it says the same again.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_request_wait(const UpcallMpiRequest *upcall_mpi_request, UpcallMpiStatus *status, Failure **failure);

/**
 * Whether it has ended.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_request_test(const UpcallMpiRequest *upcall_mpi_request, UpcallMpiStatus *status, Failure **failure);

/**
 * Asks MPI to give up a receive that nothing has arrived for: it has still to be waited for, and its status says whether
 * it was cancelled. All else goes on, and what has ended stays as it is.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_request_cancel(const UpcallMpiRequest *upcall_mpi_request, Failure **failure);

/**
 * What a receive into the library's own memory has brought, or a call of all ranks. Of one that is not started again it is
 * taken once, when it has ended.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_request_take(const UpcallMpiRequest *upcall_mpi_request, Failure **failure);

/**
 * The same, into memory that may have room for more. Returns how many bytes there were.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_mpi_request_copy(const UpcallMpiRequest *upcall_mpi_request, SliceMut_u8 into, Failure **failure);

/**
 * Starts a round of one that was made by a function with `init` in its name; it is waited for as any request.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_request_start(const UpcallMpiRequest *upcall_mpi_request, Failure **failure);

/**
 * Whether it goes on: of one that is started again and again, whether a round does.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_request_is_active(const UpcallMpiRequest *upcall_mpi_request, Failure **failure);

/**
 * Writes what the next round sends into the library's own memory: as many bytes as were said when it was made.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_request_write(const UpcallMpiRequest *upcall_mpi_request, Slice_u8 data, Failure **failure);

UPCALL_API void upcall_mpi_request_release(UpcallMpiRequest *upcall_mpi_request);

/**
 * Begins to send a copy of these bytes. A buffered send has ended when it is begun.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_start_send(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, int32_t to, int32_t tag, UpcallMpiMode mode, Failure **failure);

/**
 * Begins to send so many bytes at an address. `keep` is never called: it is released when MPI needs them no more, on any
 * thread, and until then they stay there, unchanged.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_start_send_lent(const UpcallMpiCommunicator *upcall_mpi_communicator, const void *address, size_t bytes, int32_t to, int32_t tag, UpcallMpiMode mode, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * Begins to receive at most so many bytes, into memory of the library's: `take` and `copy` have them at the end.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_start_receive(const UpcallMpiCommunicator *upcall_mpi_communicator, size_t bytes, int32_t from, int32_t tag, Failure **failure);

/**
 * Begins to receive at most so many bytes at an address. `keep` is never called: it is released when MPI needs the memory
 * no more, on any thread, and until then that stays there and nobody else uses it.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_start_receive_lent(const UpcallMpiCommunicator *upcall_mpi_communicator, void *address, size_t bytes, int32_t from, int32_t tag, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * None.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequests *upcall_mpi_requests_new(Failure **failure);

/**
 * Adds one. Its index is how many were added before.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_requests_add(UpcallMpiRequests *upcall_mpi_requests, const UpcallMpiRequest *request, Failure **failure);

/**
 * Waits until one of them has ended that was not returned before, and returns its index; -1 where there is none. The
 * request itself says how it has ended.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_mpi_requests_wait_any(UpcallMpiRequests *upcall_mpi_requests, Failure **failure);

/**
 * As `wait_any`, without waiting: -1 where none has ended.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_mpi_requests_test_any(UpcallMpiRequests *upcall_mpi_requests, Failure **failure);

UPCALL_API void upcall_mpi_requests_release(UpcallMpiRequests *upcall_mpi_requests);

/**
 * Makes a send of so many bytes ready, out of memory of the library's: `write` says what, and `start` starts each round.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_send_init(const UpcallMpiCommunicator *upcall_mpi_communicator, size_t bytes, int32_t to, int32_t tag, UpcallMpiMode mode, Failure **failure);

/**
 * The same of bytes at an address, which may be changed while no round is under way. `keep` is never called: it is released
 * when MPI needs them no more, on any thread, and until then they stay there.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_send_init_lent(const UpcallMpiCommunicator *upcall_mpi_communicator, const void *address, size_t bytes, int32_t to, int32_t tag, UpcallMpiMode mode, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * Makes a receive of at most so many bytes ready, into memory of the library's: `take` and `copy` have what a round has
 * brought, until the next is started.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_receive_init(const UpcallMpiCommunicator *upcall_mpi_communicator, size_t bytes, int32_t from, int32_t tag, Failure **failure);

/**
 * The same into memory at an address, which is the caller's to use while no round is under way; `keep` as of
 * `send_init_lent`.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_communicator_receive_init_lent(const UpcallMpiCommunicator *upcall_mpi_communicator, void *address, size_t bytes, int32_t from, int32_t tag, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * How many ranks to put along each dimension, so that all are as many as here and the dimensions are as equal as can be. One
 * that is not 0 stays as it is.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_dimensions(const UpcallMpiCommunicator *upcall_mpi_communicator, SliceMut_i32 sizes, Failure **failure);

/**
 * Ranks on a grid, in the order of rows: so many along each dimension, of which each may be periodic (not 0). Where `reorder`
 * is set, MPI may give a rank another number there; none for ranks that have no place. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_cartesian(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_i32 sizes, Slice_u8 periodic, bool reorder, Failure **failure);

/**
 * Of a grid: how many ranks lie along each dimension.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_i32 upcall_mpi_communicator_cartesian_sizes(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Of a grid: 1 for each dimension whose last rank's neighbor is the first, else 0.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_cartesian_periodic(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Of a grid: where a rank is.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_i32 upcall_mpi_communicator_cartesian_coordinates(const UpcallMpiCommunicator *upcall_mpi_communicator, int32_t of, Failure **failure);

/**
 * Of a grid: who is there; -1 where nobody is.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_mpi_communicator_cartesian_rank(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_i32 coordinates, Failure **failure);

/**
 * Of a grid: whose this rank's place is, and whose place is its, after so many steps along a dimension: the rank that it
 * receives from, and the one that it sends to; -1 where nobody is.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_i32 upcall_mpi_communicator_cartesian_shift(const UpcallMpiCommunicator *upcall_mpi_communicator, uint32_t dimension, int32_t steps, Failure **failure);

/**
 * Of a grid: this rank's part of it with the dimensions that are kept (not 0). Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_cartesian_part(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 kept, Failure **failure);

/**
 * Each rank says whom it receives from and whom it sends to, and how much goes there compared with others (all 1 where
 * nothing is said); what the two ranks of an edge say is the same. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_graph_adjacent(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_i32 sources, Slice_u32 source_weights, Slice_i32 targets, Slice_u32 target_weights, bool reorder, Failure **failure);

/**
 * Each rank says some of the edges, of whichever ranks: `degrees[s]` of the targets, one after the other, are those of
 * `sources[s]`. Together they are the graph. Weights as in `graph_adjacent`. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiCommunicator *upcall_mpi_communicator_graph(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_i32 sources, Slice_i32 degrees, Slice_i32 targets, Slice_u32 weights, bool reorder, Failure **failure);

/**
 * The ranks that this one receives from, in the order in which their parts arrive; -1 where nobody is.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_i32 upcall_mpi_communicator_neighbor_sources(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * The ranks that this one sends to, in the order of their parts; -1 where nobody is.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_i32 upcall_mpi_communicator_neighbor_targets(const UpcallMpiCommunicator *upcall_mpi_communicator, Failure **failure);

/**
 * Gives the bytes to each target, and gets those of each source, of which all have as many. The room of a source that is
 * nobody stays as it is.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_neighbor_all_gather(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, Failure **failure);

/**
 * As `neighbor_all_gather`, where each may have another number of bytes: how many each source has is written.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_neighbor_all_gather_parts(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u64 counts, Failure **failure);

/**
 * Gives each target `each` bytes of its own, and gets as many of each source.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_neighbor_all_to_all(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, SliceMut_u8 into, size_t each, Failure **failure);

/**
 * Gives each target `counts[t]` bytes of its own, and writes how many each source has given.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_neighbor_all_to_all_parts(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, Slice_u64 counts, SliceMut_u64 received, Failure **failure);

/**
 * Begins to read at most so many bytes of elements of so many each, at an offset in elements of the view, into memory of the
 * library's. Where all threads may call MPI it goes on in the background, else it is done when this returns. The request's
 * status says how many bytes there were.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_file_start_read_at(const UpcallMpiFile *upcall_mpi_file, size_t bytes, size_t element, uint64_t offset, Failure **failure);

/**
 * The same into so many bytes at an address. `keep` is never called: it is released when the memory is not needed any more,
 * on any thread, and until then that stays there and nobody else uses it.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_file_start_read_at_lent(const UpcallMpiFile *upcall_mpi_file, void *address, size_t bytes, size_t element, uint64_t offset, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * Begins to write a copy of these bytes at an offset in elements of the view, as `start_read_at` reads.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_file_start_write_at(const UpcallMpiFile *upcall_mpi_file, Slice_u8 data, uint64_t offset, Failure **failure);

/**
 * The same of so many bytes at an address, which stay there unchanged until `keep` is released.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiRequest *upcall_mpi_file_start_write_at_lent(const UpcallMpiFile *upcall_mpi_file, const void *address, size_t bytes, uint64_t offset, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * That of a type whose fields are numbers, or of a number.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiDatatype *upcall_mpi_datatype_new(const UpcallMpiCommunicator *comm, const UpcallMpiElementType *of, Failure **failure);

/**
 * Bytes from one element to the next.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_mpi_datatype_extent(const UpcallMpiDatatype *upcall_mpi_datatype, Failure **failure);

UPCALL_API void upcall_mpi_datatype_release(UpcallMpiDatatype *upcall_mpi_datatype);

/**
 * Sends elements field by field.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_send_typed(const UpcallMpiCommunicator *upcall_mpi_communicator, Slice_u8 data, const UpcallMpiDatatype *of, int32_t to, int32_t tag, Failure **failure);

/**
 * Receives elements field by field, of which there may be fewer than there is room for, and returns how many there were.
 * Padding stays as it was.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_mpi_communicator_receive_typed_into(const UpcallMpiCommunicator *upcall_mpi_communicator, SliceMut_u8 into, const UpcallMpiDatatype *of, int32_t from, int32_t tag, UpcallMpiStatus *status, Failure **failure);

/**
 * Receives elements field by field, however many there are. Padding is zero.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API Buffer_u8 upcall_mpi_communicator_receive_typed(const UpcallMpiCommunicator *upcall_mpi_communicator, const UpcallMpiDatatype *of, int32_t from, int32_t tag, UpcallMpiStatus *status, Failure **failure);

/**
 * Gives all ranks the elements of one, of which all have as many, field by field.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_communicator_broadcast_typed(const UpcallMpiCommunicator *upcall_mpi_communicator, SliceMut_u8 data, const UpcallMpiDatatype *of, int32_t root, Failure **failure);

/**
 * Sees the file as elements of so many bytes, from a place in bytes on: offsets count these, and pointers are at the start.
 * Collective, as all views are; what is wrong on one rank is an error on all.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_file_view(const UpcallMpiFile *upcall_mpi_file, size_t element, uint64_t place, Failure **failure);

/**
 * Shares the file out in blocks of so many elements, from a place in bytes on: the first is rank 0's, the next rank 1's, and
 * behind that of the last rank comes rank 0's next. Each rank sees its own, side by side.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_file_view_blocks(const UpcallMpiFile *upcall_mpi_file, size_t element, uint64_t place, uint64_t block, Failure **failure);

/**
 * Sees, from a place in bytes on, `block` of each `stride` elements, of which it skips `first`. Each rank says what it sees
 * itself.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_file_view_strided(const UpcallMpiFile *upcall_mpi_file, size_t element, uint64_t place, uint64_t first, uint64_t block, uint64_t stride, Failure **failure);

/**
 * Sees a part of an array that lies in the file, from a place in bytes on, its last index next to each other: the sizes of
 * the array, those of what this rank sees, and where that begins.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_file_view_subarray(const UpcallMpiFile *upcall_mpi_file, size_t element, uint64_t place, Slice_u64 array, Slice_u64 part, Slice_u64 starts, Failure **failure);

/**
 * A window of `count` elements of so many bytes here, which are zero, in memory of MPI's. Collective; each rank has its own
 * number.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiWindow *upcall_mpi_communicator_window(const UpcallMpiCommunicator *upcall_mpi_communicator, size_t count, size_t element, Failure **failure);

/**
 * A window over so many bytes at an address, which are the window's until it is freed: where MPI does not take them where they
 * lie they are copied, and back in the end. `keep` is never called: it is released when MPI needs the memory no more, on any
 * thread. Collective.
 *
 * `keep` is kept: it may be called after the call has returned, from any thread and on several at once,
 * with `keep_context`. That belongs to the library with the call, also where the call fails: `keep_release`, which may be
 * null, is called with it once, on any thread, when `keep` will not be called any more.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiWindow *upcall_mpi_communicator_window_over(const UpcallMpiCommunicator *upcall_mpi_communicator, void *address, size_t bytes, size_t element, void (*keep)(void *context), void *keep_context, void (*keep_release)(void *context), Failure **failure);

/**
 * A window among those ranks that run on this machine, each of which reaches the others' memory in place. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiWindow *upcall_mpi_communicator_shared_window(const UpcallMpiCommunicator *upcall_mpi_communicator, size_t count, size_t element, Failure **failure);

/**
 * This process's rank, as the window numbers them.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_mpi_window_rank(const UpcallMpiWindow *upcall_mpi_window, Failure **failure);

/**
 * How many ranks there are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_mpi_window_size(const UpcallMpiWindow *upcall_mpi_window, Failure **failure);

/**
 * How many elements a rank has.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_mpi_window_length(const UpcallMpiWindow *upcall_mpi_window, int32_t rank, Failure **failure);

/**
 * The bytes of an element.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_mpi_window_element(const UpcallMpiWindow *upcall_mpi_window, Failure **failure);

/**
 * Whether what is written here and what others write is one memory, in MPI's words: its unified model.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_mpi_window_is_unified(const UpcallMpiWindow *upcall_mpi_window, Failure **failure);

/**
 * An epoch of all ranks: it begins when all have called this, and ends when all have ended it. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiEpoch *upcall_mpi_window_fence(const UpcallMpiWindow *upcall_mpi_window, Failure **failure);

/**
 * An epoch with some ranks, which expose their memory to this one meanwhile.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiEpoch *upcall_mpi_window_access(const UpcallMpiWindow *upcall_mpi_window, Slice_i32 ranks, Failure **failure);

/**
 * Lets some ranks access this rank's memory, each once, until it is waited for.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiExposure *upcall_mpi_window_expose(const UpcallMpiWindow *upcall_mpi_window, Slice_i32 ranks, Failure **failure);

/**
 * An epoch with one rank, which need not call anything.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiEpoch *upcall_mpi_window_lock(const UpcallMpiWindow *upcall_mpi_window, UpcallMpiLock lock, int32_t rank, Failure **failure);

/**
 * An epoch with all ranks, which others may have at the same time.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiEpoch *upcall_mpi_window_lock_all(const UpcallMpiWindow *upcall_mpi_window, Failure **failure);

/**
 * A rank's memory, in place, when no other rank has locked it, and for no other until it is ended: this rank's own, or of a
 * shared window anyone's.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiEpoch *upcall_mpi_window_memory_of(const UpcallMpiWindow *upcall_mpi_window, int32_t rank, Failure **failure);

/**
 * The memory of all ranks of a shared window, to read. Collective: it begins when all have called this, and ends when all have
 * ended it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API UpcallMpiEpoch *upcall_mpi_window_together(const UpcallMpiWindow *upcall_mpi_window, Failure **failure);

/**
 * Ends it, when all ranks do. Memory that it was made over has its elements then. A second call does nothing. Collective.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API void upcall_mpi_window_free(const UpcallMpiWindow *upcall_mpi_window, Failure **failure);

UPCALL_API void upcall_mpi_window_release(UpcallMpiWindow *upcall_mpi_window);

/**
 * The sum. Integers wrap; floats are added in lanes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int8_t upcall_sum_i8(Slice_i8 values, Failure **failure);

/**
 * The sum, one after the other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int8_t upcall_sum_in_order_i8(Slice_i8 values, Failure **failure);

/**
 * The sum, with an error that grows with the logarithm of the length.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int8_t upcall_sum_pairwise_i8(Slice_i8 values, Failure **failure);

/**
 * The sum in 64 bits.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_sum_long_i8(Slice_i8 values, Failure **failure);

/**
 * The sum, if the type can hold it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int8_t upcall_checked_sum_i8(Slice_i8 values, Failure **failure);

/**
 * The arithmetic mean.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mean_i8(Slice_i8 values, Failure **failure);

/**
 * The least value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int8_t upcall_min_i8(Slice_i8 values, Failure **failure);

/**
 * The greatest value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int8_t upcall_max_i8(Slice_i8 values, Failure **failure);

/**
 * The least value and the greatest; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsI8 upcall_min_max_i8(Slice_i8 values, Failure **failure);

/**
 * The least number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int8_t upcall_min_number_i8(Slice_i8 values, Failure **failure);

/**
 * The greatest number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int8_t upcall_max_number_i8(Slice_i8 values, Failure **failure);

/**
 * The least number and the greatest; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsI8 upcall_min_max_number_i8(Slice_i8 values, Failure **failure);

/**
 * The index of the first value that equals `wanted`; -1 if there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API intptr_t upcall_index_of_i8(Slice_i8 values, int8_t wanted, Failure **failure);

/**
 * How many values equal `wanted`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_count_equal_i8(Slice_i8 values, int8_t wanted, Failure **failure);

/**
 * Whether both have equal values in the same places.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_equal_i8(Slice_i8 one, Slice_i8 other, Failure **failure);

/**
 * The sum. Integers wrap; floats are added in lanes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int16_t upcall_sum_i16(Slice_i16 values, Failure **failure);

/**
 * The sum, one after the other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int16_t upcall_sum_in_order_i16(Slice_i16 values, Failure **failure);

/**
 * The sum, with an error that grows with the logarithm of the length.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int16_t upcall_sum_pairwise_i16(Slice_i16 values, Failure **failure);

/**
 * The sum in 64 bits.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_sum_long_i16(Slice_i16 values, Failure **failure);

/**
 * The sum, if the type can hold it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int16_t upcall_checked_sum_i16(Slice_i16 values, Failure **failure);

/**
 * The arithmetic mean.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mean_i16(Slice_i16 values, Failure **failure);

/**
 * The least value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int16_t upcall_min_i16(Slice_i16 values, Failure **failure);

/**
 * The greatest value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int16_t upcall_max_i16(Slice_i16 values, Failure **failure);

/**
 * The least value and the greatest; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsI16 upcall_min_max_i16(Slice_i16 values, Failure **failure);

/**
 * The least number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int16_t upcall_min_number_i16(Slice_i16 values, Failure **failure);

/**
 * The greatest number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int16_t upcall_max_number_i16(Slice_i16 values, Failure **failure);

/**
 * The least number and the greatest; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsI16 upcall_min_max_number_i16(Slice_i16 values, Failure **failure);

/**
 * The index of the first value that equals `wanted`; -1 if there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API intptr_t upcall_index_of_i16(Slice_i16 values, int16_t wanted, Failure **failure);

/**
 * How many values equal `wanted`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_count_equal_i16(Slice_i16 values, int16_t wanted, Failure **failure);

/**
 * Whether both have equal values in the same places.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_equal_i16(Slice_i16 one, Slice_i16 other, Failure **failure);

/**
 * The sum. Integers wrap; floats are added in lanes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_sum_i32(Slice_i32 values, Failure **failure);

/**
 * The sum, one after the other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_sum_in_order_i32(Slice_i32 values, Failure **failure);

/**
 * The sum, with an error that grows with the logarithm of the length.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_sum_pairwise_i32(Slice_i32 values, Failure **failure);

/**
 * The sum in 64 bits.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_sum_long_i32(Slice_i32 values, Failure **failure);

/**
 * The sum, if the type can hold it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_checked_sum_i32(Slice_i32 values, Failure **failure);

/**
 * The arithmetic mean.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mean_i32(Slice_i32 values, Failure **failure);

/**
 * The least value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_min_i32(Slice_i32 values, Failure **failure);

/**
 * The greatest value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_max_i32(Slice_i32 values, Failure **failure);

/**
 * The least value and the greatest; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsI32 upcall_min_max_i32(Slice_i32 values, Failure **failure);

/**
 * The least number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_min_number_i32(Slice_i32 values, Failure **failure);

/**
 * The greatest number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int32_t upcall_max_number_i32(Slice_i32 values, Failure **failure);

/**
 * The least number and the greatest; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsI32 upcall_min_max_number_i32(Slice_i32 values, Failure **failure);

/**
 * The index of the first value that equals `wanted`; -1 if there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API intptr_t upcall_index_of_i32(Slice_i32 values, int32_t wanted, Failure **failure);

/**
 * How many values equal `wanted`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_count_equal_i32(Slice_i32 values, int32_t wanted, Failure **failure);

/**
 * Whether both have equal values in the same places.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_equal_i32(Slice_i32 one, Slice_i32 other, Failure **failure);

/**
 * The sum. Integers wrap; floats are added in lanes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_sum_i64(Slice_i64 values, Failure **failure);

/**
 * The sum, one after the other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_sum_in_order_i64(Slice_i64 values, Failure **failure);

/**
 * The sum, with an error that grows with the logarithm of the length.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_sum_pairwise_i64(Slice_i64 values, Failure **failure);

/**
 * The sum in 64 bits.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_sum_long_i64(Slice_i64 values, Failure **failure);

/**
 * The sum, if the type can hold it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_checked_sum_i64(Slice_i64 values, Failure **failure);

/**
 * The arithmetic mean.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mean_i64(Slice_i64 values, Failure **failure);

/**
 * The least value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_min_i64(Slice_i64 values, Failure **failure);

/**
 * The greatest value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_max_i64(Slice_i64 values, Failure **failure);

/**
 * The least value and the greatest; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsI64 upcall_min_max_i64(Slice_i64 values, Failure **failure);

/**
 * The least number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_min_number_i64(Slice_i64 values, Failure **failure);

/**
 * The greatest number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API int64_t upcall_max_number_i64(Slice_i64 values, Failure **failure);

/**
 * The least number and the greatest; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsI64 upcall_min_max_number_i64(Slice_i64 values, Failure **failure);

/**
 * The index of the first value that equals `wanted`; -1 if there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API intptr_t upcall_index_of_i64(Slice_i64 values, int64_t wanted, Failure **failure);

/**
 * How many values equal `wanted`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_count_equal_i64(Slice_i64 values, int64_t wanted, Failure **failure);

/**
 * Whether both have equal values in the same places.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_equal_i64(Slice_i64 one, Slice_i64 other, Failure **failure);

/**
 * The sum. Integers wrap; floats are added in lanes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint8_t upcall_sum_u8(Slice_u8 values, Failure **failure);

/**
 * The sum, one after the other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint8_t upcall_sum_in_order_u8(Slice_u8 values, Failure **failure);

/**
 * The sum, with an error that grows with the logarithm of the length.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint8_t upcall_sum_pairwise_u8(Slice_u8 values, Failure **failure);

/**
 * The sum in 64 bits.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_sum_long_u8(Slice_u8 values, Failure **failure);

/**
 * The sum, if the type can hold it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint8_t upcall_checked_sum_u8(Slice_u8 values, Failure **failure);

/**
 * The arithmetic mean.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mean_u8(Slice_u8 values, Failure **failure);

/**
 * The least value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint8_t upcall_min_u8(Slice_u8 values, Failure **failure);

/**
 * The greatest value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint8_t upcall_max_u8(Slice_u8 values, Failure **failure);

/**
 * The least value and the greatest; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsU8 upcall_min_max_u8(Slice_u8 values, Failure **failure);

/**
 * The least number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint8_t upcall_min_number_u8(Slice_u8 values, Failure **failure);

/**
 * The greatest number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint8_t upcall_max_number_u8(Slice_u8 values, Failure **failure);

/**
 * The least number and the greatest; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsU8 upcall_min_max_number_u8(Slice_u8 values, Failure **failure);

/**
 * The index of the first value that equals `wanted`; -1 if there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API intptr_t upcall_index_of_u8(Slice_u8 values, uint8_t wanted, Failure **failure);

/**
 * How many values equal `wanted`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_count_equal_u8(Slice_u8 values, uint8_t wanted, Failure **failure);

/**
 * Whether both have equal values in the same places.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_equal_u8(Slice_u8 one, Slice_u8 other, Failure **failure);

/**
 * The sum. Integers wrap; floats are added in lanes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint16_t upcall_sum_u16(Slice_u16 values, Failure **failure);

/**
 * The sum, one after the other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint16_t upcall_sum_in_order_u16(Slice_u16 values, Failure **failure);

/**
 * The sum, with an error that grows with the logarithm of the length.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint16_t upcall_sum_pairwise_u16(Slice_u16 values, Failure **failure);

/**
 * The sum in 64 bits.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_sum_long_u16(Slice_u16 values, Failure **failure);

/**
 * The sum, if the type can hold it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint16_t upcall_checked_sum_u16(Slice_u16 values, Failure **failure);

/**
 * The arithmetic mean.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mean_u16(Slice_u16 values, Failure **failure);

/**
 * The least value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint16_t upcall_min_u16(Slice_u16 values, Failure **failure);

/**
 * The greatest value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint16_t upcall_max_u16(Slice_u16 values, Failure **failure);

/**
 * The least value and the greatest; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsU16 upcall_min_max_u16(Slice_u16 values, Failure **failure);

/**
 * The least number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint16_t upcall_min_number_u16(Slice_u16 values, Failure **failure);

/**
 * The greatest number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint16_t upcall_max_number_u16(Slice_u16 values, Failure **failure);

/**
 * The least number and the greatest; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsU16 upcall_min_max_number_u16(Slice_u16 values, Failure **failure);

/**
 * The index of the first value that equals `wanted`; -1 if there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API intptr_t upcall_index_of_u16(Slice_u16 values, uint16_t wanted, Failure **failure);

/**
 * How many values equal `wanted`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_count_equal_u16(Slice_u16 values, uint16_t wanted, Failure **failure);

/**
 * Whether both have equal values in the same places.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_equal_u16(Slice_u16 one, Slice_u16 other, Failure **failure);

/**
 * The sum. Integers wrap; floats are added in lanes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint32_t upcall_sum_u32(Slice_u32 values, Failure **failure);

/**
 * The sum, one after the other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint32_t upcall_sum_in_order_u32(Slice_u32 values, Failure **failure);

/**
 * The sum, with an error that grows with the logarithm of the length.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint32_t upcall_sum_pairwise_u32(Slice_u32 values, Failure **failure);

/**
 * The sum in 64 bits.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_sum_long_u32(Slice_u32 values, Failure **failure);

/**
 * The sum, if the type can hold it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint32_t upcall_checked_sum_u32(Slice_u32 values, Failure **failure);

/**
 * The arithmetic mean.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mean_u32(Slice_u32 values, Failure **failure);

/**
 * The least value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint32_t upcall_min_u32(Slice_u32 values, Failure **failure);

/**
 * The greatest value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint32_t upcall_max_u32(Slice_u32 values, Failure **failure);

/**
 * The least value and the greatest; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsU32 upcall_min_max_u32(Slice_u32 values, Failure **failure);

/**
 * The least number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint32_t upcall_min_number_u32(Slice_u32 values, Failure **failure);

/**
 * The greatest number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint32_t upcall_max_number_u32(Slice_u32 values, Failure **failure);

/**
 * The least number and the greatest; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsU32 upcall_min_max_number_u32(Slice_u32 values, Failure **failure);

/**
 * The index of the first value that equals `wanted`; -1 if there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API intptr_t upcall_index_of_u32(Slice_u32 values, uint32_t wanted, Failure **failure);

/**
 * How many values equal `wanted`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_count_equal_u32(Slice_u32 values, uint32_t wanted, Failure **failure);

/**
 * Whether both have equal values in the same places.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_equal_u32(Slice_u32 one, Slice_u32 other, Failure **failure);

/**
 * The sum. Integers wrap; floats are added in lanes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_sum_u64(Slice_u64 values, Failure **failure);

/**
 * The sum, one after the other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_sum_in_order_u64(Slice_u64 values, Failure **failure);

/**
 * The sum, with an error that grows with the logarithm of the length.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_sum_pairwise_u64(Slice_u64 values, Failure **failure);

/**
 * The sum in 64 bits.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_sum_long_u64(Slice_u64 values, Failure **failure);

/**
 * The sum, if the type can hold it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_checked_sum_u64(Slice_u64 values, Failure **failure);

/**
 * The arithmetic mean.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mean_u64(Slice_u64 values, Failure **failure);

/**
 * The least value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_min_u64(Slice_u64 values, Failure **failure);

/**
 * The greatest value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_max_u64(Slice_u64 values, Failure **failure);

/**
 * The least value and the greatest; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsU64 upcall_min_max_u64(Slice_u64 values, Failure **failure);

/**
 * The least number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_min_number_u64(Slice_u64 values, Failure **failure);

/**
 * The greatest number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API uint64_t upcall_max_number_u64(Slice_u64 values, Failure **failure);

/**
 * The least number and the greatest; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsU64 upcall_min_max_number_u64(Slice_u64 values, Failure **failure);

/**
 * The index of the first value that equals `wanted`; -1 if there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API intptr_t upcall_index_of_u64(Slice_u64 values, uint64_t wanted, Failure **failure);

/**
 * How many values equal `wanted`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_count_equal_u64(Slice_u64 values, uint64_t wanted, Failure **failure);

/**
 * Whether both have equal values in the same places.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_equal_u64(Slice_u64 one, Slice_u64 other, Failure **failure);

/**
 * The sum. Integers wrap; floats are added in lanes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API float upcall_sum_f32(Slice_f32 values, Failure **failure);

/**
 * The sum, one after the other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API float upcall_sum_in_order_f32(Slice_f32 values, Failure **failure);

/**
 * The sum, with an error that grows with the logarithm of the length.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API float upcall_sum_pairwise_f32(Slice_f32 values, Failure **failure);

/**
 * The sum in 64 bits.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_sum_long_f32(Slice_f32 values, Failure **failure);

/**
 * The sum, if the type can hold it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API float upcall_checked_sum_f32(Slice_f32 values, Failure **failure);

/**
 * The arithmetic mean.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mean_f32(Slice_f32 values, Failure **failure);

/**
 * The least value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API float upcall_min_f32(Slice_f32 values, Failure **failure);

/**
 * The greatest value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API float upcall_max_f32(Slice_f32 values, Failure **failure);

/**
 * The least value and the greatest; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsF32 upcall_min_max_f32(Slice_f32 values, Failure **failure);

/**
 * The least number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API float upcall_min_number_f32(Slice_f32 values, Failure **failure);

/**
 * The greatest number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API float upcall_max_number_f32(Slice_f32 values, Failure **failure);

/**
 * The least number and the greatest; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsF32 upcall_min_max_number_f32(Slice_f32 values, Failure **failure);

/**
 * The index of the first value that equals `wanted`; -1 if there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API intptr_t upcall_index_of_f32(Slice_f32 values, float wanted, Failure **failure);

/**
 * How many values equal `wanted`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_count_equal_f32(Slice_f32 values, float wanted, Failure **failure);

/**
 * Whether both have equal values in the same places.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_equal_f32(Slice_f32 one, Slice_f32 other, Failure **failure);

/**
 * The sum. Integers wrap; floats are added in lanes.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_sum_f64(Slice_f64 values, Failure **failure);

/**
 * The sum, one after the other.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_sum_in_order_f64(Slice_f64 values, Failure **failure);

/**
 * The sum, with an error that grows with the logarithm of the length.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_sum_pairwise_f64(Slice_f64 values, Failure **failure);

/**
 * The sum in 64 bits.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_sum_long_f64(Slice_f64 values, Failure **failure);

/**
 * The sum, if the type can hold it.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_checked_sum_f64(Slice_f64 values, Failure **failure);

/**
 * The arithmetic mean.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_mean_f64(Slice_f64 values, Failure **failure);

/**
 * The least value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_min_f64(Slice_f64 values, Failure **failure);

/**
 * The greatest value; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_max_f64(Slice_f64 values, Failure **failure);

/**
 * The least value and the greatest; NaN if there is one.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsF64 upcall_min_max_f64(Slice_f64 values, Failure **failure);

/**
 * The least number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_min_number_f64(Slice_f64 values, Failure **failure);

/**
 * The greatest number; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API double upcall_max_number_f64(Slice_f64 values, Failure **failure);

/**
 * The least number and the greatest; NaN if all are.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API EndsF64 upcall_min_max_number_f64(Slice_f64 values, Failure **failure);

/**
 * The index of the first value that equals `wanted`; -1 if there is none.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API intptr_t upcall_index_of_f64(Slice_f64 values, double wanted, Failure **failure);

/**
 * How many values equal `wanted`.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API size_t upcall_count_equal_f64(Slice_f64 values, double wanted, Failure **failure);

/**
 * Whether both have equal values in the same places.
 *
 * `*failure` is null before the call. If it is not afterwards, the call failed and what it returned is
 * zero; release the failure with `upcall_failure_release`.
 */
UPCALL_API bool upcall_equal_f64(Slice_f64 one, Slice_f64 other, Failure **failure);

UPCALL_API void upcall_mpi_published_release(UpcallMpiPublished *upcall_mpi_published);

/** Takes a failure back. */
UPCALL_API void upcall_failure_release(Failure *failure);

/** Any thread may call it, several at once. */
#define UPCALL_THREADS_ANY UINT32_C(0)

/** An instance for each worker, called on its thread only. */
#define UPCALL_THREADS_OWN UINT32_C(1)

/** One worker calls all handlers of the guest. */
#define UPCALL_THREADS_ONE UINT32_C(2)

/** A flow's description is wrong. */
#define UPCALL_INVALID INT32_C(10)

/** A handler or its runtime could not be loaded or opened. */
#define UPCALL_LOAD INT32_C(11)

/** No pool has this path. */
#define UPCALL_NO_POOL INT32_C(12)

/** A key that is not UTF-8. */
#define UPCALL_BAD_KEY INT32_C(13)

/** A value that the pool's type does not allow. */
#define UPCALL_BAD_VALUE INT32_C(14)

/** A put into a dead pool, which only the flow itself fills. */
#define UPCALL_DEAD_POOL INT32_C(15)

/** The pool stores nothing. */
#define UPCALL_STORES_NOTHING INT32_C(16)

/** The version or time asked for is no longer kept. */
#define UPCALL_COMPACTED INT32_C(17)

/** Another version was found than expected. */
#define UPCALL_CONFLICT INT32_C(18)

/** There is no credit now. */
#define UPCALL_WOULD_BLOCK INT32_C(19)

/** A blocking call from inside a handler of the same flow. */
#define UPCALL_IN_HANDLER INT32_C(20)

/** The flow held more than its `memory`. */
#define UPCALL_OUT_OF_MEMORY INT32_C(21)

/** A handler failed when it was told that its input has ended. */
#define UPCALL_FLUSH INT32_C(22)

/** The flow has been stopped. */
#define UPCALL_STOPPED INT32_C(23)

/** A thread of the flow died. */
#define UPCALL_INTERNAL INT32_C(24)

/** The call makes no sense now: the task has not ended, or its result was taken. */
#define UPCALL_NOT_NOW INT32_C(25)

/** A graph's file could not be read, or is none, or is damaged. */
#define UPCALL_GRAPH_FILE INT32_C(26)

/** A vertex program failed, or is none. */
#define UPCALL_PROGRAM INT32_C(27)

/** An object was put, emitted or triggered. */
#define UPCALL_EVENT_PUT UINT32_C(0)

/** A key was removed. */
#define UPCALL_EVENT_REMOVED UINT32_C(1)

/** The watcher was too slow: so many events of the pool were dropped. */
#define UPCALL_EVENT_MISSED UINT32_C(2)

/** Any rank, or any tag. */
#define UPCALL_MPI_ANY (-INT32_C(1))

/** There is no MPI, or no compiler of its own. */
#define UPCALL_MPI_MISSING INT32_C(40)

/** The MPI cannot be loaded or started. */
#define UPCALL_MPI_LOAD INT32_C(41)

/** MPI was started before in this process, or has been finalized. */
#define UPCALL_MPI_LIFECYCLE INT32_C(42)

/** A call that the thread level, or the shape of what it was given, does not allow. */
#define UPCALL_MPI_USAGE INT32_C(43)

/** There is no such rank in the communicator. */
#define UPCALL_MPI_RANK INT32_C(44)

/** A tag that is negative or too large. */
#define UPCALL_MPI_TAG INT32_C(45)

/** A message was larger than the room for it. */
#define UPCALL_MPI_TRUNCATED INT32_C(46)

/** What has arrived is of another size or form than what was asked for. */
#define UPCALL_MPI_TYPE INT32_C(47)

/** More elements than the MPI can count. */
#define UPCALL_MPI_COUNT INT32_C(48)

/** An operation failed. */
#define UPCALL_MPI_OPERATION INT32_C(49)

/** A process has died. */
#define UPCALL_MPI_PROCESS_FAILED INT32_C(50)

/** The MPI in use does not have it. */
#define UPCALL_MPI_UNSUPPORTED INT32_C(51)

/** MPI's own words say what. */
#define UPCALL_MPI_OTHER INT32_C(52)

/** There is no room for a buffered send. */
#define UPCALL_MPI_BUFFER INT32_C(58)

/** A place outside of a window or file. */
#define UPCALL_MPI_RANGE INT32_C(60)

/** A call outside of an epoch, or in the wrong one. */
#define UPCALL_MPI_SYNCHRONIZATION INT32_C(61)

/** There is no such file. */
#define UPCALL_MPI_NOT_FOUND INT32_C(62)

/** There is such a file already. */
#define UPCALL_MPI_EXISTS INT32_C(63)

/** A file may not be read or written so. */
#define UPCALL_MPI_ACCESS INT32_C(64)

/** The disk is full. */
#define UPCALL_MPI_NO_SPACE INT32_C(65)

/** A file could not be read or written. */
#define UPCALL_MPI_IO INT32_C(66)

/** The communicator was revoked. */
#define UPCALL_MPI_REVOKED INT32_C(70)

/** A process could not be started. */
#define UPCALL_MPI_SPAWN INT32_C(71)

/** There is no such port or service. */
#define UPCALL_MPI_PORT INT32_C(72)

/** A file is to be read. */
#define UPCALL_MPI_FILE_READ UINT32_C(1)

/** A file is to be written. */
#define UPCALL_MPI_FILE_WRITE UINT32_C(2)

/** A file is to be written, and all pointers are at its end at first. */
#define UPCALL_MPI_FILE_APPEND UINT32_C(4)

/** A file is made where there is none. */
#define UPCALL_MPI_FILE_CREATE UINT32_C(8)

/** A file is made, and must not be there. */
#define UPCALL_MPI_FILE_CREATE_NEW UINT32_C(16)

/** What is in a file is thrown away. */
#define UPCALL_MPI_FILE_TRUNCATE UINT32_C(32)

/** A file is deleted when it is closed. */
#define UPCALL_MPI_FILE_DELETE_ON_CLOSE UINT32_C(64)

/** In place of a root: this process is it. */
#define UPCALL_MPI_ROOT_HERE (-INT32_C(3))

/** In place of a root: another process of this group is it, and this one takes no part. */
#define UPCALL_MPI_ROOT_BESIDE (-INT32_C(2))

/** What there is none of, where -1 stands for any. */
#define UPCALL_MPI_NONE (-INT32_C(2))

/** The failure's code where an empty slice has no least value, no greatest and no mean. */
#define UPCALL_NO_ELEMENTS INT32_C(2)

/** The failure's code where the type of the elements cannot hold their sum. */
#define UPCALL_NO_SUM INT32_C(3)

#if defined(__cplusplus)
}
#endif

#endif /* UPCALL_UPCALL_H */
