//! Where a check works: a folder for each library and content, and one in which all glue is compiled.

use super::Echo;
use crate::generate::Generated;
use crate::hex::hex;
use crate::model::Api;
use crate::probe::{self, lock};
use crate::step::{Outcome, Stop};
use crate::{File, write};
use sha2::{Digest, Sha256};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long a folder is kept that no check has used.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// The user's folder in which checks work.
#[must_use]
pub fn folder() -> PathBuf {
    probe::folder().with_file_name("check")
}

/// Where one check works. It is kept for the next check of the same content; no other check uses it meanwhile.
pub(crate) struct Room<'a> {
    pub(crate) api: &'a Api,
    pub(crate) echo: &'a Echo,
    folder: PathBuf,
    /// Shared by all rooms, so that the glue's dependencies are compiled once.
    target: PathBuf,
    stop: &'a Stop,
    _lock: fs::File,
}

impl<'a> Room<'a> {
    pub(super) fn new(
        api: &'a Api,
        generated: &Generated,
        base: &Path,
        echo: &'a Echo,
        stop: &'a Stop,
    ) -> Result<Room<'a>, String> {
        let folder = base.join(format!("{}-{}", api.library, hash(generated)));
        let said = |error| format!("using {} for the check: {error}", folder.display());
        let lock = lock(&folder).map_err(said)?;
        sweep(base, &api.library, &folder);
        Ok(Room { api, target: base.join("target"), folder, echo, stop, _lock: lock })
    }

    /// Writes files below the room and returns the folder.
    pub(crate) fn place(&self, name: &str, files: &[File]) -> Result<PathBuf, String> {
        let folder = self.folder.join(name);
        match write(&[(folder.clone(), files.to_vec())]) {
            Ok(_) => Ok(folder),
            Err((path, error)) => Err(format!("writing {}: {error}", path.display())),
        }
    }

    /// Compiles a generated crate without optimisation; returns its library, in the crate's folder.
    pub(crate) fn cargo(&self, made: &Path, name: &str) -> Result<PathBuf, String> {
        let file = library_file(&name.replace('-', "_"));
        let said = |error| format!("using {} for the check: {error}", self.target.display());
        // Crates of other rooms have the same names, and cargo would take their libraries for this room's.
        let _lock = lock(&self.target).map_err(said)?;
        for old in [self.target.join("debug").join(&file), self.target.join("debug/deps").join(&file)] {
            match fs::remove_file(old) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(said(error)),
                _ => {}
            }
        }
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--quiet", "--target-dir"]).arg(&self.target).current_dir(made);
        cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
        // An extension is built for the Python that loads it.
        if env::var_os("PYO3_PYTHON").is_none() {
            cargo.env("PYO3_PYTHON", super::tools::python());
        }
        self.said(&mut cargo, "install Rust from rustup.rs")?;
        let library = made.join(&file);
        fs::copy(self.target.join("debug").join(&file), &library).map_err(said)?;
        Ok(library)
    }

    /// What a check program's success means: how many types it has checked, and perhaps what a language
    /// does not do.
    pub(crate) fn right(&self, printed: &str) -> Result<Outcome, String> {
        let types = self.echo.probes.len();
        let (said, more): (Vec<&str>, Vec<&str>) =
            printed.lines().partition(|line| *line == format!("checked {types} types"));
        if said.is_empty() {
            return Err(format!("the check program did not check all {types} types:\n{printed}"));
        }
        let by_pointer = self.echo.probes.iter().filter(|probe| probe.by_value.is_none()).count();
        let mut right = format!("{}, sizes, offsets and values right", counted(types));
        if by_pointer > 0 {
            right += &format!("; {by_pointer} by pointer only");
        }
        more.iter().for_each(|line| right += &format!("; {line}"));
        Ok(Outcome::Passed(right))
    }

    /// Runs a program to its end and returns its output, as an error if it failed or is missing.
    pub(crate) fn said(&self, command: &mut Command, missing: &str) -> Result<String, String> {
        said(self.stop, command, missing)
    }
}

/// `1 type`, `2 types`.
pub(super) fn counted(types: usize) -> String {
    format!("{types} {}", if types == 1 { "type" } else { "types" })
}

/// The same as [`Room::said`], outside a room.
pub(crate) fn said(stop: &Stop, command: &mut Command, missing: &str) -> Result<String, String> {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let program = program.to_string_lossy().into_owned();
    let output = stop.run(command).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("{program} was not found: {missing}"),
        _ => format!("starting {program}: {error}"),
    })?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.success() { Ok(text) } else { Err(format!("{program}: {}\n{text}", output.status)) }
}

/// Copies a library into the folder of a program.
pub(crate) fn beside(library: &Path, folder: &Path) -> Result<(), String> {
    copy(library, &folder.join(library.file_name().unwrap_or_default()))
}

/// Copies a library.
pub(crate) fn copy(library: &Path, to: &Path) -> Result<(), String> {
    fs::copy(library, to).map(|_| ()).map_err(|error| format!("copying to {}: {error}", to.display()))
}

/// The file name of a library on this system: `libname.so`.
pub(crate) fn library_file(name: &str) -> String {
    format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

fn hash(generated: &Generated) -> String {
    let mut hash = Sha256::new();
    for (folder, files) in &generated.outputs {
        hash.update(folder.to_string_lossy().as_bytes());
        for file in files {
            hash.update(file.path.to_string_lossy().as_bytes());
            hash.update(&file.text);
        }
    }
    hex(&hash.finalize()[..8])
}

/// Removes the rooms of a library's earlier contents. What cannot be removed stays.
fn sweep(base: &Path, library: &str, own: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((of, _)) = name.rsplit_once('-') else { continue };
        let lock = path.join("lock");
        let used = fs::metadata(&lock).and_then(|about| about.modified()).ok();
        let old = used.and_then(|used| used.elapsed().ok()).is_some_and(|age| age > KEPT);
        if of == library
            && path != own
            && old
            && fs::File::open(lock).is_ok_and(|lock| lock.try_lock().is_ok())
        {
            let _ = fs::remove_dir_all(path);
        }
    }
}
