use crate::located;
use crate::{Error, ErrorKind, Located, Looked};
use semver::Version;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The first major version of .NET that is new enough.
const OLDEST: u64 = 8;

/// Where to look, when not in the usual places.
#[derive(Clone, Default, Debug)]
pub struct ClrOptions {
    /// A folder with `shared/Microsoft.NETCore.App`: the only place looked at. By default `DOTNET_ROOT`, the
    /// `dotnet` on PATH and `.setup/dotnet` of the home are looked at, in this order.
    pub dotnet_root: Option<PathBuf>,
    /// The folder with `build/Upcall.dll`. By default `UPCALL_HOME`, or the nearest folder above this code's library or
    /// executable that has it.
    pub home: Option<PathBuf>,
}

/// One installed runtime.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runtime {
    /// Its version, such as `8.0.4`.
    pub version: String,
    /// The folder with `libcoreclr` and the framework's assemblies.
    pub folder: PathBuf,
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
                "find .NET {OLDEST} or later for C# handlers: {self}; install the .NET runtime, or run `cargo xtask setup`"
            );
            Error::new(ErrorKind::RuntimeMissing, message)
        })
    }
}

/// Looks for a runtime without starting it.
#[must_use]
pub fn locate(options: &ClrOptions) -> Located<Runtime> {
    let mut located = Located::NOWHERE;
    for (place, root) in roots(options) {
        let found = root.and_then(|root| newest(&root));
        let text = match &found {
            Ok((version, folder)) => format!("{version} in {}", folder.display()),
            Err(text) => text.clone(),
        };
        located.looked.push(Looked { place, found: text });
        if let Ok((version, folder)) = found {
            located.runtime = Some(Runtime { version, folder, through: place });
            break;
        }
    }
    located
}

/// `build/Upcall.dll` of the home.
pub(super) fn sdk(options: &ClrOptions) -> Result<PathBuf, Error> {
    let missing = |what: String| {
        let message = format!("find Upcall.dll for C# handlers: {what}; run `cargo xtask build`");
        Error::new(ErrorKind::RuntimeMissing, message)
    };
    let home = home(options).map_err(missing)?;
    let sdk = home.join("build/Upcall.dll");
    // One path for one file: the CLR would load it twice under two.
    sdk.canonicalize().map_err(|error| missing(format!("{}: {error}", sdk.display())))
}

/// The places, each with its root or the reason why it has none.
fn roots(options: &ClrOptions) -> Vec<(&'static str, Result<PathBuf, String>)> {
    if let Some(root) = &options.dotnet_root {
        return vec![("the given root", Ok(root.clone()))];
    }
    let named = env::var_os("DOTNET_ROOT").filter(|root| !root.is_empty());
    vec![
        ("DOTNET_ROOT", named.map(PathBuf::from).ok_or_else(|| "not set".into())),
        ("dotnet on PATH", on_path(&env::var_os("PATH").unwrap_or_default()).ok_or_else(|| "none".into())),
        ("the copy that setup made", home(options).map(|home| home.join(".setup/dotnet"))),
    ]
}

fn home(options: &ClrOptions) -> Result<PathBuf, String> {
    located::home(options.home.as_deref(), "build/Upcall.dll")
}

/// The folder of the `dotnet` that a shell would run; its links lead there from `/usr/bin`.
fn on_path(path: &OsStr) -> Option<PathBuf> {
    let name = format!("dotnet{}", env::consts::EXE_SUFFIX);
    let dotnet = env::split_paths(path).map(|folder| folder.join(&name)).find(|file| file.is_file())?;
    Some(dotnet.canonicalize().ok()?.parent()?.to_owned())
}

/// Version and folder of the newest runtime below a root.
fn newest(root: &Path) -> Result<(String, PathBuf), String> {
    let shared = root.join("shared/Microsoft.NETCore.App");
    let folders = shared.read_dir().map_err(|_| format!("no {}", shared.display()))?;
    let mut versions: Vec<(Version, String)> = folders
        .filter_map(|folder| folder.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some((Version::parse(&name).ok()?, name)))
        .collect();
    versions.sort();
    let (version, name) = versions.pop().ok_or_else(|| format!("no version in {}", shared.display()))?;
    if version.major < OLDEST {
        return Err(format!("only {name} in {}", shared.display()));
    }
    let folder = shared.join(&name);
    if !folder.join(library()).is_file() {
        return Err(format!("no {} in {}", library(), folder.display()));
    }
    Ok((name, folder))
}

/// The file name of the runtime's library.
pub(super) fn library() -> String {
    format!("{}coreclr{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn installed(name: &str, versions: &[&str]) -> PathBuf {
        let root = env::temp_dir().join(format!("upcall-locate-{name}-{}", std::process::id()));
        for version in versions {
            let folder = root.join("shared/Microsoft.NETCore.App").join(version);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(library()), "").unwrap();
        }
        root
    }

    fn look(root: &Path) -> Located<Runtime> {
        locate(&ClrOptions { dotnet_root: Some(root.into()), home: None })
    }

    #[test]
    fn the_newest_version_is_taken_by_number_not_by_letter() {
        let root = installed("newest", &["8.0.4", "8.0.11", "10.0.0-rc.1", "9.0.2"]);
        assert_eq!(look(&root).runtime.unwrap().version, "10.0.0-rc.1");
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_dotnet_on_path_is_followed_to_where_it_is_installed() {
        let root = installed("path", &["8.0.4"]).canonicalize().unwrap();
        let bin = root.join("bin");
        fs::create_dir_all(&bin).unwrap();
        fs::write(root.join("dotnet"), "").unwrap();
        std::os::unix::fs::symlink(root.join("dotnet"), bin.join("dotnet")).unwrap();
        let path = env::join_paths([Path::new("/nowhere"), &bin]).unwrap();
        assert_eq!(on_path(&path), Some(root.clone()));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_runtime_that_is_too_old_is_named_in_the_error() {
        let root = installed("old", &["6.0.36"]);
        let error = look(&root).into_result().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::RuntimeMissing);
        assert!(error.to_string().contains("only 6.0.36 in"), "{error}");
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_missing_runtime_is_an_error_that_says_where_it_was_looked_for() {
        let error = look(Path::new("/nowhere")).into_result().unwrap_err();
        assert!(error.to_string().contains("no /nowhere/shared/Microsoft.NETCore.App"), "{error}");
    }
}
