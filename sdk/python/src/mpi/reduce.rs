//! What all ranks have, combined element by element.

use super::buffer::Buffer;
use super::collective::{bytes_mut, written_at_root};
use super::combine::Function;
use super::communicator::{Held, of};
use super::failure::{raise, raise_as};
use super::integer::counts;
use super::operator::{known, on};
use super::{method, rank_or, truth, unlocked};
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::TypeOf;
use std::sync::OnceLock;
use upcall_mpi::{Error, Named, Operation};

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"_reduce_into",
        method!(reduce_into as "reduce"(data, into, op, root), 4),
        c"Combines the elements of all ranks for one of them.",
    )
    .method(
        c"all_reduce_into",
        method!(all_reduce_into as "all_reduce_into"(data, into, op), 3),
        c"all_reduce_into(data, into, op)",
    )
    .method(
        c"all_reduce_in_place",
        method!(all_reduce_in_place as "all_reduce_in_place"(data, op), 2),
        c"all_reduce_in_place(data, op)",
    )
    .method(
        c"_all_reduce_checked",
        method!(all_reduce_checked as "all_reduce_checked"(data, into, op), 3),
        c"As all_reduce_into; what an operation fails with on one rank is raised on all.",
    )
    .method(
        c"reduce_scatter_into",
        method!(reduce_scatter_into as "reduce_scatter_into"(data, into, counts, op), 4),
        c"reduce_scatter_into(data, into, counts, op)",
    )
    .method(c"scan_into", method!(scan_into as "scan_into"(data, into, op), 3), c"scan_into(data, into, op)")
    .method(
        c"exclusive_scan_into",
        method!(exclusive_scan_into as "exclusive_scan_into"(data, into, op), 3),
        c"exclusive_scan_into(data, into, op)",
    )
}

/// What two elements are combined by.
pub enum By<'a> {
    Named(Named),
    Made(&'a Operation<u8>),
}

/// Calls a reduction with an operation of either kind.
macro_rules! by {
    ($by:expr, |$name:ident| $call:expr) => {
        match $by {
            By::Named($name) => $call,
            By::Made($name) => $call,
        }
    };
}

pub(super) use by;

/// Reduces without the interpreter's lock, by an operation of MPI's or a function of Python's.
///
/// # Safety
/// The objects must be alive; `data` is what `object` has.
#[inline]
pub unsafe fn reduced(
    what: &str,
    op: *mut PyObject,
    object: *mut PyObject,
    data: &Buffer,
    reduce: impl FnOnce(By<'_>) -> Result<(), Error>,
) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    let by = match unsafe { known(op) } {
        Some(index) => Some(on(index, data, what)?),
        None => None,
    };
    match by {
        Some(named) => unlocked(|| reduce(By::Named(named))).map_err(raise)?,
        // SAFETY: as above.
        None => unsafe { by_function(what, op, object, data, reduce)? },
    }
    Ok(py::none())
}

/// What says what an operation is that is none of MPI's own.
struct Resolver(Ref);

// SAFETY: the reference is never changed, and is counted by attached threads only.
unsafe impl Send for Resolver {}
// SAFETY: as above.
unsafe impl Sync for Resolver {}

/// Looked up once: an import each time takes as long as a small reduction.
pub fn resolver() -> Outcome<&'static Ref> {
    static RESOLVER: OnceLock<Resolver> = OnceLock::new();
    match RESOLVER.get() {
        Some(known) => Ok(&known.0),
        None => {
            let found = py::import(c"upcall._mpi_operation")?.get(c"resolved")?;
            Ok(&RESOLVER.get_or_init(|| Resolver(found)).0)
        }
    }
}

/// # Safety
/// As [`reduced`].
unsafe fn by_function(
    what: &str,
    op: *mut PyObject,
    object: *mut PyObject,
    data: &Buffer,
    reduce: impl FnOnce(By<'_>) -> Result<(), Error>,
) -> Outcome<()> {
    // SAFETY: the caller's promise.
    let (op, object) = unsafe { (Ref::share(op), Ref::share(object)) };
    let resolved = py::call_two(resolver()?, &op, &object)?;
    let (first, commutes) = (py::item(&resolved, 0)?, py::item(&resolved, 1)?);
    // SAFETY: alive.
    if let Some(index) = unsafe { known(first.as_ptr()) } {
        let named = on(index, data, what)?;
        return unlocked(|| reduce(By::Named(named))).map_err(raise);
    }
    // SAFETY: alive.
    let commutes = unsafe { truth(commutes.as_ptr())? };
    let function = Function::new(first);
    // SAFETY: it is dropped before the function is, and used by this thread alone.
    let operation = unsafe { function.operation(data.element(), commutes) }.map_err(raise)?;
    unlocked(|| reduce(By::Made(&operation))).map_err(|error| function.failed(error))
}

/// Calls with memory where numbers may lie: what was given, or copies.
#[inline]
pub fn aligned(
    by: By<'_>,
    data: &[u8],
    into: &mut [u8],
    reduce: impl FnOnce(By<'_>, &[u8], &mut [u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    // A function of Python's takes what numpy does, which is any address.
    let align = if let By::Named(named) = &by { named.size() } else { 1 };
    let lies = |bytes: &[u8]| bytes.is_empty() || bytes.as_ptr().addr().is_multiple_of(align);
    if lies(data) && lies(into) {
        return reduce(by, data, into);
    }
    let (mut from, mut target) = (vec![0u64; data.len().div_ceil(8)], vec![0u64; into.len().div_ceil(8)]);
    let (from, target) = (first(&mut from, data.len()), first(&mut target, into.len()));
    from.copy_from_slice(data);
    target.copy_from_slice(into);
    reduce(by, from, target)?;
    into.copy_from_slice(target);
    Ok(())
}

/// The first bytes of aligned memory.
fn first(of: &mut [u64], len: usize) -> &mut [u8] {
    // SAFETY: any bytes are numbers, and there are as many.
    unsafe { std::slice::from_raw_parts_mut(of.as_mut_ptr().cast::<u8>(), len.min(size_of_val(of))) }
}

/// Raises where two arrays that are combined do not have the same elements.
pub fn alike(data: &Buffer, into: &Buffer, what: &str) -> Outcome<()> {
    if data.element() != into.element() {
        let message = format!(
            "{what}: the elements have {} bytes, and those of the array for what comes of them {}",
            data.element(),
            into.element()
        );
        return Err(raise_as("usage", message));
    }
    data.same_elements(into, what)?;
    data.apart(into, what, "use all_reduce_in_place, or another array")
}

unsafe fn reduce_into(this: *mut PyObject, [from, into, op, root]: [*mut PyObject; 4]) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let (comm, root) = (of(this)?, rank_or(root, 0, "root")?);
        let data = Buffer::read(from, "reduce_into")?;
        let mut into = written_at_root(into, "reduce_into")?;
        if let Some(into) = &into {
            alike(&data, into, "reduce_into")?;
        }
        reduced("reduce_into", op, from, &data, |by| {
            aligned(by, data.bytes(), bytes_mut(&mut into), |by, data, into| {
                by!(by, |by| comm.reduce_into(data, into, by, root))
            })
        })
    }
}

/// A reduction of one array into another.
unsafe fn into(
    what: &str,
    this: *mut PyObject,
    [from, into, op]: [*mut PyObject; 3],
    reduce: impl FnOnce(&Held, By<'_>, &[u8], &mut [u8]) -> Result<(), Error>,
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = of(this)?;
        let data = Buffer::read(from, what)?;
        let mut into = Buffer::write(into, what)?;
        alike(&data, &into, what)?;
        reduced(what, op, from, &data, |by| {
            aligned(by, data.bytes(), into.bytes_mut(), |by, data, into| reduce(comm, by, data, into))
        })
    }
}

unsafe fn all_reduce_into(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        into("all_reduce_into", this, arguments, |comm, by, data, into| {
            by!(by, |by| comm.all_reduce_into(data, into, by))
        })
    }
}

unsafe fn all_reduce_in_place(this: *mut PyObject, [object, op]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = of(this)?;
        let data = Buffer::write(object, "all_reduce_in_place")?;
        let memory = std::slice::from_raw_parts_mut(data.address(), data.len());
        reduced("all_reduce_in_place", op, object, &data, |by| {
            aligned(by, &[], memory, |by, _, data| by!(by, |by| comm.all_reduce_in_place(data, by)))
        })
    }
}

unsafe fn all_reduce_checked(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        into("all_reduce_checked", this, arguments, |comm, by, data, into| {
            into.copy_from_slice(&by!(by, |by| comm.all_reduce_checked(data, by))?);
            Ok(())
        })
    }
}

/// `reduce_scatter_into(data, into, counts, op)`, with counts of elements.
unsafe fn reduce_scatter_into(
    this: *mut PyObject,
    [data, target, parts, op]: [*mut PyObject; 4],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let element = Buffer::read(data, "reduce_scatter_into")?.element();
        let sizes: Vec<usize> =
            counts(parts, "counts")?.iter().map(|count| count.saturating_mul(element)).collect();
        into("reduce_scatter_into", this, [data, target, op], |comm, by, data, into| {
            by!(by, |by| comm.reduce_scatter_into(data, into, &sizes, by))
        })
    }
}

unsafe fn scan_into(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        into("scan_into", this, arguments, |comm, by, data, into| {
            by!(by, |by| comm.scan_into(data, into, by))
        })
    }
}

unsafe fn exclusive_scan_into(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        into("exclusive_scan_into", this, arguments, |comm, by, data, into| {
            by!(by, |by| comm.exclusive_scan_into(data, into, by))
        })
    }
}
