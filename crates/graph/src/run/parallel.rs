//! Work that threads take piece by piece.

use crate::error::{Error, ErrorKind};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Calls `one` for each of so many pieces, on this thread and others, each of which has a `T` of its own; 0 threads are one per core.
///
/// # Errors
/// That of the first piece, by number, that has failed or panicked; or it was told to stop.
pub(crate) fn parallel<T: Default>(
    threads: usize,
    pieces: usize,
    stop: Option<&AtomicBool>,
    one: impl Fn(&mut T, usize) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { cores() } else { threads };
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let fails = |piece: usize, error: Error| {
        // Nobody takes another piece; those before it are under way already.
        next.store(pieces, Ordering::Relaxed);
        let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.as_ref().is_none_or(|(first, _)| piece < *first) {
            *failed = Some((piece, error));
        }
    };
    let work = || {
        let mut own = T::default();
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                return;
            }
            let outcome = heard(stop).and_then(|()| unpanicked(|| one(&mut own, piece)));
            if let Err(error) = outcome {
                return fails(piece, error);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(pieces) {
            scope.spawn(work);
        }
        work();
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// An error if somebody has said that the run is to stop.
pub(crate) fn heard(stop: Option<&AtomicBool>) -> Result<(), Error> {
    match stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
        true => Err(Error::new(ErrorKind::Interrupted, "run the program: it was told to stop")),
        false => Ok(()),
    }
}

/// What it comes to; what it panics with is an error.
pub(crate) fn unpanicked<T>(body: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let message = format!("run the program: it panicked: {}", said(&*panic));
        Err(Error::new(ErrorKind::Program, message))
    })
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no words")
}
