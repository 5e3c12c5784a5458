//! The lanes of the segment that this process was started with: which are ours, and which of them have a call.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;
use upcall_apart::guest::Connection;
use upcall_apart::protocol::lane;
use upcall_segment::{Bell, Patience, Rung, Segment, Side, Turn, Waited};

/// The only connection of this process. Whoever waits on another thread has it meanwhile, as long as there is one lane only.
static CONNECTION: Mutex<Option<Connection>> = Mutex::new(None);

/// From when on there are others.
static LANES: OnceLock<Lanes> = OnceLock::new();

/// The lanes that had a call when they were last looked at, lane 0 behind the others.
pub(crate) static READY: [AtomicU32; 1024] = [const { AtomicU32::new(0) }; 1024];

struct Lanes {
    segment: &'static Segment,
    /// Whoever waits has it.
    bell: Mutex<Bell>,
    /// Waits at other lanes than the first, for answers.
    turn: Mutex<Turn>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Connects, once. Address and bytes of the segment.
pub(crate) fn open() -> std::io::Result<(u64, u64)> {
    let mut connection = lock(&CONNECTION);
    let open = match &mut *connection {
        Some(open) => open,
        none => none.insert(Connection::inherited()?),
    };
    Ok((open.base(), open.bytes()))
}

/// All lanes are used from now on.
pub(crate) fn use_all() {
    let connection = lock(&CONNECTION);
    let Some(open) = &*connection else { return };
    // SAFETY: the connection is never taken out of `CONNECTION`, and it keeps its segment where it is.
    let segment = unsafe { &*std::ptr::from_ref(open.segment()) };
    let (bell, turn) = (Bell::new(Side::Guest).into(), Turn::new(Side::Guest).into());
    LANES.get_or_init(|| Lanes { segment, bell, turn });
}

/// Tells the engine which lanes were passed to it.
pub(crate) fn ring() {
    LANES.get().into_iter().for_each(|Lanes { segment, .. }| segment.stir(Side::Host));
}

/// Gives a lane to the engine, which is told of others than the first by [`ring`].
pub(crate) fn pass(number: u64) {
    let others = LANES.get().filter(|_| number > 0);
    match others {
        Some(Lanes { segment, .. }) => {
            let Some(at) = segment.lane(lane(number)) else { return };
            at.give(Side::Host);
            segment.mark(Side::Host, number);
        }
        None => lock(&CONNECTION).iter().for_each(Connection::pass),
    }
}

/// Waits until a lane is ours again. False when it will never be.
pub(crate) fn wait_for(number: u64) -> bool {
    let others = LANES.get().filter(|_| number > 0);
    match others {
        Some(Lanes { segment, turn, .. }) => {
            let at = segment.lane(lane(number));
            at.is_some_and(|at| lock(turn).wait_at(at, Patience::Endless) == Waited::Mine)
        }
        None => lock(&CONNECTION).as_ref().is_some_and(Connection::wait),
    }
}

/// How long to wait for a call.
#[derive(Clone, Copy)]
pub(crate) enum Wait {
    Not,
    /// As long as a spin takes that has paid off before.
    Spin,
    /// As long as it takes.
    Endless,
}

/// How many lanes have a call: they are in [`READY`]. After an endless wait 0 says that there will never be one.
pub(crate) fn ready(wait: Wait) -> u32 {
    let Some(Lanes { segment, bell, .. }) = LANES.get() else {
        let connection = lock(&CONNECTION);
        let mine = connection.as_ref().is_some_and(|open| match wait {
            Wait::Not => false,
            Wait::Spin => open.spin(),
            Wait::Endless => open.wait(),
        });
        READY[0].store(0, Relaxed);
        return u32::from(mine);
    };
    let mut bell = lock(bell);
    match wait {
        Wait::Not => note(segment, bell.take(segment)),
        Wait::Spin => note(segment, bell.wait(segment, Patience::Until(Instant::now()))),
        Wait::Endless => loop {
            let count = note(segment, bell.wait(segment, Patience::Endless));
            if count > 0 {
                return count;
            }
        },
    }
}

/// Lane 0 comes last: it may say that the call of another one is no longer waited for.
fn note(segment: &Segment, mut rung: Rung) -> u32 {
    let first = rung.remove(0) && segment.first().is_turn_of(Side::Guest);
    let all = rung.chain(first.then_some(0)).zip(&READY);
    all.fold(0, |count, (lane, place)| {
        place.store(lane as u32, Relaxed);
        count + 1
    })
}
