//! A guest that was there first: a program in C#, Python, JavaScript or Java that has loaded this library and gives it
//! handlers of its own.
//!
//! Its runtime runs already, and is never started here. What it gives is the [`GuestTable`] of its SDK, the same that a host
//! would have got from a runtime that it has started: handlers in files are loaded by it, and those that the program has made
//! are modules of it.

use crate::guest::Guest;
use crate::signal_stack::SignalStack;
use crate::{Capabilities, Error, ErrorKind, HandlerSpec, Host, KnownGuest, Module, Threads};
use std::ffi::c_void;
use std::path::Path;
use upcall_abi::GuestTable;

/// The runtime of the program that has loaded us. A copy is the same one.
#[derive(Clone, Copy, Debug)]
pub struct Embedded {
    known: &'static KnownGuest,
    guest: Guest,
    threads: Threads,
}

impl Embedded {
    /// The guest of this name, as a flow's file has it, behind its SDK's table. `threads` says where its handlers may be
    /// called.
    ///
    /// # Errors
    /// No guest has this name, or the SDK was built for another number of the boundary.
    ///
    /// # Safety
    /// `table` must be the address of a [`GuestTable`] of any ABI that stays forever, of a runtime that runs.
    pub unsafe fn new(name: &str, table: *const GuestTable, threads: Threads) -> Result<Embedded, Error> {
        let Some(known) = KnownGuest::named(name) else {
            let names: Vec<&str> = crate::GUESTS.iter().map(|guest| guest.name).collect();
            let message = format!(
                "take handlers of guest {name}: there is no such guest; name one of {}",
                names.join(", ")
            );
            return Err(Error::new(ErrorKind::RuntimeMissing, message));
        };
        let library = format!("the {} SDK", known.language);
        // SAFETY: the caller's promise.
        let guest = unsafe {
            Guest::of(table, known.called, Path::new(&library), "use the SDK that came with this library")?
        };
        Ok(Embedded { known, guest, threads })
    }

    /// A handler that the program has made, under the name that messages call it by.
    ///
    /// # Safety
    /// `module` must be one that the table's `create` takes; its `unload` is called once, when the module is dropped, on
    /// whatever thread.
    pub unsafe fn module(&self, module: *mut c_void, name: &str) -> Box<dyn Module> {
        // SAFETY: the caller's promise.
        unsafe { self.guest.module(module, format!("{} handler {name}", self.known.called)) }
    }
}

impl Host for Embedded {
    fn guest(&self) -> &'static str {
        self.known.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            threads: self.threads,
            killable: false,
            sees_native_memory: true,
            // Node sees memory that was shared with it, and nothing else.
            maps_lent: self.known.apart,
            good_batch: 64,
        }
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        // Of its runtime we know that it wants a larger one than Rust's threads have: CoreCLR and the JVM do.
        let _stack = SignalStack::install();
        self.guest.attached(body);
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        self.guest.load(handler)
    }
}
