//! The JDKs of this machine, not only the first one on the path.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first version whose `java.lang.foreign` is final.
pub const FFM: u32 = 22;

/// The oldest version that the JNI bindings support.
pub const JNI: u32 = 17;

/// An installed JDK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Its folder.
    pub home: PathBuf,
    /// Its feature release (`25`).
    pub version: u32,
}

impl Jdk {
    /// One of its programs: `java`, `javac`, `javadoc`.
    #[must_use]
    pub fn tool(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// Its compiler of Java, for programs small enough that compiling the compiler well would take longer: half the
    /// time for 200 classes.
    #[must_use]
    pub fn javac(&self) -> Command {
        let mut javac = Command::new(self.tool("javac"));
        javac.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
        javac
    }
}

/// The JDK with the highest version, at least `least`.
///
/// # Errors
/// There is none; the error says where it was looked for.
pub fn find(least: u32) -> Result<Jdk, NotFound> {
    // The first of several equal ones: those named by the user come before those installed.
    best(least, |next, best| next.version > best.version)
}

/// The JDK with the lowest version, at least `least`.
///
/// # Errors
/// As [`find`].
pub fn find_oldest(least: u32) -> Result<Jdk, NotFound> {
    best(least, |next, best| next.version < best.version)
}

fn best(least: u32, better: impl Fn(&Jdk, &Jdk) -> bool) -> Result<Jdk, NotFound> {
    let places = places();
    let found = places.iter().filter_map(|home| jdk(home)).filter(|jdk| jdk.version >= least);
    let best = found.reduce(|best, next| if better(&next, &best) { next } else { best });
    best.ok_or(NotFound { least, places })
}

/// No JDK is new enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// The requested version.
    pub least: u32,
    /// The folders that were searched.
    pub places: Vec<PathBuf>,
}

impl std::fmt::Display for NotFound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no JDK {} or later found (looked in ", self.least)?;
        for (index, place) in self.places.iter().enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { ", " }, place.display())?;
        }
        f.write_str(")")
    }
}

impl std::error::Error for NotFound {}

fn places() -> Vec<PathBuf> {
    let mut places = Vec::new();
    let mut add = |place: PathBuf| {
        let place = fs::canonicalize(&place).unwrap_or(place);
        if !places.contains(&place) {
            places.push(place);
        }
    };
    for variable in ["JAVA_HOME", "JDK_HOME"] {
        if let Some(home) = env::var_os(variable).filter(|home| !home.is_empty()) {
            add(home.into());
        }
    }
    for folder in env::split_paths(&env::var_os("PATH").unwrap_or_default()) {
        // `/usr/bin/javac` is a link into the JDK.
        let javac = folder.join(format!("javac{}", env::consts::EXE_SUFFIX));
        let home = fs::canonicalize(javac).ok();
        if let Some(home) = home.as_deref().and_then(Path::parent).and_then(Path::parent) {
            add(home.to_owned());
        }
    }
    let home = env::home_dir().unwrap_or_default();
    let folders = [
        PathBuf::from("/usr/lib/jvm"),
        home.join(".sdkman/candidates/java"),
        home.join(".jdks"),
        PathBuf::from("/opt"),
        PathBuf::from("/opt/homebrew/opt"),
        PathBuf::from("/Library/Java/JavaVirtualMachines"),
        home.join("Library/Java/JavaVirtualMachines"),
        PathBuf::from("C:\\Program Files\\Java"),
        PathBuf::from("C:\\Program Files\\Eclipse Adoptium"),
    ];
    for folder in folders {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for entry in entries {
            let inside = entry.join("Contents/Home");
            let home = if inside.is_dir() { inside } else { entry };
            if home.join("bin").is_dir() {
                add(home);
            }
        }
    }
    places
}

fn jdk(home: &Path) -> Option<Jdk> {
    let jdk = Jdk { home: home.to_owned(), version: 0 };
    if !jdk.tool("javac").is_file() {
        return None;
    }
    // Every JDK since 9 gives its version in this file; if the file is missing, the JDK is asked.
    let said = match fs::read_to_string(home.join("release")) {
        Ok(release) => release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=").map(str::to_owned)),
        Err(_) => ask(jdk.tool("javac").as_os_str()),
    };
    Some(Jdk { version: version(&said?)?, ..jdk })
}

fn ask(javac: &OsStr) -> Option<String> {
    let output = Command::new(javac).arg("-version").output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.trim().strip_prefix("javac ").map(str::to_owned)
}

/// 25 for `"25.0.3"`, 8 for `1.8.0`.
fn version(text: &str) -> Option<u32> {
    let mut parts = text.trim_matches(['"', ' ']).split(['.', '-', '+', '_']);
    match parts.next()?.parse().ok()? {
        1 => parts.next()?.parse().ok(),
        version => Some(version),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_the_feature_release() {
        assert_eq!(version("\"25.0.3\""), Some(25));
        assert_eq!(version("1.8.0_392"), Some(8));
        assert_eq!(version("24-ea"), Some(24));
        assert_eq!(version("next"), None);
    }

    #[test]
    fn what_is_missing_is_said_with_the_places() {
        let error = find(u32::MAX).unwrap_err().to_string();
        assert!(error.starts_with("no JDK 4294967295 or later found (looked in "), "{error}");
    }
}
