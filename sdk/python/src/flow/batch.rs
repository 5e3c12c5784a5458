//! `upcall.Batch`: the objects of one call. Ends with the call.

use super::form;
use super::moment::Moment;
use super::natives::Natives;
use super::object;
use super::state::State;
use crate::arguments;
use crate::ffi;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref, returned};
use crate::support;
use crate::types::{self, TypeOf};
use std::ffi::c_void;
use std::rc::Rc;
use upcall_abi::Mark;

/// The Python object.
#[repr(C)]
pub struct Batch {
    head: PyObject,
    /// The call that it is of.
    moment: Moment,
    /// Of the instance that made it.
    state: Option<Rc<State>>,
    /// Where the output stood when the handler last reported progress.
    mark: Mark,
}

/// The type.
pub fn batch_type() -> Outcome<Ref> {
    TypeOf::new::<Batch>(c"upcall.Batch")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .slot(ffi::Py_sq_length, length as *const ())
        .slot(ffi::Py_sq_item, get as *const ())
        .action(c"keys", keys, c"The keys, a list of bytes.")
        .action(
            c"value_list",
            value_list,
            c"The values: int or float where the pool declares it, else as obj.value.",
        )
        .action(c"columns", columns, c"Keys and values as numpy arrays: copies.")
        .attribute(c"values", values, c"The values as a numpy array that ends with the call.")
        .class_method(form::OF_TYPE, form::of_type, c"For annotations.")
        .method(
            c"done",
            done,
            c"Reports that the first `count` objects are done: what was emitted so far is kept.",
        )
        .make(None)
}

/// The batch of a moment of the state's current call, with the output's place at its start.
pub fn new(moment: Moment, state: &Rc<State>, mark: Mark) -> Outcome<Ref> {
    let batch = types::new(&Natives::get().batch)?;
    let place = batch.as_ptr().cast::<Batch>();
    // SAFETY: a new object of this type, zeroed.
    unsafe {
        (&raw mut (*place).moment).write(moment);
        (&raw mut (*place).state).write(Some(state.clone()));
        (&raw mut (*place).mark).write(mark);
    }
    Ok(batch)
}

/// Where the output stood at the batch's last report.
pub fn mark(batch: &Ref) -> Mark {
    // SAFETY: a batch of `new`.
    unsafe { (*batch.as_ptr().cast::<Batch>()).mark }
}

/// The state and the moment of a batch.
///
/// # Safety
/// `batch` must be a [`Batch`], alive for `'a`.
unsafe fn of<'a>(batch: *mut PyObject) -> (&'a Rc<State>, Moment) {
    // SAFETY: the caller's promise.
    let batch = unsafe { &*batch.cast::<Batch>() };
    (batch.state.as_ref().expect("`new` gives each batch its state"), batch.moment)
}

/// An object for an item: one that was handed out before and that nobody holds any more, or a new one.
fn object_at(state: &Rc<State>, moment: Moment, index: usize) -> Outcome<Ref> {
    let place = state.call.place(moment, index)?;
    let kind = state.reads.kind();
    let type_of = Natives::get().objects[kind].as_ptr();
    // In a loop the variable still holds the last one, so the one before it is free.
    let free = state.handed.borrow().iter().rev().take(2).find_map(|object| {
        // SAFETY: alive, as `handed` holds it.
        let free =
            unsafe { ffi::refcount(object.as_ptr()) == 1 && ffi::Py_TYPE(object.as_ptr()).cast() == type_of };
        free.then(|| object.clone())
    });
    let object = match free {
        Some(object) => {
            // SAFETY: an object of ours.
            unsafe { object::empty(object.as_ptr().cast()) };
            object
        }
        None => {
            let new = object::new(kind, state)?;
            state.handed.borrow_mut().push(new.clone());
            new
        }
    };
    // SAFETY: of this kind and empty; only `handed` and we hold it, and nobody takes it from there while we do.
    unsafe { object::begin(object.as_ptr().cast(), kind, place)? };
    Ok(object)
}

unsafe extern "C" fn length(batch: *mut PyObject) -> isize {
    // SAFETY: CPython calls it with a Batch.
    let (state, moment) = unsafe { of(batch) };
    state.call.len(moment).map_or(-1, |len| len as isize)
}

unsafe extern "C" fn get(batch: *mut PyObject, index: isize) -> *mut PyObject {
    // SAFETY: as `length`.
    let (state, moment) = unsafe { of(batch) };
    returned(object_at(state, moment, index as usize))
}

unsafe extern "C" fn keys(batch: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `length`.
    let (state, moment) = unsafe { of(batch) };
    let keys = || {
        let len = state.call.len(moment)?;
        py::list(len, |index| state.key(state.call.place(moment, index)?))
    };
    returned(keys())
}

unsafe extern "C" fn value_list(batch: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `length`.
    let (state, moment) = unsafe { of(batch) };
    let values = || {
        let mut last = (u32::MAX, None);
        let len = state.call.len(moment)?;
        py::list(len, |index| {
            let place = state.call.place(moment, index)?;
            if state.forms.takes.is_some() {
                return state.value(place);
            }
            let pool = state.call.item(place)?.pool;
            if last.0 != pool {
                last = (pool, state.pool_by_id(pool).and_then(|pool| pool.number));
            }
            match last.1 {
                Some(number) => {
                    let (word, len) = state.call.word(place)?;
                    number.read(word, len)
                }
                None => state.value(place),
            }
        })
    };
    returned(values())
}

unsafe extern "C" fn columns(batch: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `length`.
    let (state, moment) = unsafe { of(batch) };
    let columns = || {
        let [keys, key_offsets, values, value_offsets] = state.call.columns(moment)?;
        support::call(c"columns", &[&keys, &key_offsets, &values, &value_offsets])
    };
    returned(columns())
}

/// `batch.values`: a numpy array over the values where they lie side by side, else over a gathered copy.
unsafe extern "C" fn values(batch: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `length`.
    let (state, moment) = unsafe { of(batch) };
    returned(array(state, moment))
}

fn array(state: &State, moment: Moment) -> Outcome<Ref> {
    let len = state.call.len(moment)?;
    let pool = |index| Ok(state.call.item(state.call.place(moment, index)?)?.pool);
    let first = if len > 0 { Some(pool(0)?) } else { None };
    let mut same = true;
    for index in 1..len {
        same &= Some(pool(index)?) == first;
    }
    let number = first.and_then(|id| state.pool_by_id(id)).and_then(|pool| pool.number);
    let takes = state.forms.takes.as_ref().filter(|form| form.is_blittable());
    let (of, size) = match (takes, number) {
        (Some(form), _) => (form.class.clone(), form.size),
        (None, Some(number)) if same => (py::text(number.name().as_bytes())?, number.size()),
        _ => {
            let message = "batch.values needs one pool with a declared number type (u64, f64, …), or a \
                           Batch[T] of a blittable class: use batch.value_list() or the objects' value";
            return Err(py::raise(Kind::Type, message));
        }
    };
    let (view, stride) = match state.call.side_by_side(&state.views, moment)? {
        Some(all) => all,
        None => (state.call.gathered(moment, size)?, size),
    };
    let (len, stride) = (py::int(len as u64)?, py::int(stride as u64)?);
    support::call(c"array", &[&view, &of, &len, &stride])
}

/// `batch.done(count)`
unsafe extern "C" fn done(
    batch: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a Batch and arguments that live until this returns.
    let outcome = unsafe {
        arguments::parse("batch.done", ["count"], 1, given, count as usize, keywords).and_then(|[count]| {
            let count = ffi::PyNumber_AsSsize_t(count, ffi::PyExc_OverflowError);
            if count == -1 && !ffi::PyErr_Occurred().is_null() {
                return Err(Raised);
            }
            let (state, moment) = of(batch);
            (*batch.cast::<Batch>()).mark = state.call.done(moment, count)?;
            Ok(py::none())
        })
    };
    returned(outcome)
}

unsafe extern "C" fn dealloc(batch: *mut PyObject) {
    // SAFETY: CPython calls it with a Batch that nobody refers to.
    unsafe {
        drop((*batch.cast::<Batch>()).state.take());
        types::free(batch);
    }
}
