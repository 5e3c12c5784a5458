//! The package that a root file belongs to.

use crate::diagnostics::Diagnostics;
use crate::probe::Source;
use crate::rust::Input;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A package, or a file without one.
pub struct Package {
    /// As `use` names it.
    pub name: String,
    /// The root file.
    pub root: PathBuf,
    /// Its `Cargo.toml`.
    pub manifest: Option<PathBuf>,
    /// Features that are on.
    pub features: Vec<String>,
}

impl Package {
    /// The package of a root file, a folder or a `Cargo.toml`.
    pub fn of(file: &Path, input: &Input, diagnostics: &mut Diagnostics) -> Option<Package> {
        let is_manifest = file.file_name().is_some_and(|name| name == "Cargo.toml");
        if !file.exists() {
            let message = format!("reading {}: there is no such file", file.display());
            diagnostics.error(None, message, "check the path; it counts from the working folder");
            return None;
        }
        let start =
            if file.is_dir() || is_manifest { file.to_path_buf() } else { file.parent()?.to_path_buf() };
        let absolute = std::path::absolute(&start).unwrap_or(start);
        let manifest =
            absolute.ancestors().map(|folder| folder.join("Cargo.toml")).find(|path| path.is_file());
        let manifest = if is_manifest { Some(file.to_path_buf()) } else { manifest };
        let named = manifest.as_ref().and_then(|manifest| named(manifest, file, input));
        if let Some(package) = named {
            return Some(package);
        }
        if file.is_dir() || is_manifest {
            let message = format!("{} is no package with a library", file.display());
            diagnostics.error(None, message, "name its root file, such as src/lib.rs");
            return None;
        }
        let (name, root) = ("crate".to_owned(), file.to_path_buf());
        Some(Package { name, root, manifest: None, features: input.features.clone() })
    }

    pub fn source(&self, input: &Input) -> Source {
        Source {
            root: self.root.clone(),
            manifest: self.manifest.clone(),
            edition: self.manifest.is_none().then(|| "2024".to_owned()),
            features: input.features.clone(),
            default_features: input.default_features,
            cfgs: input.cfg.clone(),
        }
    }
}

/// The package of a manifest, if `file` is the root of one of its targets.
fn named(manifest: &Path, file: &Path, input: &Input) -> Option<Package> {
    let mut command = cargo_metadata::MetadataCommand::new();
    command.manifest_path(manifest).no_deps();
    let metadata = command.exec().ok()?;
    let wanted = std::fs::canonicalize(manifest).ok()?;
    let is_wanted = |path: &Path| std::fs::canonicalize(path).is_ok_and(|path| path == wanted);
    let package = metadata.packages.iter().find(|package| is_wanted(package.manifest_path.as_std_path()))?;
    let library = |target: &&cargo_metadata::Target| {
        target.is_lib()
            || target.is_cdylib()
            || target.is_staticlib()
            || target.is_dylib()
            || target.is_rlib()
    };
    let target = if file.is_file() && file.extension().is_some_and(|extension| extension == "rs") {
        let file = std::fs::canonicalize(file).ok()?;
        let is_root = |target: &&cargo_metadata::Target| {
            std::fs::canonicalize(target.src_path.as_std_path()).is_ok_and(|path| path == file)
        };
        package.targets.iter().find(is_root)?
    } else {
        package.targets.iter().find(library)?
    };
    let root = if file.is_file() && file.extension().is_some_and(|extension| extension == "rs") {
        file.to_path_buf()
    } else {
        target.src_path.clone().into_std_path_buf()
    };
    let features = features(&package.features, input);
    let (name, manifest) = (target.name.replace('-', "_"), Some(manifest.to_path_buf()));
    Some(Package { name, root, manifest, features })
}

/// What is on when these features are asked for.
fn features(known: &BTreeMap<String, Vec<String>>, input: &Input) -> Vec<String> {
    let mut waiting: Vec<String> = input.features.clone();
    waiting.extend(input.default_features.then(|| "default".to_owned()));
    let mut on: Vec<String> = Vec::new();
    while let Some(feature) = waiting.pop() {
        if !on.contains(&feature) {
            if let Some(effects) = known.get(&feature) {
                waiting.extend(effects.iter().filter(|effect| !effect.contains([':', '/'])).cloned());
            }
            on.push(feature);
        }
    }
    on.sort();
    on
}
