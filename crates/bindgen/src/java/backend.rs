//! Java among the other back ends.

use super::jdk::Jdk;
use super::{Mechanism, Options, check, generate, jdk};
use crate::backend::{Backend, Done, Glue, compiled};
use crate::check::{Room, beside, library_file};
use crate::model::Api;
use crate::output::with_extension;
use crate::step::Outcome;
use crate::{Diagnostics, File};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

impl Backend for Options {
    fn language(&self) -> &'static str {
        "Java"
    }

    fn changes_case(&self) -> (bool, bool) {
        (true, true)
    }

    fn chosen_names(&self) -> Vec<&str> {
        self.renamed.keys().map(String::as_str).collect()
    }

    fn files(&self, api: &Api, _: &Path, diagnostics: &mut Diagnostics) -> Vec<File> {
        generate(api, self, diagnostics)
    }

    fn glue(&self, _: &str, krate: &Path, built: &str) -> Option<Glue> {
        ["jni", "shim"].iter().any(|own| krate == Path::new(own)).then(|| Glue::Beside(library_file(built)))
    }

    fn compile(&self, room: &Room) -> Done {
        let jdk = match self.jdk() {
            Ok(jdk) => jdk,
            Err(missing) => return missing,
        };
        // The annotations change nothing, and where they are is the program's affair.
        let options = Options { jspecify: false, ..self.clone() };
        let files = generate(room.api, &options, &mut Diagnostics::default());
        let folder = room.place("java", &files)?;
        self.javac(room, &jdk, &folder, &files)?;
        if !self.jni() {
            return compiled(&format!("javac {}, warnings as errors", jdk.version));
        }
        room.cargo(&folder.join("jni"), &format!("{}_jni", room.api.library))?;
        compiled(&format!("javac {} --release {}, warnings as errors, cargo", jdk.version, jdk::JNI))
    }

    fn echo(&self, room: &Room, library: &Path) -> Option<Done> {
        // What is missing was said when the output was to be compiled.
        let jdk = self.jdk().ok()?;
        let echo = || {
            // The package is the echo library's, which is where its main class is looked for.
            let options = Options { package: None, ..self.clone() };
            let files = check::of(room.echo, &options);
            let folder = room.place("java-check", &files)?;
            self.javac(room, &jdk, &folder, &files)?;
            beside(library, &folder)?;
            for krate in ["jni", "shim"] {
                if files.iter().any(|file| file.path.starts_with(krate)) {
                    beside(&room.cargo(&folder.join(krate), &format!("upcall_echo_{krate}"))?, &folder)?;
                }
            }
            let library = folder.join(library.file_name().unwrap_or_default());
            let mut program = Command::new(jdk.tool("java"));
            let mut property = OsString::from("-Dupcall_echo.library=");
            property.push(library);
            if !self.jni() {
                program.arg("--enable-native-access=ALL-UNNAMED");
            }
            program.arg(property).arg("-cp").arg(folder.join("classes"));
            room.right(&room.said(program.arg(format!("upcall_echo.{}", check::MAIN)), "")?)
        };
        Some(echo())
    }
}

impl Options {
    fn jni(&self) -> bool {
        self.mechanism == Mechanism::Jni
    }

    /// The JDK that a check needs; if there is none, what to report.
    fn jdk(&self) -> Result<Jdk, Done> {
        match self.jni() {
            true => jdk::find_oldest(jdk::JNI)
                .map_err(|missing| Err(format!("{missing}: install one, or set JAVA_HOME"))),
            false => jdk::find(jdk::FFM).map_err(|missing| Ok(Outcome::Skipped(missing.to_string()))),
        }
    }

    fn javac(&self, room: &Room, jdk: &Jdk, folder: &Path, files: &[File]) -> Result<String, String> {
        let mut javac = jdk.javac();
        javac.args(["-Xlint:all", "-Werror", "-encoding", "UTF-8"]);
        if self.jni() {
            javac.args(["--release", &jdk::JNI.to_string()]);
        }
        javac.arg("-d").arg(folder.join("classes")).args(with_extension(folder, files, "java"));
        room.said(&mut javac, "")
    }
}
