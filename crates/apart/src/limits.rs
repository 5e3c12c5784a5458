//! What a handler may use in its process, where its guest can hold it to that. There the process is the second fence: it is
//! killed only where the first one did not hold.

use std::time::Duration;
use upcall_host::{HandlerSpec, Isolation, KnownGuest, Limits};

/// The environment variable that says it to a process: bytes of memory, and nanoseconds for an item; nothing where there is no
/// limit.
const VARIABLE: &str = "UPCALL_LIMITS";

/// What the process of a guest that can hold a handler to `memory` may have beside it: the runtime, and a batch.
const RUNTIME: u64 = 256 << 20;

/// How much longer than its `deadline` such a guest may take to say that the time has passed.
const HEED: Duration = Duration::from_secs(1);

/// For the environment of a handler's process.
pub(crate) fn told_to(handler: &HandlerSpec) -> Option<(&'static str, String)> {
    bounded(handler).then(|| (VARIABLE, written(handler.limits)))
}

fn bounded(handler: &HandlerSpec) -> bool {
    KnownGuest::named(&handler.guest).is_some_and(|guest| guest.bounded)
}

fn written(limits: Limits) -> String {
    let shown = |number: Option<u128>| number.map_or(String::new(), |number| number.to_string());
    let deadline = limits.deadline.map(|deadline| deadline.as_nanos());
    format!("{} {}", shown(limits.memory.map(u128::from)), shown(deadline))
}

/// In that process: what it was told.
pub(crate) fn told() -> Limits {
    std::env::var(VARIABLE).map(|told| read(&told)).unwrap_or_default()
}

fn read(told: &str) -> Limits {
    let (memory, deadline) = told.split_once(' ').unwrap_or_default();
    let deadline = deadline.parse().ok().map(Duration::from_nanos);
    Limits { memory: memory.parse().ok(), deadline }
}

/// When a process of a handler is killed.
pub(crate) fn fence(handler: &HandlerSpec) -> Isolation {
    let mut fence = handler.isolation.clone().unwrap_or_default();
    if bounded(handler) {
        fence.memory = fence.memory.map(|memory| memory.saturating_add(RUNTIME));
        fence.deadline = fence.deadline.map(|deadline| deadline.saturating_add(HEED));
    }
    fence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_were_told() {
        let deadline = Some(Duration::from_millis(1500));
        for memory in [None, Some(u64::MAX), Some(0)] {
            for deadline in [None, deadline] {
                let limits = Limits { memory, deadline };
                assert_eq!(read(&written(limits)), limits);
            }
        }
        assert_eq!(read(""), Limits::default());
    }

    #[test]
    fn a_process_is_the_second_fence_of_a_guest_that_has_one_of_its_own() {
        let limits = Isolation {
            memory: Some(1 << 20),
            deadline: Some(Duration::from_secs(2)),
            ..Isolation::default()
        };
        let of = |guest: &str| {
            fence(&HandlerSpec { isolation: Some(limits.clone()), ..HandlerSpec::new("h", guest, "f", "c") })
        };
        assert_eq!(of("python"), limits);
        let wasm = of("wasm");
        assert_eq!((wasm.memory, wasm.deadline), (Some(257 << 20), Some(Duration::from_secs(3))));
    }
}
