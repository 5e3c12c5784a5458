//! Ranks started by an MPI's own launcher, with the settings that the machine needs.

use crate::error::{Error, ErrorKind};
use crate::installation::{Family, Installation};
use crate::machine::Machine;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A job to start: so many ranks of a program, by the launcher of an MPI.
///
/// On one machine it may have more ranks than cores, runs as root too, binds no rank to a core (a rank may have threads, and two
/// jobs would be bound to the same ones), and uses another folder for shared memory where `/dev/shm` has no room. On the machines
/// of [`hosts`](Launch::hosts), of a [`host_file`](Launch::host_file) or of a batch system's allocation, placing and binding are
/// left to the launcher. Variables that are set already, such as `OMPI_MCA_…`, stay as they are.
///
/// ```no_run
/// use upcall_mpi::{Installation, Launch};
///
/// let status = Launch::new(&Installation::chosen()?, 4)?.command("./program", ["argument"])?.status();
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Launch {
    compiler: PathBuf,
    launcher: PathBuf,
    family: Family,
    /// The first part of the launcher's version.
    major: u32,
    machine: Machine,
    ranks: usize,
    hosts: Vec<String>,
    host_file: Option<PathBuf>,
    allocated: bool,
    labels: bool,
    variables: Vec<(String, OsString)>,
}

/// Batch systems, by a variable of an allocation: launchers place ranks by it.
const ALLOCATIONS: [&str; 4] = ["SLURM_JOB_ID", "PBS_NODEFILE", "LSB_JOBID", "PE_HOSTFILE"];

impl Launch {
    /// One of so many ranks.
    ///
    /// # Errors
    /// The MPI has no launcher, or one that is neither Open MPI's nor MPICH's; or there are no ranks.
    pub fn new(mpi: &Installation, ranks: usize) -> Result<Launch, Error> {
        let (family, version) = mpi.family()?;
        if ranks == 0 {
            return Err(Error::new(ErrorKind::Usage, "start ranks: a job has one or more"));
        }
        Ok(Launch {
            compiler: mpi.compiler().to_owned(),
            launcher: mpi.launcher()?.to_owned(),
            family,
            major: version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0),
            machine: Machine::this(),
            ranks,
            hosts: Vec::new(),
            host_file: None,
            allocated: ALLOCATIONS.iter().any(|name| env::var_os(name).is_some()),
            labels: false,
            variables: Vec::new(),
        })
    }

    /// On these machines, in turns.
    #[must_use]
    pub fn hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Launch {
        self.hosts.extend(hosts.into_iter().map(Into::into));
        self
    }

    /// On the machines of a file in the launcher's own form: `host slots=2` of Open MPI, `host:2` of MPICH.
    #[must_use]
    pub fn host_file(mut self, file: impl Into<PathBuf>) -> Launch {
        self.host_file = Some(file.into());
        self
    }

    /// Each line that a rank prints begins with its number, in the launcher's own form.
    #[must_use]
    pub fn labels(mut self, labels: bool) -> Launch {
        self.labels = labels;
        self
    }

    /// With a variable in the environment of each rank.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<OsString>) -> Launch {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Whether all ranks run on this machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.hosts.is_empty() && self.host_file.is_none() && !self.allocated
    }

    /// The command that starts a program on all ranks, which find the same MPI by `UPCALL_MPI`.
    ///
    /// # Errors
    /// An argument is a lone `:`, by which launchers tell programs apart.
    pub fn command(
        &self,
        program: impl AsRef<OsStr>,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Result<Command, Error> {
        let mut command = Command::new(&self.launcher);
        match self.family {
            Family::OpenMpi => self.open_mpi(&mut command),
            Family::Mpich => self.mpich(&mut command),
        }
        if self.is_local() {
            let variables = self.machine.variables(self.family, self.ranks);
            command.envs(variables.into_iter().filter(|(name, _)| env::var_os(name).is_none()));
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.env("UPCALL_MPI", &self.compiler);
        command.arg("-n").arg(self.ranks.to_string()).arg(program);
        for argument in arguments {
            if argument.as_ref() == ":" {
                let message = "start ranks: an argument is `:`, by which launchers tell programs apart; give it otherwise";
                return Err(Error::new(ErrorKind::Usage, message));
            }
            command.arg(argument);
        }
        Ok(command)
    }

    fn open_mpi(&self, command: &mut Command) {
        if self.machine.root {
            command.arg("--allow-run-as-root");
        }
        // Of a host file the slots are what its author wants.
        if self.host_file.is_none() && !(self.allocated && self.hosts.is_empty()) {
            match self.major {
                0..5 => command.arg("--oversubscribe"),
                _ => command.args(["--map-by", ":OVERSUBSCRIBE"]),
            };
        }
        if self.is_local() {
            command.args(["--bind-to", "none"]);
            if self.major < 5 {
                // Called by its path it would put its own folder first on the PATH of ranks, which find other programs there.
                command.arg("--noprefix");
            }
        }
        if !self.hosts.is_empty() {
            command.args(["--host", &self.hosts.join(",")]);
        }
        if let Some(file) = &self.host_file {
            command.arg("--hostfile").arg(file);
        }
        if self.labels {
            match self.major {
                0..5 => command.arg("--tag-output"),
                _ => command.args(["--output", "tag"]),
            };
        }
        // MPICH's takes all along to other machines.
        for name in self.exported() {
            command.args(["-x", &name]);
        }
    }

    fn mpich(&self, command: &mut Command) {
        if !self.hosts.is_empty() {
            command.args(["-hosts", &self.hosts.join(",")]);
        }
        if let Some(file) = &self.host_file {
            command.arg("-f").arg(file);
        }
        if self.labels {
            command.arg("-l");
        }
    }

    /// The variables that ranks have: ours, and what Upcall is told by.
    fn exported(&self) -> Vec<String> {
        let own = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let own = own.filter(|name| name.starts_with("UPCALL_") && name != "UPCALL_MPI");
        let given = self.variables.iter().map(|(name, _)| name.clone());
        let mut names: Vec<String> = own.chain(given).chain(["UPCALL_MPI".to_owned()]).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The launcher that is run.
    #[must_use]
    pub fn launcher(&self) -> &Path {
        &self.launcher
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(family: Family, major: u32) -> Launch {
        Launch {
            compiler: "/mpi/mpicc".into(),
            launcher: "/mpi/mpirun".into(),
            family,
            major,
            machine: Machine::this(),
            ranks: 4,
            hosts: Vec::new(),
            host_file: None,
            allocated: false,
            labels: false,
            variables: Vec::new(),
        }
    }

    /// Its options, without what depends on who runs the test.
    fn options(launch: &Launch) -> String {
        let command = launch.command("program", ["-n"]).unwrap();
        let said: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
        let said = said.join(" ").replace("--allow-run-as-root ", "");
        let (before, behind) = said.split_once("-n 4 ").unwrap();
        assert_eq!(behind, "program -n");
        before.split("-x ").next().unwrap().trim().to_owned()
    }

    #[test]
    fn ranks_on_one_machine_may_be_more_than_cores_and_are_not_bound() {
        assert_eq!(options(&launch(Family::OpenMpi, 4)), "--oversubscribe --bind-to none --noprefix");
        assert_eq!(options(&launch(Family::OpenMpi, 5)), "--map-by :OVERSUBSCRIBE --bind-to none");
        assert_eq!(options(&launch(Family::Mpich, 4)), "");
    }

    #[test]
    fn hosts_are_named_in_each_launchers_own_way_and_ranks_are_placed_by_it() {
        let on = |family| launch(family, 4).hosts(["a", "b"]);
        assert_eq!(options(&on(Family::OpenMpi)), "--oversubscribe --host a,b");
        assert_eq!(options(&on(Family::Mpich)), "-hosts a,b");
        let by = |family| launch(family, 4).host_file("hosts");
        assert_eq!(options(&by(Family::OpenMpi)), "--hostfile hosts");
        assert_eq!(options(&by(Family::Mpich)), "-f hosts");
        let allocated = Launch { allocated: true, ..launch(Family::OpenMpi, 4) };
        assert_eq!(options(&allocated), "");
    }

    #[test]
    fn labels_are_each_launchers_own() {
        let labelled = |family, major| options(&launch(family, major).labels(true));
        assert!(labelled(Family::OpenMpi, 4).ends_with("--tag-output"));
        assert!(labelled(Family::OpenMpi, 5).ends_with("--output tag"));
        assert_eq!(labelled(Family::Mpich, 4), "-l");
    }

    #[test]
    fn ranks_are_told_which_mpi_it_is_and_have_the_variables() {
        let command = launch(Family::OpenMpi, 4).variable("LEVEL", "3").command("program", [""; 0]).unwrap();
        let set: Vec<_> = command.get_envs().collect();
        assert!(set.contains(&(OsStr::new("UPCALL_MPI"), Some(OsStr::new("/mpi/mpicc")))));
        assert!(set.contains(&(OsStr::new("LEVEL"), Some(OsStr::new("3")))));
        let said: Vec<_> = command.get_args().collect();
        let exported = |name: &str| said.windows(2).any(|two| two == ["-x", name]);
        assert!(exported("LEVEL") && exported("UPCALL_MPI"));
    }

    #[test]
    fn an_argument_that_would_begin_another_program_is_refused() {
        let refused = launch(Family::Mpich, 4).command("program", ["a", ":", "b"]).unwrap_err();
        assert!(refused.to_string().contains("an argument is `:`"), "{refused}");
    }
}
