use crate::located;
use crate::{Error, ErrorKind, Located, Looked};
use semver::Version;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest Node whose modules the driver uses.
const OLDEST: Version = Version::new(18, 0, 0);

/// What Node runs, below the folder that Upcall is installed in.
const DRIVER: &str = "sdk/node/build/guest.js";

/// Where to look, when not in the usual places.
#[derive(Clone, Default, Debug)]
pub struct NodeOptions {
    /// The only place looked at. By default `UPCALL_NODE` and `node` on PATH are, in this order.
    pub program: Option<PathBuf>,
}

/// A Node that can run handlers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its version, such as `20.20.2`.
    pub version: Version,
    /// Its path.
    pub program: PathBuf,
    /// The place it was found through.
    pub through: &'static str,
}

impl Node {
    /// The arguments that it needs before its driver's path.
    #[must_use]
    pub fn arguments(&self) -> Vec<OsString> {
        // It strips types by itself from 22.6 on, at first only where it is told to.
        let told = |from: Version, to: Version| (from..to).contains(&self.version);
        let strip = told(Version::new(22, 6, 0), Version::new(22, 18, 0))
            || told(Version::new(23, 0, 0), Version::new(23, 6, 0));
        if strip { vec!["--experimental-strip-types".into(), "--no-warnings".into()] } else { Vec::new() }
    }

    /// Whether a module that it imports first may change how it loads others.
    #[must_use]
    pub fn has_hooks(&self) -> bool {
        self.version >= Version::new(20, 6, 0)
    }
}

impl Located<Node> {
    /// Node, or an error that lists every place.
    ///
    /// # Errors
    /// There is none, or it is too old; the places that were looked at are named.
    pub fn into_result(self) -> Result<Node, Error> {
        self.runtime.clone().ok_or_else(|| {
            let message = format!(
                "find Node {} or later for handlers in JavaScript: {self}; install it, or set UPCALL_NODE to its path",
                OLDEST.major
            );
            Error::new(ErrorKind::RuntimeMissing, message)
        })
    }
}

/// Looks for Node, and asks the first that is there for its version. One that is there but too old ends the search: the user
/// chose it.
#[must_use]
pub fn locate(options: &NodeOptions) -> Located<Node> {
    let mut located = Located::NOWHERE;
    for (place, program) in places(options) {
        let Some(program) = program else {
            located.looked.push(Looked { place, found: "none".into() });
            continue;
        };
        let asked = ask(&program);
        let found = match &asked {
            Ok(version) => format!("{version} at {}", program.display()),
            Err(found) => format!("{} {found}", program.display()),
        };
        located.looked.push(Looked { place, found });
        located.runtime = asked.ok().map(|version| Node { version, program, through: place });
        break;
    }
    located
}

/// The driver that Node runs.
///
/// # Errors
/// Upcall is not installed, or has not been built.
pub fn driver() -> Result<PathBuf, Error> {
    let missing = |why: String| {
        let message =
            format!("find {DRIVER}, which runs handlers in JavaScript: {why}; run `cargo xtask build`");
        Error::new(ErrorKind::RuntimeMissing, message)
    };
    let file = located::home(None, DRIVER).map_err(missing)?.join(DRIVER);
    if file.is_file() { Ok(file) } else { Err(missing(format!("there is no {}", file.display()))) }
}

fn places(options: &NodeOptions) -> Vec<(&'static str, Option<PathBuf>)> {
    if let Some(given) = &options.program {
        return vec![("the given program", Some(given.clone()))];
    }
    let named = env::var_os("UPCALL_NODE").filter(|path| !path.is_empty()).map(PathBuf::from);
    let on_path = env::var_os("PATH").and_then(|path| {
        env::split_paths(&path).map(|folder| folder.join("node")).find(|program| program.is_file())
    });
    vec![("UPCALL_NODE", named), ("node on PATH", on_path)]
}

/// Its version; or why it cannot be used.
fn ask(program: &Path) -> Result<Version, String> {
    let output = located::asked(Command::new(program).arg("--version"))?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    match said.strip_prefix('v').and_then(|version| Version::parse(version).ok()) {
        Some(version) if version >= OLDEST => Ok(version),
        Some(version) => Err(format!("is Node {version}, which is too old")),
        None => Err(format!(
            "is no Node: asked for its version it says {:?}",
            said.lines().next().unwrap_or_default()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(version: &str) -> Node {
        Node { version: Version::parse(version).unwrap(), program: "node".into(), through: "a test" }
    }

    #[test]
    fn types_are_stripped_by_node_itself_where_it_can() {
        let told = |version| !node(version).arguments().is_empty();
        assert_eq!(
            ["20.20.2", "22.5.1", "22.6.0", "22.17.0", "22.18.0", "23.5.0", "24.0.0"].map(told),
            [false, false, true, true, false, true, false]
        );
    }

    #[test]
    fn what_is_no_node_is_said_to_be_none() {
        let located = locate(&NodeOptions { program: Some("/bin/echo".into()) });
        let message = located.into_result().unwrap_err().to_string();
        assert!(message.contains("/bin/echo is no Node: asked for its version it says \""), "{message}");
        let located = locate(&NodeOptions { program: Some("/nowhere/node".into()) });
        let message = located.into_result().unwrap_err().to_string();
        assert!(message.contains("/nowhere/node does not run: No such file"), "{message}");
    }
}
