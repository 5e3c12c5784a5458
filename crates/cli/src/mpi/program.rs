//! How a program is started: by the runtime that its name asks for, or as it is.

use crate::arguments::Guests;
use crate::exit::usage;
use anyhow::Context;
use std::env;
use std::ffi::OsString;
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
            if local {
                is_there(program)?;
            }
            return Ok(vec![file()]);
        }
    };
    if local && !program.is_file() {
        return Err(usage(format!("start {}: there is no such file", program.display())));
    }
    Ok(started)
}

/// Whether a program is where a launcher would look for it: launchers say it in many lines, once per rank.
fn is_there(program: &Path) -> anyhow::Result<()> {
    let is_path = program.components().count() > 1;
    let path = env::var_os("PATH").unwrap_or_default();
    if is_path && program.is_file()
        || !is_path && env::split_paths(&path).any(|folder| folder.join(program).is_file())
    {
        return Ok(());
    }
    let shown = program.display();
    Err(usage(match is_path {
        true => format!("start {shown}: there is no such file"),
        false if program.is_file() => format!("start {shown}: it is not on PATH; write ./{shown}"),
        false => format!("start {shown}: there is no such program on PATH"),
    }))
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
}
