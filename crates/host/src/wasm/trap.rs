//! Why an instance is of no more use.

use super::live::Data;
use wasmtime::{Trap, WasmBacktrace};

/// What a trap is told as.
pub(super) struct Trapped {
    /// `trap`, `panic` or `timed out`.
    pub(super) type_name: &'static str,
    pub(super) message: String,
    pub(super) stack: String,
}

impl Trapped {
    /// Of what a call has ended with, and what the module has said before; `late` says what took longer, where something has.
    #[cold]
    pub(super) fn of(error: &wasmtime::Error, data: &mut Data, late: &str) -> Trapped {
        let frames = error.downcast_ref::<WasmBacktrace>().map_or_else(String::new, WasmBacktrace::to_string);
        // Its first line says what it is.
        let frames = frames.split_once('\n').map_or("", |(_, frames)| frames.trim_end());
        let (said, refused) = (data.said.take(), data.bounds.refused.take());
        let trap = error.downcast_ref::<Trap>();
        let (type_name, message, place) = match (trap, said) {
            (Some(Trap::Interrupt), _) => {
                let deadline = data.bounds.deadline;
                let message = format!("{late} than its `deadline` of {deadline:?}");
                ("timed out", message, String::new())
            }
            (Some(Trap::UnreachableCodeReached), Some((said, place))) => ("panic", said, place),
            (Some(trap), _) => ("trap", named(*trap), String::new()),
            (None, _) => ("trap", format!("{:#}", error.root_cause()), String::new()),
        };
        let message = match refused {
            Some(refused) => format!("{message}; it was refused memory before: it {refused}"),
            None => message,
        };
        let stack = [place.as_str(), frames].join("\n").trim_matches('\n').to_owned();
        Trapped { type_name, message, stack }
    }
}

/// A trap in words.
fn named(trap: Trap) -> String {
    let said = trap.to_string();
    let said = said.strip_prefix("wasm trap: ").unwrap_or(&said);
    match trap {
        Trap::UnreachableCodeReached => "it reached an `unreachable` instruction".to_owned(),
        Trap::StackOverflow => "call stack exhausted: it calls itself too deeply".to_owned(),
        _ => said.to_owned(),
    }
}
