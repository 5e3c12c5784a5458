//! Handlers in Python: nothing is built, but what the interpreter would refuse is found.

use super::{NoTests, files_below, home};
use crate::arguments::Guests;
use crate::output;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use upcall_host::python;

const INSTALL: &str = "see `upcall doctor python`";

/// Compiles every file and keeps nothing.
const CHECK: &str = "\
import sys, traceback
failed = 0
for path in sys.argv[1:]:
    try:
        with open(path, 'rb') as file:
            compile(file.read(), path, 'exec', dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        failed = 1
        traceback.print_exception(type(error), error, None)
sys.exit(failed)
";

/// A folder with Python files.
pub(super) struct Part {
    folder: PathBuf,
}

impl Part {
    pub(super) fn new(folder: &Path) -> Part {
        Part { folder: folder.to_owned() }
    }

    pub(super) fn build(&self, guests: &Guests) -> anyhow::Result<()> {
        let files = files_below(&self.folder, "py", &["build", "target", "__pycache__"])?;
        let what = format!("check the Python of {}", self.folder.display());
        super::run(self.python(guests)?.args(["-c", CHECK]).args(&files), &what, INSTALL)?;
        let checked =
            format!("checked {} Python file{}", files.len(), if files.len() == 1 { "" } else { "s" });
        output::line(checked)
    }

    pub(super) fn test(&self, guests: &Guests) -> anyhow::Result<()> {
        let what = format!("test {}", self.folder.display());
        let files = files_below(&self.folder, "py", &["build", "target", "__pycache__"])?;
        let is_test = |file: &PathBuf| {
            file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"test"))
        };
        if !files.iter().any(is_test) {
            // Before 3.12 unittest calls it a success when it has found nothing.
            return Err(NoTests { language: "Python", write: "test_NAME.py" }.into());
        }
        super::run(self.python(guests)?.args(["-m", "unittest", "discover", "-v"]), &what, INSTALL)
    }

    /// The interpreter that handlers run in, with the package `upcall` where it finds it.
    fn python(&self, guests: &Guests) -> anyhow::Result<Command> {
        let interpreter = python::locate(&guests.python_options()).into_result()?;
        let home = home("sdk/python/upcall/__init__.py")?;
        let mut path = vec![home.join("sdk/python")];
        path.extend(std::env::split_paths(&std::env::var_os("PYTHONPATH").unwrap_or_default()));
        path.retain(|folder| !folder.as_os_str().is_empty());
        let path: OsString = std::env::join_paths(path)?;
        let mut python = Command::new(interpreter.executable);
        python
            .current_dir(&self.folder)
            .env("PYTHONPATH", path)
            .env("UPCALL_HOME", home)
            .stdin(Stdio::null());
        Ok(python)
    }
}
