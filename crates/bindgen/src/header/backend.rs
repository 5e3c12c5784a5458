//! C among the other back ends.

use super::{Options, check, generate};
use crate::backend::{Backend, Done, compiled};
use crate::check::{Room, beside};
use crate::model::Api;
use crate::{Diagnostics, File};
use std::path::Path;
use std::process::Command;

const MISSING: &str = "install a C and a C++ compiler (Debian: `apt install g++`)";

impl Backend for Options {
    fn language(&self) -> &'static str {
        "C"
    }

    fn is_file(&self) -> bool {
        true
    }

    fn no_packers(&self) -> Option<&'static str> {
        Some("there are no packers for C: the header is left out")
    }

    fn files(&self, api: &Api, name: &Path, diagnostics: &mut Diagnostics) -> Vec<File> {
        generate(api, &Options { file: name.into(), ..self.clone() }, diagnostics)
    }

    fn compile(&self, room: &Room) -> Done {
        let mut files = self.files(room.api, Path::new("api.h"), &mut Diagnostics::default());
        files.push(File::new("use.c", "#include \"api.h\"\n"));
        let folder = room.place("c", &files)?;
        for (compiler, language) in [("cc", "c"), ("c++", "c++")] {
            let mut compiler = Command::new(compiler);
            compiler.args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", language, "use.c"]);
            room.said(compiler.current_dir(&folder), MISSING)?;
        }
        compiled("cc and c++, warnings as errors")
    }

    fn echo(&self, room: &Room, library: &Path) -> Option<Done> {
        let echo = || {
            let options = Options { file: "api.h".into(), ..self.clone() };
            let folder = room.place("c-check", &check::of(room.echo, &options))?;
            beside(library, &folder)?;
            let mut cc = Command::new("cc");
            cc.args(["-std=c11", "check.c", "-o", "check", "-L.", "-lupcall_echo", "-Wl,-rpath,."]);
            room.said(cc.current_dir(&folder), MISSING)?;
            room.right(&room.said(Command::new(folder.join("check")).current_dir(&folder), "")?)
        };
        Some(echo())
    }
}
