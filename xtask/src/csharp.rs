//! C# projects: a folder of sources becomes one assembly, and only when something has changed.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::server::Server;
use crate::setup::dotnet::{self, Compiler, RUNTIME_CONFIG};
use crate::workspace::{Workspace, files_below};
use crate::{command, digest};

/// Names the socket of a compiler that stays to every csc-lite that is started.
pub const SERVER: &str = "UPCALL_CSC_SERVER";

/// Such a compiler, where csc-lite is the compiler; that of an SDK is compiled already.
pub fn server(ws: &Workspace) -> Result<Option<Server>> {
    let compiler = dotnet::find(ws)?;
    if !compiler.csc.ends_with("csc-lite.dll") {
        return Ok(None);
    }
    // The path of a socket is at most 107 bytes long.
    let socket = env::temp_dir().join(format!("upcall-csc-{}", std::process::id()));
    let mut command = ws.command(&compiler.dotnet);
    Server::start(command.arg("exec").arg(&compiler.csc).arg("-server"), socket).map(Some)
}

/// What a project is compiled into.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// A library.
    Library,
    /// A library whose public members must all be documented; the documentation is put beside it.
    DocumentedLibrary,
    /// A console program.
    Program,
}

/// All the C# sources in a folder and what they are compiled into.
pub struct Project {
    /// The folder; all `.cs` files below it belong to the project.
    pub sources: PathBuf,
    /// The assembly; its name is the assembly's name.
    pub output: PathBuf,
    /// Library or program.
    pub kind: Kind,
    /// Assemblies that it uses, besides the framework.
    pub references: Vec<PathBuf>,
    /// Assemblies of source generators that are run.
    pub generators: Vec<PathBuf>,
}

impl Project {
    /// A project that uses nothing besides the framework.
    pub fn new(sources: PathBuf, output: PathBuf, kind: Kind) -> Project {
        Project { sources, output, kind, references: Vec::new(), generators: Vec::new() }
    }

    /// Compiles the project, unless its output was made from the same inputs. True if it was compiled.
    pub fn compile(&self, ws: &Workspace, compiler: &Compiler) -> Result<bool> {
        let sources = files_below(&self.sources, "cs")?;
        if sources.is_empty() {
            bail!("compiling {}: it holds no C# source", self.sources.display());
        }
        let arguments = self.arguments(ws, compiler, &sources)?;
        let stamp = self.output.with_extension("dll.inputs");
        let inputs = self.inputs(compiler, &arguments, &sources)?;
        if self.output.is_file() && fs::read_to_string(&stamp).is_ok_and(|made_from| made_from == inputs) {
            return Ok(false);
        }

        let folder = self.output.parent().context("an assembly lies in a folder")?;
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        let response = self.output.with_extension("rsp");
        let lines: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
        fs::write(&response, lines.join("\n")).with_context(|| format!("writing {}", response.display()))?;
        let mut at = OsString::from("@");
        at.push(&response);
        // csc takes -noconfig on its command line only.
        let compiled = command::run(
            Command::new(&compiler.dotnet).arg("exec").arg(&compiler.csc).arg("-noconfig").arg(at),
        );
        compiled.with_context(|| format!("compiling the C# in {}", self.sources.display()))?;
        fs::remove_file(&response).with_context(|| format!("removing {}", response.display()))?;
        if self.kind == Kind::Program {
            let config = self.output.with_extension("runtimeconfig.json");
            fs::write(&config, RUNTIME_CONFIG).with_context(|| format!("writing {}", config.display()))?;
            self.copy_references(folder)?;
        }
        fs::write(&stamp, inputs).with_context(|| format!("writing {}", stamp.display()))?;
        Ok(true)
    }

    /// A response file of csc, one argument per line.
    fn arguments(&self, ws: &Workspace, compiler: &Compiler, sources: &[PathBuf]) -> Result<Vec<OsString>> {
        let target = if self.kind == Kind::Program { "-target:exe" } else { "-target:library" };
        let mut arguments: Vec<OsString> = [
            "-nologo", "-nostdlib+", "-deterministic+", "-unsafe+", "-optimize+", "-nullable:enable",
            "-langversion:12", "-warnaserror+", "-debug:embedded", target,
        ]
        .map(OsString::from)
        .to_vec();
        // Stack traces name a source as seen from the repository, wherever that lies.
        arguments.push(format!("-pathmap:\"{}=.\"", ws.root.display()).into());
        arguments.push(option("-out:", &self.output));
        if self.kind == Kind::DocumentedLibrary {
            arguments.push(option("-doc:", &self.output.with_extension("xml")));
        }
        let framework = files_below(&compiler.framework, "dll")?;
        let managed = framework.iter().filter(|file| is_managed(file));
        arguments.extend(managed.chain(&self.references).map(|file| option("-r:", file)));
        if !self.generators.is_empty() {
            // An SDK's build defines these, and generators ask for them.
            arguments.push("-define:NET;NET7_0_OR_GREATER;NET8_0_OR_GREATER".into());
        }
        arguments.extend(self.generators.iter().map(|file| option("-analyzer:", file)));
        arguments.extend(sources.iter().map(|file| option("", file)));
        Ok(arguments)
    }

    /// A digest of everything that the output depends on.
    fn inputs(&self, compiler: &Compiler, arguments: &[OsString], sources: &[PathBuf]) -> Result<String> {
        let mut parts = vec![compiler.version.clone().into_bytes()];
        parts.extend(arguments.iter().map(|argument| argument.as_encoded_bytes().to_vec()));
        for file in sources.iter().chain(&self.references).chain(&self.generators) {
            parts.push(fs::read(file).with_context(|| format!("reading {}", file.display()))?);
        }
        Ok(digest::of_parts(parts.iter().map(Vec::as_slice)))
    }

    /// A program finds its libraries beside itself.
    fn copy_references(&self, folder: &Path) -> Result<()> {
        for reference in &self.references {
            let name = reference.file_name().context("a reference is a file")?;
            let copy = folder.join(name);
            fs::copy(reference, &copy).with_context(|| format!("copying to {}", copy.display()))?;
        }
        Ok(())
    }
}

fn option(name: &str, file: &Path) -> OsString {
    format!("{name}\"{}\"", file.display()).into()
}

/// A framework's folder also holds native libraries, on some systems with the same extension.
fn is_managed(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let native = name.contains(".Native.") || name.starts_with("Microsoft.DiaSymReader");
    !native
        && ["System.", "Microsoft.", "mscorlib", "netstandard"].iter().any(|start| name.starts_with(start))
}
