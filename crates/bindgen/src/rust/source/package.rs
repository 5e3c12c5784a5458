//! The package that a root file belongs to.

use super::cfg::Flags;
use crate::Diagnostics;
use crate::rust::Input;
use cargo_metadata::{Metadata, Package, Target};
use std::collections::{HashMap, HashSet};
use std::env;
use std::path::{Path, PathBuf};

/// A root file and the package it belongs to.
pub(super) struct Root {
    /// As the user wrote it, or within the folder that the user gave.
    pub file: PathBuf,
    /// `None`: a file without a package.
    pub home: Option<Home>,
    /// For a file without a package, the edition of a package around it.
    pub edition: Option<String>,
}

/// A target of a package.
pub(super) struct Home {
    pub package: Package,
    pub target: Target,
    pub workspace: PathBuf,
    pub target_folder: PathBuf,
    /// The workspace's [`crates`](crate::probe::crates).
    pub crates: String,
}

impl Home {
    /// The folder of `Cargo.toml`.
    pub fn folder(&self) -> &Path {
        self.package.manifest_path.as_std_path().parent().unwrap_or(Path::new(""))
    }

    /// Cargo's environment variables that are known without cargo.
    pub fn variable(&self, name: &str) -> Option<String> {
        let package = &self.package;
        Some(match name {
            "CARGO_MANIFEST_DIR" => self.folder().to_string_lossy().into_owned(),
            "CARGO_MANIFEST_PATH" => package.manifest_path.to_string(),
            "CARGO_PKG_NAME" => package.name.to_string(),
            "CARGO_PKG_VERSION" => package.version.to_string(),
            "CARGO_CRATE_NAME" => self.target.name.replace('-', "_"),
            _ => return None,
        })
    }

    /// Dependencies that have another name in the source than their own, by that name.
    pub fn renamed(&self) -> HashMap<String, String> {
        let plain = |name: &str| name.replace('-', "_");
        let renamed = self.package.dependencies.iter();
        renamed.filter_map(|one| Some((plain(one.rename.as_deref()?), plain(&one.name)))).collect()
    }

    /// Whether this process is the package's own build script.
    pub fn is_within(&self) -> bool {
        env::var_os("OUT_DIR").is_some()
            && env::var_os("CARGO_MANIFEST_DIR").is_some_and(|own| Path::new(&own) == self.folder())
    }

    /// The enabled features, as cargo resolves them within one package.
    pub fn add_features(&self, input: &Input, flags: &mut Flags) {
        let mut open: Vec<&str> = input.features.iter().map(String::as_str).collect();
        if input.default_features {
            open.push("default");
        }
        let mut done = HashSet::new();
        while let Some(name) = open.pop() {
            let Some(effects) = self.package.features.get(name).filter(|_| done.insert(name.to_owned()))
            else {
                continue;
            };
            flags.add_feature(name);
            for effect in effects.iter().filter(|effect| !effect.starts_with("dep:")) {
                match effect.split_once('/') {
                    None => open.push(effect),
                    // `serde/std` enables an optional dependency, `serde?/std` does not.
                    Some((dependency, _)) if !dependency.ends_with('?') => open.push(dependency),
                    Some(_) => {}
                }
            }
        }
    }
}

/// Finds packages, each workspace once.
#[derive(Default)]
pub(super) struct Packages {
    known: HashMap<PathBuf, Result<Metadata, String>>,
}

impl Packages {
    /// The meaning of a path given by the user: a root file, a `Cargo.toml`, or a package's folder.
    pub fn root(&mut self, path: &Path, diagnostics: &mut Diagnostics) -> Option<Root> {
        let manifest = if path.is_dir() { path.join("Cargo.toml") } else { path.to_owned() };
        if manifest.file_name().is_some_and(|name| name == "Cargo.toml") {
            return self.library(&manifest, diagnostics);
        }
        if !path.is_file() {
            let message = format!("there is no file `{}`", path.display());
            diagnostics.error(None, message, "give a crate's root file, as `src/lib.rs`");
            return None;
        }
        let real = real(path);
        let mut edition = None;
        for folder in real.ancestors().skip(1) {
            let manifest = folder.join("Cargo.toml");
            if !manifest.is_file() {
                continue;
            }
            let metadata = match self.metadata(&manifest) {
                Ok(metadata) => metadata,
                Err(message) => {
                    diagnostics.error(None, message, "");
                    return None;
                }
            };
            let found = |target: &&Target| self::real(target.src_path.as_std_path()) == real;
            for package in &metadata.packages {
                let mut targets = package.targets.iter().filter(|target| !target.is_custom_build());
                if let Some(target) = targets.find(found) {
                    let home = home(metadata, package, target);
                    return Some(Root { file: path.to_owned(), home: Some(home), edition: None });
                }
            }
            let own =
                metadata.packages.iter().find(|package| package.manifest_path.as_std_path() == manifest);
            edition = edition.or(own.map(|package| package.edition.to_string()));
        }
        Some(Root { file: path.to_owned(), home: None, edition })
    }

    fn library(&mut self, manifest: &Path, diagnostics: &mut Diagnostics) -> Option<Root> {
        let path = real(manifest);
        if !path.is_file() {
            diagnostics.error(
                None,
                format!("there is no `{}`", manifest.display()),
                "give a root file instead",
            );
            return None;
        }
        let metadata = self.metadata(&path).map_err(|message| diagnostics.error(None, message, "")).ok()?;
        let package = metadata.packages.iter().find(|package| package.manifest_path.as_std_path() == path);
        let target = package.and_then(|package| package.targets.iter().find(|target| is_library(target)));
        let (Some(package), Some(target)) = (package, target) else {
            let message = format!("`{}` describes no library", manifest.display());
            diagnostics.error(None, message, "give the root file to read");
            return None;
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let shown = manifest.parent().unwrap_or(Path::new(""));
        let source = target.src_path.as_std_path();
        let file = source.strip_prefix(folder).map_or_else(|_| source.to_owned(), |inner| shown.join(inner));
        Some(Root { file, edition: None, home: Some(home(metadata, package, target)) })
    }

    fn metadata(&mut self, manifest: &Path) -> Result<&Metadata, String> {
        let read = || crate::probe::metadata(manifest);
        self.known.entry(manifest.to_owned()).or_insert_with(read).as_ref().map_err(Clone::clone)
    }
}

fn home(metadata: &Metadata, package: &Package, target: &Target) -> Home {
    Home {
        package: package.clone(),
        target: target.clone(),
        workspace: metadata.workspace_root.as_std_path().to_owned(),
        target_folder: metadata.target_directory.as_std_path().to_owned(),
        crates: crate::probe::crates(metadata),
    }
}

fn is_library(target: &Target) -> bool {
    target.is_lib() || target.is_cdylib() || target.is_staticlib() || target.is_rlib() || target.is_dylib()
}

/// A path that identifies a file.
pub(super) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}
