//! Who has started this process, by its variables, and how many it says that there are.

use rustix::process::Pid;
use std::env;
use std::fmt;
use std::fs;

/// What starts ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Launcher {
    /// `mpirun` of Open MPI, 5 included, whose PMIx every rank has beside variables of Open MPI's.
    OpenMpi,
    /// Hydra: `mpirun` of MPICH and of what descends from it.
    Mpich,
    /// `srun --mpi=pmi2`, or PALS of HPE.
    Pmi,
    /// `srun --mpi=pmix`, or a `prterun` of its own.
    Pmix,
    /// `srun` without any PMI.
    Slurm,
    None,
}

impl fmt::Display for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Launcher::OpenMpi => "the launcher of Open MPI",
            Launcher::Mpich => "the launcher of MPICH",
            Launcher::Pmi => "a launcher that speaks PMI (srun --mpi=pmi2, PALS)",
            Launcher::Pmix => "a launcher that speaks PMIx (srun --mpi=pmix, prterun)",
            Launcher::Slurm => "srun without PMI",
            Launcher::None => "no launcher",
        })
    }
}

impl Launcher {
    /// Whose variables are set.
    pub(crate) fn of(is_set: impl Fn(&str) -> bool) -> Launcher {
        let any = |names: &[&str]| names.iter().any(|name| is_set(name));
        match () {
            () if any(&["OMPI_COMM_WORLD_SIZE", "OMPI_MCA_ess_base_jobid"]) => Launcher::OpenMpi,
            // In an allocation of Slurm's too, where Hydra starts its own daemons by srun.
            () if any(&["HYDI_CONTROL_FD", "MPI_LOCALNRANKS"]) => Launcher::Mpich,
            () if any(&["PMI_RANK", "PMI_FD", "PMI_PORT"]) => match is_set("SLURM_STEP_ID") {
                true => Launcher::Pmi,
                false => Launcher::Mpich,
            },
            () if is_set("PMIX_RANK") => Launcher::Pmix,
            () if is_set("PALS_RANKID") => Launcher::Pmi,
            // A script of sbatch's has SLURM_NTASKS and SLURM_PROCID too, and is one process.
            () if is_set("SLURM_STEP_NUM_TASKS") => Launcher::Slurm,
            () => Launcher::None,
        }
    }

    /// That of this process.
    pub(crate) fn of_this_process() -> Launcher {
        Launcher::of(|name| env::var_os(name).is_some())
    }

    /// Whether it has started more processes on this machine than there are cores, and its MPI has them spin while they wait.
    pub(crate) fn leaves_yielding(self) -> bool {
        let ranks = env::var("MPI_LOCALNRANKS").ok().and_then(|ranks| ranks.parse::<usize>().ok());
        self == Launcher::Mpich && ranks.is_some_and(|ranks| ranks > cores_of_the_ranks())
    }

    /// Whether an MPI that calls itself so may be one whose processes it starts: MPICH's have many names. Of those that speak
    /// a PMI nobody knows before MPI has started: a library may be built for it or not.
    pub(crate) fn may_start(self, library: &str) -> bool {
        match self {
            Launcher::OpenMpi => is_open_mpi(library),
            Launcher::Mpich => !is_open_mpi(library),
            Launcher::Pmi | Launcher::Pmix | Launcher::Slurm | Launcher::None => true,
        }
    }

    /// Compilers of the MPI that it most likely starts, by the names that Debian gives them beside others, and the plain one.
    pub(crate) fn compilers(self) -> &'static [&'static str] {
        match self {
            Launcher::OpenMpi | Launcher::Pmix => &["mpicc.openmpi", "mpicc"],
            Launcher::Mpich | Launcher::Pmi => &["mpicc.mpich", "mpicc"],
            Launcher::Slurm | Launcher::None => &["mpicc", "mpicc.openmpi", "mpicc.mpich"],
        }
    }
}

/// The cores that MPICH's launcher had for all ranks of this machine: a rank that it has bound (`-bind-to core`) may run on few of
/// them, so that those of the launcher count.
fn cores_of_the_ranks() -> usize {
    let own = std::thread::available_parallelism().map_or(1, usize::from);
    match env::var_os("HYDRA_USER_PROVIDED_BINDING") {
        Some(_) => cores_of_hydra().unwrap_or(own),
        None => own,
    }
}

/// Those of the nearest ancestor that is Hydra's: a rank may have been started by a script.
fn cores_of_hydra() -> Option<usize> {
    let mut process = rustix::process::getppid()?;
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero())).ok()?;
        let of = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        if of("Name:")?.starts_with("hydra") {
            let cores = rustix::thread::sched_getaffinity(Some(process)).ok()?;
            return usize::try_from(cores.count()).ok();
        }
        process = Pid::from_raw(of("PPid:")?.parse().ok()?)?;
    }
}

pub(crate) fn is_open_mpi(library: &str) -> bool {
    library.starts_with("Open MPI")
}

/// Where launchers say how many ranks they have started; one that was started by another comes first.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];

/// How many ranks the launcher says that it has started, and the variable that says so.
pub(crate) fn told(get: impl Fn(&str) -> Option<String>) -> Option<(&'static str, usize)> {
    SIZES.into_iter().find_map(|name| Some((name, get(name)?.parse().ok()?)))
}

/// Why a process that is alone is not meant to be: its launcher has started more, and they do not find each other.
pub(crate) fn alone(library: &str) -> Option<String> {
    let (variable, ranks) = told(|name| env::var(name).ok()).filter(|(_, ranks)| *ranks > 1)?;
    let launcher = Launcher::of_this_process();
    let srun = if is_open_mpi(library) { "srun --mpi=pmix" } else { "srun --mpi=pmi2" };
    Some(format!(
        "start MPI: {launcher} has started {ranks} ranks, and each is alone in `{library}`, which does not speak with that \
         launcher; start them by `upcall mpi run`, by that MPI's own mpirun or by `{srun}`, or name the launcher's MPI in \
         UPCALL_MPI; where each is meant to be alone, unset {variable}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(set: &[&str]) -> Launcher {
        Launcher::of(|name| set.contains(&name))
    }

    #[test]
    fn the_launcher_is_known_by_its_variables() {
        assert_eq!(of(&[]), Launcher::None);
        assert_eq!(of(&["PMI_RANK", "PMI_SIZE"]), Launcher::Mpich);
        assert_eq!(of(&["PMI_RANK", "PMI_SIZE", "PMI_FD", "HYDI_CONTROL_FD"]), Launcher::Mpich);
        assert_eq!(of(&["PMIX_RANK"]), Launcher::Pmix);
        assert_eq!(of(&["PALS_RANKID", "PALS_APID"]), Launcher::Pmi);
        // Of Open MPI 4 and of 5, as their ranks print them.
        let four = ["OMPI_COMM_WORLD_SIZE", "OMPI_MCA_ess_base_jobid", "PMIX_RANK", "PMIX_NAMESPACE"];
        let five = ["OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMIX_NAMESPACE", "PRTE_LAUNCHED"];
        assert_eq!([of(&four), of(&five)], [Launcher::OpenMpi; 2]);
    }

    /// The variables that Slurm 22.05's srun sets with each of `--mpi`, and mpirun in an allocation: no srun runs here.
    #[test]
    fn srun_is_known_by_the_variables_of_its_mpi() {
        const STEP: [&str; 4] = ["SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_ID", "SLURM_STEP_NUM_TASKS"];
        let with = |more: &[&'static str]| of(&[&STEP[..], more].concat());
        assert_eq!(with(&[]), Launcher::Slurm);
        assert_eq!(with(&["PMI_FD", "PMI_JOBID", "PMI_RANK", "PMI_SIZE"]), Launcher::Pmi);
        assert_eq!(with(&["PMIX_RANK", "PMIX_NAMESPACE", "PMIX_SERVER_URI4"]), Launcher::Pmix);
        assert_eq!(with(&["PMI_RANK", "PMI_SIZE", "HYDI_CONTROL_FD"]), Launcher::Mpich);
        assert_eq!(with(&["PMIX_RANK", "OMPI_COMM_WORLD_SIZE"]), Launcher::OpenMpi);
        assert_eq!(of(&["SLURM_PROCID", "SLURM_NTASKS"]), Launcher::None);
    }

    #[test]
    fn the_innermost_launcher_says_how_many_ranks_there_are() {
        let told = |set: &[(&str, &str)]| {
            told(|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
        };
        let srun = [("SLURM_NTASKS", "8"), ("SLURM_STEP_NUM_TASKS", "2")];
        assert_eq!(told(&srun), Some(("SLURM_STEP_NUM_TASKS", 2)));
        assert_eq!(told(&[srun[1], ("PMI_SIZE", "4")]), Some(("PMI_SIZE", 4)));
        assert_eq!(told(&[srun[1], ("OMPI_COMM_WORLD_SIZE", "3")]), Some(("OMPI_COMM_WORLD_SIZE", 3)));
        // A script of sbatch's, and a variable that is no number.
        assert_eq!(told(&[("SLURM_NTASKS", "8"), ("SLURM_PROCID", "0"), ("PMI_SIZE", "")]), None);
    }

    #[test]
    fn a_library_is_refused_where_the_launcher_is_surely_anothers() {
        let may = |launcher: Launcher, library| launcher.may_start(library);
        assert!(may(Launcher::OpenMpi, "Open MPI v4.1.4") && !may(Launcher::OpenMpi, "MPICH Version: 4.0.2"));
        assert!(
            may(Launcher::Mpich, "Intel(R) MPI Library 2021.9") && !may(Launcher::Mpich, "Open MPI v4.1.4")
        );
        assert!(may(Launcher::Pmix, "MPICH Version: 4.2") && may(Launcher::Pmi, "Open MPI v4.1.4"));
    }
}
