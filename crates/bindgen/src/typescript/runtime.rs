//! What every package has, whatever its library: `runtime.js`.

use super::HEADER;

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

/// The text of `runtime.js`.
pub(super) fn script(big_endian: bool) -> String {
    let little = if big_endian { "false" } else { "true" };
    format!("{HEADER}{}", SCRIPT.join("\n").replace("LITTLE", little))
}
