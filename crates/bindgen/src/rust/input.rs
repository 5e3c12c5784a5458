use std::path::PathBuf;

/// Rust sources and how they are to be read.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Input {
    /// Root files: a crate's `src/lib.rs`, whose modules are followed, or files without a package.
    pub files: Vec<PathBuf>,
    /// What `cfg` is evaluated for, as rustc names it; `None` for the machine that this runs on.
    pub target: Option<String>,
    /// Features that are on.
    pub features: Vec<String>,
    /// Whether the package's default features are on too.
    pub default_features: bool,
    /// More `cfg` flags: `name` or `name="value"`.
    pub cfg: Vec<String>,
    /// Globs (`*` for any characters): functions with such a name are taken. If it is empty, all whose name
    /// does not begin with `_`.
    pub functions: Vec<String>,
    /// Globs: functions with such a name are left out.
    pub except: Vec<String>,
    /// Globs: constants with such a name are taken.
    pub constants: Vec<String>,
    /// Types that are taken although no function uses them.
    pub types: Vec<String>,
    /// Whether the package's build script runs before anything is measured. `None`: only if the sources read
    /// `OUT_DIR`.
    pub build_script: Option<bool>,
}

impl Default for Input {
    fn default() -> Input {
        Input {
            files: Vec::new(),
            target: None,
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
