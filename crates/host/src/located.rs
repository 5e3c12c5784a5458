//! What every host tells of its search for a runtime.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
#[cfg(any(feature = "node", feature = "python"))]
use std::process::{Command, Output, Stdio};
#[cfg(any(feature = "node", feature = "python"))]
use std::time::{Duration, Instant};

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

/// How long a program may take that is asked about itself.
#[cfg(any(feature = "node", feature = "python"))]
const PATIENCE: Duration = Duration::from_secs(20);

/// What a program prints that is asked about itself; or why it does not.
#[cfg(any(feature = "node", feature = "python"))]
pub(crate) fn asked(command: &mut Command) -> Result<Output, String> {
    within(PATIENCE, command)
}

#[cfg(any(feature = "node", feature = "python"))]
fn within(patience: Duration, command: &mut Command) -> Result<Output, String> {
    let fails = |error: std::io::Error| format!("does not run: {error}");
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().map_err(fails)?;
    let end = Instant::now() + patience;
    // What it says fits into a pipe.
    while child.try_wait().map_err(fails)?.is_none() {
        if Instant::now() > end {
            // It may have ended just now.
            let _ = child.kill().and_then(|()| child.wait());
            return Err(format!("has not said within {patience:?} what it is"));
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    child.wait_with_output().map_err(fails)
}

#[cfg(all(test, any(feature = "node", feature = "python")))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_say_what_it_is_is_not_waited_for() {
        let sleeps = within(Duration::from_millis(50), Command::new("sleep").arg("100"));
        assert_eq!(sleeps.unwrap_err(), "has not said within 50ms what it is");
        let says = asked(Command::new("echo").arg("v20.1.0")).unwrap();
        assert_eq!(says.stdout, b"v20.1.0\n");
        assert!(asked(&mut Command::new("/nowhere/node")).unwrap_err().starts_with("does not run: "));
    }
}
