use crate::located;
use crate::{Error, ErrorKind, Located, Looked};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest Python whose stable ABI the driver uses.
const OLDEST: (u32, u32) = (3, 11);

/// The newest Python whose objects the driver knows (`crates/glue-python/src/supported.rs`; a test compares).
const NEWEST: (u32, u32) = (3, 14);

/// What an interpreter is asked.
const PROBE: &str = include_str!("probe.py");

/// The variable with what an interpreter has answered somebody else: its path, then its facts.
const ANSWERED: &str = "UPCALL_PYTHON_FACTS";

/// In place of the facts, before the reason why there are none.
const FAILED: char = '!';

/// Where to look, when not in the usual places.
#[derive(Clone, Default, Debug)]
pub struct PythonOptions {
    /// An interpreter (a path, or a name on PATH) or the folder of a virtual environment: the only place
    /// looked at. By default `VIRTUAL_ENV`, `.setup/venv` of the home and `python3` on PATH are looked at,
    /// in this order.
    pub interpreter: Option<PathBuf>,
    /// The folder with `build/upcall_python.so`. By default `UPCALL_HOME`, or the nearest folder above this code's library or
    /// executable that has it.
    pub home: Option<PathBuf>,
}

/// An interpreter that can be embedded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interpreter {
    /// Its version, such as `3.11.7`.
    pub version: String,
    /// Its own path, of the virtual environment where it is one.
    pub executable: PathBuf,
    /// Its shared library.
    pub library: PathBuf,
    /// Where its standard library is.
    pub home: PathBuf,
    /// Its module path: the standard library and its site folders.
    pub path: Vec<String>,
    /// The place it was found through.
    pub through: &'static str,
}

impl Located<Interpreter> {
    /// The interpreter, or an error that lists every place.
    ///
    /// # Errors
    /// There is none; the places that were looked at are named.
    pub fn into_result(self) -> Result<Interpreter, Error> {
        self.runtime.clone().ok_or_else(|| {
            let (major, minor) = OLDEST;
            let message = format!(
                "find Python {major}.{minor} or later for Python handlers: {self}; name one with `--python`, or run `cargo xtask setup`"
            );
            Error::new(ErrorKind::RuntimeMissing, message)
        })
    }
}

/// Looks for an interpreter, and asks the first that is there, without embedding it.
///
/// One that is there but cannot be embedded ends the search: the user chose it, and a handler's packages are
/// in it.
#[must_use]
pub fn locate(options: &PythonOptions) -> Located<Interpreter> {
    let mut located = Located::NOWHERE;
    for (place, program) in places(options) {
        let program = match program {
            Ok(program) => program,
            Err(found) => {
                located.looked.push(Looked { place, found });
                continue;
            }
        };
        let asked = ask(&program, place);
        let found = match &asked {
            Ok(found) => format!("{} at {}", found.version, found.executable.display()),
            Err(found) => format!("{} {found}", program.display()),
        };
        located.looked.push(Looked { place, found });
        located.runtime = asked.ok();
        break;
    }
    located
}

/// The interpreter that would be asked, whether or not it can be embedded: what runs a program in Python.
#[must_use]
pub fn program(options: &PythonOptions) -> Option<PathBuf> {
    places(options).into_iter().find_map(|(_, program)| program.ok())
}

/// The places, each with its interpreter or the reason why it has none.
fn places(options: &PythonOptions) -> Vec<(&'static str, Result<PathBuf, String>)> {
    if let Some(given) = &options.interpreter {
        let program = if given.is_dir() { given.join("bin/python3") } else { given.clone() };
        return vec![("the given interpreter", Ok(program))];
    }
    let there = |program: PathBuf| {
        if program.is_file() { Ok(program) } else { Err(format!("{} is not there", program.display())) }
    };
    let active = env::var_os("VIRTUAL_ENV").filter(|folder| !folder.is_empty());
    let active =
        active.map_or(Err("not set".into()), |folder| there(PathBuf::from(folder).join("bin/python3")));
    let made = home(options).and_then(|home| there(home.join(".setup/venv/bin/python3")));
    let on_path = env::var_os("PATH").and_then(|path| {
        env::split_paths(&path).map(|folder| folder.join("python3")).find(|program| program.is_file())
    });
    vec![
        ("VIRTUAL_ENV", active),
        ("the environment that setup made", made),
        ("python3 on PATH", on_path.ok_or_else(|| "none".into())),
    ]
}

pub(super) fn home(options: &PythonOptions) -> Result<PathBuf, String> {
    located::home(options.home.as_deref(), "build/upcall_python.so")
}

/// The driver library: `UPCALL_PYTHON_DRIVER`, or `build/upcall_python.so` of the home.
pub(super) fn driver(options: &PythonOptions) -> Result<PathBuf, Error> {
    let missing = |what: String| {
        let message = format!("find upcall_python.so for Python handlers: {what}; run `cargo xtask build`");
        Error::new(ErrorKind::RuntimeMissing, message)
    };
    let driver = match env::var_os("UPCALL_PYTHON_DRIVER").filter(|driver| !driver.is_empty()) {
        Some(driver) => PathBuf::from(driver),
        None => home(options).map_err(missing)?.join("build/upcall_python.so"),
    };
    driver.canonicalize().map_err(|error| missing(format!("{}: {error}", driver.display())))
}

/// What the interpreter of these options answers, as a variable for the environment of another process, which then
/// need not ask: one in a sandbox cannot. `None` where there is no interpreter.
#[must_use]
pub fn facts(options: &PythonOptions) -> Option<(&'static str, String)> {
    let program = places(options).into_iter().find_map(|(_, program)| program.ok())?;
    let answer = answer(&program).unwrap_or_else(|why| format!("{FAILED}{why}"));
    Some((ANSWERED, format!("{}\n{answer}", program.display())))
}

/// Asks an interpreter about itself, unless its answer is known.
fn ask(program: &Path, through: &'static str) -> Result<Interpreter, String> {
    let known = env::var(ANSWERED).ok();
    let known = known.as_deref().and_then(|known| known.split_once('\n'));
    match known.filter(|(of, _)| Path::new(of) == program) {
        Some((_, answer)) => {
            answer.strip_prefix(FAILED).map_or_else(|| understand(answer, through), |why| Err(why.to_owned()))
        }
        None => understand(&answer(program)?, through),
    }
}

fn answer(program: &Path) -> Result<String, String> {
    let output = located::asked(Command::new(program).args(["-c", PROBE]))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("and says nothing");
        return Err(format!("failed when asked about itself ({}): {last}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Reads the answer, and says why an interpreter cannot be embedded.
fn understand(answer: &str, through: &'static str) -> Result<Interpreter, String> {
    let facts = || answer.lines().filter_map(|line| line.split_once('='));
    let all = |name: &'static str| facts().filter(move |(fact, _)| *fact == name).map(|(_, value)| value);
    let one = |name| all(name).next().unwrap_or_default();
    let version = one("version");
    let mut numbers = version.split('.').map_while(|number| number.parse::<u32>().ok());
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found < OLDEST {
        return Err(format!("is Python {version}, too old: {}.{} or later is needed", OLDEST.0, OLDEST.1));
    }
    if found > NEWEST {
        let ((oldest, from), (newest, to)) = (OLDEST, NEWEST);
        return Err(format!(
            "is Python {version}, newer than this driver knows: {oldest}.{from} to {newest}.{to} are supported"
        ));
    }
    if one("implementation") != "cpython" {
        return Err(format!("is {}, not CPython, which the driver is made for", one("implementation")));
    }
    if one("free_threaded") == "1" {
        return Err(format!(
            "is a free-threaded Python {version}, which has no stable ABI yet: use the usual build"
        ));
    }
    let Some(library) = all("library").map(PathBuf::from).find(|library| library.is_file()) else {
        let tried: Vec<&str> = all("library").collect();
        return Err(no_library(version, found, &tried));
    };
    Ok(Interpreter {
        version: version.into(),
        executable: one("executable").into(),
        library,
        home: one("home").into(),
        path: all("path").map(str::to_owned).collect(),
        through,
    })
}

fn no_library(version: &str, (major, minor): (u32, u32), tried: &[&str]) -> String {
    if tried.is_empty() {
        return format!(
            "is Python {version} built without a shared library, which embedding needs: build it with \
             --enable-shared (pyenv: PYTHON_CONFIGURE_OPTS=--enable-shared)"
        );
    }
    format!(
        "is Python {version} without its shared library ({} is not there): apt-get install libpython{major}.{minor}",
        tried.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEBIAN: &str = "version=3.11.2\nimplementation=cpython\nexecutable=/usr/bin/python3\nhome=/usr\n\
                          free_threaded=0\nlibrary=/nowhere/libpython3.11.so.1.0\npath=/usr/lib/python3.11\n";

    #[test]
    fn a_python_without_its_library_is_told_which_package_has_it() {
        let error = understand(DEBIAN, "test").unwrap_err();
        assert!(error.contains("/nowhere/libpython3.11.so.1.0 is not there"), "{error}");
        assert!(error.contains("apt-get install libpython3.11"), "{error}");
    }

    #[test]
    fn a_python_that_was_built_static_is_told_how_to_build_it() {
        let answer = DEBIAN.replace("library=", "other=");
        let error = understand(&answer, "test").unwrap_err();
        assert!(error.contains("--enable-shared"), "{error}");
    }

    #[test]
    fn an_old_python_is_named_with_its_version() {
        let error = understand(&DEBIAN.replace("3.11.2", "3.9.18"), "test").unwrap_err();
        assert_eq!(error, "is Python 3.9.18, too old: 3.11 or later is needed");
    }

    #[test]
    fn a_missing_interpreter_is_an_error_that_says_where_it_was_looked_for() {
        let options = PythonOptions { interpreter: Some("/nowhere/python".into()), home: None };
        let error = locate(&options).into_result().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::RuntimeMissing);
        assert!(error.to_string().contains("the given interpreter: /nowhere/python does not run"), "{error}");
    }
}
