//! How a program is started: by the runtime that its name asks for, or as it is.

use crate::arguments::Guests;
use crate::exit::usage;
use anyhow::Context;
use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use upcall_host::node::NodeOptions;
use upcall_host::{clr, java, node, python};

/// The program, with its runtime before it.
pub(crate) fn started(program: &Path, guests: &Guests, local: bool) -> anyhow::Result<Vec<OsString>> {
    let file = || program.to_owned().into_os_string();
    let extension = program.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let started = match extension {
        "py" => vec![interpreter(guests)?.into(), file()],
        "js" | "mjs" | "cjs" => {
            let found = node::locate(&NodeOptions::default());
            let found = found.runtime.with_context(|| format!("find Node for {}", program.display()))?;
            vec![found.program.into(), file()]
        }
        "dll" => vec![dotnet(guests)?.into(), "exec".into(), file()],
        "jar" => vec![jvm(guests)?.into(), "-jar".into(), file()],
        "java" => vec![jvm(guests)?.into(), file()],
        _ => {
            return Ok(vec![if local { found(program)?.into_os_string() } else { file() }]);
        }
    };
    if local && !program.is_file() {
        return Err(usage(format!("start {}: there is no such file", program.display())));
    }
    Ok(started)
}

/// Where a program is: launchers say in many lines, once per rank, that there is none. A name is looked for here, as a shell does:
/// Open MPI, whose `mpirun` is called by its path, has the folders of its own before those of `PATH`, and may find another.
fn found(program: &Path) -> anyhow::Result<PathBuf> {
    let is_path = program.components().count() > 1;
    let path = env::var_os("PATH").unwrap_or_default();
    let found = if is_path {
        Some(program.to_owned()).filter(|file| file.is_file())
    } else {
        on_path(program, &path)
    };
    let shown = program.display();
    found.ok_or_else(|| {
        usage(match is_path {
            true => format!("start {shown}: there is no such file"),
            false if program.is_file() => format!("start {shown}: it is not on PATH; write ./{shown}"),
            false => format!("start {shown}: there is no such program on PATH"),
        })
    })
}

/// The first of the folders that has a program of this name.
fn on_path(name: &Path, path: &OsStr) -> Option<PathBuf> {
    let runs = |file: &PathBuf| {
        file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    let found = env::split_paths(path).map(|folder| folder.join(name)).find(runs)?;
    std::path::absolute(found).ok()
}

fn interpreter(guests: &Guests) -> anyhow::Result<PathBuf> {
    python::program(&guests.python_options())
        .context("find Python: there is none in VIRTUAL_ENV or on PATH; name one with --python")
}

fn dotnet(guests: &Guests) -> anyhow::Result<PathBuf> {
    let runtime = clr::locate(&guests.clr_options()).into_result()?;
    // shared/Microsoft.NETCore.App/8.0.4 is three folders below.
    let root = runtime.folder.ancestors().nth(3).context("a runtime lies in a root")?;
    Ok(root.join(format!("dotnet{}", env::consts::EXE_SUFFIX)))
}

fn jvm(guests: &Guests) -> anyhow::Result<PathBuf> {
    let runtime = java::locate(&guests.java_options()).into_result()?;
    Ok(runtime.home.join("bin/java"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Command, Mpi};
    use clap::Parser;

    /// What `upcall mpi run` starts, on other machines: whether the file is there is not looked at.
    fn run(program: &str) -> Vec<String> {
        let arguments = Arguments::parse_from(["upcall", "mpi", "run", "-n", "2", program]);
        let Command::Mpi(Mpi::Run(run)) = arguments.command else { panic!("it is mpi run") };
        let started = started(Path::new(program), &run.guests, false).unwrap();
        started.into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn a_program_is_run_by_the_runtime_that_its_name_asks_for() {
        for (program, runtime, before) in [
            ("a.py", "/python3", &[][..]),
            ("a.cjs", "/node", &[]),
            ("a.dll", "/dotnet", &["exec"]),
            ("a.jar", "bin/java", &["-jar"]),
            ("a.java", "bin/java", &[]),
        ] {
            let started = run(program);
            assert!(started[0].ends_with(runtime), "{started:?}");
            assert_eq!(started[1..], [before, &[program]].concat());
        }
        assert_eq!(run("a.out"), ["a.out"]);
    }

    #[test]
    fn a_name_is_the_first_program_on_path() {
        let folder = std::env::temp_dir().join(format!("upcall-mpi-path-{}", std::process::id()));
        for (name, mode) in [("none", 0o644), ("first", 0o755), ("second", 0o755)] {
            let file = folder.join(name).join("program");
            std::fs::create_dir_all(folder.join(name)).unwrap();
            std::fs::write(&file, "").unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        let folders = ["nowhere", "none", "first", "second"].map(|name| folder.join(name));
        let path = env::join_paths(&folders).unwrap();
        assert_eq!(on_path(Path::new("program"), &path), Some(folders[2].join("program")));
        assert_eq!(on_path(Path::new("another"), &path), None);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
