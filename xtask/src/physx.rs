//! `cargo xtask test --physx`: bindings of a library that nobody here wrote, and the same scene in every language.
//!
//! PhysX takes five CPU minutes to build, once; all else is done in half a minute.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command;
use crate::csharp::{Kind, Project};
use crate::java;
use crate::report::{Counts, Outcome};
use crate::setup::dotnet;
use crate::workspace::Workspace;

/// Builds the library, writes and checks its bindings, and compares the scene in each language with Rust's.
pub fn run(ws: &Workspace) -> Result<Outcome> {
    let place = Place { ws, folder: ws.target.join("physx") };
    let library = place.library()?;
    let sources = place.sources()?;
    place.bindings(&sources, &library)?;
    let expected = command::output(&mut Command::new(place.folder.join("release/physx-scene")))?;
    if expected.lines().count() != 200 {
        bail!("the scene in Rust printed {} positions, not 200", expected.lines().count());
    }
    let mut counts = Counts { passed: 0, failed: 0 };
    let scenes = [
        ("C#", place.csharp(&library)),
        ("Python", place.python(&library)),
        ("TypeScript", place.typescript(&library)),
        ("Java", place.java(&library)),
    ];
    for (language, found) in scenes {
        match found.with_context(|| format!("running the scene in {language}"))? {
            None => eprintln!("physx: {language} SKIPPED: no JDK 22 or later was found"),
            Some(found) if found == expected => {
                eprintln!("physx: {language} printed the 200 positions of Rust");
                counts.passed += 1;
            }
            Some(found) => {
                let differs =
                    expected.lines().zip(found.lines()).position(|(expected, found)| expected != found);
                eprintln!(
                    "physx: {language} differs from Rust at line {}: {:?}",
                    differs.unwrap_or(found.lines().count()) + 1,
                    found.lines().nth(differs.unwrap_or(0)),
                );
                counts.failed += 1;
            }
        }
    }
    Ok(Outcome::Tests(counts))
}

/// Where all of it is built.
struct Place<'a> {
    ws: &'a Workspace,
    folder: PathBuf,
}

impl Place<'_> {
    /// PhysX as one shared library that shows its C names only.
    fn library(&self) -> Result<PathBuf> {
        let manifest = self.ws.root.join("examples/physx/rust/Cargo.toml");
        let mut build = self.ws.command("cargo");
        build
            .args(["build", "--release", "--manifest-path"])
            .arg(&manifest)
            .arg("--target-dir")
            .arg(&self.folder);
        if std::env::var_os("CXX").is_none() {
            build.env("CXX", "c++");
        }
        command::run(&mut build)?;
        let archives = self.archives()?;
        let named =
            command::output(Command::new("nm").args(["-g", "--defined-only", "-P"]).arg(&archives[0]))?;
        let mut names: Vec<&str> = named
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter(|(name, rest)| rest.starts_with('T') && !name.starts_with("_Z"))
            .map(|(name, _)| name)
            .collect();
        names.sort_unstable();
        let script = self.folder.join("exports.map");
        let text = format!("{{\n  global:\n    {};\n  local: *;\n}};\n", names.join(";\n    "));
        fs::write(&script, text).with_context(|| format!("writing {}", script.display()))?;
        let library = self.folder.join(format!(
            "{}physx{}",
            std::env::consts::DLL_PREFIX,
            std::env::consts::DLL_SUFFIX
        ));
        let mut link = Command::new("c++");
        link.arg("-shared").arg("-o").arg(&library);
        link.arg(format!("-Wl,--version-script={}", script.display()));
        link.arg("-Wl,--whole-archive")
            .args(&archives)
            .arg("-Wl,--no-whole-archive")
            .args(["-lpthread", "-ldl"]);
        command::run(&mut link)?;
        Ok(library)
    }

    /// The C names, then all of PhysX: what the build script of the newest build left.
    fn archives(&self) -> Result<[PathBuf; 2]> {
        let builds = self.folder.join("release/build");
        let folders = fs::read_dir(&builds).with_context(|| format!("listing {}", builds.display()))?;
        let archive = |folder: &Path, name: &str| folder.join("out").join(name);
        let mut found: Vec<PathBuf> = folders
            .flatten()
            .map(|entry| entry.path())
            .filter(|folder| archive(folder, "libphysx_api.a").is_file())
            .collect();
        found.sort_by_key(|folder| fs::metadata(folder).and_then(|about| about.modified()).ok());
        let newest = found.pop().context("the build of physx-sys left no libphysx_api.a")?;
        Ok([archive(&newest, "libphysx_api.a"), archive(&newest, "libphysx.a")])
    }

    /// The root file of `physx-sys`, where cargo unpacked it.
    fn sources(&self) -> Result<PathBuf> {
        let mut metadata = self.ws.command("cargo");
        metadata.args(["metadata", "--format-version", "1", "--manifest-path"]);
        metadata.arg(self.ws.root.join("examples/physx/rust/Cargo.toml"));
        let text = command::output(&mut metadata)?;
        let root = text.split('"').find(|part| part.contains("physx-sys-") && part.ends_with("/src/lib.rs"));
        root.map(PathBuf::from).context("cargo does not say where the sources of physx-sys are")
    }

    /// Bindings for all languages, compiled, and every type passed by value and by pointer.
    fn bindings(&self, sources: &Path, library: &Path) -> Result<()> {
        let out = self.folder.join("bindings");
        let mut bindgen = self.ws.command(self.ws.upcall());
        bindgen.args(["bindgen", "--library", "physx", "--check", "--build", "--rust"]).arg(sources);
        bindgen.arg("--symbols").arg(library).env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        bindgen.arg("--csharp").arg(out.join("csharp/Physx.g.cs"));
        bindgen.arg("--python").arg(out.join("python"));
        bindgen.arg("--typescript").arg(out.join("typescript"));
        bindgen.arg("--java").arg(out.join("java"));
        bindgen.arg("--c").arg(out.join("physx.h"));
        command::run(&mut bindgen)
    }

    fn example(&self, name: &str) -> PathBuf {
        self.ws.root.join("examples/physx").join(name)
    }

    fn csharp(&self, library: &Path) -> Result<Option<String>> {
        let compiler = dotnet::find(self.ws)?;
        let folder = self.folder.join("bindings/csharp");
        copy(&self.example("csharp/Program.cs"), &folder)?;
        let program = self.folder.join("csharp/FallingSphere.dll");
        let project = Project::new(folder, program.clone(), Kind::Program);
        project.compile(self.ws, &compiler)?;
        let mut run = self.ws.command(&compiler.dotnet);
        run.arg("exec").arg(program);
        if let Some(folder) = library.parent() {
            run.env("LD_LIBRARY_PATH", folder);
        }
        command::output(&mut run).map(Some)
    }

    fn python(&self, library: &Path) -> Result<Option<String>> {
        let mut run = self.ws.command(self.ws.python());
        run.arg(self.example("python/falling_sphere.py"));
        run.env("PYTHONPATH", self.folder.join("bindings/python")).env("PHYSX_LIBRARY", library);
        run.env("PHYSX_PYTHON", "native");
        command::output(&mut run).map(Some)
    }

    fn typescript(&self, library: &Path) -> Result<Option<String>> {
        let bindings = self.folder.join("bindings/typescript");
        copy(&self.example("typescript/falling_sphere.ts"), &bindings)?;
        let mut compile = self.ws.command(self.ws.setup().join("node/node_modules/.bin/tsc"));
        compile.args(["--strict", "--target", "es2022", "--module", "commonjs"]);
        compile.arg(bindings.join("falling_sphere.ts"));
        command::run(&mut compile)?;
        let mut run = self.ws.command("node");
        run.arg(bindings.join("falling_sphere.js")).env("PHYSX_LIBRARY", library);
        command::output(&mut run).map(Some)
    }

    fn java(&self, library: &Path) -> Result<Option<String>> {
        let Some(jdk) = java::newest() else { return Ok(None) };
        let bindings = self.folder.join("bindings/java");
        copy(&self.example("java/FallingSphere.java"), &bindings)?;
        let classes = self.folder.join("java");
        let mut compile = Command::new(jdk.join("bin/javac"));
        compile
            .arg("-d")
            .arg(&classes)
            .arg("-sourcepath")
            .arg(&bindings)
            .arg(bindings.join("FallingSphere.java"));
        command::run(&mut compile)?;
        let mut run = Command::new(jdk.join("bin/java"));
        run.arg("--enable-native-access=ALL-UNNAMED").arg(format!("-Dphysx.library={}", library.display()));
        run.arg("-cp").arg(classes).arg("FallingSphere");
        command::output(&mut run).map(Some)
    }
}

fn copy(file: &Path, folder: &Path) -> Result<()> {
    let name = file.file_name().context("an example is a file")?;
    fs::copy(file, folder.join(name)).with_context(|| format!("copying {}", file.display())).map(drop)
}
