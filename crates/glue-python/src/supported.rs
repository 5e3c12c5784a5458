//! Which interpreters this library supports: it counts references in the objects' own headers, whose layout is
//! up to CPython. A pure function, so that it can be tested without each of them.

/// The oldest and the newest CPython whose objects have the header that `ffi` knows.
pub const VERSIONS: [(u32, u32); 2] = [(3, 11), (3, 14)];

/// Whether the interpreter that describes itself like this (`Py_GetVersion`) can be used; if not, why.
pub fn supported(version: &str) -> Result<(), String> {
    let [oldest, newest] = VERSIONS;
    let number = version.split_whitespace().next().unwrap_or_default();
    let mut parts = number.split('.').map(|part| part.parse::<u32>().ok());
    let found = (parts.next().flatten().unwrap_or(0), parts.next().flatten().unwrap_or(0));
    let why = if version.contains("free-threading") {
        "is a free-threaded build"
    } else if found < oldest {
        "is too old"
    } else if found > newest {
        "is newer than this library knows"
    } else {
        return Ok(());
    };
    Err(format!(
        "Python {number} {why}: this library supports CPython {}.{} to {}.{} with the global interpreter lock",
        oldest.0, oldest.1, newest.0, newest.1
    ))
}
