//! Opens libpython and the driver library.

use super::locate::Interpreter;
use crate::guest::Guest;
use crate::guests;
use crate::isolation::is_apart;
use crate::loader;
use crate::{Error, ErrorKind};
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
use std::path::Path;
use upcall_abi::{GUEST_SYMBOL, GuestTable};

/// Opens libpython for the whole process, then the driver, and starts Python. Once per process; neither is ever closed.
pub(super) fn start(interpreter: &Interpreter, library: &Path) -> Result<Guest, Error> {
    // The driver's own symbols, and those of extension modules such as numpy's, are found in it.
    open(&interpreter.library, RTLD_NOW | RTLD_GLOBAL)?;
    let opened = open(library, RTLD_NOW | RTLD_LOCAL)?;
    // SAFETY: the symbol is Upcall's own name for a static of this type in every ABI, and the library is never closed.
    let guest = match unsafe { opened.get::<*const GuestTable>(GUEST_SYMBOL) } {
        // SAFETY: as above.
        Ok(table) => unsafe { Guest::of(*table, guests::PYTHON.called, library, "run `cargo xtask build`")? },
        Err(_) => {
            let message =
                format!("open {}: it exports no {GUEST_SYMBOL}; run `cargo xtask build`", library.display());
            return Err(Error::new(ErrorKind::FileInvalid, message));
        }
    };
    let output = if is_apart() { "line by line" } else { "" };
    let mut lines = vec![interpreter.executable.to_string_lossy().into_owned(), output.to_owned()];
    lines.extend(interpreter.path.iter().cloned());
    let attempt = format!("start Python {} of {}", interpreter.version, interpreter.executable.display());
    guest.start(&attempt, &lines.join("\n"), None)?;
    Ok(guest)
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
