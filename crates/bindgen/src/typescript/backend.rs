//! TypeScript's two outputs among the other back ends.

use super::{Options, check, generate, glue_name, layouts};
use crate::backend::{Backend, Done, Glue, compiled};
use crate::check::{Room, beside, copy, tools};
use crate::model::Api;
use crate::step::Outcome;
use crate::{Diagnostics, File};
use std::fs;
use std::path::Path;
use std::process::Command;

impl Backend for Options {
    fn language(&self) -> &'static str {
        "TypeScript"
    }

    fn changes_case(&self) -> (bool, bool) {
        (false, true)
    }

    fn files(&self, api: &Api, _: &Path, diagnostics: &mut Diagnostics) -> Vec<File> {
        generate(api, self, diagnostics)
    }

    fn glue(&self, library: &str, krate: &Path, _: &str) -> Option<Glue> {
        (krate == Path::new("glue")).then(|| Glue::Beside(format!("{library}.node")))
    }

    fn compile(&self, room: &Room) -> Done {
        let files = generate(room.api, self, &mut Diagnostics::default());
        let folder = room.place("typescript", &files)?;
        if !room.api.packed.is_empty() {
            let modules = ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom"];
            tsc(room, &folder, "pack.ts", &[&modules[..], &["--noEmit"]].concat())?;
        }
        if room.api.only_packs() {
            return compiled("tsc --strict");
        }
        tsc(room, &folder, "index.d.ts", &["--noEmit"])?;
        room.cargo(&folder.join("glue"), &glue_name(room.api))?;
        compiled("tsc --strict, cargo")
    }

    fn echo(&self, room: &Room, library: &Path) -> Option<Done> {
        let echo = || {
            let folder = room.place("typescript-check", &check::of(room.echo, self))?;
            let package = folder.join("upcall_echo");
            let glue = room.cargo(&package.join("glue"), "upcall_echo_node")?;
            copy(&glue, &package.join("upcall_echo.node"))?;
            beside(library, &package)?;
            tsc(room, &folder, "check.ts", &["--module", "commonjs"])?;
            let mut node = Command::new("node");
            room.right(&room.said(node.arg("check.js").current_dir(&folder), "install Node 18 or later")?)
        };
        Some(echo())
    }
}

impl Backend for layouts::Options {
    fn language(&self) -> &'static str {
        "TypeScript"
    }

    fn is_file(&self) -> bool {
        true
    }

    fn calls(&self) -> bool {
        false
    }

    fn no_packers(&self) -> Option<&'static str> {
        Some("packed types have no layout: the file of layouts is left out")
    }

    fn files(&self, api: &Api, name: &Path, diagnostics: &mut Diagnostics) -> Vec<File> {
        layouts::generate(api, &layouts::Options { file: name.into(), ..self.clone() }, diagnostics)
    }

    /// Its numbers are those that were measured, so that nothing but the compiler can object to them.
    fn compile(&self, room: &Room) -> Done {
        let files = self.files(room.api, Path::new("layouts.ts"), &mut Diagnostics::default());
        tsc(room, &room.place("layouts", &files)?, "layouts.ts", &["--noEmit"])?;
        Ok(Outcome::Passed("the layouts compile (tsc --strict)".into()))
    }
}

fn tsc(room: &Room, folder: &Path, file: &str, options: &[&str]) -> Result<String, String> {
    // TypeScript 6 and later refuse a file on the command line wherever a project's configuration is found above it.
    let project = "upcall-check.json";
    let text = format!("{{ \"files\": [\"{file}\"] }}\n");
    fs::write(folder.join(project), text).map_err(|error| format!("writing {project}: {error}"))?;
    let mut tsc = Command::new(tools::tsc());
    tsc.args(["--strict", "--target", "ES2022", "--lib", "es2022,esnext.disposable"]);
    tsc.args(options).args(["--project", project]).current_dir(folder);
    room.said(&mut tsc, "`npm install -g typescript` installs it, and UPCALL_TSC names it elsewhere")
}
