//! What can be wrong with a flow, found before anything starts.

use crate::dead::ROOT as DEAD;
use crate::graph;
use crate::spec::{DeadLetterLimit, FlowSpec, OnSpec, PoolKind, ValueType};
use std::collections::HashMap;
use std::fmt;
use upcall_host::nearest;

mod isolation;
mod limits;
#[cfg(test)]
mod tests;

pub(crate) use isolation::own_code_isolated;
pub use limits::MOST_IN_FLIGHT;
pub(crate) use limits::check_limits;

/// While an item is tried again its key is held up: more tries than this help nobody.
pub const MOST_RETRIES: u32 = 1000;

/// Each is a thread.
pub const MOST_WORKERS: usize = 1024;

/// One mistake in a flow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// The word that is wrong, as the flow has it.
    pub word: String,
    /// What is wrong.
    pub message: String,
    /// The way out.
    pub help: String,
    /// The nearest word that would be right.
    pub suggestion: Option<String>,
}

/// The part of a flow that a [`Problem`] is about. Fields are named as in a flow's file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// The flow itself.
    Flow(&'static str),
    /// A pool, by its index, and its field; `path` for its name.
    Pool(usize, &'static str),
    /// A handler, by its index, and its field.
    Handler(usize, &'static str),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.suggestion {
            Some(suggestion) => write!(f, "{}: did you mean `{suggestion}`?", self.message),
            None => write!(f, "{}: {}", self.message, self.help),
        }
    }
}

/// All that is wrong with a flow; nothing when it may start.
#[must_use]
pub fn check(spec: &FlowSpec) -> Vec<Problem> {
    let mut found = Found { spec, problems: Vec::new() };
    found.limits();
    found.pools();
    found.handlers();
    found.cycles();
    found.problems
}

struct Found<'a> {
    spec: &'a FlowSpec,
    problems: Vec<Problem>,
}

impl Found<'_> {
    fn add(&mut self, place: Place, word: impl ToString, message: String, help: impl Into<String>) {
        let help = help.into();
        self.problems.push(Problem { place, word: word.to_string(), message, help, suggestion: None });
    }

    fn limits(&mut self) {
        let spec = self.spec;
        let positive = [
            ("batch", spec.batch as u64, "a batch holds one item at least"),
            ("memory", spec.memory, "objects in flight need some memory"),
            ("credit.bytes", spec.credit.bytes, "without credit nothing can be put"),
            ("credit.items", spec.credit.items, "without credit nothing can be put"),
        ];
        for (field, value, why) in positive {
            if value == 0 {
                self.add(Place::Flow(field), 0, format!("`{field}` is 0"), why);
            }
        }
        match spec.workers {
            Some(0) => {
                let help = "give 1 or more, or leave it out to have one per core";
                self.add(Place::Flow("workers"), 0, "`workers` is 0".into(), help);
            }
            Some(workers) if workers > MOST_WORKERS => {
                let message = format!("`workers` is {workers}");
                let help = format!("each is a thread: {MOST_WORKERS} is the most, one per core the default");
                self.add(Place::Flow("workers"), workers, message, help);
            }
            _ => {}
        }
        if spec.credit.bytes > spec.memory && spec.memory > 0 {
            let message = format!(
                "`credit.bytes` ({}) is more than `memory` ({}): the flow would stop before a put has to wait",
                spec.credit.bytes, spec.memory
            );
            self.add(
                Place::Flow("credit.bytes"),
                spec.credit.bytes,
                message,
                "raise `memory` or lower the credit",
            );
        }
        let letters = spec.dead_letters.bytes;
        if letters != DeadLetterLimit::default().bytes && letters > spec.memory / DeadLetterLimit::SHARE {
            let message = format!(
                "`dead_letters.bytes` ({letters}) is more than a quarter of `memory` ({}): letters alone could \
                 stop the flow",
                spec.memory
            );
            let help =
                format!("raise `memory` to {}, or lower it", letters.saturating_mul(DeadLetterLimit::SHARE));
            self.add(Place::Flow("dead_letters.bytes"), letters, message, help);
        }
        if unusable(&spec.name) {
            let message = format!("{:?} is not a flow's name", spec.name);
            self.add(Place::Flow("name"), &spec.name, message, "give it a name to find it by in messages");
        }
        if spec.pools.is_empty() {
            let help = "declare one: [pool.\"/lines\"]";
            self.add(Place::Flow("pool"), "", format!("flow {} has no pool", spec.name), help);
        }
    }

    fn pools(&mut self) {
        let mut known = HashMap::new();
        for (index, pool) in self.spec.pools.iter().enumerate() {
            let place = Place::Pool(index, "path");
            let path = &pool.path;
            if let Some((what, help)) = bad_path(path) {
                self.add(place, path, format!("{path:?} is not a pool's path: {what}"), help);
            } else if graph::covers(DEAD, path) {
                let message = format!("pool {path} is below {DEAD}, which holds the dead pools");
                let help = format!("choose another path; every pool /x has a dead pool {DEAD}/x by itself");
                self.add(place, path, message, help);
            }
            match known.insert(path.to_lowercase(), path.as_str()) {
                Some(other) if other == path => {
                    self.add(place, path, format!("pool {path} is declared twice"), "remove one of them");
                }
                Some(other) => {
                    let message = format!("pools {other} and {path} differ only in upper and lower case");
                    self.add(place, path, message, "give one of them another path, or remove it");
                }
                None => {}
            }
            match (pool.kind, pool.keep) {
                (_, 0) => {
                    let help = "keep 1 version or more, or make it a trigger pool, which stores nothing";
                    self.add(Place::Pool(index, "keep"), 0, format!("pool {path} keeps 0 versions"), help);
                }
                (PoolKind::Trigger, 2..) => {
                    let message = format!("pool {path} is a trigger pool, which stores nothing to keep");
                    let help = "remove `keep`, or make its `kind` \"volatile\"";
                    self.add(Place::Pool(index, "keep"), pool.keep, message, help);
                }
                _ => {}
            }
        }
    }

    fn handlers(&mut self) {
        let mut known = HashMap::new();
        for (index, handler) in self.spec.handlers.iter().enumerate() {
            let name = &handler.name;
            if unusable(name) {
                let message = format!("{name:?} is not a handler's name");
                self.add(
                    Place::Handler(index, "name"),
                    name,
                    message,
                    "give it a name to find it by in messages",
                );
            }
            let twice = match known.insert(name.to_lowercase(), name.as_str()) {
                Some(other) if other == name => Some(format!("two handlers are named {name}")),
                Some(other) => {
                    Some(format!("handlers {other} and {name} differ only in upper and lower case"))
                }
                None => None,
            };
            if let Some(message) = twice {
                self.add(Place::Handler(index, "name"), name, message, "give one of them another name");
            }
            if handler.batch == Some(0) {
                let message = format!("`batch` of handler {name} is 0");
                self.add(Place::Handler(index, "batch"), 0, message, "a batch holds one item at least");
            }
            self.limited(index, handler);
            if handler.retry == 0 && !handler.retry_delay.is_zero() {
                let message = format!("handler {name} has a `retry_delay`, but tries nothing again");
                let help = "say how often with `retry`, or remove it";
                self.add(Place::Handler(index, "retry_delay"), "", message, help);
            }
            if handler.retry > MOST_RETRIES {
                let message = format!("handler {name} tries a failed item {} times again", handler.retry);
                let help = format!("{MOST_RETRIES} is the most, as the items of the same key wait meanwhile");
                self.add(Place::Handler(index, "retry"), handler.retry, message, help);
            }
            self.watched(index, handler);
            self.targets(index, handler);
            self.readable(index, handler);
            self.sample(index, handler);
            self.isolated(index, handler);
            self.repeated(index, "to", &handler.to, "emits to");
            self.repeated(index, "read", &handler.read, "reads");
        }
    }

    fn watched(&mut self, index: usize, handler: &OnSpec) {
        let (place, on, name) = (Place::Handler(index, "on"), &handler.on, &handler.name);
        let dead = dead_paths(self.spec);
        if on != "/"
            && let Some((what, help)) = bad_path(on)
        {
            return self.add(
                place,
                on,
                format!("handler {name} watches {on:?}, which is not a path: {what}"),
                help,
            );
        }
        let mut all =
            self.spec.pools.iter().map(|pool| pool.path.as_str()).chain(dead.iter().map(String::as_str));
        if !all.any(|path| graph::covers(on, path)) {
            let message = format!("handler {name} watches {on}, but no pool matches it");
            self.unknown(place, on, message, &dead);
        }
    }

    fn targets(&mut self, index: usize, handler: &OnSpec) {
        let (place, name) = (Place::Handler(index, "to"), &handler.name);
        for to in &handler.to {
            if let Some((what, help)) = bad_path(to) {
                self.add(
                    place,
                    to,
                    format!("handler {name} emits to {to:?}, which is not a path: {what}"),
                    help,
                );
            } else if graph::covers(DEAD, to) {
                let message = format!("handler {name} emits to {to}, a dead pool");
                let help =
                    "only the flow writes there; let the handler fail instead, or emit to a pool of yours";
                self.add(place, to, message, help);
            } else if !self.spec.pools.iter().any(|pool| pool.path == *to) {
                self.unknown(place, to, format!("handler {name} emits to {to}, which is not a pool"), &[]);
            }
        }
    }

    fn readable(&mut self, index: usize, handler: &OnSpec) {
        let (place, name) = (Place::Handler(index, "read"), &handler.name);
        let dead = dead_paths(self.spec);
        for read in &handler.read {
            if let Some((what, help)) = bad_path(read) {
                self.add(
                    place,
                    read,
                    format!("handler {name} reads {read:?}, which is not a path: {what}"),
                    help,
                );
                continue;
            }
            match self.spec.pools.iter().find(|pool| pool.path == *read) {
                Some(pool) if pool.kind == PoolKind::Trigger => {
                    let message =
                        format!("handler {name} reads {read}, a trigger pool, which stores nothing");
                    self.add(place, read, message, "make its `kind` \"volatile\", or remove it from `read`");
                }
                None if !dead.contains(read) => {
                    self.unknown(
                        place,
                        read,
                        format!("handler {name} reads {read}, which is not a pool"),
                        &dead,
                    );
                }
                _ => {}
            }
        }
    }

    /// The object of `warm` is one of the first pool that is watched.
    fn sample(&mut self, index: usize, handler: &OnSpec) {
        let watched = self.spec.pools.iter().find(|pool| graph::covers(&handler.on, &pool.path));
        let (Some(sample), Some(pool)) = (&handler.warm, watched) else { return };
        let len = sample.value.len();
        let found = match (pool.value.size(), &pool.value) {
            (Some(size), _) if size != len => format!("a value of size {len}, not {size}"),
            (_, ValueType::Text) if std::str::from_utf8(&sample.value).is_err() => {
                "bytes that are not UTF-8".into()
            }
            _ => return,
        };
        let message = format!("handler {} is warmed up with {found}", handler.name);
        let help = format!("give it a value as pool {} holds them, of type {}", pool.path, pool.value);
        self.add(Place::Handler(index, "warm"), "", message, help);
    }

    fn repeated(&mut self, index: usize, field: &'static str, paths: &[String], does: &str) {
        let name = &self.spec.handlers[index].name;
        for (second, path) in paths.iter().enumerate().filter(|(at, path)| paths[..*at].contains(path)) {
            // A third one is as wrong as the second, and said with it.
            if paths[..second].iter().filter(|earlier| *earlier == path).count() == 1 {
                let message = format!("handler {name} {does} {path} twice");
                self.add(Place::Handler(index, field), path, message, "name each pool once");
            }
        }
    }

    fn unknown(&mut self, place: Place, word: &str, message: String, dead: &[String]) {
        let pools = || self.spec.pools.iter().map(|pool| pool.path.as_str());
        let suggestion = nearest(word, pools().chain(dead.iter().map(String::as_str)));
        let there: Vec<&str> = pools().take(8).collect();
        let help = match there.as_slice() {
            [] => format!("declare it: [pool.\"{word}\"]"),
            there => format!("declare it, [pool.\"{word}\"], or use one of {}", there.join(", ")),
        };
        let suggestion = suggestion.map(str::to_owned);
        self.problems.push(Problem { place, word: word.into(), message, help, suggestion });
    }

    fn cycles(&mut self) {
        let spec = self.spec;
        for cycle in graph::cycles(spec, &|handler| !spec.handlers[handler].cycle) {
            let Some(handler) = cycle.handlers.last() else { continue };
            let name = &spec.handlers[*handler].name;
            // The last one closes the cycle: its `to`, or its failures, lead back.
            let place =
                Place::Handler(*handler, if spec.handlers[*handler].to.is_empty() { "on" } else { "to" });
            let message = format!("the flow contains a cycle: {}", cycle.path);
            let help = format!(
                "if it is intended, write `cycle = true` in handler {name}; otherwise remove one step"
            );
            self.add(place, &cycle.back_to, message, help);
        }
        for (index, cyclic) in graph::cyclic(spec).into_iter().enumerate() {
            let handler = &spec.handlers[index];
            if handler.cycle && !cyclic {
                let message =
                    format!("handler {} says `cycle = true`, but is not part of a cycle", handler.name);
                self.add(Place::Handler(index, "cycle"), true, message, "remove it");
            }
        }
    }
}

/// Whether nobody could find something by this name in a message.
fn unusable(name: &str) -> bool {
    name.trim().is_empty() || name.chars().any(char::is_control)
}

/// What is wrong with a path and what to do; `None` when nothing is.
fn bad_path(path: &str) -> Option<(&'static str, String)> {
    if path.trim().is_empty() {
        return Some(("it is empty", "give it a name, as in \"/lines\"".into()));
    }
    let Some(rest) = path.strip_prefix('/') else {
        return Some(("it must begin with `/`", format!("write \"/{}\"", path.trim().trim_matches('/'))));
    };
    if rest.is_empty() {
        return Some(("`/` alone names no pool", "give it a name, as in \"/lines\"".into()));
    }
    if rest.split('/').any(str::is_empty) {
        let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
        return Some(("a part of it is empty", format!("write \"/{}\"", parts.join("/"))));
    }
    if rest.split('/').any(|part| part != part.trim()) {
        let parts: Vec<&str> = rest.split('/').map(str::trim).collect();
        return Some(("a part of it begins or ends with a space", format!("write \"/{}\"", parts.join("/"))));
    }
    if rest.chars().any(char::is_control) {
        return Some(("there is a control character in it", "use characters that can be seen".into()));
    }
    None
}

fn dead_paths(spec: &FlowSpec) -> Vec<String> {
    spec.pools.iter().map(|pool| format!("{DEAD}{}", pool.path)).collect()
}
