//! Of the commands for message passing: `mpi run`, `mpi info`.

use super::Guests;
use clap::{Args, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Subcommand)]
pub(crate) enum Mpi {
    /// Run a program on several ranks, by the launcher of the machine's MPI.
    Run(Box<MpiRun>),
    /// Say which MPIs there are, what they have, and whether two ranks reach each other.
    Info(MpiInfo),
    /// One of the ranks that `info` starts.
    #[command(hide = true)]
    Rank,
}

#[derive(Args)]
#[command(after_long_help = RUN)]
pub(crate) struct MpiRun {
    /// How many ranks.
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) ranks: u32,
    /// The MPI: `openmpi`, `mpich`, or the path of an mpicc.
    ///
    /// Without it: UPCALL_MPI, else the first on PATH of mpicc, mpicc.openmpi and mpicc.mpich.
    #[arg(long, value_name = "MPI")]
    pub(crate) mpi: Option<String>,
    /// Run on these machines, in turns, separated by commas; each needs the program and the MPI at the same place.
    #[arg(long, value_name = "HOST,…", value_delimiter = ',', conflicts_with = "hostfile")]
    pub(crate) hosts: Vec<String>,
    /// Run on the machines of a file, in the form of the MPI's own mpirun.
    ///
    /// Lines are `host slots=4` for Open MPI, which starts no more ranks than there are slots, and `host:4` for MPICH, which
    /// begins with the first host again.
    #[arg(long, value_name = "FILE")]
    pub(crate) hostfile: Option<PathBuf>,
    /// Give the ranks a variable. May be given several times; on this machine they have this command's environment anyway.
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) env: Vec<(String, String)>,
    /// Begin each line that a rank prints with its number, in the launcher's own form.
    #[arg(long)]
    pub(crate) label: bool,
    /// End the job after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    #[command(flatten)]
    pub(crate) guests: Guests,
    /// The program and its arguments.
    #[arg(
        value_name = "PROGRAM",
        required = true,
        num_args = 1..,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) program: Vec<OsString>,
}

const RUN: &str = "\
A program whose name ends with .py, .js, .mjs, .cjs, .dll, .jar or .java is run by Python, Node, .NET or Java, found as for
handlers; any other is run as it is.

Examples:
  upcall mpi run -n 4 target/release/pi
  upcall mpi run -n 4 --mpi mpich --label pi.py 1000000
  upcall mpi run -n 8 --hostfile hosts target/release/pi

The launcher is mpirun of the MPI. On one machine it is told what is needed: to run as root, to start more ranks than there are
cores and let them yield, to bind none of them to a core, where to put shared memory if /dev/shm is too small, and not to read
other processes' memory where a container refuses that. Variables of the MPI's own (OMPI_MCA_…, MPIR_CVAR_…) that are set
already stay as they are. On several machines, and in an allocation of a batch system, mpirun places and binds the ranks as it
does without this command. The ranks find the same MPI by UPCALL_MPI.

Ctrl-C, SIGTERM and SIGHUP end all ranks; a second one, or five seconds, kill them.

Exit codes: those of mpirun, which are the program's: of Open MPI that of the first rank that failed, of MPICH all ranks' bits
together, and 9 where it had to kill the others; 1 the job could not be started; 2 the command line is wrong; 124 it took too
long; 129, 130 or 143 it was stopped by SIGHUP, Ctrl-C or SIGTERM.";

#[derive(Args)]
#[command(after_long_help = INFO)]
pub(crate) struct MpiInfo {
    /// Only this MPI: `openmpi`, `mpich`, or the path of an mpicc.
    #[arg(value_name = "MPI")]
    pub(crate) mpi: Option<String>,
}

const INFO: &str = "\
Each MPI whose compiler is on PATH is asked by two ranks, which its launcher starts as `upcall mpi run` does. The one that a
program would use is said to be the default.

Exit codes: 0 all of them work; 1 one does not, or there is none.";

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as NAME=VALUE, for example LEVEL=3".into()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let duration = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "write a number of seconds, for example 90".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_and_its_value_are_split_at_the_first_equals_sign() {
        assert_eq!(variable("A=b=c"), Ok(("A".into(), "b=c".into())));
        assert!(variable("A").unwrap_err().contains("NAME=VALUE") && variable("=b").is_err());
    }

    #[test]
    fn a_time_is_a_number_of_seconds() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        for wrong in ["0", "-1", "NaN", "1s", "1e300"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
