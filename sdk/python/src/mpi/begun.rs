//! What all ranks do together, begun now and ended later, once or again and again.

use super::buffer::Buffer;
use super::combine::Shared;
use super::communicator::of;
use super::failure::{raise, raise_as};
use super::integer::counts;
use super::kept::Kept;
use super::operator::{known, on};
use super::reduce::resolver;
use super::request::{begun, by, lent};
use super::{given, method, number, persistent, rank_or, truth, unlocked};
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::TypeOf;
use std::sync::Arc;
use upcall_mpi::{Lent, LentCall, LentOperation, Together};

/// By the number that the part in Python has for each.
const CALLS: [Together; 15] = [
    Together::Barrier,
    Together::Broadcast,
    Together::Gather,
    Together::Scatter,
    Together::AllGather,
    Together::AllToAll,
    Together::GatherParts,
    Together::ScatterParts,
    Together::AllGatherParts,
    Together::AllToAllParts,
    Together::Reduce,
    Together::AllReduce,
    Together::ReduceScatter,
    Together::Scan,
    Together::ExclusiveScan,
];

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"_start_together",
        method!(start as "start"(name, what, data, into, root, counts, into_counts, op), 8),
        c"Begins a call of all ranks.",
    )
    .method(
        c"_together_init",
        method!(init as "init"(name, what, data, into, root, counts, into_counts, op), 8),
        c"Makes a call of all ranks ready.",
    )
}

/// A call, and the memory that it needs.
struct Call {
    what: Together,
    root: usize,
    element: usize,
    counts: Vec<usize>,
    into_counts: Vec<usize>,
    operation: Option<LentOperation>,
    function: Option<Arc<Shared>>,
    data: Lent<Kept>,
    into: Lent<Kept>,
}

/// Memory of nobody's.
fn nothing() -> Lent<Kept> {
    // SAFETY: there are no bytes.
    unsafe { Lent::new(std::ptr::dangling_mut(), 0, Kept::nothing()) }
}

/// # Safety
/// A communicator and arguments that live until this returns.
unsafe fn call(
    this: *mut PyObject,
    [name, what, data, into, root, parts, into_parts, op]: [*mut PyObject; 8],
) -> Outcome<Call> {
    // SAFETY: the caller's promise.
    unsafe {
        let comm = of(this)?;
        let name = Ref::share(name);
        let name = name.text()?;
        let index = usize::try_from(number(what, "what")?).unwrap_or(usize::MAX);
        let Some(what) = CALLS.get(index).copied() else {
            return Err(py::raise(py::Kind::Value, "what: no such call of all ranks"));
        };
        let root = rank_or(root, 0, "root")?;
        let sends = what == Together::Broadcast && comm.rank() == root;
        let object = given(data);
        let data = object.map(|data| Buffer::read(data, name)).transpose()?;
        let read = |object| if sends { Buffer::read(object, name) } else { Buffer::write(object, name) };
        let into = given(into).map(read).transpose()?;
        let element = data.as_ref().or(into.as_ref()).map_or(1, Buffer::element);
        let sizes = |object| -> Outcome<Vec<usize>> {
            let Some(object) = given(object) else { return Ok(Vec::new()) };
            Ok(counts(object, "counts")?.iter().map(|count| count.saturating_mul(element)).collect())
        };
        let (counts, into_counts) = (sizes(parts)?, sizes(into_parts)?);
        if let (Some(data), Some(into)) = (&data, &into) {
            data.same_elements(into, name)?;
        }
        let (mut operation, mut function) = (None, None);
        use Together::{AllReduce, ExclusiveScan, Reduce, ReduceScatter, Scan};
        // `None` is no operation, which is said there.
        let reduces = matches!(what, Reduce | AllReduce | ReduceScatter | Scan | ExclusiveScan);
        let op = if reduces { Some(op) } else { None };
        if let (Some(op), Some(object), Some(data)) = (op, object, &data) {
            if into.as_ref().is_some_and(|into| into.element() != element) {
                let message = format!("{name}: the elements of both arrays are of different sizes");
                return Err(raise_as("usage", message));
            }
            (operation, function) = combined(name, op, object, data)?;
        }
        let data = data.map_or_else(nothing, lent);
        let into = into.map_or_else(nothing, lent);
        Ok(Call { what, root, element, counts, into_counts, operation, function, data, into })
    }
}

/// What a reduction combines by, which outlives the call.
///
/// # Safety
/// The objects must be alive; `data` is what `object` has.
unsafe fn combined(
    name: &str,
    op: *mut PyObject,
    object: *mut PyObject,
    data: &Buffer,
) -> Outcome<(Option<LentOperation>, Option<Arc<Shared>>)> {
    // SAFETY: the caller's promise, here and below.
    if let Some(index) = unsafe { known(op) } {
        return Ok((Some(LentOperation::Named(on(index, data, name)?)), None));
    }
    // SAFETY: as above.
    let (op, object) = unsafe { (Ref::share(op), Ref::share(object)) };
    let resolved = py::call_two(resolver()?, &op, &object)?;
    let (first, commutes) = (py::item(&resolved, 0)?, py::item(&resolved, 1)?);
    // SAFETY: alive.
    if let Some(index) = unsafe { known(first.as_ptr()) } {
        return Ok((Some(LentOperation::Named(on(index, data, name)?)), None));
    }
    // SAFETY: alive.
    let commutes = unsafe { truth(commutes.as_ptr())? };
    let function = Shared::new(first);
    let made = function.operation(data.element(), commutes).map_err(raise)?;
    Ok((Some(LentOperation::Made(Arc::new(made))), Some(function)))
}

unsafe fn start(this: *mut PyObject, arguments: [*mut PyObject; 8]) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let Call { what, root, element, counts, into_counts, operation, function, data, into } =
            call(this, arguments)?;
        let (comm, result) = (of(this)?, arguments[3]);
        let call = LentCall { what, root, element, counts: &counts, into_counts: &into_counts, operation };
        let request = begun(unlocked(|| comm.start_together_lent(call, data, into)), result, false)?;
        if let Some(function) = function {
            by(&request, function);
        }
        Ok(request)
    }
}

unsafe fn init(this: *mut PyObject, arguments: [*mut PyObject; 8]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let Call { what, root, element, counts, into_counts, operation, function, data, into } =
            call(this, arguments)?;
        let (comm, result) = (of(this)?, arguments[3]);
        let call = LentCall { what, root, element, counts: &counts, into_counts: &into_counts, operation };
        let made = unlocked(|| comm.together_init_lent(call, data, into));
        persistent::made(made, arguments[2], result, false, function)
    }
}
