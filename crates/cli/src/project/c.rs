//! Handlers in C: clang and a linker make modules of WebAssembly, and the C compiler of this machine their tests.

use super::{NoTests, ToolFailed, home, make_folder, replace, run};
use crate::output;
use anyhow::Context;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const HEADER: &str = "sdk/c/upcall_guest.h";

/// The handler that `upcall new c` writes.
pub(super) const GREETER: &str = include_str!("templates/c/greeter.c");

const CLANG: &str = "install clang, Debian's package `clang`";
const LINKER: &str = "there is no linker for WebAssembly: install lld (Debian's package `lld`), or Rust from https://rustup.rs, \
                      which brings one";
const COMPILER: &str = "install a C compiler, Debian's package `gcc`; the variable CC names another one";

/// Makes a module of the handler that `upcall new c` writes, to see whether that can be done here. Returns what has made it.
pub(crate) fn examine() -> anyhow::Result<String> {
    let folder = tempfile::tempdir().context("make a folder for a handler in C")?;
    let (source, module) = (folder.path().join("greeter.c"), folder.path().join("greeter.wasm"));
    fs::write(&source, GREETER).with_context(|| format!("write {}", source.display()))?;
    let part = Part::new(folder.path(), Vec::new());
    part.module(&source, &module)?;
    let clang = part.tool("clang").arg("--version").output().map(|said| said.stdout).unwrap_or_default();
    let clang = String::from_utf8_lossy(&clang).lines().next().unwrap_or("clang").trim().to_owned();
    let linker = part.linker("link a handler in C")?;
    Ok(format!("{clang} and {}", Path::new(linker.get_program()).display()))
}

/// A folder with handlers in C.
pub(super) struct Part {
    folder: PathBuf,
    /// Source, and module.
    modules: Vec<(PathBuf, PathBuf)>,
}

impl Part {
    pub(super) fn new(folder: &Path, modules: Vec<(PathBuf, PathBuf)>) -> Part {
        Part { folder: folder.to_owned(), modules }
    }

    pub(super) fn build(&self) -> anyhow::Result<()> {
        for (source, module) in &self.modules {
            make_folder(&self.folder.join("build"))?;
            self.module(source, module)?;
            let name = module.file_name().unwrap_or_default().to_string_lossy();
            output::line(format!("built build/{name}"))?;
        }
        Ok(())
    }

    fn module(&self, source: &Path, module: &Path) -> anyhow::Result<()> {
        let (object, linked) = (module.with_extension("o"), module.with_extension("new"));
        let mut clang = self.tool("clang");
        clang.args(["--target=wasm32", "-O2", "-g", "-mbulk-memory", "-ffreestanding", "-nostdlib"]);
        clang.args(["-Wall", "-Wextra"]).arg("-I").arg(include()?).arg("-c").arg(source);
        let what = format!("compile {}", source.display());
        run(clang.arg("-o").arg(&object), &what, CLANG)?;
        let mut linker = self.linker(&what)?;
        run(linker.arg("--no-entry").arg(&object).arg("-o").arg(&linked), &what, LINKER)?;
        replace(&linked, module)?;
        fs::remove_file(&object).with_context(|| format!("remove {}", object.display()))
    }

    pub(super) fn test(&self) -> anyhow::Result<()> {
        let mut files = super::files_below(&self.folder, "c", &["build", "target", "node_modules"])?;
        files.retain(|file| {
            file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"test_"))
        });
        if files.is_empty() {
            return Err(NoTests { language: "C", write: "test_NAME.c" }.into());
        }
        let folder = self.folder.join("build/tests");
        make_folder(&folder)?;
        for file in &files {
            let program = folder.join(file.file_stem().context("a file of C has a name")?);
            let mut compiler = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
            compiler.args(["-Wall", "-Wextra", "-g", "-fsanitize=address,undefined"]);
            compiler
                .args(["-fno-sanitize-recover=all", "-I"])
                .arg(include()?)
                .arg(file)
                .arg("-o")
                .arg(&program);
            compiler.current_dir(&self.folder).stdin(Stdio::null());
            run(&mut compiler, &format!("compile {}", file.display()), COMPILER)?;
            let mut test = Command::new(&program);
            test.current_dir(&self.folder).stdin(Stdio::null());
            run(&mut test, &format!("test {}", file.display()), "it was just compiled")?;
        }
        Ok(())
    }

    fn tool(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut tool = Command::new(program);
        tool.current_dir(&self.folder).stdin(Stdio::null());
        tool
    }

    /// `wasm-ld`, or the linker that comes with Rust.
    fn linker(&self, what: &str) -> anyhow::Result<Command> {
        let found = |tool: &mut Command| {
            tool.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
        };
        if found(self.tool("wasm-ld").arg("--version")) {
            return Ok(self.tool("wasm-ld"));
        }
        let asked = self.tool("rustc").args(["--print", "target-libdir"]).output();
        let folder = asked.ok().and_then(|asked| String::from_utf8(asked.stdout).ok());
        let linker = folder.and_then(|folder| Some(Path::new(folder.trim()).parent()?.join("bin/rust-lld")));
        match linker.filter(|linker| linker.is_file()) {
            Some(linker) => {
                let mut linker = self.tool(linker);
                linker.args(["-flavor", "wasm"]);
                Ok(linker)
            }
            None => Err(ToolFailed(format!("{what}: {LINKER}")).into()),
        }
    }
}

/// Where the headers are.
fn include() -> anyhow::Result<PathBuf> {
    Ok(home(HEADER)?.join("sdk/c"))
}
