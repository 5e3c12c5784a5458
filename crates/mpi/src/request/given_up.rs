//! Requests that nobody waits for any more, with what MPI still reads or fills.

use super::{Begun, Sort};
use crate::error::Error;
use crate::library::Library;
use crate::shim::{Constant, Handle};
use crate::status::Status;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

struct GivenUp {
    handle: Handle,
    /// Where it has ended it is there still, until it is freed.
    persistent: bool,
    sort: Sort,
    _held: Box<dyn Send>,
}

static GIVEN_UP: Mutex<Vec<GivenUp>> = Mutex::new(Vec::new());

/// Whether there are some: mostly there are none.
static SOME: AtomicBool = AtomicBool::new(false);

/// How many threads look at some, which are not in the list then.
static SWEEPERS: AtomicUsize = AtomicUsize::new(0);

fn list() -> MutexGuard<'static, Vec<GivenUp>> {
    GIVEN_UP.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives one up: a receive is cancelled, and what has not ended by then goes on with its buffer. Where this thread may not call
/// MPI, that is left to one that may.
pub(crate) fn give_up<B: Send + 'static>(library: &'static Library, begun: Begun<B>, persistent: bool) {
    let Begun { handle, buffer, sort, behind } = begun;
    // MPI may read or fill it until it has said that it has ended, also while the process ends.
    let mut held = ManuallyDrop::new(Some((buffer, behind)));
    Library::free(move || gave_up(library, handle, sort, persistent, &mut held));
}

fn gave_up<H: Send + 'static>(
    library: &'static Library,
    mut handle: Handle,
    sort: Sort,
    persistent: bool,
    held: &mut Option<H>,
) -> Result<(), Error> {
    let (mut done, mut status) = (0, Status::EMPTY);
    let looked = library.call(
        // SAFETY: a request of MPI's, which nobody else has; what it reads or fills is held.
        |table| unsafe {
            if sort == Sort::AtRest {
                done = 1;
                return (table.request_free)(&mut handle);
            }
            let code = if sort == Sort::Receive { (table.cancel)(&mut handle) } else { 0 };
            if code != 0 {
                return code;
            }
            match (table.test)(&mut handle, &mut done, &mut status) {
                0 if done != 0 && persistent => (table.request_free)(&mut handle),
                code => code,
            }
        },
        String::new,
    );
    if looked.is_ok() && done == 0 {
        if let Some(held) = held.take() {
            let given_up = GivenUp { handle, persistent, sort, _held: Box::new(held) };
            list().push(given_up);
            SOME.store(true, Ordering::Release);
        }
    } else if looked.is_ok() || handle == library.constant(Constant::RequestNull) {
        drop(held.take());
    }
    looked
}

/// Frees what MPI needs no more.
pub(crate) fn sweep(library: &Library) {
    if SOME.load(Ordering::Acquire) {
        swept(library, |_| true);
    }
}

/// How many of those that were asked for go on.
fn swept(library: &Library, asked: impl Fn(&GivenUp) -> bool) -> usize {
    // Without the lock: a call may free what was left by other threads, which gives up requests, and so may what is dropped here.
    SWEEPERS.fetch_add(1, Ordering::SeqCst);
    let all = std::mem::take(&mut *list());
    SOME.store(false, Ordering::Release);
    let (mut ended, mut go_on) = (Vec::new(), Vec::new());
    for mut one in all {
        let (mut done, mut status) = (0, Status::EMPTY);
        let tested = library.call(
            // SAFETY: as above.
            |table| unsafe {
                match (table.test)(&mut one.handle, &mut done, &mut status) {
                    0 if done != 0 && one.persistent => (table.request_free)(&mut one.handle),
                    code => code,
                }
            },
            String::new,
        );
        // One that has failed may be read or filled all the same, where MPI still has it.
        let failed = tested.is_err() && one.handle == library.constant(Constant::RequestNull);
        if failed || (tested.is_ok() && done != 0) {
            ended.push(one);
        } else {
            go_on.push((one, tested.is_ok()));
        }
    }
    let left = go_on.iter().filter(|(one, known)| *known && asked(one)).count();
    let mut list = list();
    list.extend(go_on.into_iter().map(|(one, _)| one));
    SOME.store(!list.is_empty(), Ordering::Release);
    drop(list);
    SWEEPERS.fetch_sub(1, Ordering::SeqCst);
    drop(ended);
    left
}

/// Before MPI is finalized: what ends by itself has to end, as others may wait for this rank's part in it. A send that nobody
/// receives never does; MPI is left to it.
pub(crate) fn settle(library: &Library) {
    let ends = |given_up: &GivenUp| matches!(given_up.sort, Sort::Matched | Sort::Together);
    while SWEEPERS.load(Ordering::SeqCst) > 0 || swept(library, ends) > 0 {
        std::thread::yield_now();
    }
}
