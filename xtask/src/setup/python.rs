//! A Python that can be embedded, and a virtual environment with the packages that handlers and tests use.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{say, system};
use crate::command;
use crate::workspace::Workspace;
use upcall_glue_python::supported::{VERSIONS, supported};

const REQUIREMENTS: &str = include_str!("../../python/requirements.txt");
const PROBE: &str = include_str!("../../python/probe.py");

/// What an interpreter says about itself.
struct Interpreter {
    program: PathBuf,
    executable: PathBuf,
    version: (u32, u32),
    full_version: String,
    /// Version and build, as it describes itself.
    build: String,
    /// Whether it has a shared libpython: without one it cannot be embedded.
    shared: bool,
    /// Whether it can make virtual environments with pip in them.
    environments: bool,
}

/// Makes `.setup/venv` unless it is there and works, with the pinned packages if `packages`; returns a line that
/// describes it.
pub fn prepare(ws: &Workspace, packages: bool) -> Result<String> {
    let venv = ws.setup().join("venv");
    let python = ws.python();
    let interpreter = match Interpreter::ask(&python).filter(|found| found.shared && found.is_supported()) {
        Some(interpreter) => interpreter,
        None => {
            let chosen = find()?;
            say("python", &format!("making .setup/venv with {}", chosen.program.display()));
            command::run(Command::new(&chosen.program).args(["-m", "venv", "--clear"]).arg(&venv))?;
            Interpreter::ask(&python)
                .with_context(|| format!("{} was made but does not start", python.display()))?
        }
    };
    let about = format!("{} ({}), .setup/venv", interpreter.full_version, interpreter.executable.display());
    if !packages {
        return Ok(about);
    }
    let stamp = venv.join("requirements.txt");
    if !fs::read_to_string(&stamp).is_ok_and(|installed| installed == REQUIREMENTS) {
        say(
            "python",
            "installing numpy, nanoarrow, mypy, pytest, scikit-learn, scikit-network and NetworkX (about 100 MB)",
        );
        let wanted = venv.join("wanted.txt");
        fs::write(&wanted, REQUIREMENTS).with_context(|| format!("writing {}", wanted.display()))?;
        install(ws, &[&format!("--requirement={}", wanted.display())])?;
        fs::write(&stamp, REQUIREMENTS).with_context(|| format!("writing {}", stamp.display()))?;
    }
    let pinned: Vec<&str> = REQUIREMENTS.lines().filter(|line| !line.starts_with('#')).collect();
    Ok(format!("{about} with {}", pinned.join(", ").replace("==", " ")))
}

/// Installs packages with the pip of `.setup/venv`; `arguments` are those of `pip install`.
pub fn install(ws: &Workspace, arguments: &[&str]) -> Result<()> {
    command::run(
        Command::new(ws.python())
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"])
            .args(arguments),
    )
}

/// Finds an interpreter that can be embedded, installing what Debian keeps apart.
fn find() -> Result<Interpreter> {
    if let Some(interpreter) = best(usable()) {
        return complete(interpreter);
    }
    let [(oldest, from), (newest, to)] = VERSIONS;
    let needed = format!("Python {oldest}.{from} to {newest}.{to}");
    system::install(&["python3", "python3-venv"], &needed)?;
    match best(usable()) {
        Some(interpreter) => complete(interpreter),
        None => bail!(
            "looking for {needed} with a shared libpython in VIRTUAL_ENV, on PATH and in pyenv: \
             found none; install one (pyenv: `PYTHON_CONFIGURE_OPTS=--enable-shared pyenv install 3.12`)"
        ),
    }
}

/// An interpreter of at least this version that can be embedded, if there is one: some peers want a newer one than we do.
pub fn embeddable(oldest: (u32, u32)) -> Option<PathBuf> {
    let found = usable().into_iter().find(|found| found.shared && found.version >= oldest);
    found.map(|interpreter| interpreter.executable)
}

/// The interpreters that the driver fits, in the order in which the runtime looks for them.
fn usable() -> Vec<Interpreter> {
    let mut programs = Vec::new();
    if let Some(active) = env::var_os("VIRTUAL_ENV") {
        programs.push(Path::new(&active).join("bin/python"));
    }
    programs.extend(command::which("python3"));
    let minors = (VERSIONS[0].1..=VERSIONS[1].1).rev();
    programs.extend(minors.filter_map(|minor| command::which(&format!("python3.{minor}"))));
    let pyenv = env::var_os("PYENV_ROOT")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".pyenv")));
    if let Some(versions) = pyenv.and_then(|root| fs::read_dir(root.join("versions")).ok()) {
        programs.extend(versions.flatten().map(|entry| entry.path().join("bin/python3")));
    }
    programs
        .iter()
        .filter_map(|program| Interpreter::ask(program))
        .filter(Interpreter::is_supported)
        .collect()
}

/// The first that can be embedded as it is, else the first that a package can complete.
fn best(mut found: Vec<Interpreter>) -> Option<Interpreter> {
    let index = found
        .iter()
        .position(|interpreter| interpreter.shared)
        .or_else(|| found.iter().position(Interpreter::is_the_systems))?;
    Some(found.swap_remove(index))
}

/// Installs what a system's interpreter lacks; others are complete or were not chosen.
fn complete(interpreter: Interpreter) -> Result<Interpreter> {
    if interpreter.shared && interpreter.environments {
        return Ok(interpreter);
    }
    let (major, minor) = interpreter.version;
    let library = format!("libpython{major}.{minor}");
    let venv = format!("python{major}.{minor}-venv");
    let mut packages = Vec::new();
    if !interpreter.shared {
        packages.push(library.as_str());
    }
    if !interpreter.environments {
        packages.push(venv.as_str());
    }
    let what = format!("embedding {}", interpreter.program.display());
    system::install(&packages, &what)?;
    let again = Interpreter::ask(&interpreter.program).filter(|found| found.shared && found.environments);
    again.with_context(|| {
        format!("{what}: it still lacks a shared libpython or the venv module after {}", packages.join(", "))
    })
}

impl Interpreter {
    /// Starts `program` and asks it; none if it is not a working Python.
    fn ask(program: &Path) -> Option<Self> {
        let said = command::output(Command::new(program).args(["-c", PROBE])).ok()?;
        let said: HashMap<&str, &str> = said.lines().filter_map(|line| line.split_once('=')).collect();
        let mut numbers = said.get("version")?.split('.').map_while(|number| number.parse().ok());
        Some(Self {
            program: program.to_path_buf(),
            executable: PathBuf::from(said.get("executable")?),
            version: (numbers.next()?, numbers.next()?),
            full_version: said.get("version")?.to_string(),
            build: said.get("build")?.to_string(),
            shared: *said.get("shared")? == "True",
            environments: *said.get("environments")? == "True",
        })
    }

    /// Whether the driver fits it.
    fn is_supported(&self) -> bool {
        supported(&self.build).is_ok()
    }

    /// Whether it is the system's own, so that the system's packages belong to it.
    fn is_the_systems(&self) -> bool {
        self.executable.starts_with("/usr/bin")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_python_that_the_driver_does_not_fit_is_passed_over() {
        let program = env::temp_dir().join(format!("xtask-python-{}", std::process::id()));
        for (build, expected) in [
            ("3.13.0 (main) [GCC]", true),
            ("3.15.0 (main) [GCC]", false),
            ("3.13.0 experimental free-threading build (main) [GCC]", false),
        ] {
            let says = "echo version=3.13.0\necho executable=/x\necho shared=True\necho environments=True\n";
            fs::write(&program, format!("#!/bin/sh\n{says}echo 'build={build}'\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            let found = Interpreter::ask(&program).unwrap();
            assert_eq!(found.is_supported(), expected, "{build}");
        }
        fs::remove_file(&program).unwrap();
    }
}
