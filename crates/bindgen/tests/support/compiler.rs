//! The C# compiler and the runtime that `cargo xtask setup` finds or makes.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const RUNTIME_CONFIG: &str = r#"{"runtimeOptions":{"tfm":"net8.0","rollForward":"Major",
"framework":{"name":"Microsoft.NETCore.App","version":"8.0.0"},
"configProperties":{"System.Globalization.Invariant":true}}}
"#;

/// `dotnet`, the compiler's assembly, the framework's folder: from the machine's SDK, or from the folder
/// that setup fills (`UPCALL_SETUP` names one other than the repository's `.setup`).
fn tools() -> (PathBuf, PathBuf, PathBuf) {
    sdk().or_else(fetched).expect("no C# compiler: run `cargo xtask setup`")
}

/// Whether there is a compiler.
pub fn is_there() -> bool {
    sdk().or_else(fetched).is_some()
}

fn sdk() -> Option<(PathBuf, PathBuf, PathBuf)> {
    let root = std::env::var_os("DOTNET_ROOT").map(|root| PathBuf::from(root).join("dotnet"));
    let dotnet = root.filter(|dotnet| dotnet.is_file()).unwrap_or_else(|| "dotnet".into());
    let listed = Command::new(&dotnet).arg("--list-sdks").output().ok()?;
    // `8.0.100 [/usr/share/dotnet/sdk]`, the newest last.
    let listed = String::from_utf8(listed.stdout).ok()?;
    let (version, folder) = listed.lines().last()?.split_once(' ')?;
    let sdk = Path::new(folder.trim_matches(['[', ']'])).join(version);
    let root = sdk.parent()?.parent()?.to_owned();
    let csc = sdk.join("Roslyn/bincore/csc.dll");
    csc.is_file().then(|| Some((dotnet, csc, newest(&root)?)))?
}

fn fetched() -> Option<(PathBuf, PathBuf, PathBuf)> {
    let setup = std::env::var_os("UPCALL_SETUP").map(PathBuf::from).or_else(|| {
        // A worktree shares the folder of the repository it belongs to.
        let mut git = Command::new("git");
        git.args(["rev-parse", "--path-format=absolute", "--git-common-dir"]);
        let git = git.current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()?;
        Some(Path::new(String::from_utf8(git.stdout).ok()?.trim()).parent()?.join(".setup"))
    })?;
    let root = setup.join("dotnet");
    Some((root.join("dotnet"), setup.join("csc/csc-lite.dll"), newest(&root)?))
}

fn newest(root: &Path) -> Option<PathBuf> {
    let folders = fs::read_dir(root.join("shared/Microsoft.NETCore.App")).ok()?.flatten();
    let numbers = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.split(['.', '-']).map(|number| number.parse().unwrap_or(0)).collect::<Vec<u32>>()
    };
    folders.map(|folder| folder.path()).max_by_key(numbers)
}

fn is_managed(name: &str) -> bool {
    let native = name.contains(".Native.") || name.starts_with("Microsoft.DiaSymReader");
    let starts = ["System.", "Microsoft.", "mscorlib", "netstandard"];
    name.ends_with(".dll") && !native && starts.iter().any(|start| name.starts_with(start))
}

/// The folder of the framework's assemblies.
pub fn framework() -> PathBuf {
    tools().2
}

/// The folder of the compiler's assemblies.
pub fn roslyn() -> PathBuf {
    tools().1.parent().expect("it lies in a folder").to_owned()
}

/// Compiles sources into `folder`/`name`.dll with warnings as errors; returns the compiler's output if it fails.
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
    compile_more(folder, name, target, sources, &More { references, generators: &[] })
}

/// What a program is compiled with besides the framework.
pub struct More<'a> {
    /// Assemblies that it uses.
    pub references: &'a [PathBuf],
    /// Assemblies of source generators.
    pub generators: &'a [PathBuf],
}

/// The same with source generators.
pub fn compile_more(
    folder: &Path,
    name: &str,
    target: &str,
    sources: &[PathBuf],
    more: &More,
) -> Result<PathBuf, String> {
    let (dotnet, csc, framework) = tools();
    let assembly = folder.join(format!("{name}.dll"));
    let mut arguments: Vec<OsString> = [
        "-nologo", "-nostdlib+", "-deterministic+", "-unsafe+", "-optimize+", "-nullable:enable",
        "-langversion:12", "-warnaserror+",
    ]
    .map(OsString::from)
    .to_vec();
    arguments.push(format!("-target:{target}").into());
    arguments.push(format!("-out:{}", assembly.display()).into());
    if more.generators.is_empty() {
        // Not everything that generators write is documented.
        arguments.push(format!("-doc:{}", assembly.with_extension("xml").display()).into());
    }
    for file in fs::read_dir(framework).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if is_managed(&name) {
            arguments.push(format!("-r:{}", path.display()).into());
        }
    }
    if !more.generators.is_empty() {
        // An SDK's build defines these, and generators ask for them.
        arguments.push("-define:NET;NET7_0_OR_GREATER;NET8_0_OR_GREATER".into());
    }
    arguments.extend(more.generators.iter().map(|file| format!("-analyzer:{}", file.display()).into()));
    arguments.extend(more.references.iter().map(|file| format!("-r:{}", file.display()).into()));
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

/// Starts a compiled program; returns its exit code and output.
pub fn run(program: &Path) -> (Option<i32>, String) {
    run_with(program, &[])
}

/// The same with arguments.
pub fn run_with(program: &Path, arguments: &[&std::ffi::OsStr]) -> (Option<i32>, String) {
    said(started(program).args(arguments))
}

/// The command that starts a compiled program.
pub fn started(program: &Path) -> Command {
    let mut command = Command::new(tools().0);
    command.arg("exec").arg(program);
    command
}

/// Runs a command; returns its exit code and output.
pub fn said(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}
