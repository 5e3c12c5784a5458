//! Compiled modules, kept in a folder of the user's.
//!
//! What is read there is run as machine code. So the folder and its files have to be the user's own, whom nobody else may
//! write for, and each file begins with the hash of the rest: one that is cut short or damaged is compiled again. wasmtime
//! itself refuses what another version of it, or another CPU, has compiled.

use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use wasmtime::{Engine, Module};

/// The variable that names the folder.
const VARIABLE: &str = "UPCALL_WASM_CACHE";

/// Modules that are kept; of more, those go that were not used for longest.
const MOST: usize = 200;

const HASH: usize = 32;

/// Where modules are kept, unless `chosen` says it.
pub(super) fn folder(chosen: Option<&Path>) -> Option<PathBuf> {
    let from = |variable| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let chosen = chosen.map(Path::to_owned).or_else(|| from(VARIABLE));
    let of_the_user = || from("XDG_CACHE_HOME").or_else(|| Some(from("HOME")?.join(".cache")));
    chosen.or_else(|| Some(of_the_user()?.join("upcall/wasm")))
}

/// The module of these bytes: from the folder where it was kept, else compiled now.
pub(super) fn compiled(engine: &Engine, bytes: &[u8], folder: Option<&Path>) -> wasmtime::Result<Module> {
    let kept = folder.filter(|folder| match private(folder) {
        Ok(()) => true,
        Err(error) => {
            let folder = folder.display();
            tracing::warn!(target: "upcall::wasm", "compiled modules are not kept in {folder}: {error}");
            false
        }
    });
    let Some(folder) = kept else { return Module::new(engine, bytes) };
    let file = folder.join(name(engine, bytes));
    if let Some(module) = read(&file).and_then(|code| of_kept(engine, &code)) {
        // For those that are not used for long.
        let _ =
            File::options().append(true).open(&file).and_then(|file| file.set_modified(SystemTime::now()));
        return Ok(module);
    }
    let module = Module::new(engine, bytes)?;
    let kept = module.serialize().map_err(io::Error::other).and_then(|code| write(folder, &file, &code));
    if let Err(error) = kept {
        tracing::warn!(target: "upcall::wasm", "a compiled module is not kept in {}: {error}", folder.display());
    }
    Ok(module)
}

/// The name of a module's file: what it was compiled from, and by what.
fn name(engine: &Engine, bytes: &[u8]) -> String {
    let mut by = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut by);
    let of: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{of}-{:016x}", by.finish())
}

/// Whether modules are kept in a folder, and else why not.
pub(super) fn keeps(folder: &Path) -> io::Result<()> {
    private(folder)?;
    tempfile::tempfile_in(folder).map(drop)
}

/// Sees to it that there is a folder which only this user may write.
fn private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let found = fs::metadata(folder)?;
    if is_own(&found) {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "others may write there; let it be yours alone, or set {VARIABLE} to a folder that is"
    )))
}

fn is_own(found: &fs::Metadata) -> bool {
    found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o022 == 0
}

/// What a file keeps, where it is whole and ours.
fn read(file: &Path) -> Option<Vec<u8>> {
    let mut file = File::open(file).ok()?;
    if !file.metadata().ok().is_some_and(|found| found.is_file() && is_own(&found)) {
        return None;
    }
    let mut hash = [0; HASH];
    let mut code = Vec::new();
    file.read_exact(&mut hash).ok()?;
    file.read_to_end(&mut code).ok()?;
    (Sha256::digest(&code)[..] == hash).then_some(code)
}

/// The module of what was kept; none where something else has compiled it.
fn of_kept(engine: &Engine, code: &[u8]) -> Option<Module> {
    // SAFETY: `read` found it as `write` has left it, in a folder and a file that nobody else may write.
    unsafe { Module::deserialize(engine, code) }.ok()
}

fn write(folder: &Path, file: &Path, code: &[u8]) -> io::Result<()> {
    let mut whole = tempfile::NamedTempFile::new_in(folder)?;
    whole.write_all(&Sha256::digest(code))?;
    whole.write_all(code)?;
    whole.persist(file).map_err(|error| error.error)?;
    forget(folder)
}

/// Whether [`name`] makes such names: what else is in the folder is not ours.
fn is_name(file: &OsStr) -> bool {
    let hex = |text: &str, digits| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    file.to_str().and_then(|file| file.split_once('-')).is_some_and(|(of, by)| hex(of, 64) && hex(by, 16))
}

/// Removes those that were not used for longest, where there are too many.
fn forget(folder: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !is_name(&entry.file_name()) {
            continue;
        }
        // Another process may have removed it.
        if let Ok(used) = entry.metadata().and_then(|found| found.modified()) {
            files.push((used, entry.path()));
        }
    }
    files.sort();
    let many = files.len().saturating_sub(MOST);
    // Another process may have done it.
    files.into_iter().take(many).for_each(|(_, file)| drop(fs::remove_file(file)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_modules_that_were_used_last_stay_and_what_is_not_ours() {
        let folder = tempfile::tempdir().unwrap();
        let of = |number: usize| format!("{number:064x}-{number:016x}");
        for number in 0..MOST + 5 {
            let file = File::create(folder.path().join(of(number))).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(number as u64)).unwrap();
        }
        for number in 0..9 {
            let file = File::create(folder.path().join(format!("notes{number}.txt"))).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        forget(folder.path()).unwrap();
        let left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(left.iter().filter(|name| name.starts_with("notes")).count(), 9);
        assert_eq!(left.len(), MOST + 9);
        assert!((0..5).all(|number| !left.contains(&of(number))));
    }
}
