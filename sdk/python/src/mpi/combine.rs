//! Operations that are Python's: a function over two arrays, called once per chunk.

use super::failure::raise_from;
use super::kept::leave;
use crate::attach::Attached;
use crate::failure;
use crate::number::Number;
use crate::py::{self, Outcome, Raised, Ref};
use crate::view::{Memory, Views};
use std::cell::RefCell;
use std::sync::Arc;
use upcall_mpi::{Error, Operation};

/// A function for the length of one reduction, which calls it on the thread that it was made on.
pub struct Function {
    /// Of two objects that export bytes: it combines the first into the second.
    combine: Ref,
    /// What it has raised first, and that as text.
    raised: RefCell<Option<(Ref, String)>>,
}

/// The same, as MPI's operation has it.
struct Here(*const Function);

// SAFETY: a reduction that waits calls it on its own thread, where the function is.
unsafe impl Send for Here {}
// SAFETY: as above.
unsafe impl Sync for Here {}

impl Here {
    fn call(&self, from: &[u8], into: &mut [u8]) -> Result<(), String> {
        // SAFETY: the function stays until the reduction has ended.
        unsafe { &*self.0 }.call(from, into)
    }
}

impl Function {
    pub fn new(combine: Ref) -> Function {
        Function { combine, raised: RefCell::new(None) }
    }

    /// MPI's operation for it, on elements of so many bytes.
    ///
    /// # Safety
    /// The function must stay where it is until the operation is dropped, on this thread, which alone may reduce by it.
    pub unsafe fn operation(&self, size: usize, commutes: bool) -> Result<Operation<u8>, Error> {
        let here = Here(self);
        let made = Operation::<u8>::of_size(size, move |from, into| here.call(from, into))?;
        Ok(if commutes { made } else { made.not_commutative() })
    }

    fn call(&self, from: &[u8], into: &mut [u8]) -> Result<(), String> {
        let _attached = Attached::now();
        // What has been combined is of no use any more.
        if let Some((_, said)) = &*self.raised.borrow() {
            return Err(said.clone());
        }
        self.combined(from, into).map_err(|raised| {
            let Some(raised) = failure::raised(raised) else { return "it raised nothing".to_owned() };
            let told = failure::of(&raised);
            let said = format!("{}: {}", told.type_name, told.message);
            *self.raised.borrow_mut() = Some((raised, said.clone()));
            said
        })
    }

    fn combined(&self, from: &[u8], into: &mut [u8]) -> Outcome<()> {
        let (views, byte) = (Views::default(), Number::Unsigned(1));
        let outcome = (|| {
            // SAFETY: MPI's memory is there until this returns, and the views end before.
            let (source, target) = unsafe {
                let target = Memory::into(into.as_mut_ptr(), into.len(), byte);
                (views.exporter(Memory::source(from.as_ptr(), from.len(), byte))?, views.exporter(target)?)
            };
            py::call_two(&self.combine, &source, &target).map(drop)
        })();
        // What was raised is what counts, and must not be set while the views end.
        let raised = outcome.map_err(failure::raised);
        let ended = views.end();
        match raised {
            Ok(()) => ended,
            Err(raised) => {
                let _ = ended.map_err(failure::forget);
                Err(raised.map_or(Raised, |raised| failure::raise(&raised)))
            }
        }
    }

    /// Raises what a reduction has failed with. What is no error of the function's, as Ctrl-C and `sys.exit` are none, is raised as
    /// itself: whoever catches errors of MPI's is not to catch it.
    #[cold]
    pub fn failed(&self, error: Error) -> Raised {
        match self.raised.borrow_mut().take() {
            Some((cause, _)) if !py::is_error(&cause) => failure::raise(&cause),
            Some((cause, _)) => raise_from(error, &cause),
            None => super::failure::raise(error),
        }
    }
}

/// A function for a call that goes on, or for many rounds: whichever thread calls MPI calls it, and any may drop it.
pub struct Shared(Option<Function>);

// SAFETY: it is called and looked at by attached threads alone, and dropped by one.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    pub fn new(combine: Ref) -> Arc<Shared> {
        Arc::new(Shared(Some(Function::new(combine))))
    }

    /// MPI's operation for it, on elements of so many bytes.
    pub fn operation(self: &Arc<Shared>, size: usize, commutes: bool) -> Result<Operation<u8>, Error> {
        let shared = Arc::clone(self);
        let made = Operation::<u8>::of_size(size, move |from, into| match &shared.0 {
            Some(function) => function.call(from, into),
            None => Ok(()),
        })?;
        Ok(if commutes { made } else { made.not_commutative() })
    }

    /// Raises what a call has failed with.
    #[cold]
    pub fn failed(&self, error: Error) -> Raised {
        match &self.0 {
            Some(function) => function.failed(error),
            None => super::failure::raise(error),
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        leave(self.0.take());
    }
}
