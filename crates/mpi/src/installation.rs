//! The MPIs of this machine, each known by its compiler.

use crate::error::{Error, ErrorKind};
use crate::launcher::Launcher;
use crate::variables::inherit;
use std::collections::HashSet;
use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What to do where there is none.
pub(crate) const INSTALL: &str = "install one with its compiler (Debian: `openmpi-bin libopenmpi-dev`, or `mpich libmpich-dev`), or set \
                                  UPCALL_MPI to `openmpi`, `mpich` or the path of an mpicc";

/// An MPI of this machine: a compiler, and the launcher beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Installation {
    compiler: PathBuf,
    launcher: Option<PathBuf>,
}

/// Whose launcher starts the ranks, which is what its options depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Family {
    /// Open MPI's own.
    OpenMpi,
    /// Hydra: of MPICH, and of MPIs that descend from it.
    Mpich,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::OpenMpi => "Open MPI",
            Family::Mpich => "MPICH",
        })
    }
}

impl Installation {
    /// The one that [`Environment::start`](crate::Environment::start) would load: as `UPCALL_MPI` says, else that of the
    /// launcher that has started this process, else the first on PATH.
    ///
    /// # Errors
    /// There is none, or `UPCALL_MPI` names none.
    pub fn chosen() -> Result<Installation, Error> {
        Ok(Installation::of_this_process()?.0)
    }

    /// The same, and whether `UPCALL_MPI` has said so.
    pub(crate) fn of_this_process() -> Result<(Installation, bool), Error> {
        match env::var_os("UPCALL_MPI").filter(|said| !said.is_empty()) {
            Some(said) => named(&said.to_string_lossy(), "UPCALL_MPI").map(|found| (found, true)),
            None => first(Launcher::of_this_process()).map(|found| (found, false)),
        }
    }

    /// As `UPCALL_MPI` would choose it: `openmpi`, `mpich`, or the path of an mpicc.
    ///
    /// # Errors
    /// There is no such one.
    pub fn named(choice: &str) -> Result<Installation, Error> {
        named(choice, "the choice")
    }

    /// All whose compilers are on PATH, each once, the first of them first.
    #[must_use]
    pub fn all() -> Vec<Installation> {
        let mut seen = HashSet::new();
        let found = Launcher::None.compilers().iter().flat_map(|name| places(name));
        let found = found.filter(|compiler| compiler.is_file());
        // A wrapper looks at the name that it is run by, and `mpicc` may be a link to another.
        let new = found.filter(|compiler| seen.insert(fs::canonicalize(compiler).ok()));
        new.map(Installation::of).collect()
    }

    fn of(compiler: PathBuf) -> Installation {
        // It is run in another folder, under the name that it was found by.
        let compiler = std::path::absolute(&compiler).unwrap_or(compiler);
        let launcher = launchers(&compiler).into_iter().find(|launcher| launcher.is_file());
        Installation { compiler, launcher }
    }

    /// Its compiler, which is what `UPCALL_MPI` may be set to.
    #[must_use]
    pub fn compiler(&self) -> &Path {
        &self.compiler
    }

    /// The launcher beside its compiler.
    ///
    /// # Errors
    /// There is none.
    pub fn launcher(&self) -> Result<&Path, Error> {
        self.launcher.as_deref().ok_or_else(|| {
            let looked = launchers(&self.compiler);
            let looked: Vec<_> = looked.iter().map(|place| place.display().to_string()).collect();
            let message = format!(
                "find the launcher of MPI: beside {} there is no {}; install it (Debian: `openmpi-bin` or `mpich`)",
                self.compiler.display(),
                looked.join(", ")
            );
            Error::new(ErrorKind::Missing, message)
        })
    }

    /// Whose its launcher is, and of which version, as that says itself.
    ///
    /// # Errors
    /// There is no launcher, or it says neither.
    pub fn family(&self) -> Result<(Family, String), Error> {
        let launcher = self.launcher()?;
        let failed = |why: String| {
            let message = format!("ask {} for its version: {why}", launcher.display());
            Error::new(ErrorKind::Missing, message)
        };
        let mut ask = Command::new(launcher);
        inherit(&mut ask);
        let asked = ask.arg("--version").stdin(Stdio::null()).output();
        let asked = asked.map_err(|error| failed(error.to_string()))?;
        let said = String::from_utf8_lossy(&asked.stdout);
        let first = || said.lines().next().unwrap_or_default().trim().to_owned();
        let unknown = || {
            failed(format!(
                "it says `{}`, which is neither Open MPI nor MPICH; start the ranks by it yourself",
                first()
            ))
        };
        family(&said).ok_or_else(unknown)
    }

    /// The shim for it, compiled where it was not before.
    ///
    /// # Errors
    /// It does not compile, or there is no folder to keep it in.
    pub fn shim(&self) -> Result<PathBuf, Error> {
        crate::locate::shim(&self.compiler, false)
    }
}

/// What a launcher says of itself.
fn family(said: &str) -> Option<(Family, String)> {
    let any = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let family = match () {
        () if any(&["Open MPI", "OpenRTE", "PRRTE"]) => Family::OpenMpi,
        () if any(&["HYDRA", "Intel(R) MPI", "MVAPICH"]) => Family::Mpich,
        () => return None,
    };
    let words = said.split(|c: char| c.is_whitespace() || c == ',');
    let version = words.into_iter().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    Some((family, version.unwrap_or("?").to_owned()))
}

/// Where the launcher of a compiler may be: under the same name, `mpirun.mpich` for `mpicc.mpich`, or the plain one.
fn launchers(compiler: &Path) -> Vec<PathBuf> {
    let name = compiler.file_name().unwrap_or_default().to_string_lossy();
    // Intel's is mpiicc.
    let end = name.rfind("cc").map_or("", |at| &name[at + 2..]);
    ["mpirun", "mpiexec"].iter().map(|stem| compiler.with_file_name(format!("{stem}{end}"))).collect()
}

fn named(choice: &str, by: &str) -> Result<Installation, Error> {
    match choice {
        "openmpi" => first(Launcher::OpenMpi),
        "mpich" => first(Launcher::Mpich),
        path if path.contains('/') && Path::new(path).is_file() => Ok(Installation::of(path.into())),
        _ => {
            let message = format!(
                "find MPI: {by} is `{choice}`, which is no file; set it to `openmpi`, `mpich` or the path of an mpicc"
            );
            Err(Error::new(ErrorKind::Missing, message))
        }
    }
}

/// The first MPI on PATH that a launcher most likely belongs to.
fn first(launcher: Launcher) -> Result<Installation, Error> {
    let names = launcher.compilers();
    let there = |names: &[&str]| names.iter().flat_map(|name| places(name)).find(|place| place.is_file());
    let found = there(names).map(Installation::of);
    found.ok_or_else(|| {
        let alone = there(&["mpirun", "mpiexec"])
            .map_or(String::new(), |launcher| format!(" (there is {}, but no compiler)", launcher.display()));
        let message = format!("find MPI: there is no {} on PATH{alone}; {INSTALL}", names.join(", "));
        Error::new(ErrorKind::Missing, message)
    })
}

/// Where PATH would find a program.
fn places(name: &str) -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_has_its_compilers_name() {
        let of = |compiler: &str| {
            launchers(Path::new(compiler)).iter().map(|at| at.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(of("/usr/bin/mpicc.mpich"), ["/usr/bin/mpirun.mpich", "/usr/bin/mpiexec.mpich"]);
        assert_eq!(of("/opt/mpi/bin/mpicc"), ["/opt/mpi/bin/mpirun", "/opt/mpi/bin/mpiexec"]);
        assert_eq!(of("/opt/bin/mpicc-openmpi-mp")[0], "/opt/bin/mpirun-openmpi-mp");
        assert_eq!(of("/opt/intel/bin/mpiicc")[0], "/opt/intel/bin/mpirun");
        assert_eq!(of("/opt/bin/compiler")[0], "/opt/bin/mpirun");
    }

    /// Their first lines.
    #[test]
    fn a_launcher_says_whose_it_is() {
        let open = |version: &str| Some((Family::OpenMpi, version.to_owned()));
        let hydra = |version: &str| Some((Family::Mpich, version.to_owned()));
        assert_eq!(family("mpirun.openmpi (OpenRTE) 4.1.4\n\nReport bugs to"), open("4.1.4"));
        assert_eq!(family("mpirun (Open MPI) 5.0.11\n"), open("5.0.11"));
        assert_eq!(family("HYDRA build details:\n    Version:       4.0.2\n"), hydra("4.0.2"));
        assert_eq!(family("Intel(R) MPI Library for Linux* OS, Version 2021.9 Build"), hydra("2021.9"));
        assert_eq!(family("coreutils 9.1"), None);
    }
}
