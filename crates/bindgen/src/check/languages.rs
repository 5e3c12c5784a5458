//! How each language's output is compiled and its check program started.

use super::room::{Room, copy};
use super::tools;
use crate::config::Output;
use crate::java::{Mechanism, jdk};
use crate::step::Outcome;
use crate::{Diagnostics, File, csharp, header, java, python, typescript};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The suffix of an extension module's name.
const EXTENSION: &str = if cfg!(windows) { ".pyd" } else { ".abi3.so" };

/// The version of C# that check programs are written in.
const NEWEST: u32 = 12;

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

pub(super) fn csharp(room: &Room, library: Option<&Path>, output: &Output<csharp::Options>, tell: Tell) {
    let real = || {
        // Normally the rest of the user's code may provide these.
        let options = csharp::Options { library_name: true, support: true, ..output.options.clone() };
        let mut files = csharp::generate(room.api, &options, &mut Diagnostics::default());
        let spaces = options.using.iter().map(|name| format!("namespace {name} {{ }}\n"));
        files.push(File::new("Using.cs", spaces.collect::<String>()));
        let folder = room.place("csharp", &files)?;
        compile(room, &folder, "library", options.language, &with_extension(&folder, &files, "cs"))?;
        compiled("csc, warnings as errors")
    };
    let check = |library: &Path| {
        let files = csharp::check::of(room.echo, &output.options);
        let folder = room.place("csharp-check", &files)?;
        beside(library, &folder)?;
        let shim = folder.join("upcall_echo_shim");
        if files.iter().any(|file| file.path.starts_with("upcall_echo_shim")) {
            beside(&room.cargo(&shim, "upcall_echo_shim")?, &folder)?;
        }
        let program = compile(room, &folder, "exe", NEWEST, &with_extension(&folder, &files, "cs"))?;
        room.right(&room.said(Command::new(tools::csharp()?.dotnet).arg("exec").arg(program), "")?)
    };
    tell(real());
    library.into_iter().for_each(|library| tell(check(library)));
}

fn compile(
    room: &Room,
    folder: &Path,
    target: &str,
    language: u32,
    sources: &[PathBuf],
) -> Result<PathBuf, String> {
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
    arguments.extend(sources.iter().map(|source| source.display().to_string()));
    let response = folder.join("check.rsp");
    let quoted: Vec<String> = arguments.iter().map(|argument| format!("\"{argument}\"")).collect();
    fs::write(&response, quoted.join("\n")).map_err(wrong)?;
    fs::write(folder.join("check.runtimeconfig.json"), RUNTIME_CONFIG).map_err(wrong)?;
    let at = format!("@{}", response.display());
    room.said(Command::new(dotnet).arg("exec").arg(csc).args(["-noconfig", &at]), "")?;
    Ok(assembly)
}

fn beside(library: &Path, folder: &Path) -> Result<(), String> {
    copy(library, &folder.join(library.file_name().unwrap_or_default()))
}

pub(super) fn python(room: &Room, library: Option<&Path>, output: &Output<python::Options>, tell: Tell) {
    let package = output.options.package(room.api);
    let real = || {
        let mut files = python::generate(room.api, &output.options, &mut Diagnostics::default());
        let mut uses = format!("import {package}\n");
        if !room.api.packed.is_empty() {
            uses += &format!("import {}.pack\n", python::packers::package(room.api, &output.options));
        }
        files.push(File::new("use.py", uses));
        let folder = room.place("python", &files)?;
        let mut mypy = Command::new(tools::python());
        // `-P`: mypy itself must not import a package that shares a name with one of Python's own.
        mypy.args(["-P", "-m", "mypy", "--strict", "use.py"]).current_dir(&folder);
        let missing =
            "install Python 3.11 or later with mypy (`pip install mypy`), and set UPCALL_PYTHON to it";
        room.said(&mut mypy, missing).map_err(|said| match said.contains("No module named mypy") {
            true => format!("mypy was not found: {missing}"),
            false => said,
        })?;
        if room.api.only_packs() {
            return compiled("mypy --strict");
        }
        room.cargo(&folder.join(&package).join("glue"), &format!("{package}_native"))?;
        compiled("mypy --strict, cargo")
    };
    let check = |library: &Path| {
        let folder = room.place("python-check", &python::check::of(room.echo, &output.options))?;
        let package = folder.join("upcall_echo");
        let glue = room.cargo(&package.join("glue"), "upcall_echo_native")?;
        copy(&glue, &package.join(format!("_native{EXTENSION}")))?;
        beside(library, &package)?;
        room.right(&room.said(Command::new(tools::python()).arg("check.py").current_dir(&folder), "")?)
    };
    tell(real());
    library.into_iter().for_each(|library| tell(check(library)));
}

pub(super) fn typescript(
    room: &Room,
    library: Option<&Path>,
    output: &Output<typescript::Options>,
    tell: Tell,
) {
    let real = || {
        let files = typescript::generate(room.api, &output.options, &mut Diagnostics::default());
        let folder = room.place("typescript", &files)?;
        if !room.api.packed.is_empty() {
            let modules = ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom"];
            tsc(room, &folder, &[&modules[..], &["--noEmit", "pack.ts"]].concat())?;
        }
        if room.api.only_packs() {
            return compiled("tsc --strict");
        }
        tsc(room, &folder, &["--noEmit", "index.d.ts"])?;
        room.cargo(&folder.join("glue"), &typescript::glue_name(room.api))?;
        compiled("tsc --strict, cargo")
    };
    let check = |library: &Path| {
        let folder = room.place("typescript-check", &typescript::check::of(room.echo, &output.options))?;
        let package = folder.join("upcall_echo");
        let glue = room.cargo(&package.join("glue"), "upcall_echo_node")?;
        copy(&glue, &package.join("upcall_echo.node"))?;
        beside(library, &package)?;
        tsc(room, &folder, &["--module", "commonjs", "check.ts"])?;
        let mut node = Command::new("node");
        room.right(&room.said(node.arg("check.js").current_dir(&folder), "install Node 18 or later")?)
    };
    tell(real());
    library.into_iter().for_each(|library| tell(check(library)));
}

/// Its numbers are those that were measured, so that nothing but the compiler can object to them.
pub(super) fn layouts(room: &Room, output: &Output<typescript::layouts::Options>) -> Done {
    let options = typescript::layouts::Options { file: "layouts.ts".into(), ..output.options.clone() };
    let files = typescript::layouts::generate(room.api, &options, &mut Diagnostics::default());
    tsc(room, &room.place("layouts", &files)?, &["--noEmit", "layouts.ts"])?;
    Ok(Outcome::Passed("the layouts compile (tsc --strict)".into()))
}

fn tsc(room: &Room, folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut tsc = Command::new(tools::tsc());
    tsc.args(["--strict", "--target", "ES2022", "--lib", "es2022,esnext.disposable"]);
    tsc.args(arguments).current_dir(folder);
    room.said(&mut tsc, "`npm install -g typescript@5` installs it, and UPCALL_TSC names it elsewhere")
}

pub(super) fn java(room: &Room, library: Option<&Path>, output: &Output<java::Options>, tell: Tell) {
    let jni = output.options.mechanism == Mechanism::Jni;
    let found = if jni { jdk::find_oldest(jdk::JNI) } else { jdk::find(jdk::FFM) };
    let jdk = match found {
        Ok(jdk) => jdk,
        Err(missing) if jni => return tell(Err(format!("{missing}: install one, or set JAVA_HOME"))),
        Err(missing) => return tell(Ok(Outcome::Skipped(missing.to_string()))),
    };
    let javac = |folder: &Path, files: &[File]| {
        let mut javac = Command::new(jdk.tool("javac"));
        javac.args(["-Xlint:all", "-Werror", "-encoding", "UTF-8"]);
        if jni {
            javac.args(["--release", &jdk::JNI.to_string()]);
        }
        javac.arg("-d").arg(folder.join("classes")).args(with_extension(folder, files, "java"));
        room.said(&mut javac, "")
    };
    let native = |folder: &Path, files: &[File]| {
        for (krate, name) in [("jni", "jni"), ("shim", "shim")] {
            if files.iter().any(|file| file.path.starts_with(krate)) {
                let name = format!("upcall_echo_{name}");
                beside(&room.cargo(&folder.join(krate), &name)?, folder)?;
            }
        }
        Ok::<(), String>(())
    };
    let real = || {
        let files = java::generate(room.api, &output.options, &mut Diagnostics::default());
        let folder = room.place("java", &files)?;
        javac(&folder, &files)?;
        if !jni {
            return compiled(&format!("javac {}, warnings as errors", jdk.version));
        }
        room.cargo(&folder.join("jni"), &format!("{}_jni", room.api.library))?;
        compiled(&format!("javac {} --release {}, warnings as errors, cargo", jdk.version, jdk::JNI))
    };
    let check = |library: &Path| {
        // The package is the echo library's, which is where its main class is looked for.
        let options = java::Options { package: None, ..output.options.clone() };
        let files = java::check::of(room.echo, &options);
        let folder = room.place("java-check", &files)?;
        javac(&folder, &files)?;
        beside(library, &folder)?;
        native(&folder, &files)?;
        let library = folder.join(library.file_name().unwrap_or_default());
        let mut program = Command::new(jdk.tool("java"));
        let mut property = OsString::from("-Dupcall_echo.library=");
        property.push(library);
        if !jni {
            program.arg("--enable-native-access=ALL-UNNAMED");
        }
        program.arg(property).arg("-cp").arg(folder.join("classes"));
        room.right(&room.said(program.arg(format!("upcall_echo.{}", java::check::MAIN)), "")?)
    };
    tell(real());
    library.into_iter().for_each(|library| tell(check(library)));
}

pub(super) fn c(room: &Room, library: Option<&Path>, output: &Output<header::Options>, tell: Tell) {
    let options = header::Options { file: "api.h".into(), ..output.options.clone() };
    let missing = "install a C and a C++ compiler (Debian: `apt install g++`)";
    let real = || {
        let mut files = header::generate(room.api, &options, &mut Diagnostics::default());
        files.push(File::new("use.c", "#include \"api.h\"\n"));
        let folder = room.place("c", &files)?;
        for (compiler, language) in [("cc", "c"), ("c++", "c++")] {
            let mut compiler = Command::new(compiler);
            compiler.args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", language, "use.c"]);
            room.said(compiler.current_dir(&folder), missing)?;
        }
        compiled("cc and c++, warnings as errors")
    };
    let check = |library: &Path| {
        let folder = room.place("c-check", &header::check::of(room.echo, &options))?;
        beside(library, &folder)?;
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "check.c", "-o", "check", "-L.", "-lupcall_echo", "-Wl,-rpath,."]);
        room.said(cc.current_dir(&folder), missing)?;
        room.right(&room.said(Command::new(folder.join("check")).current_dir(&folder), "")?)
    };
    tell(real());
    library.into_iter().for_each(|library| tell(check(library)));
}
