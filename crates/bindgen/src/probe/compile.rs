//! Compiles the copy to an object file.

use super::cache::{Inputs, lock};
use super::cargo::{Cargo, metadata};
use super::failure::Failure;
use super::inputs;
use super::messages::Paths;
use super::mirror::{Mirror, absolute, common_folder};
use super::options::Options;
use super::plan::Plan;
use super::scratch as copy;
use super::sheet::Sheets;
use super::toolchain::{Toolchain, user_flags};
use cargo_metadata::diagnostic::Diagnostic;
use std::fs;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::Output;

/// One compilation.
pub(super) struct Job<'a> {
    pub plan: &'a Plan,
    pub sheets: &'a Sheets,
    pub options: &'a Options,
    pub toolchain: &'a Toolchain,
    /// The folder for results. It also has the scratch folders, if the package has none of its own.
    pub folder: &'a Path,
    /// What tells this source from others.
    pub name: &'a str,
}

/// The outcome.
pub(super) struct Compiled {
    pub object: Vec<u8>,
    pub inputs: Inputs,
}

/// How much is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// The crate without its exports, the dependencies without code.
    Lean,
    /// The same, and no variable of the crate has to be dropped.
    Undropped,
    /// The crate as it is, the dependencies without code.
    Plain,
    /// The crate as it is, the dependencies with their code.
    Full,
}

/// The start of rustc's message that a dependency was compiled without code.
const NO_CODE: &str = "missing optimized MIR";

/// The end of rustc's message about a variable that no build script has set.
const NO_SCRIPT: &str = "not defined at compile time";

impl Job<'_> {
    pub fn run(&self) -> Result<Compiled, Vec<Failure>> {
        match &self.plan.source.manifest {
            Some(path) => self.package(&absolute(path)),
            None => {
                let scratch = self.folder.join("scratch").join(self.name);
                let _lock = lock(&scratch).map_err(Failure::from)?;
                self.alone(&scratch)
            }
        }
    }

    fn package(&self, path: &Path) -> Result<Compiled, Vec<Failure>> {
        let metadata = metadata(path).map_err(|message| Failure::new(message, ""))?;
        let package = metadata.packages.iter().find(|package| package.manifest_path.as_std_path() == path);
        let Some(package) = package else {
            let message = format!("`{}` describes no package", path.display());
            return Err(vec![Failure::new(
                message,
                "give the Cargo.toml of the package, not of its workspace",
            )]);
        };
        let shared =
            self.options.folder.is_some() || path.components().any(|part| part.as_os_str() == "registry");
        let scratch = match shared {
            true => self.folder.join("scratch"),
            false => scratch(metadata.target_directory.as_std_path()),
        };
        let place = scratch.join(self.name);
        let _lock = lock(&place).map_err(Failure::from)?;
        let root = absolute(&self.plan.source.root);
        let no_std = fs::read_to_string(&root).is_ok_and(|text| text.contains("no_std"));
        let exporting = |target: &cargo_metadata::Target| target.is_cdylib() || target.is_staticlib();
        let crate_type = if no_std && !package.targets.iter().any(exporting) { "lib" } else { "cdylib" };
        let script = package.targets.iter().find(|target| target.is_custom_build());
        let script = script.map(|script| script.src_path.as_std_path());
        let mut cargo = Cargo {
            job: self,
            metadata: &metadata,
            package,
            crate_type,
            place: &place,
            target: &scratch,
            script: None,
        };
        if self.options.build_script == Some(true) {
            cargo.script = script;
        }
        // What was enough the last time comes first.
        let last = place.join("undropped");
        let mut as_last = last.exists();
        let mut effort = if as_last { Effort::Undropped } else { Effort::Lean };
        loop {
            let failures = match cargo.attempt(effort) {
                Ok(compiled) => {
                    if effort == Effort::Undropped {
                        // If that fails, the next run takes longer, nothing else.
                        let _ = fs::write(&last, "");
                    }
                    return Ok(compiled);
                }
                Err(failures) => failures,
            };
            if mem::take(&mut as_last) {
                let _ = fs::remove_file(&last);
                effort = Effort::Lean;
                continue;
            }
            let says = |words: &str| failures.iter().any(|failure| failure.message.contains(words));
            if says(NO_SCRIPT)
                && self.options.build_script.is_none()
                && cargo.script.is_none()
                && script.is_some()
            {
                cargo.script = script;
            } else {
                effort = match effort {
                    Effort::Lean if says(NO_CODE) => Effort::Undropped,
                    Effort::Lean => Effort::Plain,
                    Effort::Undropped => Effort::Full,
                    Effort::Plain if says(NO_CODE) => Effort::Full,
                    Effort::Plain | Effort::Full => return Err(failures),
                }
            }
        }
    }

    /// A file without a package.
    fn alone(&self, scratch: &Path) -> Result<Compiled, Vec<Failure>> {
        let source = &self.plan.source;
        let root = absolute(&source.root);
        let mirror = self.mirror(scratch, root.parent().unwrap_or(Path::new("")));
        let texts = scratch.join("texts");
        self.write(&mirror, &texts, Effort::Plain, Vec::new())?;
        first_that_succeeds(&source.editions(), |edition| self.compile_alone(scratch, &mirror, edition))
    }

    fn compile_alone(
        &self,
        scratch: &Path,
        mirror: &Mirror,
        edition: &str,
    ) -> Result<Compiled, Vec<Failure>> {
        let root = absolute(&self.plan.source.root);
        let texts = scratch.join("texts");
        let no_std = fs::read_to_string(&root).is_ok_and(|text| text.contains("no_std"));
        let (object, list) = (scratch.join("probe.o"), scratch.join("probe.d"));
        let mut rustc = self.toolchain.rustc(root.parent().unwrap_or(Path::new("")));
        rustc.arg(mirror.copy_of(&root)).args(["--crate-type", if no_std { "lib" } else { "cdylib" }]);
        rustc.args(["--crate-name", "probed", "--error-format=json"]);
        if !self.asks_panic() {
            rustc.arg("-Cpanic=abort");
        }
        rustc.args(["--edition", edition]);
        rustc.args(["--target", &self.toolchain.target]);
        rustc.arg(format!("--emit=obj={},dep-info={}", object.display(), list.display()));
        rustc.args(self.flags()).args(user_flags());
        if self.plan.source.says_file {
            let folder = |path: &Path| path.parent().unwrap_or(Path::new("")).to_owned();
            rustc
                .args(self.toolchain.remap(&folder(&mirror.copy_of(&root)), &folder(&self.plan.source.root)));
        }
        let output = rustc.output();
        let output =
            output.map_err(|error| Failure::new(format!("`rustc` cannot be started: {error}"), ""))?;
        let said = String::from_utf8_lossy(&output.stderr);
        let messages = said.lines().filter_map(|line| serde_json::from_str(line).ok());
        let paths = self.paths(mirror, root.parent().unwrap_or(Path::new("")), &texts);
        self.judge(&output, messages.collect(), &paths)?;
        let mut inputs = Inputs::default();
        inputs::add(&list, &|path| paths.input(path), &mut inputs);
        Ok(Compiled { object: read_object(&object)?, inputs })
    }

    pub fn mirror(&self, scratch: &Path, base: &Path) -> Mirror {
        let files: Vec<PathBuf> = self.plan.spots.iter().map(|spot| absolute(&spot.file)).collect();
        let root = absolute(&self.plan.source.root);
        let parents = files.iter().chain([&root]).filter_map(|file| file.parent());
        Mirror { base: common_folder(base, parents), tree: scratch.join("tree") }
    }

    /// Writes the copy, with further files that differ from the original.
    pub fn write(
        &self,
        mirror: &Mirror,
        texts: &Path,
        effort: Effort,
        more: Vec<(PathBuf, String)>,
    ) -> Result<(), Failure> {
        let unreadable = |error: std::io::Error| {
            Failure::new(format!("the source cannot be read or copied for the probe: {error}"), "")
        };
        let mut changed = copy::changed(self.plan, texts, effort).map_err(unreadable)?;
        changed.extend(more);
        copy::write(mirror, texts, self.sheets, &changed).map_err(unreadable)
    }

    pub fn paths<'b>(&'b self, mirror: &'b Mirror, from: &'b Path, texts: &'b Path) -> Paths<'b> {
        let files = self.plan.spots.iter().map(|spot| spot.file.clone());
        let known = files.chain([self.plan.source.root.clone()]).collect();
        Paths { mirror, from, texts, sheets: self.sheets, known }
    }

    pub fn flags(&self) -> Vec<String> {
        let mut flags: Vec<String> =
            ["--cap-lints", "allow", "-Ccodegen-units=1", "-Cdebuginfo=0"].map(String::from).into();
        let is_debug = |cfg: &String| cfg == "debug_assertions";
        let debug = self.plan.source.cfgs.iter().any(is_debug);
        flags.push(format!("-Cdebug-assertions={}", if debug { "yes" } else { "no" }));
        for cfg in self.plan.source.cfgs.iter().filter(|cfg| !is_debug(cfg)) {
            flags.extend(["--cfg".to_owned(), cfg.clone()]);
        }
        flags
    }

    /// Whether the source depends on how a panic ends. Otherwise nothing that would catch one has to be there.
    pub fn asks_panic(&self) -> bool {
        self.plan.cfgs.iter().any(|(predicate, _)| predicate.contains("panic"))
    }

    /// The compiler's errors, if it failed.
    pub fn judge(
        &self,
        output: &Output,
        messages: Vec<Diagnostic>,
        paths: &Paths,
    ) -> Result<(), Vec<Failure>> {
        if output.status.success() {
            return Ok(());
        }
        let mut failures: Vec<Failure> = Vec::new();
        for failure in messages.iter().filter_map(|message| paths.failure(message)) {
            if !failures.contains(&failure) {
                failures.push(failure);
            }
        }
        if failures.is_empty() {
            let said = brief(&String::from_utf8_lossy(&output.stderr));
            failures.push(Failure::new(format!("the probe cannot be compiled: {said}"), ""));
        }
        Err(failures)
    }
}

/// Where in a workspace's target folder its packages are compiled.
pub(crate) fn scratch(target_folder: &Path) -> PathBuf {
    // A setting may lead to it through `..`; where cargo says what it has compiled, it does not.
    absolute(target_folder).join("upcall-probe")
}

/// The first success, or the first error: those of older editions are about what is right in the newest.
pub(crate) fn first_that_succeeds<T, E>(
    editions: &[&str],
    mut attempt: impl FnMut(&str) -> Result<T, E>,
) -> Result<T, E> {
    let mut first = None;
    for edition in editions {
        match attempt(edition) {
            Err(error) => first = first.or(Some(error)),
            success => return success,
        }
    }
    match first {
        Some(error) => Err(error),
        None => attempt("2024"),
    }
}

/// The start and the end of a tool's output; a build script may print megabytes.
pub(super) fn brief(said: &str) -> String {
    let lines: Vec<String> = said.trim().lines().map(|line| line.chars().take(300).collect()).collect();
    match lines.len() {
        0..=12 => lines.join("\n"),
        count => format!("{}\n…\n{}", lines[..6].join("\n"), lines[count - 5..].join("\n")),
    }
}

pub(super) fn read_object(path: &Path) -> Result<Vec<u8>, Vec<Failure>> {
    let missing = |error| vec![Failure::new(format!("the compiler has left no object file: {error}"), "")];
    fs::read(path).map_err(missing)
}
