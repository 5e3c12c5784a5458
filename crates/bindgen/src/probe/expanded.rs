//! An expansion that is used again while everything that it was made from is as it was.

use super::cache::{self, Began, Key};
use super::mirror::absolute;
use super::plan::Source;
use super::{environment, inputs};
use cargo_metadata::Message;
use std::fs;
use std::path::{Path, PathBuf};

/// The list of what it was made from, beside it.
const LIST: &str = "expanded.kept";

/// An expansion in its folder, which nobody else uses meanwhile.
pub(crate) struct Expanded<'a> {
    folder: &'a Path,
    /// The source's root file.
    root: PathBuf,
    key: String,
    began: Option<Began>,
}

impl<'a> Expanded<'a> {
    /// Of a package in the folder `home` of a workspace; `settings` are all that counts besides its source.
    pub fn new(
        folder: &'a Path,
        [workspace, home]: [&Path; 2],
        source: &Source,
        settings: &[&str],
    ) -> Expanded<'a> {
        let mut key = Key::default();
        key.add("form", env!("CARGO_PKG_VERSION"));
        key.add("source", format!("{source:?}"));
        settings.iter().for_each(|setting| key.add("setting", setting));
        key.add_file(&absolute(&source.root));
        environment::add(&mut key, &absolute(home), true);
        for name in ["Cargo.toml", "Cargo.lock"] {
            key.add_file(&workspace.join(name));
        }
        Expanded { folder, root: absolute(&source.root), key: key.finish(), began: None }
    }

    /// Where it is written.
    pub fn text(&self) -> PathBuf {
        self.folder.join("expanded.rs")
    }

    /// It, if it is there and nothing has changed.
    pub fn find(&self) -> Option<String> {
        let holds = cache::holds(&self.folder.join(LIST), &self.key);
        holds.then(|| fs::read_to_string(self.text()).ok()).flatten()
    }

    /// What is there is forgotten: it is made anew.
    pub fn begin(&mut self) {
        let _ = fs::remove_file(self.folder.join(LIST));
        let _ = fs::remove_file(self.text());
        self.dependencies().for_each(|list| drop(fs::remove_file(list)));
        self.began = Began::now(self.folder).ok();
    }

    /// The compiler's lists of what it has read, which lie where the text does.
    fn dependencies(&self) -> impl Iterator<Item = PathBuf> {
        let files = fs::read_dir(self.folder).into_iter().flatten().flatten().map(|entry| entry.path());
        files.filter(|path| path.extension().is_some_and(|ending| ending == "d"))
    }

    /// It has been made, by a cargo that has said this, from a folder in which the compiler's paths begin.
    pub fn keep(&self, messages: &[Message], from: &Path) {
        let Some(began) = &self.began else { return };
        let ours = absolute(self.folder);
        let original = |path: &Path| Some(absolute(&from.join(path))).filter(|path| !path.starts_with(&ours));
        let mut inputs = inputs::of(messages, &original);
        self.dependencies().for_each(|list| inputs::add(&list, &original, &mut inputs));
        // A compiler that has not said what it read may have read more.
        if inputs.files.contains(&self.root) {
            cache::list(self.folder, LIST, &self.key, began, &inputs);
        }
    }
}
