//! What can be wrong with the limits of how a handler is called.

use super::{Found, Place};
use crate::spec::OnSpec;
use upcall_host::{HandlerSpec, Isolation, KnownGuest};

/// Calls of a handler that may be open at a time, at most.
pub const MOST_IN_FLIGHT: usize = 10_000;

/// Bytes of memory that WebAssembly has, where an address has 32 bits.
const MOST_MEMORY: u64 = 4 << 30;

/// Items a second; more is no limit.
const MOST_RATE: f64 = 1e9;

impl Found<'_> {
    pub(super) fn limited(&mut self, index: usize, handler: &OnSpec) {
        let (name, place) = (&handler.name, |field| Place::Handler(index, field));
        match handler.in_flight {
            Some(0) => {
                let help = "one item has to be handed over: give 1 or more, or leave it out";
                self.add(place("in_flight"), 0, format!("`in_flight` of handler {name} is 0"), help);
            }
            Some(items) if items > MOST_IN_FLIGHT => {
                let message = format!("`in_flight` of handler {name} is {items}");
                let help = format!("each has a frame of its own: {MOST_IN_FLIGHT} is the most");
                self.add(place("in_flight"), items, message, help);
            }
            _ => {}
        }
        if let Some(rate) = handler.rate
            && !(rate > 0.0 && rate <= MOST_RATE)
        {
            let message = format!("`rate` of handler {name} is {rate}");
            let help = format!("it is items a second, more than 0 and no more than {MOST_RATE}");
            self.add(place("rate"), rate, message, help);
        }
        if handler.deadline.is_some_and(|deadline| deadline.is_zero()) {
            self.add(
                place("deadline"),
                0,
                format!("`deadline` of handler {name} is 0"),
                without_deadline(handler),
            );
        }
        let memory = handler.isolated().and_then(|isolation| isolation.memory);
        let memory = memory.or_else(|| handler.code.as_ref()?.limits.memory);
        if let Some(bytes) = memory.filter(|bytes| *bytes > MOST_MEMORY && is_bounded(handler)) {
            let message = format!("`memory` of handler {name} is {} GiB", bytes.div_ceil(1 << 30));
            let help =
                "an address has 32 bits in WebAssembly: write \"4 GiB\" or less, or leave it out for 1 GiB";
            self.add(place("memory"), bytes, message, help);
        }
    }
}

/// Whether its host gives it no more than its limits, in this process too.
fn is_bounded(handler: &OnSpec) -> bool {
    let code = handler.code.as_ref();
    code.and_then(|code| KnownGuest::named(&code.guest)).is_some_and(|guest| guest.bounded)
}

/// What to do about a deadline of nothing.
pub(super) fn without_deadline(handler: &OnSpec) -> &'static str {
    if is_bounded(handler) {
        "every call would be late: give it a time like \"5 s\", or leave it out for 30 s"
    } else {
        "every call would be late: leave it out to let it take as long as it likes"
    }
}

/// Whether what a handler is limited by means anything for it, now that it has said whether it answers later.
pub(crate) fn check_limits(spec: &OnSpec, answers_later: bool) -> Result<(), String> {
    const MOST_APART: usize = Isolation::MOST_OPEN;
    if answers_later {
        let most = spec.in_flight.filter(|calls| *calls > MOST_APART && spec.isolated().is_some());
        return most.map_or(Ok(()), |calls| {
            let always = |code: &HandlerSpec| KnownGuest::named(&code.guest).is_some_and(|guest| guest.apart);
            let or = if spec.code.as_ref().is_some_and(always) { "" } else { ", or leave `isolation` out" };
            Err(format!(
                "it has `in_flight = {calls}`, and a handler in processes of its own may have {MOST_APART} items open at most: \
                 lower `in_flight`{or}"
            ))
        });
    }
    if spec.in_flight.is_some() {
        return Err("it has `in_flight`, and answers at once: remove `in_flight`, or let it answer later (docs/later.md)".into());
    }
    if spec.deadline.is_some() && spec.isolated().is_none() && !is_bounded(spec) {
        // Code of the program's own cannot be in a process of its own.
        let way = if spec.code.is_some() { "add `isolation = \"process\"`" } else { "remove `deadline`" };
        return Err(format!(
            "it has a `deadline`, answers at once, and runs in the flow's own process, where nothing can stop it: {way}, or \
             let it answer later (docs/later.md)"
        ));
    }
    Ok(())
}
