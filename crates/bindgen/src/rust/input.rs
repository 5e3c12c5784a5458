use std::path::PathBuf;

/// Rust sources and how to read them.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Input {
    /// Root files: a crate's `src/lib.rs`, whose modules are followed, or files without a package.
    pub files: Vec<PathBuf>,
    /// The target that `cfg` is evaluated for, as rustc names it; `None` for the current machine.
    pub target: Option<String>,
    /// The edition of files without a package. `None`: that of a package around them, or else 2024, and 2021 where
    /// they do not compile as 2024.
    pub edition: Option<String>,
    /// Features to enable.
    pub features: Vec<String>,
    /// Whether the package's default features are enabled too.
    pub default_features: bool,
    /// More `cfg` flags: `name` or `name="value"`.
    pub cfg: Vec<String>,
    /// Globs (`*` for any characters): functions with a matching name are taken, and what frees the handles that they
    /// give; exports by their symbol. If empty, all exports, and all others whose name
    /// does not begin with `_`.
    pub functions: Vec<String>,
    /// Globs: functions and constants with a matching name are left out.
    pub except: Vec<String>,
    /// Globs: constants with a matching name are taken.
    pub constants: Vec<String>,
    /// Types to take although no function uses them.
    pub types: Vec<String>,
    /// Whether the package's build script runs. `None`: if the sources ask for flags that neither rustc nor a feature
    /// sets, or read `OUT_DIR` or other variables that it may set.
    pub build_script: Option<bool>,
}

impl Default for Input {
    fn default() -> Input {
        Input {
            files: Vec::new(),
            target: None,
            edition: None,
            features: Vec::new(),
            default_features: true,
            cfg: Vec::new(),
            functions: Vec::new(),
            except: Vec::new(),
            constants: vec!["*".to_owned()],
            types: Vec::new(),
            build_script: None,
        }
    }
}
