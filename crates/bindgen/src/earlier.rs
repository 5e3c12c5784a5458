//! What an earlier run has written and this one does not: it goes, unless somebody has changed it.
//!
//! Each output of several files has a list of them beside it, with their hashes. A file that is not in such a list,
//! or has another hash, is not ours.

use crate::File;
use crate::hex::hex;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The lists' first line.
const HEAD: &str = "What upcall bindgen has written here. It removes what it no longer makes.";

/// One output, its list now, and the one of the run before.
pub(crate) struct Earlier {
    folder: PathBuf,
    list: PathBuf,
    now: Vec<(PathBuf, String)>,
    before: Vec<(PathBuf, String)>,
}

impl Earlier {
    /// `None` for an output that no list can be told apart for.
    pub fn read(library: &str, folder: &Path, files: &[File]) -> Option<Earlier> {
        let kind = match files {
            // Others may lie beside a file with a name of the user's.
            [only] => only.path.file_name()?.to_string_lossy().into_owned(),
            files => files.iter().find_map(|file| kind(&file.path))?,
        };
        let plain: String =
            library.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
        let list = folder.join(format!(".{plain}.{kind}.upcall"));
        let now = files.iter().map(|file| (file.path.clone(), hash(file.text.as_bytes()))).collect();
        let text = fs::read_to_string(&list).unwrap_or_default();
        let before = text.strip_prefix(HEAD).into_iter().flat_map(str::lines).filter_map(entry).collect();
        Some(Earlier { folder: folder.to_owned(), list, now, before })
    }

    /// The list to write; one file alone needs none.
    pub fn list(&self) -> Option<(PathBuf, String)> {
        let mut lines: Vec<String> =
            self.now.iter().map(|(path, hash)| format!("{hash} {}\n", path.to_string_lossy())).collect();
        lines.sort();
        (lines.len() > 1).then(|| (self.list.clone(), format!("{HEAD}\n{}", lines.concat())))
    }

    /// Removes what is not `made` now by any output, and returns it. A file that cannot be removed stays, as one that was
    /// changed.
    pub fn remove(&self, made: &HashSet<PathBuf>) -> Vec<PathBuf> {
        let mut removed = Vec::new();
        for (path, written) in &self.before {
            let whole = self.folder.join(path);
            let ours = !made.contains(&whole)
                && fs::symlink_metadata(&whole).is_ok_and(|about| about.is_file())
                && fs::read(&whole).is_ok_and(|bytes| hash(&bytes) == *written);
            if ours && fs::remove_file(&whole).is_ok() {
                // Folders in which nothing else is.
                let inner = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
                inner.take_while(|folder| fs::remove_dir(self.folder.join(folder)).is_ok()).for_each(drop);
                removed.push(whole);
            }
        }
        if self.list().is_none() && !self.before.is_empty() {
            let _ = fs::remove_file(&self.list);
        }
        removed
    }
}

/// What tells the outputs in one folder apart.
fn kind(path: &Path) -> Option<String> {
    let own = |name: &str| Some(name.to_owned());
    match path.extension()?.to_str()? {
        "py" | "pyi" => own("python"),
        "js" | "mjs" | "cjs" | "ts" => own("typescript"),
        "java" => own("java"),
        // These have a name of the user's, too.
        "cs" | "h" | "c" => Some(path.file_name()?.to_string_lossy().into_owned()),
        _ => None,
    }
}

fn entry(line: &str) -> Option<(PathBuf, String)> {
    let (hash, path) = line.split_once(' ')?;
    let path = PathBuf::from(path);
    // Whoever writes a list for us must not lead us elsewhere.
    let within = path.components().all(|part| matches!(part, Component::Normal(_)));
    (within && !path.as_os_str().is_empty()).then(|| (path, hash.to_owned()))
}

fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::{Written, write_all};

    fn run(folder: &Path, names: &[&str]) -> Written {
        let files: Vec<File> = names.iter().map(|name| File::new(*name, format!("# {name}\n"))).collect();
        write_all("some", &[(folder.to_owned(), files)]).unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_no_longer_made_is_removed_and_nothing_of_the_users() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let first = run(folder, &["a.py", "old.py", "deep/er/old.py", "mine/old.py", "changed.py"]);
        assert_eq!((first.changed.len(), first.removed.len()), (5, 0));
        fs::write(folder.join("own.py"), "").unwrap();
        fs::write(folder.join("mine/own.py"), "").unwrap();
        fs::write(folder.join("changed.py"), "by hand").unwrap();
        let second = run(folder, &["a.py", "new.py"]);
        let mut removed = second.removed;
        removed.sort();
        assert_eq!(removed, ["deep/er/old.py", "mine/old.py", "old.py"].map(|name| folder.join(name)));
        assert_eq!(names(folder), [".some.python.upcall", "a.py", "changed.py", "mine", "new.py", "own.py"]);
        assert_eq!(names(&folder.join("mine")), ["own.py"]);
        assert_eq!(run(folder, &["a.py", "new.py"]).removed, [""; 0].map(PathBuf::from));
    }

    #[test]
    fn outputs_in_one_folder_do_not_remove_each_others_files() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        run(folder, &["a.py", "b.py"]);
        run(folder, &["a.js", "b.js"]);
        run(folder, &["One.cs", "shim/Cargo.toml"]);
        run(folder, &["Two.cs", "shim2/Cargo.toml"]);
        // A single file beside a package of the same language.
        assert_eq!(run(folder, &["layouts.ts"]).removed, [""; 0].map(PathBuf::from));
        write_all("other", &[(folder.to_owned(), vec![File::new("c.py", ""), File::new("d.py", "")])])
            .unwrap();
        for name in ["a.py", "b.js", "One.cs", "shim/Cargo.toml", "shim2/Cargo.toml", "c.py"] {
            assert!(folder.join(name).is_file(), "{name}");
        }
        // Without its shim, the file needs no list either.
        assert_eq!(run(folder, &["One.cs"]).removed, [folder.join("shim/Cargo.toml")]);
        assert!(folder.join("Two.cs").is_file() && !folder.join(".some.One.cs.upcall").exists());
    }

    #[test]
    fn a_list_that_leads_out_of_its_folder_removes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (out, precious) = (folder.path().join("out"), folder.path().join("precious.py"));
        fs::create_dir(&out).unwrap();
        fs::write(&precious, "x").unwrap();
        let list = format!("{HEAD}\n{0} ../precious.py\n{0} {1}\n", hash(b"x"), precious.display());
        fs::write(out.join(".some.python.upcall"), list).unwrap();
        assert_eq!(run(&out, &["a.py", "b.py"]).removed, [""; 0].map(PathBuf::from));
        assert!(precious.is_file());
    }
}
