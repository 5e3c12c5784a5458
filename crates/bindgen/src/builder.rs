//! Runs from a build script.

#[cfg(feature = "c")]
use crate::c;
use crate::config::{Config, Output};
use crate::diagnostics::{Diagnostics, Severity};
use crate::generate::generate;
use crate::write::Written;
use crate::{probe, rust};
use std::path::{Path, PathBuf};
use std::{env, error, fmt, fs, io};

/// Bindings from a `build.rs`, or from any program.
///
/// Paths are relative to the working folder, which in a build script is the package's.
///
/// ```no_run
/// fn main() -> Result<(), upcall_bindgen::Error> {
///     upcall_bindgen::Bindgen::new("engine")
///         .rust("src/lib.rs")
///         .csharp("../bindings/Native.g.cs")
///         .python("../bindings/python")
///         .with(|config| config.skip_unsupported = true)
///         .generate()?;
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bindgen {
    config: Config,
}

impl Bindgen {
    /// Bindings for a shared library, named without prefix and suffix: `engine` for `libengine.so`.
    pub fn new(library: impl Into<String>) -> Bindgen {
        Bindgen { config: Config { library: library.into(), ..Config::default() } }
    }

    /// A run as described by a TOML file.
    ///
    /// # Errors
    /// The file cannot be read, or something in it is wrong; the text shows each mistake at its place.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Bindgen, Error> {
        let mut diagnostics = Diagnostics::default();
        match Config::read(path.as_ref(), &mut diagnostics) {
            Some(config) => Ok(Bindgen { config }),
            None => Err(Error(diagnostics.render(false))),
        }
    }

    /// Reads a crate from its root file. May be called several times.
    pub fn rust(mut self, file: impl Into<PathBuf>) -> Bindgen {
        self.config.rust.get_or_insert_with(rust::Input::default).files.push(file.into());
        self
    }

    /// Reads a C header. May be called several times.
    #[cfg(feature = "c")]
    pub fn header(mut self, file: impl Into<PathBuf>) -> Bindgen {
        self.config.c.get_or_insert_with(c::Input::default).headers.push(file.into());
        self
    }

    /// Writes a C# file.
    pub fn csharp(mut self, file: impl Into<PathBuf>) -> Bindgen {
        set(&mut self.config.csharp, file.into());
        self
    }

    /// Writes a Python package into a folder.
    pub fn python(mut self, folder: impl Into<PathBuf>) -> Bindgen {
        set(&mut self.config.python, folder.into());
        self
    }

    /// Writes a TypeScript package into a folder.
    pub fn typescript(mut self, folder: impl Into<PathBuf>) -> Bindgen {
        set(&mut self.config.typescript, folder.into());
        self
    }

    /// Writes a Java package into a folder.
    pub fn java(mut self, folder: impl Into<PathBuf>) -> Bindgen {
        set(&mut self.config.java, folder.into());
        self
    }

    /// Writes a TypeScript file of sizes, offsets and constants.
    pub fn layouts(mut self, file: impl Into<PathBuf>) -> Bindgen {
        set(&mut self.config.layouts, file.into());
        self
    }

    /// Writes a C header.
    pub fn c(mut self, file: impl Into<PathBuf>) -> Bindgen {
        set(&mut self.config.header, file.into());
        self
    }

    /// Changes anything else. An output's options exist once its path is set.
    pub fn with(mut self, change: impl FnOnce(&mut Config)) -> Bindgen {
        change(&mut self.config);
        self
    }

    /// Reads, measures and writes. Under cargo it also tells cargo when to rerun, shows what was left out as
    /// warnings, and measures layouts for the target being built. While the compiler is only asked for layouts,
    /// which runs the package's build script again, it does nothing.
    ///
    /// # Errors
    /// An input cannot be read, measured or bound, or an output not be written; the text shows each mistake at its place,
    /// and nothing was written then.
    pub fn generate(mut self) -> Result<Written, Error> {
        if probe::is_nested() {
            return Ok(Written::default());
        }
        let cargo = env::var_os("OUT_DIR").is_some();
        if cargo {
            self.watch();
            let target = env::var("TARGET").ok().filter(|target| env::var("HOST").as_ref() != Ok(target));
            if self.config.targets.is_empty() {
                self.config.targets.extend(target);
            }
        }
        let mut diagnostics = Diagnostics::default();
        let Some(generated) = generate(&self.config, &mut diagnostics) else {
            return Err(Error(diagnostics.render(false)));
        };
        let said = diagnostics.list.iter().filter(|said| said.severity == Severity::Warning);
        if cargo {
            said.for_each(|warning| println!("cargo:warning={}", warning.to_string().replace('\n', " ")));
            generated.inputs().iter().filter(|file| file.is_absolute()).for_each(|file| again(file));
        }
        generated.write().map_err(|(path, error)| Error(format!("writing {}: {error}", path.display())))
    }

    /// Whole folders of Rust sources: a module that declares no function yet may be added later.
    fn watch(&self) {
        self.config.file.iter().for_each(|file| again(file));
        for file in self.config.rust.iter().flat_map(|rust| &rust.files) {
            again(file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(file));
        }
        #[cfg(feature = "c")]
        self.config.c.iter().flat_map(|c| &c.headers).for_each(|header| again(header));
    }
}

impl Config {
    /// Reads a TOML file.
    pub fn read(path: &Path, diagnostics: &mut Diagnostics) -> Option<Config> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                let help = match error.kind() {
                    io::ErrorKind::NotFound => "check the path; it is relative to the working folder",
                    _ => "",
                };
                diagnostics.error(None, format!("reading {}: {error}", path.display()), help);
                return None;
            }
        };
        match Config::parse(&text, path.parent().unwrap_or(Path::new(""))) {
            Ok(config) => Some(Config { file: Some(path.to_owned()), ..config }),
            Err(error) => {
                let error = error.to_string();
                diagnostics.error(None, format!("{} is wrong:\n{}", path.display(), error.trim_end()), "");
                None
            }
        }
    }
}

fn again(path: &Path) {
    println!("cargo:rerun-if-changed={}", path.display());
}

fn set<O: Default>(output: &mut Option<Output<O>>, path: PathBuf) {
    output.get_or_insert_with(Output::default).output = path;
}

/// Why nothing was written: every error, each with an excerpt of its source.
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

/// The same text, because this is what a build script's `main` prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl error::Error for Error {}
