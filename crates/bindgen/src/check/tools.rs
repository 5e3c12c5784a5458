//! Where the compilers are: named by the user, fetched by `cargo xtask setup`, or on the path.

use super::room::said;
use crate::step::Stop;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The current machine, as rustc names it.
pub(crate) fn host(stop: &Stop) -> Result<String, String> {
    let about = said(stop, Command::new("rustc").arg("-vV"), "install Rust from rustup.rs")?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| format!("rustc does not say what this machine is:\n{about}"))
}

/// A C# compiler and its runtime.
pub(crate) struct CSharp {
    pub(crate) dotnet: PathBuf,
    pub(crate) csc: PathBuf,
    pub(crate) framework: PathBuf,
    /// Whether it can compile older versions of the language; the fetched one knows only one version.
    pub(crate) older: bool,
}

/// The compiler of an installed SDK, or the fetched one.
pub(crate) fn csharp() -> Result<CSharp, String> {
    let root = env::var_os("DOTNET_ROOT").map(|root| PathBuf::from(root).join("dotnet"));
    let dotnet = root.filter(|dotnet| dotnet.is_file()).unwrap_or_else(|| "dotnet".into());
    let fetched = || {
        let setup = setup()?;
        let root = setup.join("dotnet");
        let (dotnet, csc) = (root.join("dotnet"), setup.join("csc/csc-lite.dll"));
        csc.is_file().then_some(CSharp { dotnet, csc, framework: framework(&root)?, older: false })
    };
    let missing = "no C# compiler: install a .NET SDK, or run `cargo xtask setup` and set UPCALL_HOME";
    sdk(&dotnet).or_else(fetched).ok_or_else(|| missing.into())
}

fn sdk(dotnet: &Path) -> Option<CSharp> {
    let listed = Command::new(dotnet).arg("--list-sdks").output().ok()?;
    let listed = String::from_utf8(listed.stdout).ok()?;
    // `8.0.100 [/usr/share/dotnet/sdk]`, the newest last.
    let (version, folder) = listed.lines().last()?.split_once(' ')?;
    let sdk = Path::new(folder.trim_matches(['[', ']'])).join(version);
    let csc = sdk.join("Roslyn/bincore/csc.dll");
    let framework = framework(sdk.parent()?.parent()?)?;
    csc.is_file().then(|| CSharp { dotnet: dotnet.to_owned(), csc, framework, older: true })
}

fn framework(root: &Path) -> Option<PathBuf> {
    let folders = fs::read_dir(root.join("shared/Microsoft.NETCore.App")).ok()?.flatten();
    let numbers = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.split(['.', '-']).map(|number| number.parse().unwrap_or(0)).collect::<Vec<u32>>()
    };
    folders.map(|folder| folder.path()).max_by_key(numbers)
}

/// A Python with mypy.
pub(crate) fn python() -> PathBuf {
    let given = env::var_os("UPCALL_PYTHON").map(PathBuf::from);
    let fetched = || setup().map(|setup| setup.join("venv/bin/python")).filter(|python| python.is_file());
    given.or_else(fetched).unwrap_or_else(|| "python3".into())
}

/// The TypeScript compiler.
pub(crate) fn tsc() -> PathBuf {
    let given = env::var_os("UPCALL_TSC").map(PathBuf::from);
    let fetched =
        || setup().map(|setup| setup.join("node/node_modules/.bin/tsc")).filter(|tsc| tsc.is_file());
    given.or_else(fetched).unwrap_or_else(|| "tsc".into())
}

/// The folder that setup fills: in the repository that `UPCALL_HOME` names, or in the current one.
fn setup() -> Option<PathBuf> {
    if let Some(home) = env::var_os("UPCALL_HOME") {
        return Some(PathBuf::from(home).join(".setup"));
    }
    let starts = [env::current_dir().ok(), env::current_exe().ok()];
    let folders = starts.iter().flatten().flat_map(|start| start.ancestors());
    let mut setups = folders.map(|folder| folder.join(".setup"));
    setups.find(|setup| setup.is_dir())
}
