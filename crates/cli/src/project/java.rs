//! Handlers in Java: compiled by a JDK to a jar, and their tests to programs.

use super::modules::Wanted;
use super::{files_below, home, make_folder, replace};
use crate::arguments::Guests;
use crate::exit::usage;
use crate::output;
use anyhow::Context;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use upcall_bindgen::java::jdk::{self, Jdk};
use upcall_host::java;

const INSTALL: &str = "see `upcall doctor java`";

/// The SDK's jar.
const SDK: &str = "build/upcall.jar";

/// The oldest Java that runs handlers.
const OLDEST: u32 = 17;

/// The Java that asks for leave to use native memory.
const ASKS: u32 = 22;

/// Folders whose sources are not the handlers'.
const OTHERS: [&str; 5] = ["tests", "build", "bin", "out", "target"];

/// What builds a project of its own kind.
const TOOLS: [(&str, &str); 3] =
    [("pom.xml", "mvn package"), ("build.gradle", "gradle build"), ("build.gradle.kts", "gradle build")];

/// A folder with Java files, or with a folder `src` that has some.
pub(super) struct Part {
    folder: PathBuf,
    /// What the flow's file calls the jar, in `build/`: more than one name is of as many copies.
    jars: Vec<PathBuf>,
}

/// A compiler, and the Java for which it compiles.
struct Compiler {
    jdk: Jdk,
    release: u32,
}

impl Part {
    /// What there is to build in a folder whose own files are `files`.
    pub(super) fn of(folder: &Path, files: &[PathBuf], wanted: &Wanted) -> anyhow::Result<Option<Part>> {
        let (src, some) = (folder.join("src"), !files.is_empty());
        let found = some || (src.is_dir() && !files_below(&src, "java", &[])?.is_empty());
        Ok(found.then(|| Part { folder: folder.to_owned(), jars: wanted.jars.clone() }))
    }

    /// Compiles the handlers to a jar, and returns where that is.
    pub(super) fn build(&self, guests: &Guests) -> anyhow::Result<PathBuf> {
        let shown = self.folder.display();
        if let Some((file, tool)) = TOOLS.iter().find(|(file, _)| self.folder.join(file).is_file()) {
            return Err(usage(format!("build {shown}: it has a {file}; run `{tool}`")));
        }
        let compiler = compiler(guests)?;
        let sources = files_below(&self.folder, "java", &OTHERS)?;
        let classes = self.compile(&compiler, &sources, "build/classes", &self.libraries(None)?)?;
        let half = self.folder.join("build/classes.jar.new");
        let mut command = self.tool(&compiler, "jar");
        command.arg("--create").arg("--file").arg(&half).arg("-C").arg(classes).arg(".");
        super::run(&mut command, &format!("pack {shown}"), INSTALL)?;
        let jars = if self.jars.is_empty() { vec![self.named()?] } else { self.jars.clone() };
        let Some((jar, copies)) = jars.split_first() else { anyhow::bail!("a jar has a name") };
        replace(&half, jar)?;
        for copy in copies {
            fs::copy(jar, &half).with_context(|| format!("copy {}", jar.display()))?;
            replace(&half, copy)?;
        }
        for jar in &jars {
            output::line(format!("built build/{}", jar.file_name().unwrap_or_default().display()))?;
        }
        Ok(jar.clone())
    }

    /// The jar where no flow's file names one: it is called as the folder is.
    fn named(&self) -> anyhow::Result<PathBuf> {
        let name = self.folder.file_name().and_then(|name| name.to_str());
        let name = name.with_context(|| format!("the name of {} is not UTF-8", self.folder.display()))?;
        Ok(self.folder.join(format!("build/{name}.jar")))
    }

    /// Compiles the folder `tests`, and runs each class of it that has a `main`.
    pub(super) fn test(&self, guests: &Guests) -> anyhow::Result<()> {
        let (tests, shown) = (self.folder.join("tests"), self.folder.display());
        if !tests.is_dir() {
            return Err(usage(format!("test {shown}: there is no folder tests in it")));
        }
        let jar = self.build(guests)?;
        let compiler = compiler(guests)?;
        let sources = files_below(&tests, "java", &[])?;
        let mut libraries = self.libraries(Some(jar))?;
        let classes = self.compile(&compiler, &sources, "build/tests", &libraries)?;
        let mut programs = Vec::new();
        for source in &sources {
            let text = fs::read_to_string(source).with_context(|| format!("read {}", source.display()))?;
            if text.contains("static void main(") {
                programs.push(class_of(source, &text));
            }
        }
        if programs.is_empty() {
            let message =
                format!("test {shown}: no class in tests has a `public static void main`; write one");
            return Err(usage(message));
        }
        libraries.insert(0, classes);
        for program in programs {
            let mut command = self.tool(&compiler, "java");
            if compiler.jdk.version >= ASKS {
                command.arg("--enable-native-access=ALL-UNNAMED");
            }
            command.arg("-ea").arg("-cp").arg(joined(&libraries)?).arg(program);
            command.env("UPCALL_HOME", home(SDK)?);
            super::run(&mut command, &format!("test {shown}"), INSTALL)?;
        }
        Ok(())
    }

    /// Compiles sources into a folder of the project's, which it returns.
    fn compile(
        &self,
        compiler: &Compiler,
        sources: &[PathBuf],
        to: &str,
        libraries: &[PathBuf],
    ) -> anyhow::Result<PathBuf> {
        if sources.is_empty() {
            return Err(usage(format!(
                "compile {} to {to}: there is no .java file for it",
                self.folder.display()
            )));
        }
        // Classes whose source is gone do not stay behind.
        let classes = self.folder.join(to);
        if classes.is_dir() {
            fs::remove_dir_all(&classes).with_context(|| format!("remove {}", classes.display()))?;
        }
        make_folder(&classes)?;
        let mut javac = compiler.jdk.javac();
        javac.current_dir(&self.folder).stdin(Stdio::null());
        javac.args(["-Xlint:all", "-g", "-parameters", "-encoding", "UTF-8", "--release"]);
        javac.arg(compiler.release.to_string()).arg("-cp").arg(joined(libraries)?).arg("-d").arg(&classes);
        javac.args(sources.iter().map(|source| source.strip_prefix(&self.folder).unwrap_or(source)));
        super::run(&mut javac, &format!("compile {}", self.folder.display()), INSTALL)?;
        Ok(classes)
    }

    /// A tool of the JDK, in the project's folder.
    fn tool(&self, compiler: &Compiler, name: &str) -> Command {
        let mut tool = Command::new(compiler.jdk.tool(name));
        tool.current_dir(&self.folder).stdin(Stdio::null());
        tool
    }

    /// What is compiled against: the jar of the project, the SDK, and what lies in `lib`.
    fn libraries(&self, jar: Option<PathBuf>) -> anyhow::Result<Vec<PathBuf>> {
        let lib = self.folder.join("lib");
        let others = if lib.is_dir() { files_below(&lib, "jar", &[])? } else { Vec::new() };
        Ok(jar.into_iter().chain([home(SDK)?.join(SDK)]).chain(others).collect())
    }
}

fn joined(libraries: &[PathBuf]) -> anyhow::Result<OsString> {
    std::env::join_paths(libraries).context("a class path is made of paths without `:`")
}

/// The class of a source file: its package and the file's name.
fn class_of(source: &Path, text: &str) -> String {
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    let package = text.lines().find_map(|line| line.strip_prefix("package ")?.trim().strip_suffix(';'));
    package.map_or(name.to_string(), |package| format!("{}.{name}", package.trim()))
}

/// The compiler of the Java that runs handlers, else the newest that is installed.
fn compiler(guests: &Guests) -> anyhow::Result<Compiler> {
    let runtime = java::locate(&guests.java_options()).into_result()?;
    let own = Jdk { home: runtime.home.clone(), version: runtime.feature };
    let jdk = match own.tool("javac").is_file() {
        true => own,
        false => jdk::find(OLDEST).map_err(|missing| {
            anyhow::anyhow!("find a Java compiler: {missing}; install a JDK {OLDEST} or later")
        })?,
    };
    Ok(Compiler { release: runtime.feature.min(jdk.version), jdk })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_called_by_its_package_and_file() {
        assert_eq!(class_of(Path::new("tests/GreeterTests.java"), "import a.b;\n"), "GreeterTests");
        assert_eq!(class_of(Path::new("tests/a/B.java"), "/* it */\npackage a.b;\n"), "a.b.B");
    }
}
