//! The shim that is compiled for an MPI, and where it is kept.

use crate::error::{Error, ErrorKind};
use crate::installation::INSTALL;
use crate::variables::inherit;
use std::collections::hash_map::{DefaultHasher, RandomState};
use std::env;
use std::fs;
use std::hash::{BuildHasher, Hash, Hasher};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The shim's source, of which the first is compiled and includes the others.
const SOURCES: [(&str, &str); 15] = [
    ("upcall_mpi.c", include_str!("../shim/upcall_mpi.c")),
    ("upcall_mpi.h", include_str!("../shim/upcall_mpi.h")),
    ("common.h", include_str!("../shim/common.h")),
    ("messages.h", include_str!("../shim/messages.h")),
    ("collectives.h", include_str!("../shim/collectives.h")),
    ("communicators.h", include_str!("../shim/communicators.h")),
    ("topologies.h", include_str!("../shim/topologies.h")),
    ("processes.h", include_str!("../shim/processes.h")),
    ("types.h", include_str!("../shim/types.h")),
    ("parts.h", include_str!("../shim/parts.h")),
    ("begun.h", include_str!("../shim/begun.h")),
    ("requests.h", include_str!("../shim/requests.h")),
    ("windows.h", include_str!("../shim/windows.h")),
    ("files.h", include_str!("../shim/files.h")),
    ("yields.h", include_str!("../shim/yields.h")),
];

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
        return Err(failed("it is another user's, or others may write there".to_owned()));
    }
    Ok(folder)
}

/// Whether nobody else may write it: what lies there is run.
fn is_own(place: &Path) -> bool {
    fs::metadata(place)
        .is_ok_and(|found| found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o022 == 0)
}

/// The shim for the MPI of this compiler, made where it was not before; one whose ranks yield while they wait, where these are more
/// than the cores.
pub(crate) fn shim(compiler: &Path, yields: bool) -> Result<PathBuf, Error> {
    let folder = folder()?;
    let mut hash = DefaultHasher::new();
    let real = fs::canonicalize(compiler).unwrap_or_else(|_| compiler.to_owned());
    let changed = fs::metadata(&real).map(|found| (found.len(), found.mtime())).ok();
    let variables = ["OMPI_CC", "OMPI_CFLAGS", "MPICH_CC", "MPICH_CFLAGS"].map(env::var_os);
    (SOURCES, yields, env::consts::ARCH, compiler, &real, changed, variables).hash(&mut hash);
    let shim = folder.join(format!("upcall_mpi-{:016x}.so", hash.finish()));
    if !shim.is_file() || !is_own(&shim) {
        compile(compiler, yields, &folder, &shim)?;
    }
    Ok(shim)
}

/// Compiles it beside its place and moves it there: ranks that start at once do not see each other's halves.
fn compile(compiler: &Path, yields: bool, folder: &Path, shim: &Path) -> Result<(), Error> {
    let failed = |why: String| {
        let message = format!("compile the shim of MPI with {}: {why}", compiler.display());
        Error::new(ErrorKind::Load, message)
    };
    // Processes of other machines, which may share the folder, have the same numbers.
    let random = RandomState::new().build_hasher().finish();
    let half = folder.join(format!("half-{}-{random:016x}", std::process::id()));
    let written = fs::create_dir(&half)
        .and_then(|()| SOURCES.iter().try_for_each(|(name, source)| fs::write(half.join(name), source)));
    if let Err(error) = written {
        let _ = fs::remove_dir_all(&half);
        return Err(failed(format!(
            "write its source to {}: {error}; set UPCALL_MPI_CACHE to another folder",
            half.display()
        )));
    }
    let mut command = Command::new(compiler);
    command.current_dir(&half).args(["-std=c11", "-O2", "-shared", "-fPIC"]);
    inherit(&mut command);
    if yields {
        command.arg("-DUPCALL_MPI_YIELDS");
    }
    command.args([SOURCES[0].0, "-o", "shim.so"]);
    let outcome = match command.output() {
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
