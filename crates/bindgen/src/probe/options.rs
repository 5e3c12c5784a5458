use std::path::PathBuf;

/// How the probe compiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The target as rustc names it. `None`: the compiler's own host.
    pub target: Option<String>,
    /// Where scratch packages and kept results go. `None`: `upcall-probe` in the workspace's target folder,
    /// or in the user's cache folder for a file without a package and for a package of cargo's registry.
    pub folder: Option<PathBuf>,
    /// Whether the package's build script runs. `None`: only if the crate does not compile without because
    /// it reads `OUT_DIR`; within that build script cargo has set it already.
    pub build_script: Option<bool>,
    /// Whether a result is kept, and used again for the same input.
    pub keep: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { target: None, folder: None, build_script: None, keep: true }
    }
}
