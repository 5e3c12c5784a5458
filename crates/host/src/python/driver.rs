//! The driver library and its table, behind safe functions.

use super::locate::Interpreter;
use crate::loader;
use crate::{Error, ErrorKind};
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::path::Path;
use upcall_abi::{ABI, DriverTable, Entry, Refusal, Status, refusal};

/// The table's symbol.
const SYMBOL: &str = "UPCALL_PYTHON";

/// A started driver. Its library, and libpython below it, are never closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Driver {
    table: &'static DriverTable,
}

impl Driver {
    /// Opens libpython for the whole process, then the driver, and starts Python. Once per process.
    pub(super) fn start(interpreter: &Interpreter, library: &Path) -> Result<Driver, Error> {
        // The driver's own symbols, and those of extension modules such as numpy's, are found in it.
        open(&interpreter.library, RTLD_NOW | RTLD_GLOBAL)?;
        let opened = open(library, RTLD_NOW | RTLD_LOCAL)?;
        let fail = |kind, what: String| Error::new(kind, format!("open {}: {what}", library.display()));
        // SAFETY: the symbol is Upcall's own name for a static of this type; its first field is the same in
        // every ABI, and the rest is read only when the number is ours.
        let table = match unsafe { opened.get::<*const DriverTable>(SYMBOL) } {
            // SAFETY: as above; the library is never closed.
            Ok(symbol) => unsafe { &**symbol },
            Err(_) => return Err(fail(ErrorKind::FileInvalid, format!("it exports no {SYMBOL}"))),
        };
        if table.abi != ABI || (table.size as usize) < size_of::<DriverTable>() {
            let found = table.abi;
            let what = format!("built for ABI {found}, this is ABI {ABI}; run `cargo xtask build`");
            return Err(fail(ErrorKind::AbiMismatch, what));
        }
        let mut lines = vec![interpreter.executable.to_string_lossy().into_owned()];
        lines.extend(interpreter.path.iter().cloned());
        let lines = lines.join("\n");
        let attempt = format!("start Python {} of {}", interpreter.version, interpreter.executable.display());
        // SAFETY: the lines and the refusal live until it returns; once per process.
        answered(&attempt, |refusal| unsafe { (table.start)(lines.as_ptr(), lines.len() as u64, refusal) })?;
        Ok(Driver { table })
    }

    /// Attaches this thread while `body` runs.
    pub(super) fn attached(&self, body: &mut dyn FnMut()) {
        struct Detach(Driver);
        impl Drop for Detach {
            fn drop(&mut self) {
                // SAFETY: attached below, on this thread.
                unsafe { (self.0.table.detach)() };
            }
        }
        // SAFETY: Python has started.
        unsafe { (self.table.attach)() };
        let _detach = Detach(*self);
        body();
    }

    /// Loads a handler's class.
    pub(super) fn load(&self, file: &str, class: &str) -> Result<Class, Error> {
        let mut module = std::ptr::null_mut();
        // SAFETY: both texts, the place for the module and the refusal live until it returns.
        answered("", |refusal| unsafe {
            let (file_len, class_len) = (file.len() as u64, class.len() as u64);
            (self.table.load)(file.as_ptr(), file_len, class.as_ptr(), class_len, &mut module, refusal)
        })?;
        Ok(Class { driver: *self, module })
    }
}

/// A loaded class.
#[derive(Debug)]
pub(super) struct Class {
    driver: Driver,
    module: *mut c_void,
}

// SAFETY: the driver's functions may be called from any thread; the lock of Python orders them.
unsafe impl Send for Class {}
// SAFETY: as above.
unsafe impl Sync for Class {}

impl Class {
    /// Makes an instance.
    pub(super) fn create(&self, attempt: &str) -> Result<Entry, Error> {
        let mut entry = MaybeUninit::<Entry>::uninit();
        // SAFETY: a module of `load`; the places live until it returns.
        answered(attempt, |refusal| unsafe {
            (self.driver.table.create)(self.module, entry.as_mut_ptr(), refusal)
        })?;
        // SAFETY: `create` answered OK, so it wrote it.
        Ok(unsafe { entry.assume_init() })
    }
}

impl Drop for Class {
    fn drop(&mut self) {
        // SAFETY: a module of `load`, for the last time.
        unsafe { (self.driver.table.unload)(self.module) };
    }
}

fn open(file: &Path, flags: i32) -> Result<&'static Library, Error> {
    // SAFETY: loading runs initialisers: of the Python that the user chose, and of our own library.
    match unsafe { Library::open(Some(file), flags) } {
        Ok(library) => Ok(Box::leak(Box::new(library))),
        Err(error) => {
            let why = loader::why(&error);
            let message = format!("open {}: not a library that loads here: {why}", file.display());
            Err(Error::new(ErrorKind::RuntimeFailed, message))
        }
    }
}

/// Calls the driver and makes an error of its refusal.
fn answered(attempt: &str, call: impl FnOnce(*mut Refusal) -> Status) -> Result<(), Error> {
    let mut text = vec![0u8; 16 << 10];
    let mut refused =
        Refusal { kind: 0, reserved: 0, text: text.as_mut_ptr(), room: text.len() as u64, len: 0 };
    if call(&mut refused) == Status::OK {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&text[..(refused.len as usize).min(text.len())]).trim_end().to_owned();
    let message = if attempt.is_empty() { said } else { format!("{attempt}: {said}") };
    Err(Error::new(kind(refused.kind), message))
}

fn kind(number: u32) -> ErrorKind {
    match number {
        refusal::FILE_MISSING => ErrorKind::FileMissing,
        refusal::FILE_INVALID => ErrorKind::FileInvalid,
        refusal::HANDLER_MISSING => ErrorKind::HandlerMissing,
        refusal::CONSTRUCTOR_FAILED => ErrorKind::ConstructorFailed,
        _ => ErrorKind::RuntimeFailed,
    }
}
