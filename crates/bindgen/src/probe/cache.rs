//! Cached results: a text file for each distinct question, with everything that the answer depends on.

use super::ask::{Answer, Ask};
use super::table::Asked;
use crate::hex::{hex, unhex};
use sha2::{Digest, Sha256};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::Duration;
use std::time::SystemTime;

/// The user's folder for files that can be made again.
pub fn user_folder() -> PathBuf {
    let variable = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || variable("HOME").map(|home| home.join(".cache"));
    let folder = variable("XDG_CACHE_HOME").or_else(|| variable("LOCALAPPDATA")).or_else(home);
    folder.map_or_else(shared, |folder| folder.join("upcall")).join("probe")
}

/// A folder within the temporary one, for a user without a home. Its contents are compiled and loaded,
/// so it must be ours alone.
fn shared() -> PathBuf {
    let folder = env::temp_dir();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, MetadataExt};
        // SAFETY: it takes no arguments and cannot fail.
        let me = unsafe { libc::geteuid() };
        let folder = folder.join(format!("upcall-{me}"));
        // It may exist already, whoever made it.
        let _ = fs::DirBuilder::new().mode(0o700).create(&folder);
        let ours = fs::symlink_metadata(&folder)
            .is_ok_and(|about| about.is_dir() && about.uid() == me && about.mode() & 0o077 == 0);
        // A folder that is not ours is left alone, and nothing is kept for the next time.
        if ours { folder } else { tempfile::tempdir().map_or(folder, tempfile::TempDir::keep) }
    }
    #[cfg(not(unix))]
    folder.join("upcall")
}

/// A hash over everything that goes in, piece by piece.
#[derive(Default)]
pub(super) struct Key(Sha256);

impl Key {
    pub fn add(&mut self, name: &str, content: impl AsRef<[u8]>) {
        let content = content.as_ref();
        for part in [name.as_bytes(), content] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    /// A file's content, or that the file is missing.
    pub fn add_file(&mut self, path: &Path) {
        self.add(&path.to_string_lossy(), hash_of(path));
    }

    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// What an answer was made from, besides what its key says.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub files: Vec<PathBuf>,
    /// Names and values of the environment variables that the sources read.
    pub variables: Vec<(String, Option<String>)>,
    /// Whether there is something else, so that nothing can be kept.
    pub uncertain: bool,
}

/// When a compilation began, by the clock of the file system.
pub(super) struct Began(SystemTime);

impl Began {
    pub fn now(folder: &Path) -> io::Result<Began> {
        fs::create_dir_all(folder)?;
        let file = tempfile::NamedTempFile::new_in(folder)?;
        Ok(Began(file.as_file().metadata()?.modified()?))
    }

    /// Whether a file is certainly as the compiler has read it. A file that is not there has not been read.
    fn precedes(&self, path: &Path) -> bool {
        let Ok(about) = fs::metadata(path) else { return true };
        #[cfg(unix)]
        let changed = {
            use std::os::unix::fs::MetadataExt;
            let since = |seconds: i64, nanos: i64| {
                let (seconds, nanos) = (u64::try_from(seconds).ok()?, u32::try_from(nanos).ok()?);
                SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanos))
            };
            since(about.ctime(), about.ctime_nsec())
        };
        #[cfg(not(unix))]
        let changed = None::<SystemTime>;
        let written = about.modified().ok();
        written.into_iter().chain(changed).all(|at| at < self.0)
    }
}

impl Inputs {
    /// A text that begins what was made from these; none if a file may have been edited since that was begun.
    fn text(&self, began: &Began) -> Option<String> {
        if self.uncertain {
            return None;
        }
        let mut text = String::new();
        for path in &self.files {
            let (path_text, hash) = (path.to_str()?, hash_of(path));
            if path_text.contains('\n') {
                return None;
            }
            let _ = writeln!(text, "file {hash} {path_text}");
            // After the hash was taken: an edit before it is seen here.
            if !began.precedes(path) {
                return None;
            }
        }
        for (name, value) in &self.variables {
            match value {
                Some(value) if value.contains('\n') => return None,
                Some(value) => drop(writeln!(text, "variable {name}={value}")),
                None => drop(writeln!(text, "variable {name}")),
            }
        }
        Some(text)
    }
}

/// What follows the inputs in such a text, if all of these are unchanged.
fn unchanged(mut text: &str) -> Option<&str> {
    while let Some((line, rest)) = text.split_once('\n') {
        if let Some(file) = line.strip_prefix("file ") {
            let (hash, path) = file.split_once(' ')?;
            (hash_of(Path::new(path)) == hash).then_some(())?;
        } else if let Some(variable) = line.strip_prefix("variable ") {
            let (name, value) =
                variable.split_once('=').map_or((variable, None), |(name, value)| (name, Some(value)));
            (env::var(name).ok().as_deref() == value).then_some(())?;
        } else {
            break;
        }
        text = rest;
    }
    Some(text)
}

/// The answers under a key, if everything they were made from is unchanged.
pub(super) fn find(folder: &Path, key: &str, asked: &Asked) -> Option<Vec<(Ask, Answer)>> {
    let text = fs::read_to_string(folder.join(key)).ok()?;
    let mut answers = Vec::with_capacity(asked.len());
    for line in unchanged(&text)?.lines() {
        match line.split_once(' ')? {
            ("number", number) => answers.push(Answer::Number(number.parse().ok()?)),
            ("bytes", bytes) => answers.push(Answer::Bytes(unhex(bytes)?)),
            ("end", _) => break,
            _ => return None,
        }
    }
    // The last line shows that the file was written to its end.
    (text.ends_with("end .\n") && answers.len() == asked.len()).then_some(())?;
    Some(asked.iter().map(|(ask, _)| *ask).zip(answers).collect())
}

/// Keeps answers, unless a file was edited since the compilation began. If that fails, the next run takes longer,
/// nothing else.
pub(super) fn keep(folder: &Path, key: &str, began: &Began, inputs: &Inputs, answers: &[(Ask, Answer)]) {
    let Some(mut text) = inputs.text(began) else { return };
    for (_, answer) in answers {
        let _ = match answer {
            Answer::Number(number) => writeln!(text, "number {number}"),
            Answer::Bytes(bytes) => writeln!(text, "bytes {}", hex(bytes)),
        };
    }
    text.push_str("end .\n");
    write(folder, key, &text);
}

/// Whether what lies beside this list was made under this key, from what is unchanged.
pub(super) fn holds(list: &Path, key: &str) -> bool {
    let text = fs::read_to_string(list).unwrap_or_default();
    unchanged(&text).is_some_and(|rest| rest == format!("key {key}\n"))
}

/// Writes such a list, unless a file was edited since the compilation began.
pub(super) fn list(folder: &Path, name: &str, key: &str, began: &Began, inputs: &Inputs) {
    if let Some(text) = inputs.text(began) {
        write(folder, name, &format!("{text}key {key}\n"));
    }
}

/// By a name of its own, as several threads may write the same.
fn write(folder: &Path, name: &str, text: &str) {
    let temporary = fs::create_dir_all(folder).and_then(|()| tempfile::NamedTempFile::new_in(folder));
    if let Ok(mut temporary) = temporary
        && temporary.write_all(text.as_bytes()).is_ok()
    {
        let _ = temporary.persist(folder.join(name));
    }
}

fn hash_of(path: &Path) -> String {
    fs::read(path).map_or_else(|_| "none".to_owned(), |content| hex(&Sha256::digest(content)))
}

/// Keeps others out of a folder for as long as the file lives.
pub(crate) fn lock(folder: &Path) -> std::io::Result<fs::File> {
    fs::create_dir_all(folder)?;
    let file = fs::File::create(folder.join("lock"))?;
    file.lock()?;
    Ok(file)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, symlink};
    use std::process::Command;

    /// Asks the first test, started in a process without a home, where it keeps things.
    const SAY_WHERE: &str = "UPCALL_TEST_SAY_WHERE";

    /// Where a process without a home keeps things, if this is its folder for temporary files.
    fn without_a_home(temporary: &Path) -> PathBuf {
        let mut again = Command::new(env::current_exe().unwrap());
        let test =
            "probe::cache::tests::without_a_home_things_are_kept_in_a_folder_that_only_the_user_may_enter";
        again.args(["--exact", test, "--nocapture"]).env(SAY_WHERE, "1");
        for variable in ["HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"] {
            again.env_remove(variable);
        }
        let said = again.env("TMPDIR", temporary).output().unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        said.lines().find_map(|line| line.strip_prefix("folder ")).unwrap().into()
    }

    #[test]
    fn without_a_home_things_are_kept_in_a_folder_that_only_the_user_may_enter() {
        if env::var_os(SAY_WHERE).is_some() {
            return println!("\nfolder {}", user_folder().display());
        }
        let temporary = tempfile::tempdir().unwrap();
        let folder = without_a_home(temporary.path());
        assert_eq!(without_a_home(temporary.path()), folder);
        let made = fs::metadata(folder.parent().unwrap()).unwrap();
        assert_eq!(made.mode() & 0o777, 0o700);
    }

    #[test]
    fn a_folder_that_somebody_else_put_there_is_not_used() {
        let (temporary, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let ours = without_a_home(temporary.path()).parent().unwrap().to_owned();
        fs::remove_dir(&ours).unwrap();
        symlink(theirs.path(), &ours).unwrap();
        let folder = without_a_home(temporary.path());
        assert!(!folder.starts_with(&ours), "{}", folder.display());
    }

    #[test]
    fn threads_that_keep_the_same_answers_leave_them_whole() {
        let folder = tempfile::tempdir().unwrap();
        let cell = super::super::table::Cell::Number { table: "t".into(), row: 0 };
        let asked: Asked = (0..500).map(|index| (Ask::Size(index), cell.clone())).collect();
        let answers: Vec<_> = (0..500).map(|index| (Ask::Size(index), Answer::Number(7))).collect();
        let began = Began::now(folder.path()).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        keep(folder.path(), "key", &began, &Inputs::default(), &answers);
                        assert!(find(folder.path(), "key", &asked).is_some());
                    }
                });
            }
        });
    }
}
