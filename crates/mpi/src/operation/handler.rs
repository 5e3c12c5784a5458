//! Handlers in any guest as operations: COMBINE frames over the arrays that MPI gives.

mod combiner;

pub use combiner::Combiner;

use super::Operation;
use crate::error::{Error, ErrorKind};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::ThreadId;
use upcall_abi::{Blit, CombineFrame, CombineOpen, FrameHead, Rel, kind};
use upcall_host::{HandlerSpec, Host, Instance, Module, Opened, Opening, Threads, describe};

/// A handler that combines arrays, to be made an [`Operation`]: where it is, who runs it, and what it is told.
///
/// Its guest is a [`Host`] that the program has started, whichever it likes: in this process, or in processes of the handler's
/// own (`upcall_apart::Processes`).
///
/// ```no_run
/// # use std::sync::Arc;
/// # use upcall_host::{HandlerSpec, Host};
/// use upcall_mpi::{Environment, Error, Handler, Threads};
///
/// fn largest(python: &Arc<dyn Host>) -> Result<Vec<f64>, Error> {
///     let mpi = Environment::start(Threads::Funneled)?;
///     let spec = HandlerSpec::new("peaks", python.guest(), "peaks.py", "Peaks");
///     let peaks = Handler::new(Arc::clone(python), spec).operation::<f64>()?;
///     let mut largest = Ok(Vec::new());
///     // Within the host's worker, so that the thread is not attached anew for each call.
///     python.worker(&mut || largest = mpi.world().all_reduce(&[mpi.world().rank() as f64], &peaks));
///     largest
/// }
/// ```
pub struct Handler {
    host: Arc<dyn Host>,
    spec: HandlerSpec,
    settings: Vec<(String, String)>,
}

impl Handler {
    /// The handler of a specification, run by a host.
    #[must_use]
    pub fn new(host: Arc<dyn Host>, spec: HandlerSpec) -> Handler {
        Handler { host, spec, settings: Vec::new() }
    }

    /// The same, with a setting that it reads when it is opened.
    #[must_use]
    pub fn setting(mut self, name: impl Into<String>, value: impl Into<String>) -> Handler {
        self.settings.push((name.into(), value.into()));
        self
    }

    /// An operation on elements of a type, which the handler must be for. It is called once per chunk, on the threads that call
    /// the reduction, by an instance of each thread's own, which is closed with the operation, or where its thread ends; of a
    /// guest that has one worker (Python), on the thread that this is called on, and nowhere else. What the handler throws is
    /// the error of the reduction, with type, message and stack, when that has ended. Its log is the program's, by `tracing`.
    ///
    /// # Errors
    /// There is no such handler, it does not combine, or another type; as [`Operation::new`].
    pub fn operation<T: Blit>(self) -> Result<Operation<T>, Error> {
        let of = Element { name: T::NAME.to_owned(), size: size_of::<T>(), align: align_of::<T>() };
        let (shared, commutes) = self.loaded(of)?;
        let calls = Calls(shared);
        let made = Operation::fallible(move |from: &[T], into: &mut [T]| {
            let bytes = size_of_val(from);
            // SAFETY: two arrays of so many bytes, apart from each other, which stay until the call returns.
            unsafe { calls.combine(from.as_ptr().cast(), into.as_mut_ptr().cast(), bytes) }
        })?;
        Ok(if commutes { made } else { made.not_commutative() })
    }

    /// An operation on elements of a type that is known only when the program runs, as bytes: its name, as the handler has it,
    /// and its size.
    ///
    /// # Errors
    /// As [`operation`](Handler::operation).
    pub fn operation_of(self, element: &str, size: usize) -> Result<Operation<u8>, Error> {
        let (shared, commutes) = self.loaded(Element::named(element, size))?;
        let calls = Calls(shared);
        let made = Operation::of_size(size, move |from: &[u8], into: &mut [u8]| {
            // SAFETY: as above.
            unsafe { calls.combine(from.as_ptr(), into.as_mut_ptr(), from.len()) }
        })?;
        Ok(if commutes { made } else { made.not_commutative() })
    }

    /// The handler itself, on elements as [`operation_of`](Handler::operation_of) has them: for a program that has its operation
    /// from another library than this one, and calls the handler in that.
    ///
    /// # Errors
    /// There is no such handler, it does not combine, or another type.
    pub fn combiner_of(self, element: &str, size: usize) -> Result<Combiner, Error> {
        let (shared, commutes) = self.loaded(Element::named(element, size))?;
        Ok(Combiner::new(Calls(shared), commutes))
    }

    /// Loads it, and makes the instance of this thread, which is asked what it is. Also whether it commutes.
    fn loaded(self, element: Element) -> Result<(Arc<Shared>, bool), Error> {
        let Handler { host, spec, settings } = self;
        let name = spec.name.clone();
        let failed =
            |kind, why: String| Error::new(kind, format!("make an operation of handler {name}: {why}"));
        let module = host.load(&spec).map_err(|error| failed(ErrorKind::Operation, error.to_string()))?;
        let shared = Arc::new(Shared {
            name: name.clone(),
            threads: host.capabilities().threads,
            host,
            module,
            settings,
            element,
            maker: std::thread::current().id(),
            instances: AtomicU32::new(0),
            dropped: AtomicBool::new(false),
        });
        let mut commutes = Err(failed(ErrorKind::Operation, "its host has run nothing".to_owned()));
        shared.host.worker(&mut || {
            commutes = shared.first().map_err(|(kind, why)| failed(kind, why));
        });
        Ok((Arc::clone(&shared), commutes?))
    }
}

impl<T: Blit> Operation<T> {
    /// One of a handler in any guest, without settings: as [`Handler::operation`].
    ///
    /// # Errors
    /// As there.
    pub fn handler(host: Arc<dyn Host>, spec: HandlerSpec) -> Result<Operation<T>, Error> {
        Handler::new(host, spec).operation()
    }
}

impl std::fmt::Debug for Handler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handler").field("spec", &self.spec).finish_non_exhaustive()
    }
}

/// The elements of both arrays.
struct Element {
    name: String,
    size: usize,
    align: usize,
}

impl Element {
    /// One that is known only when the program runs.
    fn named(name: &str, size: usize) -> Element {
        Element { name: name.to_owned(), size, align: 1 << size.max(1).trailing_zeros().min(4) }
    }
}

/// A handler that was loaded: what its instances are made of.
struct Shared {
    name: String,
    host: Arc<dyn Host>,
    module: Box<dyn Module>,
    threads: Threads,
    settings: Vec<(String, String)>,
    element: Element,
    /// The thread that has made the operation.
    maker: ThreadId,
    instances: AtomicU32,
    /// Whether the operation is no more: instances of other threads are closed by these.
    dropped: AtomicBool,
}

impl Shared {
    /// The instance of the thread that makes the operation, where it is what it should be.
    fn first(self: &Arc<Shared>) -> Result<bool, (ErrorKind, String)> {
        let operation = |why: String| (ErrorKind::Operation, why);
        let mut instance = self.module.instantiate().map_err(|error| operation(error.to_string()))?;
        let said = describe(&mut instance).map_err(|error| operation(error.to_string()))?;
        said.check_kind("a reduction", kind::COMBINE).map_err(operation)?;
        if said.answers_later {
            return Err(operation(
                "it answers later, and MPI waits for no operation: let it answer at once".to_owned(),
            ));
        }
        let Element { name, size, .. } = &self.element;
        let other = said
            .takes
            .as_ref()
            .filter(|takes| takes.name != *name || takes.size.is_some_and(|taken| taken as usize != *size));
        let other = other.map(|takes| {
            let bytes = takes.size.map_or(String::new(), |size| format!(" of {size} bytes"));
            let why = format!(
                "it combines {}{bytes}, and the elements are {name} of {size}: change one of them",
                takes.name
            );
            (ErrorKind::Type, why)
        });
        // It may take more than it says: in Java, where numbers have signs, also those without. It knows when it is opened.
        let open = self.open(instance).map_err(|why| other.unwrap_or((ErrorKind::Operation, why)))?;
        keep(open);
        Ok(said.commutative)
    }

    fn open(self: &Arc<Shared>, instance: Instance) -> Result<Open, String> {
        let Element { name, size, .. } = &self.element;
        let added = CombineOpen {
            size: size_of::<CombineOpen>() as u32,
            element_size: *size as u32,
            element: Rel::of(name.as_bytes()),
        };
        // Those that come are not known.
        let worker = self.instances.fetch_add(1, Ordering::Relaxed);
        let opening = Opening {
            name: &self.name,
            batch: kind::COMBINE,
            settings: &self.settings,
            worker,
            workers: worker + 1,
        };
        let opened = Opened::new(instance, &opening, &added).map_err(|failed| failed.told())?;
        Ok(Open { opened: Some(opened), shared: Arc::clone(self) })
    }
}

/// An instance of this thread's, open.
struct Open {
    /// There until it is dropped.
    opened: Option<Opened>,
    shared: Arc<Shared>,
}

impl Open {
    /// # Safety
    /// As [`Calls::combine`].
    unsafe fn combine(&mut self, from: *const u8, into: *mut u8, bytes: usize) -> Result<(), String> {
        let mut frame = CombineFrame {
            head: FrameHead::new::<CombineFrame>(kind::COMBINE),
            from: Rel::new(from.expose_provenance() as u64, bytes as u64),
            into: Rel::new(into.expose_provenance() as u64, bytes as u64),
            count: (bytes / self.shared.element.size.max(1)) as u64,
        };
        let Some(opened) = &mut self.opened else { return Ok(()) };
        // SAFETY: the caller's promise; the frame lives until the call returns.
        unsafe { opened.call(&mut frame) }.map_err(|(_, failed)| failed.told())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let opened = &mut self.opened;
        self.shared.host.worker(&mut || drop(opened.take()));
    }
}

thread_local! {
    /// The open instances of this thread.
    static OPEN: RefCell<Vec<Open>> = const { RefCell::new(Vec::new()) };
}

/// Keeps an instance for this thread, and closes those whose operation is no more.
fn keep(open: Open) {
    let gone = OPEN.with_borrow_mut(|kept| {
        let gone: Vec<Open> =
            kept.extract_if(.., |open| open.shared.dropped.load(Ordering::Acquire)).collect();
        kept.push(open);
        gone
    });
    drop(gone);
}

/// Closes this thread's instances while the runtime of their handlers is there: a Java program's ends before its main thread does.
pub(crate) fn close_here() {
    drop(OPEN.take());
}

/// Takes this thread's instance out, so that nobody else has it meanwhile.
fn take(shared: &Arc<Shared>) -> Option<Open> {
    OPEN.with_borrow_mut(|kept| {
        let index = kept.iter().position(|open| Arc::ptr_eq(&open.shared, shared))?;
        Some(kept.swap_remove(index))
    })
}

/// What an operation calls.
struct Calls(Arc<Shared>);

impl Calls {
    /// Combines the first array into the second, of so many bytes each.
    ///
    /// # Safety
    /// They are there until it returns, apart from each other, and nobody else writes them.
    unsafe fn combine(&self, from: *const u8, into: *mut u8, bytes: usize) -> Result<(), String> {
        let Calls(shared) = self;
        let align = shared.element.align;
        if !from.addr().is_multiple_of(align) || !into.addr().is_multiple_of(align) {
            return Err(format!(
                "MPI's arrays are not aligned to the {align} bytes of {}",
                shared.element.name
            ));
        }
        if shared.threads == Threads::One && std::thread::current().id() != shared.maker {
            return Err(format!(
                "handler {} was called on another thread than the one that has made the operation, and all handlers in {} run \
                 on one: reduce there",
                shared.name,
                shared.host.guest()
            ));
        }
        let mut outcome = Err(format!("the host of handler {} has run nothing", shared.name));
        shared.host.worker(&mut || {
            let open = match take(shared) {
                Some(open) => Ok(open),
                None => shared
                    .module
                    .instantiate()
                    .map_err(|error| error.to_string())
                    .and_then(|instance| shared.open(instance)),
            };
            outcome = open.and_then(|mut open| {
                // SAFETY: the caller's promise.
                let outcome = unsafe { open.combine(from, into, bytes) };
                keep(open);
                outcome
            });
        });
        outcome
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        self.0.dropped.store(true, Ordering::Release);
        // That of this thread; the others close theirs.
        drop(OPEN.try_with(|_| take(&self.0)));
    }
}
