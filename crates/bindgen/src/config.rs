//! What a run reads and writes, as a TOML file says it. The command line and the builder fill the same struct.

use crate::{c, csharp, header, java, python, rust, typescript};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use std::path::{Path, PathBuf};

/// A whole run: inputs, outputs, and what holds for all of them.
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
    /// The shared library's name, without prefix and suffix.
    pub library: String,
    /// What layouts are measured for, as rustc names it; none is this machine. Where the layouts of
    /// several differ, each has its own output, named for it.
    pub targets: Vec<String>,
    /// Leave out what cannot cross, with a warning for each, rather than fail.
    pub skip_unsupported: bool,
    /// Rust sources.
    pub rust: Option<rust::Input>,
    /// C headers.
    pub c: Option<c::Input>,
    /// C#: one file.
    pub csharp: Option<Output<csharp::Options>>,
    /// Python: a folder.
    pub python: Option<Output<python::Options>>,
    /// TypeScript: a folder.
    pub typescript: Option<Output<typescript::Options>>,
    /// Java: a folder.
    pub java: Option<Output<java::Options>>,
    /// C: one header.
    #[serde(rename = "header")]
    pub header: Option<Output<header::Options>>,
}

/// Where a back end writes, and its options, side by side in one TOML section.
#[derive(Clone, Debug, Default)]
pub struct Output<O> {
    /// A file for C# and C, else a folder.
    pub output: PathBuf,
    /// The back end's own.
    pub options: O,
}

impl<'de, O: DeserializeOwned> Deserialize<'de> for Output<O> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Output<O>, D::Error> {
        // Not `flatten`, which knows no unknown keys.
        let mut section = toml::Table::deserialize(deserializer)?;
        let output = match section.remove("output") {
            Some(toml::Value::String(path)) => path.into(),
            Some(other) => {
                return Err(D::Error::custom(format!("`output` is a path, not a {}", other.type_str())));
            }
            None => return Err(D::Error::missing_field("output")),
        };
        Ok(Output { output, options: section.try_into().map_err(D::Error::custom)? })
    }
}

impl Config {
    /// Reads a TOML file; its paths are relative to the folder it lies in.
    pub fn parse(text: &str, folder: &Path) -> Result<Config, toml::de::Error> {
        let mut config: Config = toml::from_str(text)?;
        for path in config.paths() {
            *path = folder.join(&*path);
        }
        Ok(config)
    }

    fn paths(&mut self) -> Vec<&mut PathBuf> {
        let mut paths = Vec::new();
        if let Some(rust) = &mut self.rust {
            paths.extend(&mut rust.files);
        }
        if let Some(c) = &mut self.c {
            paths.extend(c.headers.iter_mut().chain(&mut c.include));
        }
        paths.extend(self.csharp.as_mut().map(|output| &mut output.output));
        paths.extend(self.python.as_mut().map(|output| &mut output.output));
        paths.extend(self.typescript.as_mut().map(|output| &mut output.output));
        paths.extend(self.java.as_mut().map(|output| &mut output.output));
        paths.extend(self.header.as_mut().map(|output| &mut output.output));
        paths
    }
}
