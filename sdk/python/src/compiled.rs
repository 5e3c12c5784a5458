//! Handlers that are machine code, as `upcall/compiled.py` makes them with numba: a batch needs neither the interpreter nor its
//! lock.

use crate::body::{Body, Failed};
use crate::failure::Failure;
use crate::ffi;
use crate::flow::{Forms, Shared, opened};
use crate::py::{self, Kind, Outcome, Raised, Ref};
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_void};
use std::rc::Rc;
use upcall_abi::{BatchFrame, DescribeWriter, FlowFrame, FrameHead, Item, OpenFrame, Status, Writer, base};

/// The code: items, their count, what their offsets are relative to, room for what it gives, its array, how many are done.
type Code = unsafe extern "C" fn(*const Item, u64, u64, *mut c_void, *mut c_void, *mut u64);

/// What a batch needs.
pub struct Compiled {
    name: String,
    code: Code,
    state: *mut c_void,
    /// The type that it takes, and the bytes of a value.
    takes: (String, usize),
    /// Bytes of what it gives for an object, 0 for nothing.
    gives: usize,
    /// The pool that this goes to.
    to: Cell<Option<u32>>,
    room: RefCell<Vec<u64>>,
}

impl Compiled {
    /// Handles a batch, and says in the frame what has failed. Needs no attached thread. Does not unwind.
    ///
    /// # Safety
    /// `frame` must be a valid FLOW frame.
    pub unsafe fn answer(&self, frame: *mut FlowFrame) -> Status {
        // SAFETY: the caller's promise.
        unsafe {
            let Err(Failed { failure, item }) = self.run(frame) else { return Status::OK };
            let output = (*frame).head.base[base::OUTPUT];
            (*frame).head.error.write(output, item, &failure.type_name, &failure.message, &failure.stack);
        }
        Status::FAILED
    }

    /// # Safety
    /// As [`Compiled::answer`].
    unsafe fn run(&self, frame: *mut FlowFrame) -> Result<(), Failed> {
        // SAFETY: the caller's promise.
        let (items, base) = unsafe {
            let base = (*frame).head.base[base::BATCH];
            ((*frame).items.get(base), base)
        };
        let mut room = self.room.borrow_mut();
        room.clear();
        // What the function leaves out is 0.
        room.resize((items.len() * self.gives).div_ceil(8), 0);
        let (given, mut done) = (room.as_mut_ptr(), 0);
        // SAFETY: it was compiled for these; values are where the items say, and the handler keeps code and array alive.
        unsafe {
            (self.code)(items.as_ptr(), items.len() as u64, base, given.cast(), self.state, &raw mut done)
        };
        let done = items.len().min(done as usize);
        if let Some(to) = self.to.get() {
            // SAFETY: the frame's output is ours until we return.
            let mut writer = unsafe { Writer::new(frame.cast(), &raw mut (*frame).out) };
            for (index, item) in items[..done].iter().enumerate() {
                // SAFETY: the engine's promise for the key; `gives` bytes were given for each.
                let written = unsafe {
                    let value = given.cast::<u8>().add(index * self.gives);
                    let value = std::slice::from_raw_parts(value, self.gives);
                    writer.put(to, index as u32, item.key.get(base), value)
                };
                if written.is_none() {
                    return Err(failed(
                        index,
                        "MemoryError",
                        "the engine gives no more memory for what it emits".to_owned(),
                    ));
                }
                // SAFETY: the caller's promise.
                unsafe { FlowFrame::finish(frame, index as u32 + 1) };
            }
        }
        // SAFETY: the caller's promise.
        unsafe { FlowFrame::finish(frame, done as u32) };
        items.get(done).map_or(Ok(()), |item| Err(self.failed(done, item)))
    }

    #[cold]
    fn failed(&self, index: usize, item: &Item) -> Failed {
        let (name, (takes, size)) = (&self.name, &self.takes);
        if item.value.len != *size as u64 {
            let message =
                format!("{name} takes {takes} of {size} bytes, and this value has {}", item.value.len);
            return failed(index, "ValueError", message);
        }
        failed(
            index,
            "RuntimeError",
            format!(
                "{name} raised an exception, which sys.unraisablehook was told: it prints on standard error"
            ),
        )
    }
}

fn failed(index: usize, of: &str, message: String) -> Failed {
    Failed { failure: Failure::new(of, message), item: index as u32 }
}

/// The body for a `Compiled`.
pub fn body(handler: &Ref) -> Outcome<Box<dyn Body>> {
    let forms = Forms::of(handler)?;
    let (Some(takes), [] | [_]) = (&forms.takes, &forms.emits[..]) else {
        return Err(py::raise(
            Kind::Type,
            "a compiled handler takes values of one type and gives one at most",
        ));
    };
    let code = address(handler, c"address")?;
    if code.is_null() {
        return Err(py::raise(Kind::Type, "a compiled handler has no code"));
    }
    let compiled = Compiled {
        name: handler.get(c"__name__")?.text()?.to_owned(),
        // SAFETY: `upcall/compiled.py` has compiled it as `Code`.
        code: unsafe { std::mem::transmute::<*mut c_void, Code>(code) },
        state: address(handler, c"state")?,
        takes: (takes.name().to_owned(), takes.size),
        gives: forms.emits.first().map_or(0, |gives| gives.size),
        to: Cell::new(None),
        room: RefCell::default(),
    };
    Ok(Box::new(CompiledBody { compiled: Rc::new(compiled), shared: Shared::new(forms) }))
}

fn address(handler: &Ref, name: &CStr) -> Outcome<*mut c_void> {
    // SAFETY: it is alive; CPython checks that it is a number.
    let address = unsafe { ffi::PyLong_AsVoidPtr(handler.get(name)?.as_ptr()) };
    // SAFETY: this thread is attached.
    let wrong = address.is_null() && unsafe { !ffi::PyErr_Occurred().is_null() };
    if wrong { Err(Raised) } else { Ok(address) }
}

struct CompiledBody {
    compiled: Rc<Compiled>,
    shared: Shared,
}

impl Body for CompiledBody {
    fn batch(&self) -> BatchFrame {
        BatchFrame::FLOW
    }

    fn describe(&self, describe: &mut DescribeWriter<'_>) {
        describe.form("object");
        self.shared.forms.describe(describe);
    }

    fn open(&mut self, frame: &OpenFrame) -> Outcome<Ref> {
        let context = opened(&self.shared, frame)?;
        if self.compiled.gives > 0 {
            let none = || py::raise(Kind::Value, "this handler has no output pool: add one to its `to`");
            let to = self.shared.default_pool().ok_or_else(none)?;
            self.compiled.to.set(Some(to.id));
        }
        Ok(context)
    }

    unsafe fn run(&mut self, frame: *mut FrameHead) -> Result<(), Failed> {
        // SAFETY: the caller's promise.
        unsafe { self.compiled.run(frame.cast()) }
    }

    unsafe fn flush(&mut self, _: *mut FrameHead) -> Result<(), Failed> {
        // It holds nothing back.
        Ok(())
    }

    fn compiled(&self) -> Option<Rc<Compiled>> {
        Some(self.compiled.clone())
    }

    fn interrupted(&mut self) {}

    fn closed(&mut self) {
        self.shared.services.set(std::ptr::null());
    }
}
