//! How each language's output is compiled, and its check program started.

use super::run::{Outcome, Room, copy, said};
use super::tools;
use crate::config::Output;
use crate::java::jdk;
use crate::{Diagnostics, File, csharp, header, java, python, typescript};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

type Tell<'a> = &'a mut dyn FnMut(Result<Outcome, String>);
type Done = Result<Outcome, String>;

const RUNTIME_CONFIG: &str = r#"{"runtimeOptions":{"tfm":"net8.0","rollForward":"Major",
"framework":{"name":"Microsoft.NETCore.App","version":"8.0.0"},
"configProperties":{"System.Globalization.Invariant":true}}}
"#;

fn compiled(by: &str) -> Done {
    Ok(Outcome::Passed(format!("the output compiles ({by})")))
}

fn with_extension(folder: &Path, files: &[File], extension: &str) -> Vec<PathBuf> {
    let paths = files.iter().map(|file| folder.join(&file.path));
    paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

pub(super) fn csharp(room: &Room, library: &Path, output: &Output<csharp::Options>, tell: Tell) {
    let real = || {
        let files = csharp::generate(room.api, &output.options, &mut Diagnostics::default());
        let folder = room.place("csharp", &files)?;
        compile(&folder, "library", &with_extension(&folder, &files, "cs"))?;
        compiled("csc, warnings as errors")
    };
    let check = || {
        let files = csharp::check::program(room.api, &output.options);
        let folder = room.place("csharp-check", &files)?;
        copy(library, &folder)?;
        if folder.join("upcall_echo_shim").is_dir() {
            copy(&room.cargo(&folder.join("upcall_echo_shim"), "upcall_echo_shim")?, &folder)?;
        }
        let program = compile(&folder, "exe", &with_extension(&folder, &files, "cs"))?;
        room.right(&said(Command::new(tools::csharp()?.dotnet).arg("exec").arg(program), "")?)
    };
    tell(real());
    tell(check());
}

fn compile(folder: &Path, target: &str, sources: &[PathBuf]) -> Result<PathBuf, String> {
    let tools::CSharp { dotnet, csc, framework } = tools::csharp()?;
    let assembly = folder.join("check.dll");
    let mut arguments: Vec<String> =
        ["-nologo", "-nostdlib+", "-unsafe+", "-nullable:enable", "-langversion:12", "-warnaserror+"]
            .map(String::from)
            .to_vec();
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
    arguments.extend(sources.iter().map(|source| source.display().to_string()));
    let response = folder.join("check.rsp");
    fs::write(&response, arguments.join("\n")).map_err(wrong)?;
    fs::write(folder.join("check.runtimeconfig.json"), RUNTIME_CONFIG).map_err(wrong)?;
    let at = format!("@{}", response.display());
    said(Command::new(dotnet).arg("exec").arg(csc).args(["-noconfig", &at]), "")?;
    Ok(assembly)
}

pub(super) fn python(room: &Room, library: &Path, output: &Output<python::Options>, tell: Tell) {
    let package = match &output.options.package {
        name if name.is_empty() => &room.api.library,
        name => name,
    };
    let real = || {
        let mut files = python::generate(room.api, &output.options, &mut Diagnostics::default());
        files.push(File::new("use.py", format!("import {package}\n")));
        let folder = room.place("python", &files)?;
        let mut mypy = Command::new(tools::python());
        mypy.args(["-m", "mypy", "--strict", "use.py"]).current_dir(&folder);
        said(&mut mypy, "UPCALL_PYTHON names a Python with mypy; `cargo xtask setup` makes one")?;
        room.cargo(&folder.join(package).join("glue"), "_native")?;
        compiled("mypy --strict, cargo")
    };
    let check = || {
        let folder = room.place("python-check", &python::check::program(room.api, &output.options))?;
        room.cargo(&folder.join("upcall_echo/glue"), "_native")?;
        copy(library, &folder.join("upcall_echo"))?;
        room.right(&said(Command::new(tools::python()).arg("check.py").current_dir(&folder), "")?)
    };
    tell(real());
    tell(check());
}

pub(super) fn typescript(room: &Room, output: &Output<typescript::Options>, tell: Tell) {
    let real = || {
        let files = typescript::generate(room.api, &output.options, &mut Diagnostics::default());
        let folder = room.place("typescript", &files)?;
        let mut tsc = Command::new(tools::tsc());
        tsc.args(["--strict", "--noEmit", "--target", "ES2022", "--lib", "es2022,esnext.disposable"]);
        tsc.arg("index.d.ts").current_dir(&folder);
        said(&mut tsc, "UPCALL_TSC names it; `npm install -g typescript` installs it")?;
        room.cargo(&folder.join("glue"), "")?;
        compiled("tsc --strict, cargo")
    };
    tell(real());
    tell(Ok(Outcome::Skipped("no type was passed: TypeScript has no check program yet".into())));
}

pub(super) fn java(room: &Room, library: &Path, output: &Output<java::Options>, tell: Tell) {
    let jdk = match jdk::find(jdk::FFM) {
        Ok(jdk) => jdk,
        Err(missing) => return tell(Ok(Outcome::Skipped(missing.to_string()))),
    };
    let javac = |folder: &Path, files: &[File]| {
        let mut javac = Command::new(jdk.tool("javac"));
        javac.args(["-Xlint:all", "-Werror", "-encoding", "UTF-8", "-d"]).arg(folder.join("classes"));
        said(javac.args(with_extension(folder, files, "java")), "")
    };
    let real = || {
        let files = java::generate(room.api, &output.options, &mut Diagnostics::default());
        let folder = room.place("java", &files)?;
        javac(&folder, &files)?;
        compiled("javac -Xlint:all, warnings as errors")
    };
    let check = || {
        // The package is that of the echo library, which is where its main class is looked for.
        let options = java::Options { package: None, ..output.options.clone() };
        let files = java::check::program(room.api, &options);
        let folder = room.place("java-check", &files)?;
        javac(&folder, &files)?;
        copy(library, &folder)?;
        if folder.join("shim").is_dir() {
            copy(&room.cargo(&folder.join("shim"), "upcall_echo_shim")?, &folder)?;
        }
        let library = folder.join(library.file_name().unwrap_or_default());
        let mut program = Command::new(jdk.tool("java"));
        let mut property = OsString::from("-Dupcall_echo.library=");
        property.push(library);
        program.arg("--enable-native-access=ALL-UNNAMED").arg(property);
        program.arg("-cp").arg(folder.join("classes"));
        room.right(&said(program.arg(format!("upcall_echo.{}", java::check::MAIN)), "")?)
    };
    tell(real());
    tell(check());
}

pub(super) fn c(room: &Room, library: &Path, output: &Output<header::Options>, tell: Tell) {
    let options = header::Options { file: "api.h".into(), ..output.options.clone() };
    let missing = "install a C and a C++ compiler (Debian: `apt install g++`)";
    let real = || {
        let mut files = header::generate(room.api, &options, &mut Diagnostics::default());
        files.push(File::new("use.c", "#include \"api.h\"\n"));
        let folder = room.place("c", &files)?;
        for (compiler, language) in [("cc", "c"), ("c++", "c++")] {
            let mut compiler = Command::new(compiler);
            compiler.args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", language, "use.c"]);
            said(compiler.current_dir(&folder), missing)?;
        }
        compiled("cc and c++, warnings as errors")
    };
    let check = || {
        let folder = room.place("c-check", &header::check::program(room.api, &options))?;
        copy(library, &folder)?;
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "check.c", "-o", "check", "-L.", "-lupcall_echo", "-Wl,-rpath,."]);
        said(cc.current_dir(&folder), missing)?;
        room.right(&said(Command::new(folder.join("check")).current_dir(&folder), "")?)
    };
    tell(real());
    tell(check());
}
