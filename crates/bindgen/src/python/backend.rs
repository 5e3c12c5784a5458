//! Python among the other back ends.

use super::{Options, check, generate};
use crate::backend::{Backend, Done, Glue, compiled};
use crate::check::{Room, beside, copy, tools};
use crate::model::Api;
use crate::{Diagnostics, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The suffix of an extension module's name.
const EXTENSION: &str = if cfg!(windows) { ".pyd" } else { ".abi3.so" };

impl Backend for Options {
    fn language(&self) -> &'static str {
        "Python"
    }

    fn files(&self, api: &Api, _: &Path, diagnostics: &mut Diagnostics) -> Vec<File> {
        generate(api, self, diagnostics)
    }

    fn glue(&self, _: &str, krate: &Path, _: &str) -> Option<Glue> {
        // The package's, not that of another output in the same folder.
        (krate.components().count() > 1 && krate.ends_with("glue")).then_some(Glue::InPlace)
    }

    fn libraries(&self, api: &Api) -> PathBuf {
        self.package(api).into()
    }

    fn compile(&self, room: &Room) -> Done {
        let package = self.package(room.api);
        let mut files = generate(room.api, self, &mut Diagnostics::default());
        let mut uses = format!("import {package}\n");
        if !room.api.packed.is_empty() {
            uses += &format!("import {}.pack\n", self.packers(room.api));
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
    }

    fn echo(&self, room: &Room, library: &Path) -> Option<Done> {
        let echo = || {
            let folder = room.place("python-check", &check::of(room.echo, self))?;
            let package = folder.join("upcall_echo");
            let glue = room.cargo(&package.join("glue"), "upcall_echo_native")?;
            copy(&glue, &package.join(format!("_native{EXTENSION}")))?;
            beside(library, &package)?;
            room.right(&room.said(Command::new(tools::python()).arg("check.py").current_dir(&folder), "")?)
        };
        Some(echo())
    }
}
