//! What a run reads and writes, as described by a TOML file. The command line and the builder fill the same struct.

use crate::backend::Backend;
#[cfg(feature = "c")]
use crate::c;
use crate::{csharp, header, java, python, rust, section, typescript};
use serde::Deserialize;
use serde::de::Deserializer;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// A whole run: inputs, outputs, and the settings shared by all of them.
///
/// ```toml
/// library = "engine"
///
/// [rust]
/// files = ["src/lib.rs"]
///
/// [csharp]
/// output = "bindings/Engine.g.cs"
/// namespace = "Engine"
///
/// [python]
/// output = "bindings/python"
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The shared library's name, without prefix and suffix. It may be empty if there are only packed types.
    pub library: String,
    /// Targets to measure layouts for, as rustc names them; none means this machine. Where the layouts of
    /// several differ, each has its own output, named after it.
    pub targets: Vec<String>,
    /// Leave out what cannot cross, with a warning for each item, instead of failing.
    pub skip_unsupported: bool,
    /// The TOML file this was read from, for the headers of written files.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// The shared library itself: items it does not export are left out, and a warning lists them.
    pub symbols: Option<PathBuf>,
    /// Names of types, functions, constants and statics that are others in every language: the source's, and the new
    /// ones.
    pub rename: BTreeMap<String, String>,
    /// Rust sources.
    pub rust: Option<rust::Input>,
    /// C headers.
    #[cfg(feature = "c")]
    pub c: Option<c::Input>,
    /// C#: one file.
    pub csharp: Option<Output<csharp::Options>>,
    /// Python: a folder.
    pub python: Option<Output<python::Options>>,
    /// TypeScript: a folder.
    pub typescript: Option<Output<typescript::Options>>,
    /// Java: a folder.
    pub java: Option<Output<java::Options>>,
    /// TypeScript that reads memory by hand: one file of sizes, offsets and constants.
    pub layouts: Option<Output<typescript::layouts::Options>>,
    /// C: one header.
    #[serde(rename = "header")]
    pub header: Option<Output<header::Options>>,
}

/// Where a back end writes, and its options, side by side in one TOML section.
#[derive(Clone, Debug, Default)]
pub struct Output<O> {
    /// A file for C#, C and layouts, else a folder.
    pub output: PathBuf,
    /// The back end's own.
    pub options: O,
}

impl<'de, O: section::Options> Deserialize<'de> for Output<O> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Output<O>, D::Error> {
        let (output, options) = section::read(deserializer)?;
        Ok(Output { output, options })
    }
}

impl Config {
    /// Reads a TOML file; its paths are relative to its folder.
    ///
    /// # Errors
    /// The text is no TOML, or has a key or a value that there is not.
    pub fn parse(text: &str, folder: &Path) -> Result<Config, toml::de::Error> {
        let mut config: Config = toml::from_str(text)?;
        #[cfg(feature = "c")]
        let headers = config.c.as_ref().map(|c| c.headers.clone()).unwrap_or_default();
        for path in config.paths() {
            *path = folder.join(&*path);
        }
        // A header that is not in the file's folder may be in one of those that are searched, or one of the system's that
        // the others want.
        #[cfg(feature = "c")]
        if let Some(c) = config.c.as_mut()
            && (!c.include.is_empty() || c.headers.iter().any(|path| path.exists()))
        {
            for (path, written) in c.headers.iter_mut().zip(headers).filter(|(path, _)| !path.exists()) {
                *path = written;
            }
        }
        Ok(config)
    }

    /// Whether no input is named.
    #[must_use]
    pub fn reads_nothing(&self) -> bool {
        #[cfg(feature = "c")]
        let c = self.c.is_some();
        #[cfg(not(feature = "c"))]
        let c = false;
        self.rust.is_none() && !c
    }

    /// Whether no output is named.
    #[must_use]
    pub fn writes_nothing(&self) -> bool {
        self.outputs().is_empty()
    }

    /// Every output that is named, and where it goes.
    pub(crate) fn outputs(&self) -> Vec<(&Path, &dyn Backend)> {
        let named = [
            named(&self.csharp),
            named(&self.python),
            named(&self.typescript),
            named(&self.java),
            named(&self.layouts),
            named(&self.header),
        ];
        named.into_iter().flatten().collect()
    }

    /// Whether an output is named that calls the library, or none at all.
    pub(crate) fn calls(&self) -> bool {
        let outputs = self.outputs();
        outputs.is_empty() || outputs.iter().any(|(_, backend)| backend.calls())
    }

    /// The names that a language has been told how to write.
    pub(crate) fn chosen_names(&self) -> HashSet<String> {
        self.outputs()
            .into_iter()
            .flat_map(|(_, backend)| backend.chosen_names())
            .map(str::to_owned)
            .collect()
    }

    /// Whether a language writes types in a case of its own, and whether one does so with functions.
    pub(crate) fn changes_case(&self) -> (bool, bool) {
        let changes = self.outputs().into_iter().map(|(_, backend)| backend.changes_case());
        changes.fold((false, false), |all, one| (all.0 || one.0, all.1 || one.1))
    }

    /// The command line equivalent to this run, without what differs between machines: outputs, and the input
    /// folders above the crates.
    pub fn command(&self) -> String {
        let mut command = concat!("upcall bindgen ", env!("CARGO_PKG_VERSION")).to_owned();
        let mut say = |key: &str, value: &str| {
            let value =
                if value.contains([' ', '"', '\'']) { format!("{value:?}") } else { value.to_owned() };
            command.extend([" --", key, if value.is_empty() { "" } else { " " }, &value]);
        };
        if let Some(name) = self.file.as_deref().and_then(Path::file_name) {
            say("config", &name.to_string_lossy());
        }
        if !self.library.is_empty() {
            say("library", &self.library);
        }
        if let Some(rust) = &self.rust {
            rust.files.iter().for_each(|file| say("rust", &in_crate(file)));
            rust.edition.iter().for_each(|edition| say("edition", edition));
            rust.features.iter().for_each(|feature| say("feature", feature));
        }
        #[cfg(feature = "c")]
        if let Some(c) = &self.c {
            let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            c.headers.iter().for_each(|header| say("header", &name(header)));
            c.define.iter().for_each(|define| say("define", define));
        }
        self.rename.iter().for_each(|(old, new)| say("rename", &format!("{old}={new}")));
        if let Some(name) = self.symbols.as_deref().and_then(Path::file_name) {
            say("symbols", &name.to_string_lossy());
        }
        if self.skip_unsupported {
            say("skip-unsupported", "");
        }
        command
    }

    fn paths(&mut self) -> Vec<&mut PathBuf> {
        let mut paths: Vec<&mut PathBuf> = self.symbols.iter_mut().collect();
        if let Some(rust) = &mut self.rust {
            paths.extend(&mut rust.files);
        }
        #[cfg(feature = "c")]
        if let Some(c) = &mut self.c {
            paths.extend(c.headers.iter_mut().chain(&mut c.include));
        }
        paths.extend(self.csharp.as_mut().map(|output| &mut output.output));
        paths.extend(self.python.as_mut().map(|output| &mut output.output));
        paths.extend(self.typescript.as_mut().map(|output| &mut output.output));
        paths.extend(self.java.as_mut().map(|output| &mut output.output));
        paths.extend(self.layouts.as_mut().map(|output| &mut output.output));
        paths.extend(self.header.as_mut().map(|output| &mut output.output));
        paths
    }
}

fn named<O: Backend>(output: &Option<Output<O>>) -> Option<(&Path, &dyn Backend)> {
    output.as_ref().map(|Output { output, options }| (output.as_path(), options as &dyn Backend))
}

/// A source file's path within its package, or its name.
fn in_crate(file: &Path) -> String {
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let package = whole.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").is_file());
    let name = || whole.file_name().map(Path::new).unwrap_or(&whole);
    let path = package.and_then(|package| whole.strip_prefix(package).ok()).unwrap_or_else(name);
    path.to_string_lossy().replace('\\', "/")
}
