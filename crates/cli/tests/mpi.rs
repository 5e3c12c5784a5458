//! `upcall mpi`: ranks by both MPIs' launchers, which setup installs.

use crate::support::readme::{blocks, shell};
use crate::support::{Folder, Outcome, fed, root, run, upcall};
use crate::wordcount::reference;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

pub const BOTH: [&str; 2] = ["openmpi", "mpich"];

fn command(arguments: &[&str]) -> Command {
    let mut command = upcall(arguments);
    command.env_remove("UPCALL_MPI").env("UPCALL_MPI_CACHE", cache());
    command
}

pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("mpi")
}

/// `upcall mpi run` with an MPI.
pub fn ranks(mpi: &str, arguments: &[&str]) -> Command {
    command(&[&["mpi", "run", "--mpi", mpi], arguments].concat())
}

/// Ranks that end at once end MPICH's launcher by SIGPIPE, where it has no input: it tells them so, and nobody is there any more.
const HERE: &str = "echo here; sleep 0.3";

#[track_caller]
fn succeeded(command: &mut Command) -> String {
    let outcome = run(command);
    assert_eq!(outcome.code, Some(0), "{}{}", outcome.out, outcome.err);
    outcome.out
}

#[test]
fn more_ranks_than_cores_reach_each_other_by_both_mpis() {
    for mpi in BOTH {
        let said = succeeded(&mut ranks(mpi, &["-n", "4", env!("CARGO_BIN_EXE_upcall"), "mpi", "rank"]));
        assert!(said.ends_with("works: 4 ranks have added their numbers\n"), "{mpi}: {said}");
        let library = if mpi == "mpich" { "library   MPICH Version: " } else { "library   Open MPI v" };
        assert!(said.starts_with(library), "{mpi}: {said}");
    }
}

#[test]
fn the_exit_code_is_the_programs() {
    for mpi in BOTH {
        let outcome = run(&mut ranks(mpi, &["-n", "2", "sh", "-c", "sleep 0.3; exit 3"]));
        assert_eq!(outcome.code, Some(3), "{mpi}: {}", outcome.err);
    }
}

#[test]
fn ranks_have_arguments_variables_labels_and_standard_input() {
    for mpi in BOTH {
        let script = "echo \"$1 $LEVEL $(basename $UPCALL_MPI) $UPCALL_OF_MINE\"; sleep 0.3";
        let run = ["-n", "2", "--label", "--env", "LEVEL=3", "sh", "-c", script, "-", "-n"];
        let said = succeeded(ranks(mpi, &run).env("UPCALL_OF_MINE", "own"));
        let lines: Vec<&str> = said.lines().collect();
        let wanted = format!("-n 3 mpicc.{mpi} own");
        assert!(lines.len() == 2 && lines.iter().all(|line| line.ends_with(&wanted)), "{mpi}: {said}");
        // Each in the launcher's own form.
        let labels = if mpi == "mpich" { ["[0] ", "[1] "] } else { ["[1,0]<stdout>:", "[1,1]<stdout>:"] };
        assert!(labels.iter().all(|label| lines.iter().any(|line| line.starts_with(label))), "{mpi}: {said}");
        let Outcome { out, .. } = fed(&mut ranks(mpi, &["-n", "1", "cat"]), b"of rank 0\n");
        assert_eq!(out, "of rank 0\n", "{mpi}");
    }
}

#[test]
fn programs_in_other_languages_are_run_by_their_runtimes() {
    let folder = Folder::new("");
    let python = folder.write("who.py", "import sys\nprint(sys.argv[1])\n");
    let node = folder.write("who.mjs", "console.log(process.argv[2])\n");
    for program in [python, node] {
        let said = succeeded(&mut ranks("openmpi", &["-n", "2", &program, "--name"]));
        assert_eq!(said, "--name\n--name\n", "{program}");
    }
}

/// Open MPI has its own folder before those of `PATH` where its `mpirun` is called by a path, as it is.
#[test]
fn a_program_is_the_one_that_a_shell_would_find() {
    let folder = std::env::temp_dir().join(format!("upcall-mpi-shadow-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join("uname");
    fs::write(&program, "#!/bin/sh\necho ours\nsleep 0.3\n").unwrap();
    fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let path =
        std::env::join_paths(std::iter::once(folder.clone()).chain(std::env::split_paths(&path))).unwrap();
    for mpi in BOTH {
        assert_eq!(succeeded(ranks(mpi, &["-n", "2", "uname"]).env("PATH", &path)), "ours\nours\n", "{mpi}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_host_file_and_hosts_work_as_with_mpirun() {
    let folder = Folder::new("");
    for (mpi, hosts) in [("openmpi", "localhost slots=3\n"), ("mpich", "localhost:3\n")] {
        let file = folder.write("hosts", hosts);
        let said = succeeded(&mut ranks(mpi, &["-n", "3", "--hostfile", &file, "sh", "-c", HERE]));
        assert_eq!(said, "here\n".repeat(3), "{mpi}");
        let said = succeeded(&mut ranks(mpi, &["-n", "3", "--hosts", "localhost", "sh", "-c", HERE]));
        assert_eq!(said, "here\n".repeat(3), "{mpi}");
    }
    // Its slots are what its author wants.
    let file = folder.write("hosts", "localhost slots=1\n");
    let refused = run(&mut ranks("openmpi", &["-n", "3", "--hostfile", &file, "true"]));
    assert!(refused.code != Some(0) && refused.err.contains("not enough slots"), "{}", refused.err);
    let missing = run(&mut ranks("openmpi", &["-n", "3", "--hostfile", "/no/hosts", "true"]));
    assert_eq!(missing.code, Some(2));
    assert_eq!(missing.err, "error: read the hosts in /no/hosts: there is no such file\n");
}

#[test]
fn a_program_that_is_not_there_is_told_once_and_not_once_per_rank() {
    let folder = Folder::new("");
    folder.write("here", "");
    let mut here = ranks("openmpi", &["-n", "2", "here"]);
    for (outcome, said) in [
        (run(&mut ranks("openmpi", &["-n", "2", "/no/such"])), "start /no/such: there is no such file"),
        (run(&mut ranks("mpich", &["-n", "2", "/no/such.py"])), "start /no/such.py: there is no such file"),
        (
            run(&mut ranks("mpich", &["-n", "2", "no-such"])),
            "start no-such: there is no such program on PATH",
        ),
        (run(here.current_dir(folder.path(""))), "start here: it is not on PATH; write ./here"),
        (
            run(&mut ranks("mpich", &["-n", "2", "echo", ":"])),
            "start ranks: an argument is `:`, by which launchers tell programs apart; give it otherwise",
        ),
    ] {
        assert_eq!((outcome.code, outcome.err), (Some(2), format!("error: {said}\n")));
    }
}

/// What is installed needs no MPI until one is asked for.
#[test]
fn without_any_mpi_the_error_says_what_to_install() {
    let (mpi, nowhere) = ("find MPI: there is no mpicc, mpicc.openmpi, mpicc.mpich on PATH", "/nowhere");
    for arguments in [&["mpi", "run", "-n", "2", "/bin/true"][..], &["mpi", "info"]] {
        let outcome = run(command(arguments).env("PATH", nowhere));
        assert_eq!(outcome.code, Some(1));
        let wanted =
            format!("error: {mpi}; install one with its compiler (Debian: `openmpi-bin libopenmpi-dev`");
        assert!(outcome.err.starts_with(&wanted), "{}", outcome.err);
    }
    // A launcher alone, as of a package without the compiler.
    let folder = Folder::new("");
    let launcher = folder.write("mpirun", "");
    let outcome = run(command(&["mpi", "run", "-n", "2", "/bin/true"]).env("PATH", folder.path("")));
    assert!(
        outcome.err.contains(&format!("{mpi} (there is {launcher}, but no compiler); install")),
        "{}",
        outcome.err
    );
    // What passes no messages works there.
    assert_eq!(run(command(&["explain", "pool"]).env("PATH", nowhere)).code, Some(0));
}

#[test]
fn a_compiler_without_a_launcher_or_with_a_strange_one_is_told() {
    let folder = Folder::new("");
    let compiler = folder.write("mpicc", "");
    let outcome = run(&mut ranks(&compiler, &["-n", "2", "true"]));
    assert_eq!(outcome.code, Some(1));
    let wanted =
        format!("error: find the launcher of MPI: beside {compiler} there is no {}", folder.path("mpirun"));
    assert!(outcome.err.starts_with(&wanted), "{}", outcome.err);
    let launcher = folder.write("mpirun", "#!/bin/sh\necho Start 1.0\n");
    fs::set_permissions(&launcher, fs::Permissions::from_mode(0o755)).unwrap();
    let outcome = run(&mut ranks(&compiler, &["-n", "2", "true"]));
    assert!(
        outcome.err.contains("it says `Start 1.0`, which is neither Open MPI nor MPICH"),
        "{}",
        outcome.err
    );
    // Where the only mpicc is another's.
    let only = Folder::new("");
    for program in ["mpicc", "mpirun"] {
        let real = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .map(|folder| folder.join(format!("{program}.openmpi")))
            .find(|file| file.is_file());
        symlink(real.unwrap(), only.path(program)).unwrap();
    }
    let outcome = run(ranks("mpich", &["-n", "2", "/bin/true"]).env("PATH", only.path("")));
    let wanted = format!("find MPI: there is no mpich on PATH: {} is Open MPI's", only.path("mpicc"));
    assert!(outcome.err.contains(&wanted), "{}", outcome.err);
}

#[test]
fn info_says_of_each_mpi_what_it_is_and_that_ranks_reach_each_other() {
    let said = succeeded(command(&["mpi", "info"]).env("UPCALL_MPI", "mpich"));
    let (open, mpich) = said.split_at(said.find("mpicc.mpich").unwrap());
    for (said, launcher) in [(open, "mpirun"), (mpich, "mpirun.mpich")] {
        assert!(said.contains("\n  works: 2 ranks have added their numbers\n"), "{said}");
        assert!(said.contains(&format!("/{launcher}, ")) && said.contains("\n  shim "), "{said}");
    }
    assert!(open.contains("library   Open MPI v") && mpich.contains("library   MPICH Version: "), "{said}");
    assert!(mpich.starts_with("mpicc.mpich (the default)\n") && !open.contains("(the default)"), "{said}");
    // Found by its functions; those of fault tolerance are there, and do not work.
    assert!(mpich.contains("\n  has       64-bit counts, persistent collectives"), "{said}");
    assert!(mpich.contains("\n  lacks     fault tolerance (ULFM)"), "{said}");
}

#[test]
fn info_names_the_mpi_that_does_not_work() {
    let folder = Folder::new("");
    let compiler = folder.write("mpicc", "#!/bin/sh\necho no such compiler >&2\nexit 4\n");
    let launcher = folder.write("mpirun", "#!/bin/sh\necho HYDRA 1.0\n");
    for program in [&compiler, &launcher] {
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let outcome = run(&mut command(&["mpi", "info", &compiler]));
    assert_eq!(outcome.code, Some(1));
    let wanted = format!(
        "  does not work: compile the shim of MPI with {compiler}: exit status: 4\n    no such compiler"
    );
    assert!(outcome.out.contains(&wanted), "{}", outcome.out);
}

/// Where the programs of examples are: the folder that `cargo xtask test` names, or that of `cargo xtask build`.
fn programs() -> PathBuf {
    std::env::var_os("UPCALL_PROGRAMS").map_or_else(|| root().join("target/release"), PathBuf::from)
}

#[test]
fn the_book_is_counted_on_four_ranks_as_the_readme_says() {
    const README: &str = "examples/mpi/README.md";
    let programs = programs();
    let program = programs.join("mpi-wordcount");
    assert!(program.is_file(), "there is no {}: run cargo xtask build", program.display());
    let (commands, printed) = (blocks(README, "In Rust", "sh"), blocks(README, "In Rust", "text"));
    let [count, compare] = &commands[..] else { panic!("{README} has two blocks of commands") };
    for mpi in BOTH {
        let mut command = shell(&root(), &format!("PATH=\"$PATH:{}\"\n{count}", programs.display()));
        command.env("UPCALL_MPI", mpi).env("UPCALL_MPI_CACHE", cache());
        assert_eq!([succeeded(&mut command)], printed[..], "{mpi}");
        let counts = fs::read_to_string(root().join("build/counts.txt")).unwrap();
        assert!(counts == reference(), "{mpi}: the counts differ from those of a shell");
    }
    succeeded(&mut shell(&root(), compare));
}
