//! What every package has, whatever its library: `runtime.js`, and the addon's own modules.

use super::HEADER;
use crate::{File, glue};

/// The parts of `runtime.js`, which share one scope.
const SCRIPT: [&str; 7] = [
    include_str!("runtime/memory.js"),
    include_str!("runtime/numbers.js"),
    include_str!("runtime/views.js"),
    include_str!("runtime/pointers.js"),
    include_str!("runtime/limits.js"),
    include_str!("runtime/owned.js"),
    include_str!("runtime/callbacks.js"),
];

const MODULES: [(&str, &str); 9] = [
    ("callback", include_str!("runtime/callback.rs")),
    ("calling", include_str!("runtime/calling.rs")),
    ("environment", include_str!("runtime/environment.rs")),
    ("exchange", include_str!("runtime/exchange.rs")),
    ("give", include_str!("runtime/give.rs")),
    ("module", include_str!("runtime/module.rs")),
    ("queue", include_str!("runtime/queue.rs")),
    ("take", include_str!("runtime/take.rs")),
    ("value", include_str!("runtime/value.rs")),
];

/// The text of `runtime.js`.
pub(super) fn script(big_endian: bool) -> String {
    let little = if big_endian { "false" } else { "true" };
    format!("{HEADER}{}", SCRIPT.join("\n").replace("LITTLE", little))
}

/// The addon's modules.
pub(super) fn modules() -> Vec<File> {
    glue::runtime(&[upcall_glue::LIBRARY, upcall_glue::CALLBACKS, &MODULES])
}
