//! MPI behind `libupcall`, as a program in C calls it, on ranks of both MPIs.

use crate::support::{self, root};
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

/// What a program in C# prints on so many ranks, in order.
fn printed(launcher: &str, ranks: usize, program: &Path, arguments: &[&str]) -> String {
    let dotnet = crate::embedded::dotnet();
    let output = launch(launcher, ranks).arg(dotnet).arg(program).args(arguments).output().unwrap();
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(
        output.status.success(),
        "{program:?} on {ranks} ranks of {launcher}: {}\n{said}{told}",
        output.status
    );
    // Open MPI gives its ranks a terminal, which .NET greets.
    let mut lines: Vec<String> =
        said.lines().map(|line| line.replace("\u{1b}[?1h\u{1b}=", "").trim_end().to_owned()).collect();
    lines.sort();
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

#[test]
fn the_examples_in_csharp_print_what_their_readme_says() {
    for launcher in ["mpirun.openmpi", "mpirun.mpich"] {
        let example = |name: &str| root().join("examples/mpi/build").join(name);
        let greetings: Vec<String> =
            (0..4).map(|rank| format!("Hello, from process number {rank} of 4")).collect();
        assert_eq!(printed(launcher, 4, &example("hello.dll"), &[]), greetings.join("\n"));
        assert_eq!(
            printed(launcher, 4, &example("pi.dll"), &["100000"]),
            "Pi is approximately 3.137690000000000."
        );
        assert_eq!(printed(launcher, 4, &example("ring.dll"), &[]), "Hello, World! 1, 2, 3, 0");
        let book = support::example("wordcount/kjv.txt");
        let counted = printed(launcher, 4, &example("wordcount.dll"), &[book.to_str().unwrap()]);
        let (most, whose) = ("  63919 the", "rank 3 counted 204100 words");
        assert!(counted.lines().any(|line| line == most) && counted.contains(whose), "{counted}");
        let names = printed(launcher, 2, &example("hostnames.dll"), &[]);
        let name = names.lines().next().unwrap_or_default();
        assert_eq!(names, format!("{name}\n{name}"));
        let answers = printed(launcher, 3, &example("pingpong.dll"), &[]);
        for line in [
            format!("Rank 0 is alive and running on {name}"),
            "Pinging process with rank 2... Pong!".to_owned(),
            format!("  Rank 2 is alive and running on {name}"),
        ] {
            assert!(answers.contains(&line), "{answers}");
        }
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
