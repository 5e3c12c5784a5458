//! C# among the other back ends.

use super::{Options, check, generate};
use crate::backend::{Backend, Done, Glue, compiled};
use crate::check::{Room, beside, library_file, tools};
use crate::model::Api;
use crate::output::with_extension;
use crate::{Diagnostics, File};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of C# that check programs are written in.
const NEWEST: u32 = 12;

const RUNTIME_CONFIG: &str = r#"{"runtimeOptions":{"tfm":"net8.0","rollForward":"Major",
"framework":{"name":"Microsoft.NETCore.App","version":"8.0.0"},
"configProperties":{"System.Globalization.Invariant":true}}}
"#;

impl Backend for Options {
    fn language(&self) -> &'static str {
        "C#"
    }

    fn is_file(&self) -> bool {
        true
    }

    fn changes_case(&self) -> (bool, bool) {
        (true, true)
    }

    fn chosen_names(&self) -> Vec<&str> {
        self.rename.keys().map(String::as_str).collect()
    }

    fn files(&self, api: &Api, name: &Path, diagnostics: &mut Diagnostics) -> Vec<File> {
        generate(api, &Options { file: name.to_string_lossy().into_owned(), ..self.clone() }, diagnostics)
    }

    fn glue(&self, library: &str, krate: &Path, built: &str) -> Option<Glue> {
        krate.ends_with(format!("{library}_shim")).then(|| Glue::Beside(library_file(built)))
    }

    fn compile(&self, room: &Room) -> Done {
        // Normally the rest of the user's code may provide these.
        let options = Options { library_name: true, support: true, ..self.clone() };
        let mut files = generate(room.api, &options, &mut Diagnostics::default());
        let spaces = options.using.iter().map(|name| format!("namespace {name} {{ }}\n"));
        files.push(File::new("Using.cs", spaces.collect::<String>()));
        let folder = room.place("csharp", &files)?;
        csc(room, &folder, "library", options.language, &files)?;
        compiled("csc, warnings as errors")
    }

    fn echo(&self, room: &Room, library: &Path) -> Option<Done> {
        let echo = || {
            let files = check::of(room.echo, self);
            let folder = room.place("csharp-check", &files)?;
            beside(library, &folder)?;
            let shim = folder.join("upcall_echo_shim");
            if files.iter().any(|file| file.path.starts_with("upcall_echo_shim")) {
                beside(&room.cargo(&shim, "upcall_echo_shim")?, &folder)?;
            }
            let program = csc(room, &folder, "exe", NEWEST, &files)?;
            room.right(&room.said(Command::new(tools::csharp()?.dotnet).arg("exec").arg(program), "")?)
        };
        Some(echo())
    }
}

fn csc(room: &Room, folder: &Path, target: &str, language: u32, files: &[File]) -> Result<PathBuf, String> {
    let tools::CSharp { dotnet, csc, framework, older } = tools::csharp()?;
    let assembly = folder.join("check.dll");
    let mut arguments: Vec<String> =
        ["-nologo", "-nostdlib+", "-unsafe+", "-nullable:enable", "-warnaserror+"].map(String::from).to_vec();
    arguments.push(format!("-langversion:{}", if older { language } else { NEWEST }));
    arguments.push(format!("-target:{target}"));
    arguments.push(format!("-out:{}", assembly.display()));
    let wrong = |error: std::io::Error| format!("preparing {}: {error}", assembly.display());
    for file in fs::read_dir(framework).map_err(wrong)?.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        let managed = ["System.", "Microsoft.", "mscorlib", "netstandard"];
        let native = name.contains(".Native.") || name.starts_with("Microsoft.DiaSymReader");
        if name.ends_with(".dll") && !native && managed.iter().any(|start| name.starts_with(start)) {
            arguments.push(format!("-r:{}", file.path().display()));
        }
    }
    arguments.extend(with_extension(folder, files, "cs").iter().map(|path| path.display().to_string()));
    let response = folder.join("check.rsp");
    let quoted: Vec<String> = arguments.iter().map(|argument| format!("\"{argument}\"")).collect();
    fs::write(&response, quoted.join("\n")).map_err(wrong)?;
    fs::write(folder.join("check.runtimeconfig.json"), RUNTIME_CONFIG).map_err(wrong)?;
    let at = format!("@{}", response.display());
    room.said(Command::new(dotnet).arg("exec").arg(csc).args(["-noconfig", &at]), "")?;
    Ok(assembly)
}
