//! The table of functions of `shim/upcall_mpi.h`: the same numbers, types and order.

use std::ffi::{c_char, c_int, c_void};

/// The version of the header.
pub(crate) const ABI: u32 = 1;

/// A communicator, type, operation, request or message.
pub(crate) type Handle = i64;

/// What a call says of a message, as the MPI has it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawStatus(pub(crate) [u64; 6]);

const _: () = assert!(size_of::<RawStatus>() == 48 && align_of::<RawStatus>() == 8);

/// A user's operation, as MPI calls it: `into[i] = from[i] * into[i]` for so many elements.
pub(crate) type Function =
    unsafe extern "C" fn(from: *mut c_void, into: *mut c_void, count: *mut c_int, datatype: *mut c_void);

/// Numbers of constants.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Constant {
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
}

impl Constant {
    pub(crate) const COUNT: usize = Constant::Int64Place as usize + 1;
}

/// How a message is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub(crate) enum Mode {
    Standard = 0,
    Synchronous = 1,
    Ready = 3,
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

    send(data: *const c_void, count: i64, datatype: Handle, to: c_int, tag: c_int, comm: Handle, mode: c_int) -> c_int;
    recv(data: *mut c_void, count: i64, datatype: Handle, from: c_int, tag: c_int, comm: Handle, status: *mut RawStatus) -> c_int;
    isend(data: *const c_void, count: i64, datatype: Handle, to: c_int, tag: c_int, comm: Handle, mode: c_int, request: *mut Handle) -> c_int;
    irecv(data: *mut c_void, count: i64, datatype: Handle, from: c_int, tag: c_int, comm: Handle, request: *mut Handle) -> c_int;
    probe(from: c_int, tag: c_int, comm: Handle, wait: c_int, found: *mut c_int, status: *mut RawStatus) -> c_int;
    mprobe(from: c_int, tag: c_int, comm: Handle, wait: c_int, found: *mut c_int, message: *mut Handle, status: *mut RawStatus) -> c_int;
    mrecv(data: *mut c_void, count: i64, datatype: Handle, message: *mut Handle, status: *mut RawStatus) -> c_int;
    sendrecv(data: *const c_void, count: i64, datatype: Handle, to: c_int, tag: c_int, into: *mut c_void, room: i64, into_type: Handle, from: c_int, from_tag: c_int, comm: Handle, status: *mut RawStatus) -> c_int;
    buffer_attach(buffer: *mut c_void, bytes: c_int) -> c_int;
    buffer_detach() -> c_int;

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

    // non-blocking collectives

    // communicators

    // windows

    // files

    // types and operations
}

const _: () =
    assert!(size_of::<Table>() == 24 + 8 * FUNCTIONS && std::mem::offset_of!(Table, constant) == 24);

// SAFETY: it is never written after the shim has given it, and its functions may be called from any thread that MPI's own rules
// allow, which `Library` sees to.
unsafe impl Sync for Table {}
// SAFETY: as above.
unsafe impl Send for Table {}
