//! The table of functions of `shim/upcall_mpi.h`: the same numbers, types and order.

use std::ffi::{c_char, c_int, c_void};

/// The version of the header.
pub(crate) const ABI: u32 = 1;

/// What a call returns that the library does not have.
pub(crate) const UNSUPPORTED: c_int = -1;

/// A communicator, type, operation, request or message.
pub(crate) type Handle = i64;

/// What a call says of a message, as the MPI has it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawStatus(pub(crate) [u64; 4]);

const _: () = assert!(size_of::<RawStatus>() == 32 && align_of::<RawStatus>() == 8);

/// What it says of a message that was received.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Told {
    pub(crate) source: c_int,
    pub(crate) tag: c_int,
    pub(crate) bytes: i64,
}

const _: () = assert!(size_of::<Told>() == 16);

/// A user's operation, as MPI calls it: `into[i] = from[i] * into[i]` for so many elements.
pub(crate) type Function =
    unsafe extern "C" fn(from: *mut c_void, into: *mut c_void, count: *mut c_int, datatype: *mut c_void);

/// What becomes of an attribute where its communicator is duplicated: 1 where it is copied, -1 where that has failed.
pub(crate) type Copied =
    unsafe extern "C" fn(key: *mut c_void, value: *mut c_void, copied: *mut *mut c_void) -> c_int;

/// What becomes of it when it is freed.
pub(crate) type Dropped = unsafe extern "C" fn(key: *mut c_void, value: *mut c_void);

/// Processes to start. Lists end with null.
#[repr(C)]
pub(crate) struct RawCommand {
    pub(crate) program: *const c_char,
    pub(crate) arguments: *const *const c_char,
    pub(crate) info: *const *const c_char,
    pub(crate) processes: c_int,
}

const _: () = assert!(size_of::<RawCommand>() == 32);

/// Numbers of constants.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    CommWorld,
    CommSelf,
    CommNull,
    RequestNull,
    AnySource,
    AnyTag,
    Undefined,
    Byte,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float,
    Double,
    Sum,
    Prod,
    Min,
    Max,
    Land,
    Lor,
    Lxor,
    Band,
    Bor,
    Bxor,
    MinLoc,
    MaxLoc,
    Int16Place,
    Int32Place,
    Int64Place,
    Root,
    ProcNull,
    Replace,
    NoOp,
}

impl Constant {
    pub(crate) const COUNT: usize = Constant::NoOp as usize + 1;
}

/// How a message is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub(crate) enum Mode {
    Standard = 0,
    Synchronous = 1,
    Ready = 3,
}

/// What not every MPI has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum Feature {
    PersistentCollectives,
    Partitioned,
}

/// What all ranks do together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Together {
    /// They wait for each other.
    Barrier,
    /// All get what one has.
    Broadcast,
    /// One gets what all have.
    Gather,
    /// Each gets its part of what one has.
    Scatter,
    /// All get what all have.
    AllGather,
    /// Each has a part for each.
    AllToAll,
    /// As `Gather`, of parts that differ in size.
    GatherParts,
    /// As `Scatter`, of parts that differ in size.
    ScatterParts,
    /// As `AllGather`, of parts that differ in size.
    AllGatherParts,
    /// As `AllToAll`, of parts that differ in size.
    AllToAllParts,
    /// One gets what all have, combined.
    Reduce,
    /// All get what all have, combined.
    AllReduce,
    /// Each gets its part of what all have, combined.
    ReduceScatter,
    /// Each gets what the ranks up to it have, combined.
    Scan,
    /// Each gets what the ranks before it have, combined.
    ExclusiveScan,
}

/// One call of all ranks, as the header describes it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Collective {
    pub(crate) what: Together,
    pub(crate) root: c_int,
    pub(crate) persistent: c_int,
    pub(crate) large: c_int,
    pub(crate) data: *const c_void,
    pub(crate) into: *mut c_void,
    pub(crate) count: i64,
    pub(crate) counts: *const i64,
    pub(crate) into_counts: *const i64,
    pub(crate) datatype: Handle,
    pub(crate) op: Handle,
    pub(crate) comm: Handle,
}

macro_rules! table {
    ($($name:ident($($parameter:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        /// The shim's functions. Each returns an error code of MPI's, 0 where it has gone well, but for those that say otherwise.
        #[repr(C)]
        pub(crate) struct Table {
            pub(crate) abi: u32,
            pub(crate) size: u32,
            pub(crate) library: *const c_char,
            pub(crate) version: u32,
            pub(crate) subversion: u32,
            $(pub(crate) $name: unsafe extern "C" fn($($parameter: $type),*) $(-> $result)?,)*
        }

        const FUNCTIONS: usize = [$(stringify!($name)),*].len();
    };
}

table! {
    constant(which: u32, value: *mut Handle) -> c_int;
    error_class(code: c_int) -> u32;
    error_string(code: c_int, text: *mut c_char, room: c_int, length: *mut c_int) -> c_int;

    init(wanted: c_int, provided: *mut c_int) -> c_int;
    initialized(is: *mut c_int, was_finalized: *mut c_int) -> c_int;
    finalize() -> c_int;
    abort(comm: Handle, code: c_int) -> c_int;
    processor_name(name: *mut c_char, room: c_int, length: *mut c_int) -> c_int;
    wtime() -> f64;

    status_get(status: *const RawStatus, source: *mut c_int, tag: *mut c_int, error: *mut c_int, cancelled: *mut c_int) -> c_int;
    status_bytes(status: *const RawStatus, bytes: *mut i64) -> c_int;

    comm_rank(comm: Handle, rank: *mut c_int) -> c_int;
    comm_size(comm: Handle, size: *mut c_int) -> c_int;
    comm_dup(comm: Handle, made: *mut Handle) -> c_int;
    comm_split(comm: Handle, color: c_int, key: c_int, made: *mut Handle) -> c_int;
    comm_free(comm: *mut Handle) -> c_int;
    comm_tag_limit(comm: Handle, largest: *mut c_int) -> c_int;
    comm_errors_return(comm: Handle) -> c_int;

    type_contiguous(count: i64, of: Handle, made: *mut Handle) -> c_int;
    type_free(datatype: *mut Handle) -> c_int;
    op_create(function: Function, commutes: c_int, made: *mut Handle) -> c_int;
    op_free(op: *mut Handle) -> c_int;

    direct(send: *mut *const c_void, recv: *mut *const c_void) -> c_int;
    send(data: *const c_void, count: i64, datatype: Handle, to: c_int, tag: c_int, comm: Handle, mode: c_int) -> c_int;
    recv(data: *mut c_void, count: i64, datatype: Handle, from: c_int, tag: c_int, comm: Handle, status: *mut RawStatus) -> c_int;
    recv_told(data: *mut c_void, count: i64, datatype: Handle, from: c_int, tag: c_int, comm: Handle, told: *mut Told) -> c_int;
    isend(data: *const c_void, count: i64, datatype: Handle, to: c_int, tag: c_int, comm: Handle, mode: c_int, request: *mut Handle) -> c_int;
    irecv(data: *mut c_void, count: i64, datatype: Handle, from: c_int, tag: c_int, comm: Handle, request: *mut Handle) -> c_int;
    probe(from: c_int, tag: c_int, comm: Handle, wait: c_int, found: *mut c_int, status: *mut RawStatus) -> c_int;
    mprobe(from: c_int, tag: c_int, comm: Handle, wait: c_int, found: *mut c_int, message: *mut Handle, bytes: *mut i64, status: *mut RawStatus) -> c_int;
    mrecv(data: *mut c_void, count: i64, datatype: Handle, message: *mut Handle, status: *mut RawStatus) -> c_int;
    sendrecv(data: *const c_void, count: i64, datatype: Handle, to: c_int, tag: c_int, into: *mut c_void, room: i64, into_type: Handle, from: c_int, from_tag: c_int, comm: Handle, status: *mut RawStatus) -> c_int;

    wait(request: *mut Handle, status: *mut RawStatus) -> c_int;
    test(request: *mut Handle, done: *mut c_int, status: *mut RawStatus) -> c_int;
    cancel(request: *mut Handle) -> c_int;

    barrier(comm: Handle) -> c_int;
    bcast(data: *mut c_void, count: i64, datatype: Handle, root: c_int, comm: Handle) -> c_int;
    gather(data: *const c_void, into: *mut c_void, count: i64, datatype: Handle, root: c_int, comm: Handle) -> c_int;
    scatter(data: *const c_void, into: *mut c_void, count: i64, datatype: Handle, root: c_int, comm: Handle) -> c_int;
    allgather(data: *const c_void, into: *mut c_void, count: i64, datatype: Handle, comm: Handle) -> c_int;
    alltoall(data: *const c_void, into: *mut c_void, count: i64, datatype: Handle, comm: Handle) -> c_int;
    gatherv(data: *const c_void, count: i64, into: *mut c_void, counts: *const i64, datatype: Handle, root: c_int, comm: Handle) -> c_int;
    scatterv(data: *const c_void, counts: *const i64, into: *mut c_void, count: i64, datatype: Handle, root: c_int, comm: Handle) -> c_int;
    allgatherv(data: *const c_void, count: i64, into: *mut c_void, counts: *const i64, datatype: Handle, comm: Handle) -> c_int;
    alltoallv(data: *const c_void, counts: *const i64, into: *mut c_void, into_counts: *const i64, datatype: Handle, comm: Handle) -> c_int;

    reduce(data: *const c_void, into: *mut c_void, count: i64, datatype: Handle, op: Handle, root: c_int, comm: Handle) -> c_int;
    allreduce(data: *const c_void, into: *mut c_void, count: i64, datatype: Handle, op: Handle, comm: Handle) -> c_int;
    reduce_scatter(data: *const c_void, into: *mut c_void, counts: *const i64, datatype: Handle, op: Handle, comm: Handle) -> c_int;
    scan(data: *const c_void, into: *mut c_void, count: i64, datatype: Handle, op: Handle, exclusive: c_int, comm: Handle) -> c_int;

    // requests
    has(feature: u32) -> c_int;
    limit_counts(largest: i64) -> c_int;
    request_free(request: *mut Handle) -> c_int;
    start_all(count: i64, requests: *mut Handle) -> c_int;
    send_init(data: *const c_void, count: i64, datatype: Handle, to: c_int, tag: c_int, comm: Handle, mode: c_int, request: *mut Handle) -> c_int;
    recv_init(data: *mut c_void, count: i64, datatype: Handle, from: c_int, tag: c_int, comm: Handle, request: *mut Handle) -> c_int;
    imrecv(data: *mut c_void, count: i64, datatype: Handle, message: *mut Handle, request: *mut Handle) -> c_int;
    psend_init(data: *const c_void, partitions: c_int, count: i64, datatype: Handle, to: c_int, tag: c_int, comm: Handle, request: *mut Handle) -> c_int;
    precv_init(data: *mut c_void, partitions: c_int, count: i64, datatype: Handle, from: c_int, tag: c_int, comm: Handle, request: *mut Handle) -> c_int;
    pready(partition: c_int, request: Handle) -> c_int;
    parrived(request: Handle, partition: c_int, arrived: *mut c_int) -> c_int;

    // non-blocking collectives
    collective(call: *const Collective, request: *mut Handle, kept: *mut Handle) -> c_int;
    kept_free(kept: Handle) -> c_int;

    // communicators
    comm_group(comm: Handle, remote: c_int, made: *mut Handle) -> c_int;
    group_rank(group: Handle, rank: *mut c_int, size: *mut c_int) -> c_int;
    group_combine(one: Handle, other: Handle, how: c_int, made: *mut Handle) -> c_int;
    group_select(of: Handle, count: c_int, ranks: *const c_int, without: c_int, made: *mut Handle) -> c_int;
    group_translate(of: Handle, count: c_int, ranks: *const c_int, other: Handle, into: *mut c_int) -> c_int;
    group_compare(one: Handle, other: Handle, how: *mut c_int) -> c_int;
    group_free(group: *mut Handle) -> c_int;
    comm_compare(one: Handle, other: Handle, how: *mut c_int) -> c_int;
    comm_create(comm: Handle, group: Handle, made: *mut Handle) -> c_int;
    comm_create_group(comm: Handle, group: Handle, tag: c_int, made: *mut Handle) -> c_int;
    comm_split_shared(comm: Handle, key: c_int, made: *mut Handle) -> c_int;
    comm_get_name(comm: Handle, name: *mut c_char, room: c_int, length: *mut c_int) -> c_int;
    comm_set_name(comm: Handle, name: *const c_char, longest: *mut c_int) -> c_int;
    comm_disconnect(comm: *mut Handle) -> c_int;
    keyval_create(copy: Copied, drop: Dropped, key: *mut c_void, keyval: *mut c_int) -> c_int;
    attr_set(comm: Handle, keyval: c_int, value: *mut c_void) -> c_int;
    attr_get(comm: Handle, keyval: c_int, value: *mut *mut c_void, found: *mut c_int) -> c_int;
    attr_delete(comm: Handle, keyval: c_int) -> c_int;
    comm_predefined(which: c_int, value: *mut c_int, found: *mut c_int) -> c_int;
    wtick() -> f64;
    comm_revoke(comm: Handle) -> c_int;
    comm_is_revoked(comm: Handle, is: *mut c_int) -> c_int;
    comm_shrink(comm: Handle, made: *mut Handle) -> c_int;
    comm_agree(comm: Handle, flags: *mut c_int) -> c_int;
    comm_failure_ack(comm: Handle) -> c_int;
    comm_failure_acked(comm: Handle, made: *mut Handle) -> c_int;

    dims_create(nodes: c_int, count: c_int, dims: *mut c_int) -> c_int;
    cart_create(comm: Handle, count: c_int, dims: *const c_int, periods: *const c_int, reorder: c_int, made: *mut Handle) -> c_int;
    cart_count(comm: Handle, count: *mut c_int) -> c_int;
    cart_get(comm: Handle, count: c_int, dims: *mut c_int, periods: *mut c_int, coords: *mut c_int) -> c_int;
    cart_rank(comm: Handle, coords: *const c_int, rank: *mut c_int) -> c_int;
    cart_coords(comm: Handle, rank: c_int, count: c_int, coords: *mut c_int) -> c_int;
    cart_shift(comm: Handle, dim: c_int, steps: c_int, from: *mut c_int, to: *mut c_int) -> c_int;
    cart_sub(comm: Handle, kept_dims: *const c_int, made: *mut Handle) -> c_int;
    graph_create(comm: Handle, count: c_int, sources: *const c_int, degrees: *const c_int, edges: c_int, destinations: *const c_int, weights: *const c_int, reorder: c_int, made: *mut Handle) -> c_int;
    graph_adjacent(comm: Handle, inward: c_int, sources: *const c_int, in_weights: *const c_int, outward: c_int, destinations: *const c_int, out_weights: *const c_int, reorder: c_int, made: *mut Handle) -> c_int;
    graph_degrees(comm: Handle, inward: *mut c_int, outward: *mut c_int) -> c_int;
    graph_neighbors(comm: Handle, inward: c_int, sources: *mut c_int, in_weights: *mut c_int, outward: c_int, destinations: *mut c_int, out_weights: *mut c_int) -> c_int;
    neighbor_allgather(data: *const c_void, into: *mut c_void, count: i64, datatype: Handle, comm: Handle) -> c_int;
    neighbor_alltoall(data: *const c_void, into: *mut c_void, count: i64, datatype: Handle, comm: Handle) -> c_int;
    neighbor_allgatherv(data: *const c_void, count: i64, into: *mut c_void, counts: *const i64, inward: c_int, datatype: Handle, comm: Handle) -> c_int;
    neighbor_alltoallv(data: *const c_void, counts: *const i64, outward: c_int, into: *mut c_void, into_counts: *const i64, inward: c_int, datatype: Handle, comm: Handle) -> c_int;

    comm_remote_size(comm: Handle, size: *mut c_int) -> c_int;
    intercomm_create(local: Handle, local_leader: c_int, bridge: Handle, remote_leader: c_int, tag: c_int, made: *mut Handle) -> c_int;
    intercomm_merge(inter: Handle, high: c_int, made: *mut Handle) -> c_int;
    inter_allgather(data: *const c_void, count: i64, into: *mut c_void, each: i64, datatype: Handle, comm: Handle) -> c_int;
    inter_alltoall(data: *const c_void, count: i64, into: *mut c_void, each: i64, datatype: Handle, comm: Handle) -> c_int;
    inter_gatherv(data: *const c_void, count: i64, into: *mut c_void, counts: *const i64, datatype: Handle, root: c_int, comm: Handle) -> c_int;
    inter_scatterv(data: *const c_void, counts: *const i64, into: *mut c_void, count: i64, datatype: Handle, root: c_int, comm: Handle) -> c_int;
    inter_allgatherv(data: *const c_void, count: i64, into: *mut c_void, counts: *const i64, datatype: Handle, comm: Handle) -> c_int;
    inter_alltoallv(data: *const c_void, counts: *const i64, into: *mut c_void, into_counts: *const i64, datatype: Handle, comm: Handle) -> c_int;
    comm_spawn(commands: c_int, command: *const RawCommand, root: c_int, comm: Handle, made: *mut Handle, codes: *mut c_int) -> c_int;
    comm_parent(made: *mut Handle) -> c_int;
    open_port(name: *mut c_char, room: c_int) -> c_int;
    close_port(name: *const c_char) -> c_int;
    comm_accept(port: *const c_char, root: c_int, comm: Handle, made: *mut Handle) -> c_int;
    comm_connect(port: *const c_char, root: c_int, comm: Handle, made: *mut Handle) -> c_int;
    publish_name(service: *const c_char, port: *const c_char) -> c_int;
    unpublish_name(service: *const c_char, port: *const c_char) -> c_int;
    lookup_name(service: *const c_char, port: *mut c_char, room: c_int) -> c_int;

    // windows
    win_create(base: *mut c_void, bytes: i64, comm: Handle, made: *mut Handle) -> c_int;
    win_allocate(bytes: i64, comm: Handle, shared: c_int, base: *mut *mut c_void, made: *mut Handle) -> c_int;
    win_folder(folder: *mut c_char, room: c_int) -> c_int;
    win_shared_query(win: Handle, rank: c_int, bytes: *mut i64, base: *mut *mut c_void) -> c_int;
    win_free(win: *mut Handle) -> c_int;
    win_unified(win: Handle, unified: *mut c_int) -> c_int;
    win_fence(win: Handle, last: c_int) -> c_int;
    win_lock(win: Handle, rank: c_int, exclusive: c_int) -> c_int;
    win_unlock(win: Handle, rank: c_int) -> c_int;
    win_lock_all(win: Handle) -> c_int;
    win_unlock_all(win: Handle) -> c_int;
    win_sync(win: Handle) -> c_int;
    win_flush(win: Handle, rank: c_int, local: c_int) -> c_int;
    win_post(win: Handle, ranks: *const c_int, count: c_int) -> c_int;
    win_start(win: Handle, ranks: *const c_int, count: c_int) -> c_int;
    win_complete(win: Handle) -> c_int;
    win_wait(win: Handle, wait: c_int, done: *mut c_int) -> c_int;
    win_put(data: *const c_void, bytes: i64, rank: c_int, place: i64, win: Handle) -> c_int;
    win_get(into: *mut c_void, bytes: i64, rank: c_int, place: i64, win: Handle) -> c_int;
    win_accumulate(data: *const c_void, count: i64, datatype: Handle, size: c_int, most: c_int, rank: c_int, place: i64, op: Handle, win: Handle) -> c_int;
    win_get_accumulate(data: *const c_void, into: *mut c_void, count: i64, datatype: Handle, size: c_int, most: c_int, rank: c_int, place: i64, op: Handle, win: Handle) -> c_int;
    win_fetch_and_op(data: *const c_void, into: *mut c_void, datatype: Handle, rank: c_int, place: i64, op: Handle, win: Handle) -> c_int;
    win_compare_and_swap(data: *const c_void, expected: *const c_void, into: *mut c_void, datatype: Handle, rank: c_int, place: i64, win: Handle) -> c_int;
    win_rput(data: *const c_void, bytes: i64, rank: c_int, place: i64, win: Handle, request: *mut Handle) -> c_int;
    win_rget(into: *mut c_void, bytes: i64, rank: c_int, place: i64, win: Handle, request: *mut Handle) -> c_int;
    win_raccumulate(data: *const c_void, count: i64, datatype: Handle, rank: c_int, place: i64, op: Handle, win: Handle, request: *mut Handle) -> c_int;
    win_compares(datatype: Handle, size: c_int, right: *mut c_int) -> c_int;
    win_sums(datatype: Handle, size: c_int, right: *mut c_int) -> c_int;

    // files
    file_open(comm: Handle, path: *const c_char, mode: c_int, hints: *const *const c_char, count: c_int, made: *mut Handle) -> c_int;
    file_close(file: *mut Handle) -> c_int;
    file_delete(path: *const c_char) -> c_int;
    file_size(file: Handle, bytes: *mut i64) -> c_int;
    file_resize(file: Handle, bytes: i64) -> c_int;
    file_sync(file: Handle) -> c_int;
    file_set_atomic(file: Handle, atomic: c_int) -> c_int;
    file_atomic(file: Handle, atomic: *mut c_int) -> c_int;
    file_hint(file: Handle, which: c_int, name: *mut c_char, value: *mut c_char, room: c_int, found: *mut c_int) -> c_int;
    file_view(file: Handle, place: i64, size: c_int, block: i64, stride: i64, array: *const c_int, dims: c_int) -> c_int;
    file_seek(file: Handle, offset: i64, from: c_int, shared: c_int) -> c_int;
    file_position(file: Handle, shared: c_int, offset: *mut i64) -> c_int;
    file_place(file: Handle, offset: i64, bytes: *mut i64) -> c_int;
    file_read(file: Handle, how: c_int, offset: i64, into: *mut c_void, bytes: i64, status: *mut RawStatus) -> c_int;
    file_write(file: Handle, how: c_int, offset: i64, data: *const c_void, bytes: i64, status: *mut RawStatus) -> c_int;

    // types and operations
    type_fields(count: c_int, counts: *const i64, places: *const i64, types: *const Handle, extent: i64, made: *mut Handle) -> c_int;
}

const _: () =
    assert!(size_of::<Table>() == 24 + 8 * FUNCTIONS && std::mem::offset_of!(Table, constant) == 24);

// SAFETY: it is never written after the shim has given it, and its functions may be called from any thread that MPI's own rules
// allow, which `Library` sees to.
unsafe impl Sync for Table {}
// SAFETY: as above.
unsafe impl Send for Table {}
