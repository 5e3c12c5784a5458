//! The C# compiler and the runtime that `cargo xtask setup` finds or makes.

#![allow(dead_code, reason = "each test program uses its part")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const RUNTIME_CONFIG: &str = r#"{"runtimeOptions":{"tfm":"net8.0","rollForward":"Major",
"framework":{"name":"Microsoft.NETCore.App","version":"8.0.0"},
"configProperties":{"System.Globalization.Invariant":true}}}
"#;

/// `dotnet`, the compiler's assembly, the framework's folder. `UPCALL_SETUP` names another folder than the
/// repository's `.setup`.
fn tools() -> (PathBuf, PathBuf, PathBuf) {
    let setup = std::env::var_os("UPCALL_SETUP").map(PathBuf::from).unwrap_or_else(|| {
        // A worktree shares the folder of the repository that it belongs to.
        let mut git = Command::new("git");
        git.args(["rev-parse", "--path-format=absolute", "--git-common-dir"]);
        let git = git.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("git starts");
        let common = PathBuf::from(String::from_utf8(git.stdout).expect("UTF-8").trim());
        common.parent().expect("it is in the repository").join(".setup")
    });
    let shared = setup.join("dotnet/shared/Microsoft.NETCore.App");
    let framework = fs::read_dir(&shared).ok().and_then(|mut folders| folders.next());
    let framework = framework.expect("no C# compiler: run `cargo xtask setup`").unwrap().path();
    (setup.join("dotnet/dotnet"), setup.join("csc/csc-lite.dll"), framework)
}

/// The folder of the framework's assemblies.
pub fn framework() -> PathBuf {
    tools().2
}

/// The folder of the compiler's assemblies.
pub fn roslyn() -> PathBuf {
    tools().1.parent().expect("it lies in a folder").to_owned()
}

/// Compiles sources into `folder`/`name`.dll with warnings as errors; what the compiler says if it fails.
pub fn compile(folder: &Path, name: &str, target: &str, sources: &[PathBuf]) -> Result<PathBuf, String> {
    compile_with(folder, name, target, sources, &[])
}

/// The same with more assemblies than the framework's.
pub fn compile_with(
    folder: &Path,
    name: &str,
    target: &str,
    sources: &[PathBuf],
    references: &[PathBuf],
) -> Result<PathBuf, String> {
    let (dotnet, csc, framework) = tools();
    let assembly = folder.join(format!("{name}.dll"));
    let mut arguments: Vec<OsString> = [
        "-nologo",
        "-nostdlib+",
        "-deterministic+",
        "-unsafe+",
        "-optimize+",
        "-nullable:enable",
        "-langversion:12",
        "-warnaserror+",
    ]
    .map(OsString::from)
    .to_vec();
    arguments.push(format!("-target:{target}").into());
    arguments.push(format!("-out:{}", assembly.display()).into());
    arguments.push(format!("-doc:{}", assembly.with_extension("xml").display()).into());
    for file in fs::read_dir(framework).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".dll") && !name.contains("Native") && !name.starts_with("lib") {
            arguments.push(format!("-r:{}", path.display()).into());
        }
    }
    arguments.extend(references.iter().map(|file| format!("-r:{}", file.display()).into()));
    arguments.extend(sources.iter().map(|source| source.into()));
    let response = assembly.with_extension("rsp");
    let lines: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    fs::write(&response, lines.join("\n")).unwrap();
    let at = format!("@{}", response.display());
    let output = Command::new(dotnet).arg("exec").arg(csc).args(["-noconfig", &at]).output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned());
    }
    fs::write(assembly.with_extension("runtimeconfig.json"), RUNTIME_CONFIG).unwrap();
    Ok(assembly)
}

/// Starts a compiled program; its exit code and what it printed.
pub fn run(program: &Path) -> (Option<i32>, String) {
    run_with(program, &[])
}

/// The same with arguments.
pub fn run_with(program: &Path, arguments: &[&std::ffi::OsStr]) -> (Option<i32>, String) {
    let output = Command::new(tools().0).arg("exec").arg(program).args(arguments).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}
