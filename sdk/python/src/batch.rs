//! `upcall.Batch`: the objects of one call. Ends with the call.

use crate::arguments;
use crate::emit::Emit;
use crate::ffi;
use crate::form;
use crate::object::{self, Object, returned};
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};
use crate::state::State;
use crate::support::{self, Natives};
use crate::types::{self, TypeOf};
use std::ffi::c_void;
use upcall_abi::{FlowFrame, Item, Mark, base};

/// The Python object.
#[repr(C)]
pub struct Batch {
    head: PyObject,
    /// Null once its call has ended; then nothing else is touched.
    frame: *mut FlowFrame,
    items: *const Item,
    len: usize,
    state: *mut State,
    emit: *mut Emit,
    /// Where the output stood when the handler last reported progress.
    mark: Option<Mark>,
}

/// The type.
pub fn batch_type() -> Outcome<Ref> {
    TypeOf::new::<Batch>(c"upcall.Batch")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, types::free as *const ())
        .slot(ffi::Py_sq_length, length as *const ())
        .slot(ffi::Py_sq_item, get as *const ())
        .action(c"keys", keys, c"The keys, a list of bytes.")
        .action(
            c"value_list",
            value_list,
            c"The values: int or float where the pool declares it, else as obj.value.",
        )
        .attribute(c"values", values, c"The values as a numpy array that ends with the call.")
        .class_method(form::OF_TYPE, form::of_type, c"For annotations.")
        .method(
            c"done",
            done,
            c"Reports that the first `count` objects are done: what was emitted so far is kept.",
        )
        .make(None)
}

/// The batch of a frame.
///
/// # Safety
/// The frame must be valid, and what is given alive, until [`end`].
pub unsafe fn begin(frame: *mut FlowFrame, state: *mut State, emit: *mut Emit) -> Outcome<Ref> {
    let batch = types::new(&Natives::get().batch)?;
    let place = batch.as_ptr().cast::<Batch>();
    // SAFETY: a new object of this type; the caller's promise for the frame.
    unsafe {
        let items = (*frame).items.get((*frame).head.base[base::BATCH]);
        (*place).frame = frame;
        (*place).items = items.as_ptr();
        (*place).len = items.len();
        (*place).state = state;
        (*place).emit = emit;
        (&raw mut (*place).mark).write((*emit).writer.as_ref().map(|writer| writer.mark()));
    }
    Ok(batch)
}

/// Ends the batch's call and returns where the output stood at its last report.
///
/// # Safety
/// `batch` must be of [`begin`].
pub unsafe fn end(batch: &Ref) -> Option<Mark> {
    let place = batch.as_ptr().cast::<Batch>();
    // SAFETY: the caller's promise.
    unsafe {
        (*place).frame = std::ptr::null_mut();
        (*place).mark
    }
}

/// # Safety
/// `batch` must be a [`Batch`].
unsafe fn live<'a>(batch: *mut PyObject) -> Outcome<&'a mut Batch> {
    // SAFETY: the caller's promise.
    let batch = unsafe { &mut *batch.cast::<Batch>() };
    if batch.frame.is_null() {
        return Err(py::raise(
            Kind::Runtime,
            "the batch has ended with its call: keep copies of keys and values",
        ));
    }
    Ok(batch)
}

impl Batch {
    fn item(&self, index: usize) -> *const Item {
        debug_assert!(index < self.len);
        // SAFETY: the frame has `len` items.
        unsafe { self.items.add(index) }
    }

    /// An object for an item: one that was handed out before and that nobody holds any more, or a new one.
    fn object(&mut self, index: usize) -> Outcome<Ref> {
        let item = self.item(index);
        // SAFETY: `begin`'s promise: state and items are alive. What is handed out is ended by `State::end`.
        unsafe {
            let state = self.state;
            let kind = (*state).reads.kind();
            let of = &Natives::get().objects[kind];
            // In a loop the variable still holds the last one, so the one before it is free.
            let free = (*state).handed.iter().rev().take(2).find(|object| {
                ffi::refcount(object.as_ptr()) == 1 && ffi::Py_TYPE(object.as_ptr()) == of.as_ptr().cast()
            });
            let object = match free {
                Some(object) => {
                    object::end(object.as_ptr().cast::<Object>());
                    object.clone()
                }
                None => {
                    let new = types::new(of)?;
                    (*state).handed.push(new.clone());
                    new
                }
            };
            object::begin(object.as_ptr().cast(), kind, item, state)?;
            Ok(object)
        }
    }
}

unsafe extern "C" fn length(batch: *mut PyObject) -> isize {
    // SAFETY: CPython calls it with a Batch.
    unsafe { live(batch) }.map_or(-1, |batch| batch.len as isize)
}

unsafe extern "C" fn get(batch: *mut PyObject, index: isize) -> *mut PyObject {
    // SAFETY: as `length`.
    returned(unsafe { live(batch) }.and_then(|batch| {
        if index as usize >= batch.len {
            return Err(py::raise(
                Kind::Index,
                format!("the batch has {} objects, not one at {index}", batch.len),
            ));
        }
        batch.object(index as usize)
    }))
}

unsafe extern "C" fn keys(batch: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `length`; state and items are alive while the batch is.
    returned(
        unsafe { live(batch) }
            .and_then(|batch| py::list(batch.len, |index| unsafe { (*batch.state).key(batch.item(index)) })),
    )
}

unsafe extern "C" fn value_list(batch: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `keys`.
    returned(unsafe { live(batch) }.and_then(|batch| unsafe {
        let state = &mut *batch.state;
        let mut last = (u32::MAX, None);
        py::list(batch.len, |index| {
            let item = batch.item(index);
            if state.forms.takes.is_some() {
                return state.value(item);
            }
            if last.0 != (*item).pool {
                last = ((*item).pool, state.pool_by_id((*item).pool).and_then(|pool| pool.number));
            }
            match last.1 {
                Some(number) => number.read(state.bytes((*item).value)),
                None => state.value(item),
            }
        })
    }))
}

/// `batch.values`: a numpy array over the values where they lie side by side, else over a gathered copy.
unsafe extern "C" fn values(batch: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `keys`.
    returned(unsafe { live(batch) }.and_then(|batch| unsafe { array(batch) }))
}

/// # Safety
/// The batch must be live.
unsafe fn array(batch: &mut Batch) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    unsafe {
        let state = &mut *batch.state;
        let pool = (batch.len > 0).then(|| (*batch.item(0)).pool);
        let same = (0..batch.len).all(|index| Some((*batch.item(index)).pool) == pool);
        let number = pool.and_then(|id| state.pool_by_id(id)).and_then(|pool| pool.number);
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
        let (stride, slices) = ((*batch.frame).stride as usize, (*batch.frame).values);
        let (view, stride) = if stride > 0 {
            (state.views.of(state.bytes(slices))?, stride)
        } else {
            (gather(batch, size)?, size)
        };
        let (len, stride) = (py::int(batch.len as u64)?, py::int(stride as u64)?);
        support::call(c"array", &[&view, &of, &len, &stride])
    }
}

/// The values side by side, as `bytes`.
///
/// # Safety
/// The batch must be live.
unsafe fn gather(batch: &Batch, size: usize) -> Outcome<Ref> {
    // SAFETY: the caller's promise; a new `bytes` is filled before anybody sees it.
    unsafe {
        let all = Ref::steal(ffi::PyBytes_FromStringAndSize(std::ptr::null(), (batch.len * size) as isize))?;
        let to = ffi::PyBytes_AsString(all.as_ptr()).cast::<u8>();
        for index in 0..batch.len {
            let value = (*batch.state).bytes((*batch.item(index)).value);
            if value.len() != size {
                let message = format!("value {index} of the batch has {} bytes, not {size}", value.len());
                return Err(py::raise(Kind::Value, message));
            }
            to.add(index * size).copy_from_nonoverlapping(value.as_ptr(), size);
        }
        Ok(all)
    }
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
            let batch = live(batch)?;
            let count = ffi::PyLong_AsSsize_t(count);
            if count == -1 && !ffi::PyErr_Occurred().is_null() {
                return Err(Raised);
            }
            if count < 0 || count as usize > batch.len || (count as u32) < (*batch.frame).done {
                let (len, done) = (batch.len, (*batch.frame).done);
                let message = format!("batch.done({count}): it has {len} objects, {done} were done before");
                return Err(py::raise(Kind::Value, message));
            }
            batch.mark = (*batch.emit).writer.as_ref().map(|writer| writer.mark());
            (*batch.frame).done = count as u32;
            Ok(py::none())
        })
    };
    returned(outcome)
}
