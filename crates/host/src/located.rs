//! What every host tells of its search for a runtime.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

/// One place that was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Looked {
    /// What the place is: `DOTNET_ROOT`.
    pub place: &'static str,
    /// What was found there.
    pub found: String,
}

/// What a search for a runtime came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located<T> {
    /// The runtime that will be started.
    pub runtime: Option<T>,
    /// The places that were looked at, in order, up to where it was found.
    pub looked: Vec<Looked>,
}

impl<T> Located<T> {
    pub(crate) const NOWHERE: Located<T> = Located { runtime: None, looked: Vec::new() };
}

impl<T> fmt::Display for Located<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let looked: Vec<String> = self.looked.iter().map(|l| format!("{}: {}", l.place, l.found)).collect();
        f.write_str(&looked.join(", "))
    }
}

/// The folder that Upcall is installed in: `UPCALL_HOME`, or the nearest one above this executable that has `file`.
/// Or why there is none.
///
/// # Errors
/// Neither names a folder that has it.
pub fn installation(file: &str) -> Result<PathBuf, String> {
    home(None, file)
}

/// The folder that holds `file`: the given one, `UPCALL_HOME`, or the nearest one above this executable that
/// has it. Or why there is none.
pub(crate) fn home(given: Option<&Path>, file: &str) -> Result<PathBuf, String> {
    let named = || env::var_os("UPCALL_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    if let Some(home) = given.map(Path::to_owned).or_else(named) {
        return Ok(home);
    }
    let exe = env::current_exe().map_err(|error| format!("this executable has no path: {error}"))?;
    let home = exe.ancestors().find(|folder| folder.join(file).is_file());
    home.map(Path::to_owned)
        .ok_or_else(|| format!("UPCALL_HOME is not set and no folder above {} holds {file}", exe.display()))
}
