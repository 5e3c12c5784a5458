use super::runtime::Running;
use crate::{Error, ErrorKind, HandlerSpec, Instance, Module};
use std::ffi::c_int;
use std::mem::MaybeUninit;
use upcall_abi::{Entry, ErrorSlot, Rel};

/// Bytes of room for what `Upcall.dll` says when it refuses a handler.
const ERROR_ROOM: usize = 8192;

/// A class of an assembly, checked: it is a handler and can be made.
#[derive(Debug)]
pub(super) struct Loaded {
    running: &'static Running,
    module: isize,
    what: String,
}

pub(super) fn load(running: &'static Running, spec: &HandlerSpec) -> Result<Loaded, Error> {
    let file = std::path::absolute(&spec.file).unwrap_or_else(|_| spec.file.clone());
    let what = format!("C# handler {} of {}", spec.class, spec.file.display());
    let Some(file) = file.to_str() else {
        let message = format!("load {what}: its path is not UTF-8; put it elsewhere");
        return Err(Error::new(ErrorKind::FileInvalid, message));
    };
    let (mut module, class) = (0, &spec.class);
    let mut refusal = Refusal::new();
    // SAFETY: the texts and the places live until the call returns.
    let status = unsafe {
        (running.load)(
            file.as_ptr(),
            file.len() as u64,
            class.as_ptr(),
            class.len() as u64,
            &mut module,
            &mut refusal.slot,
        )
    };
    match status {
        0 => Ok(Loaded { running, module, what }),
        reason => Err(Error::new(kind(reason), refusal.text(&format!("load {what}: ")))),
    }
}

impl Module for Loaded {
    fn instantiate(&self) -> Result<Instance, Error> {
        let mut entry = MaybeUninit::<Entry>::uninit();
        let mut refusal = Refusal::new();
        // SAFETY: `load` gave us the module, and a module is never freed; the places live until the return.
        let status =
            unsafe { (self.running.instantiate)(self.module, entry.as_mut_ptr(), &mut refusal.slot) };
        match status {
            // SAFETY: the driver wrote its entry and gave it to us.
            0 => Ok(unsafe { Instance::new(entry.assume_init()) }),
            reason => {
                let attempt = format!("make {}: its constructor failed: ", self.what);
                Err(Error::new(kind(reason), refusal.text(&attempt)))
            }
        }
    }
}

/// `Upcall.Hosting.LoadFailure`.
fn kind(reason: c_int) -> ErrorKind {
    match reason {
        1 => ErrorKind::FileMissing,
        3 => ErrorKind::HandlerMissing,
        4 => ErrorKind::AbiMismatch,
        5 => ErrorKind::ConstructorFailed,
        _ => ErrorKind::FileInvalid,
    }
}

/// Room in which `Upcall.dll` says why it refuses.
struct Refusal {
    slot: ErrorSlot,
    room: Box<[u8; ERROR_ROOM]>,
}

impl Refusal {
    fn new() -> Refusal {
        let mut room = Box::new([0; ERROR_ROOM]);
        let text = Rel::new(room.as_mut_ptr() as u64, ERROR_ROOM as u64);
        Refusal { slot: ErrorSlot { text, ..ErrorSlot::EMPTY }, room }
    }

    /// What was written, after `attempt`; a message without a type is complete as it is.
    fn text(self, attempt: &str) -> String {
        // SAFETY: the slot points to the room, which `self` owns and nobody writes any more.
        let (type_name, message, stack) = unsafe { self.slot.read(0) };
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let message = match type_name {
            [] => text(message),
            _ => format!("{attempt}{}: {}\n{}", text(type_name), text(message), text(stack)),
        };
        drop(self.room);
        message.trim_end().to_owned()
    }
}
