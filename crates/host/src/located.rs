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

/// The folder that Upcall is installed in: `UPCALL_HOME`, or the nearest one that has `file` above the library that this code
/// is in, or above this executable. Or why there is none.
///
/// # Errors
/// None of them has it.
pub fn installation(file: &str) -> Result<PathBuf, String> {
    home(None, file)
}

/// The folder that holds `file`: the given one, else as [`installation`] looks for it. Or why there is none.
pub(crate) fn home(given: Option<&Path>, file: &str) -> Result<PathBuf, String> {
    let named = || env::var_os("UPCALL_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    if let Some(home) = given.map(Path::to_owned).or_else(named) {
        return Ok(home);
    }
    above(&own_files()?, file)
}

/// Where this code is: the executable, and before it, in a program that has loaded `libupcall`, that library. The executable
/// is then an interpreter or a launcher, which is installed anywhere.
fn own_files() -> Result<Vec<PathBuf>, String> {
    let exe = env::current_exe().map_err(|error| format!("this executable has no path: {error}"))?;
    let library = own_library().filter(|library| exe.canonicalize().ok().as_ref() != Some(library));
    Ok(library.into_iter().chain([exe]).collect())
}

/// The file that this function was loaded from, which is the executable where it was linked into that.
#[cfg(unix)]
pub(crate) fn own_library() -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    let mut found = std::mem::MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the address is of code that is loaded, and there is a place for the answer.
    let known = unsafe { libc::dladdr(own_library as *const std::ffi::c_void, found.as_mut_ptr()) } != 0;
    // SAFETY: it is filled where the answer is not 0.
    let name = known.then(|| unsafe { found.assume_init() }.dli_fname).filter(|name| !name.is_null())?;
    // SAFETY: the loader's text, which ends with zero and stays as long as this code does.
    let name = unsafe { std::ffi::CStr::from_ptr(name) };
    Path::new(std::ffi::OsStr::from_bytes(name.to_bytes())).canonicalize().ok()
}

#[cfg(not(unix))]
pub(crate) fn own_library() -> Option<PathBuf> {
    None
}

/// The nearest folder that holds `file` above the first of these that has one.
fn above(these: &[PathBuf], file: &str) -> Result<PathBuf, String> {
    let found = these.iter().flat_map(|own| own.ancestors()).find(|folder| folder.join(file).is_file());
    found.map(Path::to_owned).ok_or_else(|| {
        let these: Vec<String> = these.iter().map(|own| own.display().to_string()).collect();
        format!(
            "no folder above {} holds {file}, and UPCALL_HOME is not set; set it to the folder that holds it",
            these.join(" or above ")
        )
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_looked_above_before_the_executable_and_both_are_named() {
        let folder = env::temp_dir().join(format!("upcall-located-{}", std::process::id()));
        let (near, far) = (folder.join("program/lib"), folder.join("interpreter/bin"));
        for home in [&near, &far] {
            std::fs::create_dir_all(home.join("build")).unwrap();
        }
        let files = [near.join("build/libupcall.so"), far.join("python3")];
        let none = above(&files, "build/Upcall.dll").unwrap_err();
        let [library, exe] = files.each_ref().map(|file| file.display());
        assert!(
            none.starts_with(&format!("no folder above {library} or above {exe} holds build/Upcall.dll"))
        );
        assert!(none.ends_with("; set it to the folder that holds it"), "{none}");
        std::fs::write(far.join("build/Upcall.dll"), "").unwrap();
        assert_eq!(above(&files, "build/Upcall.dll").unwrap(), far);
        std::fs::write(near.join("build/Upcall.dll"), "").unwrap();
        assert_eq!(above(&files, "build/Upcall.dll").unwrap(), near);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn code_that_is_linked_into_a_program_is_in_its_executable() {
        assert_eq!(own_files().unwrap(), [env::current_exe().unwrap()]);
    }

    #[test]
    #[cfg(any(feature = "node", feature = "python"))]
    fn a_program_that_does_not_say_what_it_is_is_not_waited_for() {
        let sleeps = within(Duration::from_millis(50), Command::new("sleep").arg("100"));
        assert_eq!(sleeps.unwrap_err(), "has not said within 50ms what it is");
        let says = asked(Command::new("echo").arg("v20.1.0")).unwrap();
        assert_eq!(says.stdout, b"v20.1.0\n");
        assert!(asked(&mut Command::new("/nowhere/node")).unwrap_err().starts_with("does not run: "));
    }
}
