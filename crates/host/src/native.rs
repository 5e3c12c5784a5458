//! Handlers in shared libraries that export [`upcall_handler::handlers!`].
//!
//! A library is opened once and never closed: its threads, thread-locals and statics may outlive any
//! handler.

use crate::guest::Guest;
use crate::guests::{self, Options, Runtime, Say};
use crate::loader;
use crate::{Capabilities, Error, ErrorKind, HandlerSpec, Host, Module, Threads};
use libloading::Library;
use std::path::Path;
use std::sync::Arc;
use upcall_abi::{ABI, GUEST_SYMBOL, GuestTable};
use upcall_handler::{Emit, Harness, Object};

/// The host of shared libraries.
#[derive(Clone, Copy, Debug)]
pub struct Native;

impl Host for Native {
    fn guest(&self) -> &'static str {
        guests::NATIVE.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            threads: Threads::Own,
            killable: false,
            sees_native_memory: true,
            maps_lent: false,
            good_batch: 1,
        }
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        body();
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        open(&handler.file)?.load(handler)
    }
}

pub(crate) const RUNTIME: Runtime = Runtime { start: |_| Ok(Arc::new(Native)), examine };

/// Any library will do, so a handler of this program stands for it.
fn examine(_: &Options, say: Say<'_>) -> Result<(), Error> {
    say(format!("found: this program, which loads libraries built for ABI {}", upcall_abi::ABI));
    let echo = |object: Object<'_>, emit: &mut Emit<'_>| {
        emit.put(object.key(), object.value());
        Ok(())
    };
    let failed = |what| Error::new(ErrorKind::RuntimeFailed, what);
    let mut harness = Harness::new(echo).emits(&["/out"]);
    harness.put(b"ping", b"pong").map_err(|failure| failed(failure.message))?;
    match harness.emitted() {
        [out] if out.key == b"ping" && out.value == b"pong" => Ok(()),
        other => Err(failed(format!("it emitted {other:?} instead of what it was given"))),
    }
}

/// Opens a library and returns what it exports.
fn open(file: &Path) -> Result<Guest, Error> {
    let fail = |kind, what: String| Err(Error::new(kind, format!("open {}: {what}", file.display())));
    if !file.is_file() {
        return fail(ErrorKind::FileMissing, "there is no such file; build the handler first".into());
    }
    // SAFETY: loading runs the library's initialisers: the user asked for this code to be run.
    let library = match unsafe { Library::new(std::path::absolute(file).unwrap_or(file.into())) } {
        Ok(library) => Box::leak(Box::new(library)),
        Err(error) => {
            let what =
                format!("not a library that loads here: {}; build it for this machine", loader::why(&error));
            return fail(ErrorKind::FileInvalid, what);
        }
    };
    // SAFETY: the symbol is Upcall's own name for a static of this type in every ABI, and the library is never closed.
    match unsafe { library.get::<*const GuestTable>(GUEST_SYMBOL) } {
        Ok(table) => {
            // SAFETY: as above.
            let guest = unsafe {
                Guest::of(*table, guests::NATIVE.called, file, "build it again with this version")?
            };
            if guest.has_runtime() {
                let what = "it is the driver of a runtime, not a library of handlers; name a handler's file"
                    .to_owned();
                return fail(ErrorKind::FileInvalid, what);
            }
            Ok(guest)
        }
        Err(_) if is_of_abi_1(library) => fail(
            ErrorKind::AbiMismatch,
            format!("built for ABI 1, this is ABI {ABI}; build it again with this version"),
        ),
        Err(_) => {
            let what = format!("it exports no {GUEST_SYMBOL}; write `upcall::handlers!` in it");
            fail(ErrorKind::FileInvalid, what)
        }
    }
}

/// Whether it exports what ABI 1 looked for.
fn is_of_abi_1(library: &Library) -> bool {
    // SAFETY: the symbol is not used.
    unsafe { library.get::<*const u16>("UPCALL_EXPORTS") }.is_ok()
}
