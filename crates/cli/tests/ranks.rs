//! MPI behind `libupcall`, as a program in C calls it, on ranks of both MPIs.

use crate::support::readme::{blocks, shell};
use crate::support::{self, root};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// The command that starts a program on so many ranks; what setup installs is there.
pub fn launch(launcher: &str, ranks: usize) -> Command {
    let mut command = Command::new(launcher);
    if launcher.ends_with("openmpi") {
        // More ranks than cores, as root.
        command.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--timeout", "120"]);
        command.args(["--mca", "mpi_yield_when_idle", "1"]);
    }
    command.arg("-n").arg(ranks.to_string());
    command
        .env("UPCALL_MPI_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("mpi"))
        .env("MPIEXEC_TIMEOUT", "120")
        .env_remove("UPCALL_MPI");
    // A library with which ranks sleep where they would yield to each other.
    if let Some(library) = std::env::var_os("UPCALL_TESTS_WAITING") {
        command.env("LD_PRELOAD", library);
    }
    command
}

fn compiled(folder: &Path) -> std::path::PathBuf {
    let (library, program) = (support::built("libupcall.so"), folder.join("ranks"));
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-g", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I"]).arg(root().join("sdk/c"));
    cc.arg(root().join("crates/cli/tests/handlers/ranks.c")).arg(&library).arg("-o").arg(&program);
    cc.arg(format!("-Wl,-rpath,{}", root().join("build").display()));
    let output = cc.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

fn on_ranks(launcher: &str) {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(folder.path());
    for ranks in [1, 2, 3, 5] {
        let output = launch(launcher, ranks).arg(&program).output().unwrap();
        let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{ranks} ranks of {launcher}: {}\n{said}{told}", output.status);
        assert_eq!(said.matches("well").count(), ranks, "{ranks} ranks of {launcher}:\n{said}{told}");
    }
}

/// What ranks have printed, in order. Open MPI gives its ranks a terminal, which .NET greets.
fn lines(said: &str) -> Vec<String> {
    let mut lines: Vec<String> =
        said.lines().map(|line| line.replace("\u{1b}[?1h\u{1b}=", "").trim_end().to_owned()).collect();
    lines.sort();
    lines.retain(|line| !line.is_empty());
    lines
}

/// The commands of a README's section, and what it says that each prints.
fn shown(readme: &str, title: &str) -> Vec<(String, String)> {
    blocks(readme, title, "sh").into_iter().zip(blocks(readme, title, "text")).collect()
}

/// Runs a command as it is printed, in a folder, with a launcher that is called `mpirun` there, and .NET.
fn printed(launcher: &str, folder: &Path, command: &str) -> Vec<String> {
    let tools = tempfile::tempdir().unwrap();
    let mpirun = launch(launcher, 0);
    let mut told: Vec<String> =
        mpirun.get_args().map(|argument| argument.to_string_lossy().into_owned()).collect();
    told.truncate(told.len() - 2);
    told.insert(0, launcher.to_owned());
    let dotnet = crate::embedded::dotnet().display().to_string();
    for (name, program) in [("mpirun", told.join(" ")), ("dotnet", dotnet)] {
        let file = tools.path().join(name);
        fs::write(&file, format!("#!/bin/sh\nexec {program} \"$@\"\n")).unwrap();
        fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
    }
    // What the tests use is built.
    let command = command.replace("cargo xtask build\n", "");
    let path = format!("PATH=\"{}:$PATH\"\n{command}", tools.path().display());
    let mut shell = shell(folder, &path);
    for (name, value) in mpirun.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let outcome = support::run(&mut shell);
    assert_eq!(outcome.code, Some(0), "{command} with {launcher}:\n{}{}", outcome.out, outcome.err);
    lines(&outcome.out)
}

#[test]
fn the_examples_in_csharp_print_what_their_readme_says() {
    const README: &str = "examples/mpi/csharp/README.md";
    let shown = shown(README, "Run them");
    let programs = ["hello", "pi", "ring", "pingpong", "hostnames"];
    assert!(
        shown.len() == 5 && programs.iter().zip(&shown).all(|(name, (command, _))| command.contains(name))
    );
    let machine = support::run(&mut Command::new("hostname")).out.trim().to_owned();
    for launcher in ["mpirun.openmpi", "mpirun.mpich"] {
        for (command, text) in &shown {
            assert_eq!(printed(launcher, &root(), command), lines(&text.replace("mymachine", &machine)));
        }
    }
    // The word count prints what that in Rust does.
    let count = blocks("examples/mpi/README.md", "In C#", "sh").remove(0);
    let counted = blocks("examples/mpi/README.md", "In Rust", "text").remove(0);
    for mpi in ["openmpi", "mpich"] {
        let count = count.replace("mpi run", &format!("mpi run --mpi {mpi}"));
        assert_eq!(printed(&format!("mpirun.{mpi}"), &root(), &count), lines(&counted));
    }
}

#[test]
fn the_program_of_the_csharp_readme_prints_what_it_says() {
    const README: &str = "sdk/csharp/README.md";
    let folder = tempfile::tempdir().unwrap();
    let project = blocks(README, "A flow inside your program", "xml").remove(0);
    fs::write(folder.path().join("passing.csproj"), project).unwrap();
    fs::write(folder.path().join("Program.cs"), &blocks(README, "Message passing", "csharp")[0]).unwrap();
    let (command, text) = &shown(README, "Message passing")[0];
    for launcher in ["mpirun.openmpi", "mpirun.mpich"] {
        // Before what the build says.
        assert_eq!(printed(launcher, folder.path(), command)[0], text.trim_end());
    }
}

#[test]
fn a_program_in_c_passes_messages_over_open_mpi() {
    on_ranks("mpirun.openmpi");
}

#[test]
fn a_program_in_c_passes_messages_over_mpich() {
    on_ranks("mpirun.mpich");
}
