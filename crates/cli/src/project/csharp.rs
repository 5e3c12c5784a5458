//! Handlers in C#: compiled by an SDK's compiler, or by the one that setup fetched.

use super::{files_below, home, make_folder, replace};
use crate::arguments::Guests;
use crate::exit::usage;
use crate::output;
use anyhow::Context;
use semver::Version;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use upcall_host::clr::{self, ClrOptions};

const INSTALL: &str = "see `upcall doctor csharp`";
const OLDEST: u64 = 8;

/// Folders whose sources are not the library's.
const OTHERS: [&str; 4] = ["tests", "build", "bin", "obj"];

/// Which framework a program needs; without ICU, which a bare machine does not have.
const RUNTIME_CONFIG: &str = r#"{"runtimeOptions":{"tfm":"net8.0","rollForward":"Major",
"framework":{"name":"Microsoft.NETCore.App","version":"8.0.0"},
"configProperties":{"System.Globalization.Invariant":true}}}
"#;

/// A folder with a .csproj.
pub(super) struct Part {
    folder: PathBuf,
    project: PathBuf,
}

/// What is made of some sources.
enum Kind {
    Library,
    Program,
}

/// A compiler and what it needs.
struct Compiler {
    dotnet: PathBuf,
    csc: PathBuf,
    /// The folder of the framework's assemblies.
    framework: PathBuf,
}

impl Part {
    pub(super) fn new(folder: &Path, project: &Path) -> Part {
        Part { folder: folder.to_owned(), project: project.to_owned() }
    }

    /// Compiles the library, or the program where the project says so, and returns where it is.
    pub(super) fn build(&self, guests: &Guests) -> anyhow::Result<PathBuf> {
        let text =
            fs::read_to_string(&self.project).with_context(|| format!("read {}", self.project.display()))?;
        if text.contains("<PackageReference") {
            let project = self.project.display();
            let message = format!(
                "build {project}: it refers to packages, which only a .NET SDK fetches; run `dotnet build -o build`"
            );
            return Err(usage(message));
        }
        let kind = self.kind(&text)?;
        let name = self.name()?;
        let sdk = home("build/Upcall.dll")?.join("build/Upcall.dll");
        let library = self.folder.join("build").join(format!("{name}.dll"));
        let sources = files_below(&self.folder, "cs", &OTHERS)?;
        self.compile(&compiler(guests)?, kind, &sources, &library, &[sdk])?;
        output::line(format!("built build/{name}.dll"))?;
        Ok(library)
    }

    /// Compiles the folder `tests` to a program, and runs it.
    pub(super) fn test(&self, guests: &Guests) -> anyhow::Result<()> {
        let tests = self.folder.join("tests");
        if !tests.is_dir() {
            return Err(usage(format!("test {}: there is no folder tests in it", self.folder.display())));
        }
        let library = self.build(guests)?;
        let (compiler, home) = (compiler(guests)?, home("build/Upcall.dll")?);
        let program = self.folder.join("build/tests").join(format!("{}.tests.dll", self.name()?));
        let references = [home.join("build/Upcall.dll"), library];
        let sources = files_below(&tests, "cs", &["bin", "obj"])?;
        self.compile(&compiler, Kind::Program, &sources, &program, &references)?;
        let mut command = Command::new(&compiler.dotnet);
        command
            .arg("exec")
            .arg(&program)
            .current_dir(&self.folder)
            .env("UPCALL_HOME", home)
            .stdin(Stdio::null());
        super::run(&mut command, &format!("test {}", self.folder.display()), INSTALL)
    }

    /// What the project is made to, by its text.
    fn kind(&self, text: &str) -> anyhow::Result<Kind> {
        let wanted = text.split_once("<OutputType>").and_then(|(_, rest)| rest.split_once("</OutputType>"));
        match wanted.map(|(wanted, _)| wanted.trim()) {
            None => Ok(Kind::Library),
            Some(wanted) if wanted.eq_ignore_ascii_case("library") => Ok(Kind::Library),
            Some(wanted) if wanted.eq_ignore_ascii_case("exe") => Ok(Kind::Program),
            Some(wanted) => {
                let project = self.project.display();
                let message = format!(
                    "build {project}: its OutputType is {wanted}; make it Exe, for a program, or leave it out, for a \
                     library of handlers"
                );
                Err(usage(message))
            }
        }
    }

    /// The name of the assembly.
    fn name(&self) -> anyhow::Result<&str> {
        let name = self.project.file_stem().and_then(|name| name.to_str());
        name.with_context(|| format!("the name of {} is not UTF-8", self.project.display()))
    }

    fn compile(
        &self,
        compiler: &Compiler,
        kind: Kind,
        sources: &[PathBuf],
        output: &Path,
        references: &[PathBuf],
    ) -> anyhow::Result<()> {
        if sources.is_empty() {
            return Err(usage(format!("compile {}: there is no .cs file for it", output.display())));
        }
        let folder = output.parent().context("an assembly lies in a folder")?;
        let (name, work) = (output.file_name().context("an assembly is a file")?, folder.join("obj"));
        make_folder(&work)?;
        let made = work.join(name);
        let target = match kind {
            Kind::Library => "-target:library",
            Kind::Program => "-target:exe",
        };
        let mut lines: Vec<String> = [
            "-nologo", "-nostdlib+", "-deterministic+", "-unsafe+", "-optimize+", "-nullable:enable",
            "-langversion:12", "-warnaserror+", "-debug:embedded", target,
        ]
        .map(str::to_owned)
        .to_vec();
        // Stack traces name a source as seen from the project's folder.
        lines.push(format!("-pathmap:\"{}=.\"", self.folder.display()));
        lines.push(format!("-out:\"{}\"", made.display()));
        let framework = files_below(&compiler.framework, "dll", &[])?;
        let managed = framework.iter().filter(|file| is_managed(file));
        lines.extend(managed.chain(references).map(|file| format!("-r:\"{}\"", file.display())));
        lines.extend(sources.iter().map(|file| format!("\"{}\"", file.display())));
        let response = made.with_extension("rsp");
        fs::write(&response, lines.join("\n")).with_context(|| format!("write {}", response.display()))?;
        // csc takes -noconfig on its command line only.
        let mut csc = Command::new(&compiler.dotnet);
        csc.arg("exec").arg(&compiler.csc).arg("-noconfig").arg(format!("@{}", response.display()));
        super::run(csc.stdin(Stdio::null()), &format!("compile {}", self.project.display()), INSTALL)?;
        replace(&made, output)?;
        if matches!(kind, Kind::Program) {
            let config = output.with_extension("runtimeconfig.json");
            fs::write(&config, RUNTIME_CONFIG).with_context(|| format!("write {}", config.display()))?;
            // A program finds its libraries beside itself.
            for reference in references {
                let copy = folder.join(reference.file_name().context("a reference is a file")?);
                fs::copy(reference, &copy).with_context(|| format!("copy {}", reference.display()))?;
            }
        }
        Ok(())
    }
}

/// The newest SDK's compiler, else the one that setup fetched.
fn compiler(guests: &Guests) -> anyhow::Result<Compiler> {
    if let Some(compiler) = programs().into_iter().find_map(|dotnet| of_sdk(&dotnet)) {
        return Ok(compiler);
    }
    let home = home("build/Upcall.dll")?;
    let csc = home.join(".setup/csc/csc-lite.dll");
    if !csc.is_file() {
        anyhow::bail!(
            "find a C# compiler: there is no .NET SDK {OLDEST} or later in DOTNET_ROOT or on PATH, and no {}; install \
             one, or run `cargo xtask setup` in {}",
            csc.display(),
            home.display()
        );
    }
    let runtime = clr::locate(&guests.clr_options()).into_result()?;
    // shared/Microsoft.NETCore.App/8.0.4 is three folders below.
    let root = runtime.folder.ancestors().nth(3).context("a runtime lies in a root")?;
    Ok(Compiler { dotnet: root.join(program()), csc, framework: runtime.folder.clone() })
}

fn program() -> String {
    format!("dotnet{}", env::consts::EXE_SUFFIX)
}

/// The `dotnet` programs that may know an SDK.
fn programs() -> Vec<PathBuf> {
    let root = env::var_os("DOTNET_ROOT").filter(|root| !root.is_empty()).map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = root.into_iter().chain(env::split_paths(&path));
    folders.map(|folder| folder.join(program())).filter(|program| program.is_file()).take(2).collect()
}

fn of_sdk(dotnet: &Path) -> Option<Compiler> {
    let listed = Command::new(dotnet).arg("--list-sdks").stdin(Stdio::null()).output().ok()?;
    let sdk = newest_sdk(&String::from_utf8_lossy(&listed.stdout))?;
    let csc = sdk.join("Roslyn/bincore/csc.dll");
    let root = sdk.parent()?.parent()?.to_owned();
    let runtime = clr::locate(&ClrOptions { dotnet_root: Some(root), home: None }).runtime?;
    csc.is_file().then(|| Compiler { dotnet: dotnet.to_owned(), csc, framework: runtime.folder })
}

/// The folder of the newest, from lines such as `8.0.100 [/usr/share/dotnet/sdk]`.
fn newest_sdk(listed: &str) -> Option<PathBuf> {
    let sdks = listed.lines().filter_map(|line| {
        let (version, rest) = line.split_once(' ')?;
        let folder = rest.trim().strip_prefix('[')?.strip_suffix(']')?;
        Some((Version::parse(version).ok()?, Path::new(folder).join(version)))
    });
    sdks.filter(|(version, _)| version.major >= OLDEST).max().map(|(_, folder)| folder)
}

/// A framework's folder also holds native libraries, on some systems with the same extension.
fn is_managed(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let native = name.contains(".Native.") || name.starts_with("Microsoft.DiaSymReader");
    !native
        && ["System.", "Microsoft.", "mscorlib", "netstandard"].iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_sdk_is_chosen_by_its_number_and_old_ones_do_not_count() {
        let listed =
            "6.0.400 [/d/sdk]\n8.0.99 [/d/sdk]\n10.0.100-rc.1 [/e/sdk]\n10.0.99 [/f/sdk]\n9.0.300 [/d/sdk]\n";
        assert_eq!(newest_sdk(listed), Some("/e/sdk/10.0.100-rc.1".into()));
        assert_eq!(newest_sdk("6.0.400 [/d/sdk]\nnothing\n"), None);
    }
}
