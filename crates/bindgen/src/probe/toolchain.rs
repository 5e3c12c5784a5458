//! The compiler, and whether it can compile for the target.

use super::failure::Failure;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Set for every process that the probe starts.
pub const GUARD: &str = upcall_shim::MEASURING;

/// Whether a probe started this process: a build script that calls this library, within the probe of
/// its own package. It must not probe again, as its output is already being made.
#[must_use]
pub fn is_nested() -> bool {
    env::var_os(GUARD).is_some()
}

/// The compiler that cargo would use in the folder of the user's source (where `rust-toolchain.toml` counts).
pub(super) struct Toolchain {
    rustc: OsString,
    /// The output of `rustc -vV`.
    pub version: String,
    /// The target.
    pub target: String,
}

impl Toolchain {
    pub fn find(folder: &Path, target: Option<&str>) -> Result<Toolchain, Failure> {
        let rustc = tool("RUSTC", "rustc");
        let version = output(Command::new(&rustc).arg("-vV").current_dir(folder))?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
        let target = target.unwrap_or(host).to_owned();
        Ok(Toolchain { rustc, version, target })
    }

    /// Makes `file!()` say another path. The compiler's messages keep theirs, where it is new enough to tell them apart.
    pub fn remap(&self, from: &Path, to: &Path) -> Vec<OsString> {
        let mut prefix = OsString::from("--remap-path-prefix=");
        prefix.push(from);
        prefix.push("=");
        prefix.push(to);
        let number = |part: &str| part.parse::<u32>().unwrap_or_default();
        let minor = self.version.strip_prefix("rustc 1.").and_then(|rest| rest.split('.').next());
        match minor.is_some_and(|minor| number(minor) >= 95) {
            true => vec![prefix, "--remap-path-scope=macro".into()],
            false => vec![prefix],
        }
    }

    pub fn rustc(&self, folder: &Path) -> Command {
        command(&self.rustc, folder)
    }

    /// An error that names the target, if there is no standard library for it.
    pub fn check_target(&self, folder: &Path) -> Result<(), Failure> {
        let mut rustc = Command::new(&self.rustc);
        rustc.args(["--print", "target-libdir", "--target", &self.target]).current_dir(folder);
        let libraries = output(&mut rustc).map_err(|failure| {
            match failure.message.contains("could not find specification") {
                true => Failure::new(
                    format!("rustc does not know the target `{}`", self.target),
                    "`rustc --print target-list` lists all",
                ),
                false => failure,
            }
        })?;
        let mut files = std::fs::read_dir(libraries.trim()).into_iter().flatten().flatten();
        if files.any(|file| file.file_name().to_string_lossy().starts_with("libcore-")) {
            return Ok(());
        }
        Err(Failure::new(
            format!(
                "the standard library for `{}` is not installed, so nothing can be measured there",
                self.target
            ),
            format!("run `rustup target add {}`", self.target),
        ))
    }
}

/// What the compiler that cargo would use in this folder says of itself, and the target: its own if none is given.
pub(crate) fn compiler(folder: &Path, target: Option<&str>) -> Result<(String, String), String> {
    let found = Toolchain::find(folder, target).map_err(|failure| failure.message)?;
    Ok((found.version, found.target))
}

/// The flags that the user's environment gives to every rustc that cargo starts.
pub(crate) fn user_flags() -> Vec<String> {
    match (env::var("CARGO_ENCODED_RUSTFLAGS"), env::var("RUSTFLAGS")) {
        (Ok(flags), _) => flags.split('\x1f').filter(|flag| !flag.is_empty()).map(str::to_owned).collect(),
        (_, Ok(flags)) => flags.split_whitespace().map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The program that a variable names, or that is on the path.
pub(crate) fn tool(variable: &str, name: &str) -> OsString {
    env::var_os(variable).unwrap_or_else(|| name.into())
}

/// A compiler as the user's own shell would start it, even from within a build script.
pub(crate) fn command(program: &OsString, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env(GUARD, "1");
    // `cargo clippy` sets these for build scripts too, but clippy is not wanted here.
    command.env_remove("RUSTC_WORKSPACE_WRAPPER").env_remove("CLIPPY_ARGS");
    command
}

fn output(command: &mut Command) -> Result<String, Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| {
        Failure::new(format!("`{name}` cannot be started: {error}"), "install Rust, or set RUSTC and CARGO")
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Failure::new(format!("`{name}` failed: {said}"), ""));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
