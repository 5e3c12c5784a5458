//! What every host does with its guest's [`GuestTable`]: checks it, starts the runtime, loads handlers, and makes errors of
//! refusals.

use crate::{Error, ErrorKind, HandlerSpec, Instance, Module};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::path::Path;
use upcall_abi::{ABI, Entry, GuestTable, HandlerName, Refusal, Rel, Start, Status};

/// Bytes of room for what a guest says when it refuses.
const ROOM: usize = 16 << 10;

/// A guest's table, checked. What it belongs to is never unloaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guest {
    table: &'static GuestTable,
    /// What its handlers are called: `C#`, `Python`, `native`.
    language: &'static str,
}

impl Guest {
    /// The guest behind a table; `library` holds it, and `rebuild` says how to build that again.
    ///
    /// # Safety
    /// `table` must be the address of a [`GuestTable`] of any ABI that stays forever.
    pub(crate) unsafe fn of(
        table: *const GuestTable,
        language: &'static str,
        library: &Path,
        rebuild: &str,
    ) -> Result<Guest, Error> {
        // SAFETY: the caller's promise; the first two fields are there in every ABI.
        let (abi, size) = unsafe { ((*table).abi, (*table).size) };
        if abi != ABI || (size as usize) < size_of::<GuestTable>() {
            let library = library.display();
            let what = match abi {
                ABI => format!("its table of {size} bytes is cut short"),
                _ => format!("built for ABI {abi}, this is ABI {ABI}"),
            };
            let message = format!("open {library}: {what}; {rebuild}");
            return Err(Error::new(ErrorKind::AbiMismatch, message));
        }
        // SAFETY: the caller's promise, and it is of this ABI.
        Ok(Guest { table: unsafe { &*table }, language })
    }

    /// Whether a runtime has to be started before a handler is loaded.
    #[cfg(feature = "native")]
    pub(crate) fn has_runtime(self) -> bool {
        self.table.start.is_some()
    }

    /// Starts the runtime, if there is one. Once per process.
    #[cfg_attr(
        not(any(feature = "clr", feature = "python")),
        expect(dead_code, reason = "a shared library has no runtime to start")
    )]
    pub(crate) fn start(
        self,
        attempt: &str,
        lines: &str,
        last_word: Option<unsafe extern "C" fn()>,
    ) -> Result<(), Error> {
        let Some(start) = self.table.start else { return Ok(()) };
        let given = Start {
            size: size_of::<Start>() as u32,
            reserved: 0,
            lines: Rel::of(lines.as_bytes()),
            last_word,
        };
        // SAFETY: what is given, and the refusal, live until it returns.
        let refused = refusal_of(|refusal| unsafe { start(&given, refusal) });
        refused.map_or(Ok(()), |(kind, why)| Err(Error::new(kind, format!("{attempt}: {why}"))))
    }

    /// Attaches this thread while `body` runs.
    #[cfg_attr(
        not(any(feature = "java", feature = "python", feature = "embedded")),
        expect(dead_code, reason = "only threads of Java, Python and programs that embed us are attached")
    )]
    pub(crate) fn attached(self, body: &mut dyn FnMut()) {
        struct Detach(Guest);
        impl Drop for Detach {
            fn drop(&mut self) {
                if let Some(detach) = self.0.table.detach {
                    // SAFETY: attached below, on this thread.
                    unsafe { detach() };
                }
            }
        }
        if let Some(attach) = self.table.attach {
            // SAFETY: the runtime has started.
            unsafe { attach() };
        }
        let _detach = Detach(self);
        body();
    }

    /// Loads a handler.
    pub(crate) fn load(self, spec: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        let (language, class, shown) = (self.language, &spec.class, spec.file.display());
        let attempt = format!("load {language} handler {class} from {shown}");
        let file = std::path::absolute(&spec.file).unwrap_or_else(|_| spec.file.clone());
        let Some(file) = file.to_str() else {
            let message = format!("{attempt}: its path is not UTF-8; put it elsewhere");
            return Err(Error::new(ErrorKind::FileInvalid, message));
        };
        let name = HandlerName {
            size: size_of::<HandlerName>() as u32,
            reserved: 0,
            file: Rel::of(file.as_bytes()),
            class: Rel::of(class.as_bytes()),
        };
        let mut module = std::ptr::null_mut();
        // SAFETY: the name, the place for the module and the refusal live until it returns.
        match refusal_of(|refusal| unsafe { (self.table.load)(&name, &mut module, refusal) }) {
            None => {
                let what = format!("{language} handler {class} of {shown}");
                // SAFETY: the table's own, and nobody else's.
                Ok(unsafe { self.module(module, what) })
            }
            Some((ErrorKind::HandlerMissing, said)) => {
                let message = format!("{attempt}: {}", crate::nearest::missing(class, &said));
                Err(Error::new(ErrorKind::HandlerMissing, message))
            }
            Some((kind, why)) => Err(Error::new(kind, format!("{attempt}: {why}"))),
        }
    }
}

impl Guest {
    /// A module of the table's, which messages call `what`.
    ///
    /// # Safety
    /// `module` must be one that the table's `create` takes; its `unload` is called when this is dropped.
    pub(crate) unsafe fn module(self, module: *mut c_void, what: String) -> Box<dyn Module> {
        Box::new(Loaded { guest: self, module, what })
    }
}

/// A loaded handler.
struct Loaded {
    guest: Guest,
    module: *mut c_void,
    what: String,
}

// SAFETY: the table's functions may be called from any thread, for any module.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

impl Module for Loaded {
    fn instantiate(&self) -> Result<Instance, Error> {
        let mut entry = MaybeUninit::<Entry>::uninit();
        let create = self.guest.table.create;
        // SAFETY: a module of `load`; the places live until it returns.
        match refusal_of(|refusal| unsafe { create(self.module, entry.as_mut_ptr(), refusal) }) {
            // SAFETY: it answered OK, so it wrote its entry and gave it to us.
            None => Ok(unsafe { Instance::new(entry.assume_init()) }),
            Some((kind, why)) => Err(Error::new(kind, format!("make {}: {why}", self.what))),
        }
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: a module of `load`, for the last time.
        unsafe { (self.guest.table.unload)(self.module) };
    }
}

/// What a function of the table refuses with, if it does.
fn refusal_of(call: impl FnOnce(*mut Refusal) -> Status) -> Option<(ErrorKind, String)> {
    let mut room = vec![0u8; ROOM];
    let mut refused = Refusal::over(&mut room);
    if call(&mut refused) == Status::OK {
        return None;
    }
    // SAFETY: the room is initialised, and nobody writes it any more.
    let said = String::from_utf8_lossy(unsafe { refused.read() }).trim_end().to_owned();
    Some((ErrorKind::of_refusal(refused.kind), said))
}
