//! Two ranks on one machine, by the launcher of each MPI, and what they print.

use super::rows::{Measured, Row};
use crate::book;
use crate::command;
use anyhow::{Context, Result, bail, ensure};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One that setup installs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mpi {
    /// Open MPI.
    OpenMpi,
    /// MPICH.
    Mpich,
}

/// What is between the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// The memory of the machine.
    SharedMemory,
    /// Sockets, from the machine to itself.
    Tcp,
}

impl Mpi {
    /// Both.
    pub const ALL: [Mpi; 2] = [Mpi::OpenMpi, Mpi::Mpich];

    /// What commands and files call it.
    pub fn word(self) -> &'static str {
        match self {
            Mpi::OpenMpi => "openmpi",
            Mpi::Mpich => "mpich",
        }
    }

    /// Its name and version, as its launcher says it.
    ///
    /// # Errors
    /// It is not there.
    pub fn name(self) -> Result<String> {
        let launcher = self.program("mpirun");
        let said = command::run(Command::new(&launcher).arg("--version")).with_context(|| {
            format!("looking for {launcher}: `cargo xtask setup` installs both MPIs as Debian has them")
        })?;
        let number =
            said.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
        let name = match self {
            Mpi::OpenMpi => "Open MPI",
            Mpi::Mpich => "MPICH",
        };
        Ok(format!("{name} {}", number.unwrap_or("of some version")))
    }

    /// One of its programs by Debian's name.
    fn program(self, name: &str) -> String {
        format!("{name}.{}", self.word())
    }

    /// Compiles the library in `bench/mpi` for it.
    ///
    /// # Errors
    /// Its compiler is missing or refuses.
    pub fn compile(self) -> Result<PathBuf> {
        let (sources, library) =
            (book::root().join("bench/mpi"), book::scratch()?.join(format!("peer-{}.so", self.word())));
        let mut compiler = Command::new(self.program("mpicc"));
        compiler
            .current_dir(sources)
            .args(["-std=c11", "-O3", "-shared", "-fPIC", "pingpong.c", "reduce.c", "-o"]);
        command::run(compiler.arg(&library))?;
        Ok(library)
    }

    /// A folder in which it has the name by which programs ask for it that were compiled elsewhere, for the loader: Debian's MPICH
    /// has another. `library` is what was compiled for it.
    ///
    /// # Errors
    /// The library does not load it, or the folder cannot be made.
    pub fn folder_of_names(self, library: &Path) -> Result<PathBuf> {
        let folder = book::scratch()?.join("mpi-names");
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        if self == Mpi::Mpich {
            let said = command::run(Command::new("ldd").arg(library))?;
            let found = said.lines().find_map(|line| {
                let (name, place) = line.trim().split_once(" => ")?;
                name.starts_with("libmp").then(|| place.split(' ').next())?
            });
            let found = found.with_context(|| format!("looking for MPICH in what ldd says:\n{said}"))?;
            let name = folder.join("libmpi.so.12");
            // It may be there from another run.
            let _ = fs::remove_file(&name);
            std::os::unix::fs::symlink(found, &name).with_context(|| format!("making {}", name.display()))?;
        }
        Ok(folder)
    }

    /// The launcher's command of two ranks, to which the program and its arguments are added.
    fn launcher(self, transport: Transport) -> Command {
        // Hung ranks would wait for each other for ever.
        const SECONDS: &str = "1800";
        let mut command = Command::new(self.program("mpirun"));
        match self {
            Mpi::OpenMpi => {
                command.args(["--allow-run-as-root", "--bind-to", "core", "--timeout", SECONDS]);
                // Waiting by spinning, whatever else it takes the machine for.
                command.args(["--mca", "mpi_yield_when_idle", "0", "--mca", "pml", "ob1"]);
                match transport {
                    Transport::SharedMemory => command.args(["--mca", "btl", "vader,self"]),
                    Transport::Tcp => {
                        command.args(["--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"])
                    }
                };
            }
            Mpi::Mpich => {
                command.args(["-bind-to", "core"]).env("MPIEXEC_TIMEOUT", SECONDS);
                if transport == Transport::Tcp {
                    command
                        .env("MPIR_CVAR_NOLOCAL", "1")
                        .env("UCX_TLS", "tcp,self")
                        .env("UCX_NET_DEVICES", "lo");
                }
            }
        }
        command.args(["-n", "2"]);
        command
    }
}

impl Transport {
    /// Both.
    pub const ALL: [Transport; 2] = [Transport::SharedMemory, Transport::Tcp];

    /// What a reader calls it.
    pub fn name(self) -> &'static str {
        match self {
            Transport::SharedMemory => "shared memory",
            Transport::Tcp => "TCP",
        }
    }

    /// What commands and files call it.
    pub fn word(self) -> &'static str {
        match self {
            Transport::SharedMemory => "shared-memory",
            Transport::Tcp => "tcp",
        }
    }
}

/// A program whose two ranks measure cases: it is given the library, the seconds for each way, and the cases.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it is called.
    pub name: &'static str,
    /// It, and its first arguments.
    pub command: Vec<PathBuf>,
    /// More for its environment.
    pub variables: Vec<(&'static str, OsString)>,
    /// The cases that it has.
    pub cases: &'static [&'static str],
}

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// On which MPI.
    pub mpi: Mpi,
    /// Its name and version.
    pub version: &'a str,
    /// Over what.
    pub transport: Transport,
    /// The library in C for it.
    pub library: &'a Path,
    /// Seconds for each way.
    pub seconds: f64,
}

impl Run<'_> {
    /// Runs some cases of a program and hands over each row when it is there.
    ///
    /// # Errors
    /// The program fails, which has said why, or prints what is no row.
    pub fn rows(&self, program: &Program, cases: &[&str], mut found: impl FnMut(Row)) -> Result<()> {
        let mut command = self.mpi.launcher(self.transport);
        command.args(&program.command).arg(self.library).arg(self.seconds.to_string()).args(cases);
        command.envs(program.variables.iter().map(|(name, value)| (name, value)));
        command.env("UPCALL_MPI_CACHE", book::scratch()?.join("mpi")).env_remove("UPCALL_MPI");
        let mut child =
            command.stdout(Stdio::piped()).spawn().with_context(|| format!("starting {command:?}"))?;
        let printed = child.stdout.take().context("its output was not piped")?;
        let outcome: Result<()> = BufReader::new(printed).lines().try_for_each(|line| {
            let line = line.context("reading what the ranks print")?;
            let measured: Measured =
                serde_json::from_str(&line).with_context(|| format!("reading the line {line:?}"))?;
            found(Row {
                mpi: self.version.to_owned(),
                transport: self.transport.name().to_owned(),
                program: program.name.to_owned(),
                measured,
            });
            Ok(())
        });
        if outcome.is_err() {
            // It goes on printing otherwise.
            let _ = child.kill();
        }
        let status = child.wait().with_context(|| format!("waiting for {command:?}"))?;
        outcome?;
        ensure!(status.success(), "running {command:?}: {status}");
        Ok(())
    }
}

/// The words of a command line: those that name an MPI, a transport, a program or a case choose among them.
#[derive(Clone, Debug, Default)]
pub struct Chosen(Vec<String>);

impl Chosen {
    /// These words, all of which must be among those that are `known`.
    ///
    /// # Errors
    /// One is not, which is named.
    pub fn of(words: Vec<String>, known: &[&str]) -> Result<Chosen> {
        if let Some(unknown) = words.iter().find(|word| !known.contains(&word.as_str())) {
            bail!("reading the arguments: `{unknown}` is none of {}", known.join(", "));
        }
        Ok(Chosen(words))
    }

    /// Those of a kind that are chosen: all, where no word names one of them.
    pub fn among<T: Copy, S: AsRef<OsStr>>(&self, all: &[T], word: impl Fn(T) -> S) -> Vec<T> {
        let named = |one: &T| self.0.iter().any(|chosen| OsStr::new(chosen) == word(*one).as_ref());
        if all.iter().any(named) { all.iter().copied().filter(named).collect() } else { all.to_vec() }
    }

    /// Whether nothing was left out.
    pub fn is_all(&self) -> bool {
        self.0.is_empty()
    }
}
