//! `isolation` of a handler: whether it runs in processes of its own, and how.

use crate::fields::Fields;
use crate::keys::OF_ISOLATION;
use crate::mistake::Mistake;
use crate::place::Places;
use upcall_flow::Place;
use upcall_host::{Isolation, KnownGuest};

/// Reads the keys of the handler of this name and index.
pub(crate) fn read(
    fields: &Fields<'_, '_>,
    name: &str,
    index: usize,
    guest: Option<&KnownGuest>,
    places: &mut Places,
) -> Option<Isolation> {
    let always = guest.filter(|guest| guest.apart);
    // Asked once: it says what is wrong with the word.
    let word = fields.word("isolation");
    let written = fields.value("isolation").is_some() || fields.has_near("isolation");
    if let (Some(guest), Some("none"), Some(span)) = (always, word, fields.span("isolation")) {
        let message = format!("handler {name} cannot run in the flow's own process");
        let help = format!("remove it: handlers in {} always run in processes of their own", guest.language);
        fields.add(Mistake::new(span, message).help(help));
        return None;
    }
    if word != Some("process") && (always.is_none() || written) {
        let wrong = fields.has_near("isolation")
            || fields.value("isolation").is_some_and(|value| value.get_ref().as_str() != Some("none"));
        // What it was meant to say is not known then.
        if !wrong {
            let bounded = guest.is_some_and(|guest| guest.bounded);
            let meant = |key: &&&str| !(bounded && **key == "memory");
            OF_ISOLATION.iter().filter(meant).for_each(|key| without(fields, name, key));
        }
        return None;
    }
    for field in of_processes() {
        if let Some(span) = fields.span(field) {
            places.add(Place::Handler(index, field), "", span);
        }
    }
    let env = fields.texts("env");
    for (variable, span) in &env {
        places.add(Place::Handler(index, "env"), variable, span.clone());
    }
    let default = Isolation::default();
    Some(Isolation {
        workers: fields.count("workers").map_or(default.workers, |workers| workers as usize),
        deadline: fields.time("deadline"),
        start_deadline: fields.time("start_deadline").unwrap_or(default.start_deadline),
        memory: fields.bytes("memory"),
        restarts: fields.count("restarts").map_or(default.restarts, |restarts| restarts as u32),
        env: env.into_iter().map(|(variable, _)| variable.to_owned()).collect(),
        sandbox: fields.flag("sandbox").unwrap_or(default.sandbox),
    })
}

/// Refuses the keys of a handler that the program gives: its code is in no file that a process could load.
pub(crate) fn refuse(fields: &Fields<'_, '_>, name: &str) {
    // Asked once: it says what is wrong with the word.
    let word = fields.word("isolation");
    let written = OF_ISOLATION.into_iter().filter(|key| fields.value(key).is_some());
    match (word, fields.span("isolation")) {
        (Some("process"), Some(span)) => {
            let message =
                format!("handler {name} is given by the program, and cannot be in a process of its own");
            let keys: Vec<String> = written.map(|key| format!(", `{key}`")).collect();
            let help = format!("name its code, or remove `isolation`{}", keys.concat());
            fields.add(Mistake::new(span, message).help(help));
        }
        // What it was meant to say is not known.
        (None, Some(_)) => {}
        (None, None) if fields.has_near("isolation") => {}
        _ => {
            for key in written {
                let message = format!(
                    "`{key}` of handler {name} is for a handler in processes of its own, and this one is given by the program"
                );
                let help = format!(
                    "name its code and write isolation = \"process\"{}, or remove it",
                    of_the_flow(key)
                );
                fields.add(Mistake::new(fields.span(key).unwrap_or_default(), message).help(help));
            }
        }
    }
}

/// Whether a key says that a handler runs in processes of its own, or how.
pub(crate) fn is_written(fields: &Fields<'_, '_>) -> bool {
    of_processes().any(|field| fields.span(field).is_some())
}

fn of_processes() -> impl Iterator<Item = &'static str> {
    OF_ISOLATION.into_iter().chain(["isolation", "deadline"])
}

/// A key that means nothing in the flow's own process.
fn without(fields: &Fields<'_, '_>, name: &str, key: &str) {
    let Some(span) = fields.span(key) else { return };
    let message = format!("`{key}` of handler {name} is for a handler in processes of its own");
    let help = format!("write isolation = \"process\" too{}, or remove it", of_the_flow(key));
    fields.add(Mistake::new(span, message).help(help));
}

/// Help for a key that may have been meant for the flow.
fn of_the_flow(key: &str) -> &'static str {
    match key {
        "workers" | "memory" => {
            ", or move it up, above the first line in brackets, where it is one of the flow"
        }
        _ => "",
    }
}
