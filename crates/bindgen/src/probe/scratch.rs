//! The copy of the user's source with the probe's code in it.

use super::compile::Effort;
use super::lean;
use super::mirror::{Mirror, absolute};
use super::plan::{Plan, Spot};
use super::sheet::{Sheets, module};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The texts of the changed files, by the originals' paths.
pub(super) fn changed(plan: &Plan, texts: &Path, effort: Effort) -> io::Result<BTreeMap<PathBuf, String>> {
    let root = Spot { file: plan.source.root.clone(), brace: None };
    let mut insertions: BTreeMap<PathBuf, Vec<(usize, String)>> = BTreeMap::new();
    for (index, spot) in plan.spots.iter().chain([&root]).enumerate() {
        let code = format!(
            "\n#[doc(hidden)] mod {} {{ include!({:?}); }}\n",
            module(index),
            texts.join(format!("{index}.rs"))
        );
        // Before a brace the code gets no line of its own, so that the following lines keep their numbers.
        let code = if spot.brace.is_some() { format!(" {} ", code.trim()) } else { code };
        insertions.entry(absolute(&spot.file)).or_default().push((spot.brace.unwrap_or(usize::MAX), code));
    }
    let mut changed = BTreeMap::new();
    if matches!(effort, Effort::Lean | Effort::Undropped) {
        let folder = absolute(&plan.source.root).parent().map(Path::to_owned).unwrap_or_default();
        for path in rust_files(&folder) {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            if effort == Effort::Undropped {
                let more = lean::undropped(&text);
                if !more.is_empty() {
                    insertions.entry(path.clone()).or_default().extend(more);
                }
            }
            if let Some(text) = lean::without_exports(&text) {
                changed.insert(path, text);
            }
        }
    }
    for (path, mut insertions) in insertions {
        let mut text = match changed.remove(&path) {
            Some(text) => text,
            None => fs::read_to_string(&path)?,
        };
        // From the end backwards, so that earlier places stay valid.
        insertions.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
        for (place, code) in insertions {
            let place = place.min(text.len());
            if !text.is_char_boundary(place) {
                let message = format!("{}: byte {place} is within a character", path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            text.insert_str(place, &code);
        }
        changed.insert(path, text);
    }
    Ok(changed)
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && entry.file_name() != "target" => files.extend(rust_files(&path)),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|ending| ending == "rs") => {
                files.push(path)
            }
            _ => {}
        }
    }
    files
}

/// Writes the mirror and the probe's texts.
pub(super) fn write(
    mirror: &Mirror,
    texts: &Path,
    sheets: &Sheets,
    changed: &BTreeMap<PathBuf, String>,
) -> io::Result<()> {
    mirror.write(changed)?;
    if texts.exists() {
        fs::remove_dir_all(texts)?;
    }
    fs::create_dir_all(texts)?;
    for (index, text) in sheets.texts.iter().enumerate() {
        fs::write(texts.join(format!("{index}.rs")), text)?;
    }
    Ok(())
}
