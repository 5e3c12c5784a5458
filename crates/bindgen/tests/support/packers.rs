//! Test data for the packers of all languages. A language's test writes [`lines`] as data for a program of
//! its own, which reads each line with the packer of its type and writes it back.

#[allow(clippy::type_complexity, reason = "long tuples are among the cases")]
#[path = "../packers/fixture.rs"]
pub mod fixture;
mod made;

use crate::{beside, made};
use std::fs;
use std::path::{Path, PathBuf};
use upcall_bindgen::model::Api;
use upcall_bindgen::{Diagnostics, File, rust};

/// One line of `golden.txt` or `odd.txt`.
pub struct Golden {
    /// The type in `fixture.rs`.
    pub ty: String,
    /// What it is.
    pub name: String,
    /// Its bytes, as upper-case hex digits.
    pub hex: String,
    /// What is written after reading it. If the bytes are an error: `error`, perhaps with the end of the message.
    pub written: String,
}

impl Golden {
    /// The name of how the options say that text is written, with which its own name ends.
    pub fn text(&self) -> &'static str {
        let named = |text: &&&str| self.name.ends_with(&format!(" {text}"));
        ["utf16", "utf8-without-length"].iter().find(named).copied().unwrap_or("utf8")
    }
}

/// The bytes that every language must read and write back: MemoryPack's, some that Rust's packer made, and some that
/// neither would write.
pub fn lines() -> Vec<Golden> {
    let mut lines = read_lines(include_str!("../packers/golden.txt"));
    assert!(lines.len() > 130);
    lines.extend(made::made());
    lines.extend(read_lines(include_str!("../packers/odd.txt")));
    lines
}

fn read_lines(text: &str) -> Vec<Golden> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let line = |line: &str| {
        let mut parts = line.split(" | ").map(str::to_owned);
        let mut next = || parts.next().expect("three parts in a line");
        let (ty, name, hex) = (next(), next(), next());
        let written = parts.next().unwrap_or_else(|| hex.clone());
        Golden { ty, name, hex, written }
    };
    lines.map(line).collect()
}

/// The same for a program: type, name, bytes, how text is written, and what is written for them.
pub fn golden() -> File {
    let lines = lines();
    let lines = lines
        .iter()
        .map(|line| format!("{}|{}|{}|{}|{}\n", line.ty, line.name, line.hex, line.text(), line.written));
    File::new("golden.txt", lines.collect::<String>())
}

/// The same as JSON, for programs that read that.
pub fn golden_json() -> File {
    let lines: Vec<String> = lines()
        .iter()
        .map(|line| {
            let (ty, name, hex, text, written) = (&line.ty, &line.name, &line.hex, line.text(), &line.written);
            format!(
                "{{ \"type\": {ty:?}, \"name\": {name:?}, \"hex\": {hex:?}, \"text\": {text:?}, \"written\": {written:?} }}"
            )
        })
        .collect();
    File::new("golden.json", format!("[\n{}\n]\n", lines.join(",\n")))
}

/// The types of `fixture.rs`, and nothing else.
pub fn fixture() -> Api {
    read("fixture.rs")
}

/// The types of `awkward.rs`: names and docs that some language does not like. Code made from them only has to
/// compile.
pub fn awkward() -> Api {
    read("awkward.rs")
}

/// The types of `hostile.rs`: those with which bytes could take up more than their own size.
pub fn hostile() -> Api {
    read("hostile.rs")
}

fn read(file: &str) -> Api {
    let file = beside("packers").join(file);
    let input = rust::Input { files: vec![file], ..rust::Input::default() };
    let mut diagnostics = Diagnostics::default();
    let apis = rust::read(&input, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    let api = apis.expect("it was read").remove(0);
    assert!(api.only_packs());
    api
}

/// A folder for a test's output.
pub fn folder(name: &str) -> PathBuf {
    made("packers").join(name)
}

/// Writes a test's files.
pub fn put(folder: &Path, files: &[File]) {
    for file in files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("it can be made");
        fs::write(path, &file.text).expect("it can be written");
    }
}
