//! What can be wrong with handlers that run in processes of their own.

use super::{Found, MOST_WORKERS, Place};
use crate::spec::{OnSpec, Order};

/// What is wrong with `isolation` for code of this program, which is in no file that a process could load.
pub(crate) fn own_code_isolated(handler: &str) -> String {
    format!(
        "handler {handler} has `isolation`, but is code of this program: give its file and class, or remove it"
    )
}

impl Found<'_> {
    pub(super) fn isolated(&mut self, index: usize, handler: &OnSpec) {
        let (name, place) = (&handler.name, |field| Place::Handler(index, field));
        let Some(code) = &handler.code else { return };
        let Some(isolation) = &code.isolation else { return };
        if code.guest.is_empty() {
            let message = own_code_isolated(name);
            let (message, help) = message.split_once(": ").unwrap_or((&message, ""));
            return self.add(place("isolation"), "", message.into(), help);
        }
        let workers = isolation.workers;
        if workers > MOST_WORKERS {
            let message = format!("`workers` of handler {name} is {workers}");
            let help = format!("each is a process: {MOST_WORKERS} is the most");
            self.add(place("workers"), workers, message, help);
        }
        if workers > 1 && handler.order == Order::Single {
            let message = format!("handler {name} has {workers} `workers`, but `order` \"single\"");
            let help =
                "one item after the other is for one worker: remove `workers`, or give it another `order`";
            self.add(place("workers"), workers, message, help);
        }
        let positive = [
            ("workers", workers == 0, "one process is needed to run it"),
            (
                "restarts",
                isolation.restarts == 0,
                "a death is no proof: 1 buries an item of which the process dies alone",
            ),
            (
                "deadline",
                isolation.deadline.is_some_and(|deadline| deadline.is_zero()),
                super::limits::without_deadline(handler),
            ),
            ("start_deadline", isolation.start_deadline.is_zero(), "every process would start too late"),
            (
                "memory",
                isolation.memory == Some(0),
                "a process needs some: leave it out to let it take as much as it likes",
            ),
        ];
        for (field, _, why) in positive.into_iter().filter(|(_, zero, _)| *zero) {
            self.add(place(field), 0, format!("`{field}` of handler {name} is 0"), why);
        }
        for variable in &isolation.env {
            if variable.trim().is_empty() || variable.contains(['=', '\0']) {
                let message = format!("`env` of handler {name} names {variable:?}, which is no variable");
                let help = "give names alone: the values are those that this process has";
                self.add(place("env"), variable, message, help);
            }
        }
    }
}
