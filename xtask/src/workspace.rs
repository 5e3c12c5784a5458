//! Where things are: the folders of the repository and what cargo knows about its packages.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

use crate::command;

/// How Rust is compiled.
#[derive(Clone, Copy, PartialEq)]
pub enum Profile {
    /// As it is published.
    Release,
    /// As tests are, so that what they and the hosts load is compiled once.
    Dev,
}

/// The repository, and cargo's description of it.
pub struct Workspace {
    /// The folder of the repository.
    pub root: PathBuf,
    /// Where cargo puts what it builds.
    pub target: PathBuf,
    /// How the commands and what hosts load are compiled.
    pub profile: Profile,
    packages: Vec<Value>,
}

/// A target of a package that is built into a library for other programs to load.
pub struct Cdylib {
    /// The package it belongs to.
    pub package: String,
    /// Where cargo puts it.
    pub built: PathBuf,
    /// The file's name where it is a module of WebAssembly.
    pub module: String,
}

impl Workspace {
    /// Finds the repository that this program was built from.
    pub fn find() -> Result<Self> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest.parent().context("the folder of xtask has no parent")?.to_path_buf();
        let described = command::output(
            Command::new("cargo")
                .args(["metadata", "--format-version", "1", "--no-deps", "--manifest-path"])
                .arg(root.join("Cargo.toml")),
        )?;
        let metadata: Value =
            serde_json::from_str(&described).context("reading the output of `cargo metadata`")?;
        let target = metadata["target_directory"]
            .as_str()
            .ok_or_else(|| anyhow!("`cargo metadata` names no target directory"))?;
        let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
        Ok(Self { target: PathBuf::from(target), root, profile: Profile::Release, packages })
    }

    /// The same, compiled as tests are.
    pub fn for_tests(self) -> Self {
        Self { profile: Profile::Dev, ..self }
    }

    /// What setup fetches: the .NET runtime, the C# compiler, the virtual environment.
    pub fn setup(&self) -> PathBuf {
        self.root.join(".setup")
    }

    /// What build makes for the hosts to load.
    pub fn build(&self) -> PathBuf {
        self.root.join("build")
    }

    /// The interpreter of the virtual environment that setup makes.
    pub fn python(&self) -> PathBuf {
        self.setup().join("venv/bin/python")
    }

    /// Where cargo puts programs and libraries.
    pub fn programs(&self) -> PathBuf {
        self.target.join(match self.profile {
            Profile::Release => "release",
            Profile::Dev => "debug",
        })
    }

    /// The `upcall` command.
    pub fn upcall(&self) -> PathBuf {
        self.programs().join("upcall").with_extension(env::consts::EXE_EXTENSION)
    }

    /// The folders in `examples/` that hold a flow, in order. Others need bindings before they compile.
    pub fn flows(&self) -> Result<Vec<PathBuf>> {
        let mut examples = folders(&self.root.join("examples"))?;
        examples.retain(|folder| {
            let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
            names
                .map(|name| name.to_string_lossy().into_owned())
                .any(|name| name.starts_with("flow.") && name.ends_with("toml"))
        });
        Ok(examples)
    }

    /// The package with this name, if the workspace has it.
    fn package(&self, name: &str) -> Option<&Value> {
        self.packages.iter().find(|package| package["name"] == name)
    }

    /// The names of the programs that a package has.
    pub fn binaries(&self, package: &str) -> Vec<String> {
        let programs = self.package(package).into_iter().flat_map(programs);
        let mut names: Vec<String> =
            programs.filter_map(|target| target["name"].as_str().map(String::from)).collect();
        names.sort();
        names
    }

    /// The names of the packages that are for this repository alone.
    pub fn unpublished(&self) -> impl Iterator<Item = &str> {
        let unpublished = self.packages.iter().filter(|package| package["publish"].is_array());
        unpublished.filter_map(|package| package["name"].as_str())
    }

    /// The loadable library of the package in `folder`, if there is one.
    pub fn cdylib(&self, folder: &Path) -> Option<Cdylib> {
        let manifest = folder.join("Cargo.toml");
        let package = self.packages.iter().find(|package| {
            package["manifest_path"].as_str().is_some_and(|path| Path::new(path) == manifest)
        })?;
        let library = package["targets"].as_array()?.iter().find(|target| has_kind(target, "cdylib"))?;
        let file = format!(
            "{}{}{}",
            env::consts::DLL_PREFIX,
            library["name"].as_str()?.replace('-', "_"),
            env::consts::DLL_SUFFIX
        );
        Some(Cdylib {
            package: package["name"].as_str()?.to_owned(),
            built: self.programs().join(file),
            module: format!("{}.wasm", library["name"].as_str()?.replace('-', "_")),
        })
    }

    /// A command that runs in the repository and tells the hosts where it is. Tests are told where the programs are, and that
    /// guests' processes are those of this `upcall`.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("UPCALL_HOME", &self.root);
        if self.profile == Profile::Dev {
            command.env("UPCALL_PROGRAMS", self.programs()).env("UPCALL_PROGRAM", self.upcall());
        }
        command
    }

    /// Waits until no other `cargo xtask` changes `folder`; the lock ends with the returned file.
    pub fn lock(&self, folder: &Path) -> Result<File> {
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        let path = folder.join(".lock");
        let file = File::create(&path).with_context(|| format!("making {}", path.display()))?;
        file.lock().with_context(|| format!("locking {}", path.display()))?;
        Ok(file)
    }
}

fn programs(package: &Value) -> impl Iterator<Item = &Value> {
    let targets = package["targets"].as_array().into_iter().flatten();
    targets.filter(|target| has_kind(target, "bin"))
}

fn has_kind(target: &Value, kind: &str) -> bool {
    target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|found| found == kind))
}

pub fn folders(parent: &Path) -> Result<Vec<PathBuf>> {
    if !parent.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(parent).with_context(|| format!("listing {}", parent.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// All files below `folder` whose extension is `extension`, in order; none if there is no such folder.
pub fn files_below(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder).with_context(|| format!("listing {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            // An editor's own build of a project leaves generated sources in these.
            if name != "obj" && name != "bin" {
                found.extend(files_below(&path, extension)?);
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cargo looks for none itself where `autotests` is off, so that one left out would never be run.
    #[test]
    fn every_file_of_tests_is_part_of_a_program() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut seen = 0;
        for package in folders(&root.join("crates")).unwrap() {
            let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
            if !manifest.contains("\nautotests = false\n") {
                continue;
            }
            let main = fs::read_to_string(package.join("tests/main.rs")).unwrap();
            for entry in fs::read_dir(package.join("tests")).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_stem().unwrap().to_str().unwrap();
                let program =
                    if path.join("main.rs").is_file() { format!("{name}/main") } else { name.into() };
                let is_program =
                    name == "main" || manifest.contains(&format!("path = \"tests/{program}.rs\""));
                let is_source = path.extension().is_some_and(|extension| extension == "rs");
                if is_program || !is_source && !path.join("main.rs").is_file() {
                    continue;
                }
                assert!(main.contains(&format!("\nmod {name};\n")), "nothing runs {}", path.display());
                seen += 1;
            }
        }
        assert!(seen > 100, "only {seen} files of tests were found");
    }
}
