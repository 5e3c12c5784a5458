use std::path::PathBuf;

/// How the probe compiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The target as rustc names it. `None`: the compiler's own host.
    pub target: Option<String>,
    /// The folder for scratch packages and kept results. `None`: `upcall-probe` in the workspace's target folder,
    /// or in the user's cache folder for a file without a package and for a package of cargo's registry.
    pub folder: Option<PathBuf>,
    /// Whether the package's build script runs. `None`: only if the crate does not compile without it because
    /// it reads `OUT_DIR` or another variable that is not set. Within that very build script, cargo has set `OUT_DIR` already.
    pub build_script: Option<bool>,
    /// Whether to keep a result and use it again for the same input.
    pub keep: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { target: None, folder: None, build_script: None, keep: true }
    }
}
