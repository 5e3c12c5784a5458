//! The libraries that the bindings need besides the user's, built where the packages look for them.

use crate::backend::Glue;
use crate::check::{host, library_file, said};
use crate::config::Config;
use crate::generate::{Generated, place};
#[cfg(feature = "c")]
use crate::inline;
use crate::step::{Outcome, Step, Stop};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A generated crate on disk.
struct Crate {
    language: &'static str,
    folder: PathBuf,
    /// The library's name.
    name: String,
    /// Where its library is looked for. A Python package finds it where cargo leaves it.
    to: Option<PathBuf>,
}

/// Where a library is made that then takes the place of another: a program that has the old file loaded keeps it.
pub(crate) fn unfinished(library: &Path) -> PathBuf {
    library.with_added_extension("new")
}

/// Builds every crate among the written files, optimised, so that the packages can be used at once:
/// Python's extension module, Node's addon, the JNI library, and the shims of C# and Java; and for each package the
/// library of functions that C inlines. Reports each one as it is done, and returns whether all succeeded.
pub fn build(config: &Config, generated: &Generated, stop: &Stop, report: &mut dyn FnMut(Step)) -> bool {
    let mut passed = true;
    let mut tell = |language, outcome: Result<Outcome, String>, start: Instant| {
        let outcome = outcome.unwrap_or_else(Outcome::Failed);
        passed &= !matches!(outcome, Outcome::Failed(_));
        if !stop.stopped() {
            report(Step { language, outcome, took: start.elapsed() });
        }
    };
    let host = match host(stop) {
        Ok(host) => host,
        Err(said) => {
            tell("build", Err(said), Instant::now());
            return false;
        }
    };
    let mut other = Vec::new();
    for (folder, files) in &generated.outputs {
        // Outputs that differ between targets lie in folders named after the target.
        let target = generated.apis.iter().map(|api| &api.target.triple).find(|name| folder.ends_with(name));
        if let Some(target) = target.filter(|target| **target != host) {
            if !other.contains(target) {
                other.push(target.clone());
            }
            continue;
        }
        for manifest in files.iter().filter(|file| file.path.ends_with("Cargo.toml")) {
            let start = Instant::now();
            let Some(one) = Crate::new(config, folder, &manifest.path, &manifest.text) else { continue };
            tell(one.language, one.build(stop), start);
        }
        #[cfg(feature = "c")]
        for shims in files.iter().filter(|file| file.path.ends_with("shims.c")) {
            for (to, language) in inline::places(config, generated, target) {
                let start = Instant::now();
                tell(language, inline::build(config, &folder.join(&shims.path), &to, stop), start);
            }
        }
    }
    for target in other {
        let why = format!("what was made for {target}: this machine is {host}");
        tell("build", Ok(Outcome::Skipped(why)), Instant::now());
    }
    passed && !stop.stopped()
}

impl Crate {
    /// The crate of the first output that calls it its own.
    fn new(config: &Config, folder: &Path, manifest: &Path, text: &str) -> Option<Crate> {
        let name = text.lines().find_map(|line| line.strip_prefix("name = "))?.trim_matches('"').to_owned();
        let krate = manifest.parent()?;
        config.outputs().into_iter().find_map(|(path, backend)| {
            let to = match backend
                .glue(&config.library, krate, &name)
                .filter(|_| folder.starts_with(place(path, backend).0))?
            {
                Glue::InPlace => None,
                Glue::Beside(file) => Some(folder.join(file)),
            };
            Some(Crate { language: backend.language(), folder: folder.join(krate), name: name.clone(), to })
        })
    }

    fn build(&self, stop: &Stop) -> Result<Outcome, String> {
        let target = std::path::absolute(self.folder.join("target"));
        let target = target.map_err(|error| format!("finding {}: {error}", self.folder.display()))?;
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--release", "--quiet", "--target-dir"]).arg(&target).current_dir(&self.folder);
        said(stop, &mut cargo, "install Rust from rustup.rs")?;
        let built = self.folder.join("target/release").join(library_file(&self.name.replace('-', "_")));
        let found = match &self.to {
            Some(to) => {
                let made = unfinished(to);
                fs::copy(&built, &made)
                    .and_then(|_| fs::rename(&made, to))
                    .map_err(|error| format!("copying {} to {}: {error}", built.display(), to.display()))?;
                to
            }
            None => &built,
        };
        Ok(Outcome::Passed(format!("built {}", found.display())))
    }
}
