//! Which MPI this process is to use, and the shim that is compiled for it.

use crate::error::{Error, ErrorKind};
use std::collections::hash_map::{DefaultHasher, RandomState};
use std::env;
use std::fmt;
use std::fs;
use std::hash::{BuildHasher, Hash, Hasher};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The shim's source, of which the first is compiled and includes the others.
const SOURCES: [(&str, &str); 11] = [
    ("upcall_mpi.c", include_str!("../shim/upcall_mpi.c")),
    ("upcall_mpi.h", include_str!("../shim/upcall_mpi.h")),
    ("common.h", include_str!("../shim/common.h")),
    ("messages.h", include_str!("../shim/messages.h")),
    ("collectives.h", include_str!("../shim/collectives.h")),
    ("communicators.h", include_str!("../shim/communicators.h")),
    ("topologies.h", include_str!("../shim/topologies.h")),
    ("processes.h", include_str!("../shim/processes.h")),
    ("parts.h", include_str!("../shim/parts.h")),
    ("begun.h", include_str!("../shim/begun.h")),
    ("requests.h", include_str!("../shim/requests.h")),
];

/// What to do where there is none.
const INSTALL: &str = "install one with its compiler (Debian: `openmpi-bin libopenmpi-dev`, or `mpich libmpich-dev`), or set \
                       UPCALL_MPI to `openmpi`, `mpich` or the path of an mpicc";

/// An MPI by its launcher.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Launcher {
    OpenMpi,
    Mpich,
    None,
}

impl fmt::Display for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Launcher::OpenMpi => "the launcher of Open MPI",
            Launcher::Mpich => "the launcher of MPICH",
            Launcher::None => "no launcher",
        })
    }
}

impl Launcher {
    /// Whose variables are set.
    pub(crate) fn of(is_set: impl Fn(&str) -> bool) -> Launcher {
        let any = |names: &[&str]| names.iter().any(|name| is_set(name));
        match () {
            () if any(&["OMPI_COMM_WORLD_SIZE", "OMPI_MCA_ess_base_jobid"]) => Launcher::OpenMpi,
            () if any(&["PMI_RANK", "PMI_FD", "PMI_PORT", "MPI_LOCALNRANKS", "HYDI_CONTROL_FD"]) => {
                Launcher::Mpich
            }
            // srun --mpi=pmix, prterun
            () if is_set("PMIX_RANK") => Launcher::OpenMpi,
            () => Launcher::None,
        }
    }

    /// That of this process.
    pub(crate) fn of_this_process() -> Launcher {
        Launcher::of(|name| env::var_os(name).is_some())
    }

    /// Whether an MPI that calls itself so is the one whose processes it starts: MPICH's have many names.
    pub(crate) fn starts(self, library: &str) -> bool {
        match self {
            Launcher::OpenMpi => library.starts_with("Open MPI"),
            Launcher::Mpich => !library.starts_with("Open MPI"),
            Launcher::None => true,
        }
    }

    /// Its compiler, by the names that Debian gives it beside others, and the plain one.
    fn compilers(self) -> &'static [&'static str] {
        match self {
            Launcher::OpenMpi => &["mpicc.openmpi", "mpicc"],
            Launcher::Mpich => &["mpicc.mpich", "mpicc"],
            Launcher::None => &["mpicc", "mpicc.openmpi", "mpicc.mpich"],
        }
    }
}

/// The compiler of the MPI in use.
fn compiler() -> Result<PathBuf, Error> {
    let launcher = match env::var("UPCALL_MPI").ok().filter(|said| !said.is_empty()) {
        Some(said) if said == "openmpi" => Launcher::OpenMpi,
        Some(said) if said == "mpich" => Launcher::Mpich,
        Some(said) if said.contains('/') && Path::new(&said).is_file() => return Ok(absolute(said.into())),
        Some(said) => {
            let message = format!(
                "find MPI: UPCALL_MPI is `{said}`, which is no file; set it to `openmpi`, `mpich` or the path of an mpicc"
            );
            return Err(Error::new(ErrorKind::Missing, message));
        }
        None => Launcher::of_this_process(),
    };
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = env::split_paths(&path).collect();
    let found = launcher.compilers().iter().find_map(|name| {
        folders.iter().map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
    });
    found.map(absolute).ok_or_else(|| {
        let looked = launcher.compilers().join(", ");
        Error::new(ErrorKind::Missing, format!("find MPI: there is no {looked} on PATH; {INSTALL}"))
    })
}

/// It is run in another folder, under the name that it was found by: a wrapper looks at that.
fn absolute(compiler: PathBuf) -> PathBuf {
    std::path::absolute(&compiler).unwrap_or(compiler)
}

/// Where shims are kept: `UPCALL_MPI_CACHE`, or `upcall/mpi` in the user's folder for what can be made again.
fn folder() -> Result<PathBuf, Error> {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || given("XDG_CACHE_HOME").or_else(|| Some(given("HOME")?.join(".cache")));
    let folder = given("UPCALL_MPI_CACHE").or_else(|| Some(user()?.join("upcall/mpi")));
    let Some(folder) = folder else {
        let message =
            "keep the shim of MPI: neither HOME nor XDG_CACHE_HOME is set; set UPCALL_MPI_CACHE to a folder";
        return Err(Error::new(ErrorKind::Load, message));
    };
    let failed = |why: String| {
        let message = format!(
            "keep the shim of MPI in {}: {why}; set UPCALL_MPI_CACHE to a folder of your own",
            folder.display()
        );
        Error::new(ErrorKind::Load, message)
    };
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)
        .map_err(|error| failed(error.to_string()))?;
    if !is_own(&folder) {
        return Err(failed("others may write there".to_owned()));
    }
    Ok(folder)
}

/// Whether nobody else may write it: what lies there is run.
fn is_own(place: &Path) -> bool {
    fs::metadata(place)
        .is_ok_and(|found| found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o022 == 0)
}

/// The shim for the MPI in use, compiled where it was not before.
pub(crate) fn shim() -> Result<PathBuf, Error> {
    let compiler = compiler()?;
    let folder = folder()?;
    let mut hash = DefaultHasher::new();
    let real = fs::canonicalize(&compiler).unwrap_or_else(|_| compiler.clone());
    let changed = fs::metadata(&real).map(|found| (found.len(), found.mtime())).ok();
    let variables = ["OMPI_CC", "OMPI_CFLAGS", "MPICH_CC", "MPICH_CFLAGS"].map(env::var_os);
    (SOURCES, env::consts::ARCH, &compiler, &real, changed, variables).hash(&mut hash);
    let shim = folder.join(format!("upcall_mpi-{:016x}.so", hash.finish()));
    if !shim.is_file() || !is_own(&shim) {
        compile(&compiler, &folder, &shim)?;
    }
    Ok(shim)
}

/// Compiles it beside its place and moves it there: ranks that start at once do not see each other's halves.
fn compile(compiler: &Path, folder: &Path, shim: &Path) -> Result<(), Error> {
    let failed = |why: String| {
        let message = format!("compile the shim of MPI with {}: {why}", compiler.display());
        Error::new(ErrorKind::Load, message)
    };
    // Processes of other machines, which may share the folder, have the same numbers.
    let random = RandomState::new().build_hasher().finish();
    let half = folder.join(format!("half-{}-{random:016x}", std::process::id()));
    let made = (|| {
        fs::create_dir(&half)?;
        for (name, source) in SOURCES {
            fs::write(half.join(name), source)?;
        }
        let mut command = Command::new(compiler);
        command.current_dir(&half).args(["-std=c11", "-O2", "-shared", "-fPIC"]);
        command.args([SOURCES[0].0, "-o", "shim.so"]).output()
    })();
    let outcome = match made {
        Err(error) => Err(failed(format!("{error}; {INSTALL}"))),
        Ok(output) if !output.status.success() => {
            Err(failed(format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr).trim_end())))
        }
        Ok(_) => {
            let made = half.join("shim.so");
            // Whatever the process's mask says: what others may write is not run.
            let moved = fs::set_permissions(&made, fs::Permissions::from_mode(0o700))
                .and_then(|()| fs::rename(&made, shim));
            moved.map_err(|error| failed(error.to_string()))
        }
    };
    let outcome = if is_own(shim) { Ok(()) } else { outcome };
    // What stays of it is in nobody's way.
    let _ = fs::remove_dir_all(&half);
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_is_known_by_its_variables() {
        let of = |set: &[&str]| Launcher::of(|name| set.contains(&name));
        assert_eq!(of(&[]), Launcher::None);
        assert_eq!(of(&["PMI_RANK", "PMI_SIZE"]), Launcher::Mpich);
        assert_eq!(of(&["PMIX_RANK"]), Launcher::OpenMpi);
        assert_eq!(of(&["PMIX_RANK", "OMPI_COMM_WORLD_SIZE"]), Launcher::OpenMpi);
    }
}
