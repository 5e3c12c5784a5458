use std::cell::Cell;
use std::rc::Rc;
use upcall_abi::{OpenFrame, Rel, Services, base, level};

/// What an engine lends until CLOSE, to an instance and all that it has given away: null before OPEN and after CLOSE. It
/// is not `Send`, as it is for the instance's thread.
pub(crate) type Lent<T> = Rc<Cell<*const T>>;

/// Nothing lent yet.
pub(crate) fn unlent<T>() -> Lent<T> {
    Rc::new(Cell::new(std::ptr::null()))
}

/// What every handler learns when it is opened, whatever engine it is for.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    frame: &'a OpenFrame,
    services: &'a Lent<Services>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(frame: &'a OpenFrame, services: &'a Lent<Services>) -> Context<'a> {
        Context { frame, services }
    }

    pub(crate) fn text(&self, text: Rel<u8>) -> &'a str {
        // SAFETY: the engine's names and settings are valid during OPEN, and UTF-8 (checked here).
        let bytes = unsafe { text.get(self.frame.head.base[base::BATCH]) };
        std::str::from_utf8(bytes).unwrap_or("?")
    }

    /// The handler's name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.text(self.frame.name)
    }

    /// The value of a setting; JSON text where it is not a plain value.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&'a str> {
        // SAFETY: valid during OPEN.
        let settings = unsafe { self.frame.settings.get(self.frame.head.base[base::BATCH]) };
        settings.iter().find(|s| self.text(s.name) == name).map(|s| self.text(s.value))
    }

    /// Index of this worker among those that run the handler, and how many they are.
    #[must_use]
    pub fn worker(&self) -> (u32, u32) {
        (self.frame.worker, self.frame.workers)
    }

    /// The engine's log, to be kept by the handler.
    #[must_use]
    pub fn log(&self) -> Log {
        Log { services: self.services.clone() }
    }
}

/// Logs under the handler's name, into the engine's log. For the handler's own thread. One that is kept for
/// longer than the handler says nothing any more.
#[derive(Clone, Debug)]
pub struct Log {
    services: Lent<Services>,
}

impl Log {
    /// Something failed.
    pub fn error(&self, text: &str) {
        self.write(level::ERROR, text);
    }

    /// Something looks wrong.
    pub fn warn(&self, text: &str) {
        self.write(level::WARN, text);
    }

    /// Something worth telling.
    pub fn info(&self, text: &str) {
        self.write(level::INFO, text);
    }

    /// For whoever debugs the handler.
    pub fn debug(&self, text: &str) {
        self.write(level::DEBUG, text);
    }

    fn write(&self, level: u32, text: &str) {
        // SAFETY: the engine's until CLOSE has returned, and null from then on; called on its thread, as `Log` is
        // not `Send`.
        unsafe {
            if let Some(services) = self.services.get().as_ref() {
                (services.log)(services.context, level, text.as_ptr(), text.len() as u64);
            }
        }
    }
}
