//! The compiler's own expansion of a crate.

use super::package::Home;
use crate::model::Place;
use crate::probe::{
    self, Expanded, Kept, Rustc, Source, command, first_that_succeeds, manifest_text, tool, user_flags,
};
use crate::rust::Input;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One expansion.
pub(super) struct Job<'a> {
    pub input: &'a Input,
    pub home: Option<&'a Home>,
    pub source: &'a Source,
    pub name: &'a str,
    pub out_dir: Option<&'a str>,
    /// Whether the package's build script runs.
    pub build_script: bool,
}

/// The cause of a failure, if known.
pub(super) type Failures = Vec<(Option<Place>, String)>;

impl Job<'_> {
    /// The crate as one text without macros.
    pub fn run(&self) -> Result<Vec<syn::Item>, Failures> {
        let text = match self.home {
            Some(home) => self.package(home),
            None => first_that_succeeds(&self.source.editions(), |edition| self.alone(edition)),
        }?;
        super::merge::parse(&text).map_err(|error| plain(format!("its expansion cannot be parsed: {error}")))
    }

    fn package(&self, home: &Home) -> Result<String, Failures> {
        // The lock of the user's own target folder may be held by the cargo that is running us.
        let shared = home.folder().components().any(|part| part.as_os_str() == "registry");
        let place =
            if shared { probe::folder().join("scratch") } else { probe::scratch(&home.target_folder) };
        let scratch = place.join("expanded").join(self.name);
        fs::create_dir_all(&scratch).map_err(failed)?;
        let lock = fs::File::create(scratch.join("lock")).map_err(failed)?;
        lock.lock().map_err(failed)?;
        let (compiler, target) =
            probe::compiler(home.folder(), self.input.target.as_deref()).map_err(plain)?;
        let out_dir = self.out_dir.unwrap_or_default();
        let script = if self.build_script { "with the build script" } else { "without a build script" };
        // All but where the text goes to.
        let flags = self.flags(Path::new("")).join(" ");
        let mut expanded = Expanded::new(
            &scratch,
            [&home.workspace, home.folder()],
            self.source,
            &[&compiler, &target, out_dir, script, &flags],
        );
        if let Some(text) = expanded.find() {
            return Ok(text);
        }
        let (manifest, workspace) = match self.build_script {
            true => (home.package.manifest_path.clone().into_std_path_buf(), home.workspace.as_path()),
            false => (self.without_build_script(home, &scratch).map_err(failed)?, scratch.as_path()),
        };
        expanded.begin();
        let result = expanded.text();
        // The probe's, and for a target by its name as there: so dependencies are compiled once for both.
        let folder = place.join(probe::TARGET);
        let rustc = Rustc {
            folder: home.folder(),
            manifest: &manifest,
            target: &folder,
            crates: &home.crates,
            source: self.source,
        };
        let output = rustc.run(|cargo| self.arguments(cargo, home, &target, &result)).map_err(failed)?;
        let (messages, diagnostics) = probe::said(&output);
        if output.status.success() {
            expanded.keep(&messages, workspace);
        }
        finish(&output, diagnostics, &result, home.folder())
    }

    /// A package with the same root file but without a build script.
    fn without_build_script(&self, home: &Home, scratch: &Path) -> std::io::Result<PathBuf> {
        let root = std::path::absolute(&self.source.root)?;
        let text = manifest_text(&Kept {
            package: &home.package,
            root: &root,
            crate_type: "lib",
            build_script: None,
            debug_assertions: false,
            asks_panic: false,
            workspace: &home.workspace.join("Cargo.toml"),
        });
        if let Ok(lock) = fs::read(home.workspace.join("Cargo.lock")) {
            fs::write(scratch.join("Cargo.lock"), lock)?;
        }
        let manifest = scratch.join("Cargo.toml");
        fs::write(&manifest, text)?;
        Ok(manifest)
    }

    fn arguments(&self, cargo: &mut Command, home: &Home, target: &str, result: &Path) {
        cargo.env(upcall_shim::READING, "1").args(["--profile", "check"]);
        match self.build_script && home.target.is_bin() {
            true => cargo.args(["--bin", &home.target.name]),
            false => cargo.arg("--lib"),
        };
        cargo.args(["--target", target, "--"]).args(self.flags(result));
        // The scratch package is elsewhere, but `env!` must return what it does at home.
        cargo.args(["-Zunstable-options", "--env-set"]);
        cargo.arg(format!("CARGO_MANIFEST_DIR={}", home.folder().display()));
        if let Some(out_dir) = self.out_dir {
            cargo.arg("--env-set").arg(format!("OUT_DIR={out_dir}"));
        }
    }

    fn alone(&self, edition: &str) -> Result<String, Failures> {
        let place = tempfile::tempdir().map_err(failed)?;
        let result = place.path().join("expanded.rs");
        let mut command = command(&tool("RUSTC", "rustc"), Path::new("."));
        command.env("RUSTC_BOOTSTRAP", "1").args(["--crate-type", "lib", "--error-format=json"]);
        command.args(["--crate-name", "source", "--edition", edition]).args(user_flags());
        command.args(self.input.target.iter().flat_map(|target| ["--target", target]));
        command.args(self.flags(&result)).arg(&self.source.root);
        let output = command.output().map_err(failed)?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        finish(&output, messages, &result, Path::new(""))
    }

    fn flags(&self, result: &Path) -> Vec<String> {
        let mut flags: Vec<String> =
            ["-Zunpretty=expanded", "-Cdebug-assertions=no", "--cap-lints", "allow"].map(String::from).into();
        flags.extend(["-o".to_owned(), result.to_string_lossy().into_owned()]);
        self.source.cfgs.iter().for_each(|cfg| flags.extend(["--cfg".to_owned(), cfg.clone()]));
        flags
    }
}

fn finish(
    output: &std::process::Output,
    messages: Vec<Diagnostic>,
    result: &Path,
    folder: &Path,
) -> Result<String, Failures> {
    if output.status.success() {
        return fs::read_to_string(result).map_err(failed);
    }
    let errors = messages.into_iter().filter(|message| message.level == DiagnosticLevel::Error);
    let mut failures: Failures = errors
        .filter(|error| !error.message.starts_with("aborting"))
        .map(|error| {
            let span = error.spans.iter().find(|span| span.is_primary);
            let place = span.map(|span| Place {
                file: folder.join(&span.file_name),
                line: span.line_start,
                column: span.column_start,
            });
            (place, error.message)
        })
        .collect();
    if failures.is_empty() {
        failures = plain(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    Err(failures)
}

fn failed(error: std::io::Error) -> Failures {
    plain(format!("the compiler cannot be run: {error}"))
}

fn plain(message: String) -> Failures {
    vec![(None, message)]
}
