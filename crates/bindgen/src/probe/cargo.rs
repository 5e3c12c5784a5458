//! Compiles the copy of a package, through cargo.

use super::compile::{Compiled, Effort, Job, read_object};
use super::failure::Failure;
use super::inputs;
use super::manifest;
use super::messages;
use super::mirror::{Mirror, absolute};
use super::plan::Source;
use super::toolchain::{command, tool};
use cargo_metadata::{Metadata, MetadataCommand, Package, Target};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// The folder that all compilations share, named so that what a build script's folder is called shows in a text.
pub(crate) const TARGET: &str = "upcall-probe-target";

/// A compilation through cargo.
pub(super) struct Cargo<'a> {
    pub job: &'a Job<'a>,
    pub metadata: &'a Metadata,
    pub package: &'a Package,
    pub crate_type: &'a str,
    /// The scratch folder of this source.
    pub place: &'a Path,
    /// The scratch folder shared by all, so that dependencies are compiled once.
    pub target: &'a Path,
    /// The build script, if it has to run.
    pub script: Option<&'a Path>,
}

impl Cargo<'_> {
    pub fn attempt(&self, effort: Effort) -> Result<Compiled, Vec<Failure>> {
        let job = self.job;
        let manifest = self.package.manifest_path.as_std_path();
        let home = manifest.parent().unwrap_or(Path::new(""));
        let workspace = self.metadata.workspace_root.as_std_path();
        let mirror = job.mirror(self.place, if home.starts_with(workspace) { workspace } else { home });
        let texts = self.place.join("texts");
        let copied_script = self.script.map(|script| mirror.copy_of(script));
        let root = mirror.copy_of(&absolute(&job.plan.source.root));
        let text = manifest::text(&manifest::Kept {
            package: self.package,
            root: &root,
            // With code, a `cdylib` would be linked.
            crate_type: if effort == Effort::Full { "lib" } else { self.crate_type },
            build_script: copied_script.as_deref(),
            debug_assertions: job.plan.source.cfgs.iter().any(|cfg| cfg == "debug_assertions"),
            asks_panic: job.asks_panic(),
            workspace: &workspace.join("Cargo.toml"),
        });
        let mut more = vec![(manifest.to_owned(), text)];
        if let Ok(lock) = fs::read_to_string(workspace.join("Cargo.lock")) {
            more.push((home.join("Cargo.lock"), lock));
        }
        job.write(&mirror, &texts, effort, more)?;
        let object = self.place.join("probe.o");
        let _ = fs::remove_file(&object);
        let rustc = Rustc {
            folder: home,
            manifest: &mirror.copy_of(manifest),
            target: &self.target.join(TARGET),
            crates: &crates(self.metadata),
            source: &job.plan.source,
        };
        let output = rustc.run(|cargo| self.arguments(cargo, home, effort, &object));
        let output =
            output.map_err(|error| Failure::new(format!("`cargo` cannot be started: {error}"), ""))?;
        self.finish(&output, &mirror, &texts, &object)
    }

    fn arguments(&self, cargo: &mut Command, home: &Path, effort: Effort, object: &Path) {
        let (job, source) = (self.job, &self.job.plan.source);
        cargo.args(["--lib", "--profile", if effort == Effort::Full { "dev" } else { "check" }]);
        cargo.args(["--target", &job.toolchain.target]);
        cargo.arg("--").arg(format!("--emit=obj={}", object.display())).args(job.flags());
        // Cargo names files from the workspace on, and the copy's workspace is its package.
        let workspace = self.metadata.workspace_root.as_std_path();
        if let Ok(within) = home.strip_prefix(workspace)
            && source.says_file
            && !within.as_os_str().is_empty()
        {
            cargo.args(job.toolchain.remap(Path::new(""), within));
        }
        if source.says_package {
            cargo.arg("-Zunstable-options");
            let path = self.package.manifest_path.as_std_path();
            for (name, value) in [("CARGO_MANIFEST_DIR", home), ("CARGO_MANIFEST_PATH", path)] {
                cargo.arg("--env-set").arg(format!("{name}={}", value.display()));
            }
        }
    }

    fn finish(
        &self,
        output: &Output,
        mirror: &Mirror,
        texts: &Path,
        object: &Path,
    ) -> Result<Compiled, Vec<Failure>> {
        let copy = mirror.copy_of(self.package.manifest_path.as_std_path());
        let paths = self.job.paths(mirror, copy.parent().unwrap_or(Path::new("")), texts);
        let (messages, diagnostics) = messages::said(output);
        let mut inputs = inputs::of(&messages, &|path| paths.input(path));
        let workspace = self.metadata.workspace_root.as_std_path();
        inputs.files.extend(["Cargo.toml", "Cargo.lock"].map(|name| workspace.join(name)));
        self.job.judge(output, diagnostics, &paths)?;
        Ok(Compiled { object: read_object(object)?, inputs })
    }
}

/// `cargo rustc` of a package, as the user's own shell would start it.
pub(crate) struct Rustc<'a> {
    /// The folder to start it in.
    pub folder: &'a Path,
    pub manifest: &'a Path,
    /// Not the user's: that may be locked by the cargo that is running us.
    pub target: &'a Path,
    /// The workspace's [`crates`].
    pub crates: &'a str,
    pub source: &'a Source,
}

impl Rustc<'_> {
    /// Runs it with further arguments.
    pub fn run(&self, arguments: impl Fn(&mut Command)) -> io::Result<Output> {
        let attempt = |offline: &[&str]| {
            let mut cargo = command(&tool("CARGO", "cargo"), self.folder);
            cargo.env("CARGO_BUILD_BUILD_DIR", self.target).env("CARGO_TERM_COLOR", "never");
            cargo.env("RUSTC_BOOTSTRAP", self.crates);
            cargo.args(["rustc", "--quiet", "--message-format=json"]).args(offline);
            cargo.arg("--manifest-path").arg(self.manifest).arg("--target-dir").arg(self.target);
            if !self.source.default_features {
                cargo.arg("--no-default-features");
            }
            if !self.source.features.is_empty() {
                cargo.args(["--features", &self.source.features.join(",")]);
            }
            arguments(&mut cargo);
            cargo.output()
        };
        let output = attempt(&["--offline"])?;
        // Without a network cargo says so at once, before it compiles anything.
        match !output.status.success() && String::from_utf8_lossy(&output.stderr).contains("offline") {
            true => attempt(&[]),
            false => Ok(output),
        }
    }
}

/// The names of the crates of a workspace, with commas between: of all that is compiled, these may use what is unstable. They
/// are the same for each of its packages, as build scripts that ask for them, and all that stands on these, run again when they
/// change.
pub(crate) fn crates(metadata: &Metadata) -> String {
    let named = |package: &Package| {
        let built = |target: &&Target| {
            !(target.is_custom_build() || target.is_test() || target.is_bench() || target.is_example())
        };
        let names = package
            .targets
            .iter()
            .filter(built)
            .map(|target| target.name.as_str())
            .chain([package.name.as_str()]);
        names.map(|name| name.replace('-', "_")).collect::<Vec<_>>()
    };
    let names: BTreeSet<String> = metadata.packages.iter().flat_map(named).collect();
    Vec::from_iter(names).join(",")
}

/// What cargo knows of a package and its workspace.
pub(crate) fn metadata(manifest: &Path) -> Result<Metadata, String> {
    let mut command = MetadataCommand::new();
    command.cargo_path(tool("CARGO", "cargo")).manifest_path(manifest).no_deps();
    command.other_options(["--offline".to_owned()]);
    if let Some(folder) = manifest.parent() {
        command.current_dir(folder);
    }
    let said = |error: cargo_metadata::Error| error.to_string().trim().to_owned();
    command.exec().map_err(|error| format!("cargo cannot read `{}`: {}", manifest.display(), said(error)))
}
