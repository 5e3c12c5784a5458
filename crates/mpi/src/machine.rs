//! What an MPI has to be told of the machine that all ranks run on.

use crate::installation::Family;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of shared memory for each rank: Open MPI 4 takes 4 MiB, MPICH over UCX 4.3, Open MPI 5 takes 16.
const SHARED: u64 = 20 << 20;

/// The machine, as far as it matters.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// Whether this process is root's.
    pub(crate) root: bool,
    /// How many threads run at a time.
    pub(crate) cores: usize,
    /// Free bytes for shared memory, where there is a place for it.
    shared: Option<u64>,
    /// Where it could be instead, and free bytes there.
    elsewhere: (PathBuf, Option<u64>),
    /// Whether a process may read another's memory, so far as is known.
    reads: bool,
}

impl Machine {
    /// This one.
    pub(crate) fn this() -> Machine {
        let elsewhere = env::temp_dir();
        let free = free(&elsewhere);
        Machine {
            root: rustix::process::geteuid().is_root(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            shared: free_of("/dev/shm"),
            elsewhere: (elsewhere, free),
            reads: may_read(),
        }
    }

    /// Variables for so many ranks on this machine. What the user has set already is not touched.
    pub(crate) fn variables(&self, family: Family, ranks: usize) -> Vec<(&'static str, String)> {
        let mut variables = Vec::new();
        let mut set = |names: &[&'static str], value: &str| {
            variables.extend(names.iter().map(|name| (*name, value.to_owned())));
        };
        // A rank that spins while it waits keeps the one that it waits for from running. (MPICH 4 spins whatever it is told.)
        if ranks > self.cores && family == Family::OpenMpi {
            set(&["OMPI_MCA_mpi_yield_when_idle"], "1");
        }
        let wanted = SHARED.saturating_mul(ranks as u64);
        let fits = |free: Option<u64>| free.is_some_and(|free| free >= wanted);
        if !fits(self.shared) && fits(self.elsewhere.1) {
            let folder = self.elsewhere.0.to_string_lossy();
            match family {
                Family::OpenMpi => set(
                    &[
                        "OMPI_MCA_btl_vader_backing_directory",
                        "OMPI_MCA_btl_sm_backing_directory",
                        "OMPI_MCA_osc_sm_backing_directory",
                        "OMPI_MCA_osc_rdma_backing_directory",
                    ],
                    &folder,
                ),
                // Its own has no other place; UCX's has, and carries what would go there.
                Family::Mpich => {
                    set(&["UCX_POSIX_DIR"], &folder);
                    set(&["MPIR_CVAR_NOLOCAL"], "1");
                }
            }
        }
        if !self.reads {
            match family {
                Family::OpenMpi => {
                    set(&["OMPI_MCA_btl_vader_single_copy_mechanism"], "none");
                    set(&["OMPI_MCA_smsc"], "^cma");
                }
                Family::Mpich => set(&["MPIR_CVAR_CH4_CMA_ENABLE"], "0"),
            }
        }
        variables
    }
}

fn free_of(folder: &str) -> Option<u64> {
    free(Path::new(folder))
}

/// Free bytes where a folder is that can be written to.
pub(crate) fn free(folder: &Path) -> Option<u64> {
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK).ok()?;
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// Whether ranks may read each other's memory, as Open MPI does with large messages. A container's filter refuses the call even
/// for a process's own; Yama's scope 2 and more refuse it for all that are not traced.
fn may_read() -> bool {
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").ok();
    let scope = scope.and_then(|scope| scope.trim().parse::<u32>().ok()).unwrap_or(0);
    reads_itself() && scope < 2
}

#[cfg(target_os = "linux")]
fn reads_itself() -> bool {
    let (from, mut into) = ([7u8], [0u8]);
    let here = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: 1 };
    let there = libc::iovec { iov_base: from.as_ptr().cast_mut().cast(), iov_len: 1 };
    // SAFETY: it reads one byte of this process's into another.
    unsafe { libc::process_vm_readv(libc::getpid(), &here, 1, &there, 1, 0) == 1 }
}

#[cfg(not(target_os = "linux"))]
fn reads_itself() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOMY: u64 = 1 << 40;

    fn machine(shared: Option<u64>, elsewhere: Option<u64>, reads: bool) -> Machine {
        Machine { root: false, cores: 2, shared, elsewhere: ("/elsewhere".into(), elsewhere), reads }
    }

    fn set(machine: &Machine, family: Family, ranks: usize) -> Vec<String> {
        let variables = machine.variables(family, ranks);
        variables.into_iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    #[test]
    fn a_machine_with_room_and_cores_needs_nothing() {
        let machine = machine(Some(ROOMY), Some(ROOMY), true);
        assert!(set(&machine, Family::OpenMpi, 2).is_empty() && set(&machine, Family::Mpich, 9).is_empty());
        assert_eq!(set(&machine, Family::OpenMpi, 3), ["OMPI_MCA_mpi_yield_when_idle=1"]);
    }

    #[test]
    fn shared_memory_goes_elsewhere_where_it_has_no_room() {
        // What Docker gives a container: enough for three.
        let docker = machine(Some(64 << 20), Some(ROOMY), true);
        assert!(set(&docker, Family::Mpich, 3).is_empty());
        assert_eq!(set(&docker, Family::Mpich, 4), ["UCX_POSIX_DIR=/elsewhere", "MPIR_CVAR_NOLOCAL=1"]);
        let open = set(&machine(None, Some(ROOMY), true), Family::OpenMpi, 2);
        assert_eq!(open[0], "OMPI_MCA_btl_vader_backing_directory=/elsewhere");
        // Where there is no room either, MPI says so itself.
        assert!(set(&machine(Some(0), Some(0), true), Family::OpenMpi, 2).is_empty());
    }

    #[test]
    fn memory_of_others_is_not_read_where_that_is_refused() {
        let machine = machine(Some(ROOMY), Some(ROOMY), false);
        let open = ["OMPI_MCA_btl_vader_single_copy_mechanism=none", "OMPI_MCA_smsc=^cma"];
        assert_eq!(set(&machine, Family::OpenMpi, 2), open);
        assert_eq!(set(&machine, Family::Mpich, 2), ["MPIR_CVAR_CH4_CMA_ENABLE=0"]);
    }

    #[test]
    fn this_machine_is_looked_at() {
        let this = Machine::this();
        assert!(this.cores >= 1 && free(Path::new("/")).is_some() && free(Path::new("/nowhere")).is_none());
    }
}
