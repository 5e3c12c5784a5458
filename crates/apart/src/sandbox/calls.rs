//! System calls, by seccomp: what no handler needs fails with `EPERM`, as if a user without rights had called it.
//!
//! It is a list of what is forbidden, since what three runtimes and the libraries of their users call is no list that anybody
//! can keep. So that it does not grow holes with each Linux, numbers that are newer than the list are unknown here.

use libc::{c_long, c_ulong};
use seccompiler::SeccompCmpArgLen::Dword;
use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};
use seccompiler::{apply_filter, sock_filter};
use std::collections::BTreeMap;
use std::io;

/// What always fails with `EPERM`.
#[rustfmt::skip]
const FORBIDDEN: &[c_long] = &[
    // Sockets; pairs of them are below.
    libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4,
    // Other processes.
    libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev, libc::SYS_process_madvise,
    libc::SYS_kcmp, libc::SYS_pidfd_open, libc::SYS_pidfd_getfd, libc::SYS_pidfd_send_signal, libc::SYS_tkill,
    libc::SYS_move_pages, libc::SYS_migrate_pages, libc::SYS_setns, libc::SYS_unshare,
    // Memory and queues that others share by number or name.
    libc::SYS_shmget, libc::SYS_shmat, libc::SYS_msgget, libc::SYS_msgsnd, libc::SYS_msgrcv, libc::SYS_semget,
    libc::SYS_semop, libc::SYS_semtimedop, libc::SYS_mq_open, libc::SYS_mq_unlink,
    // What Landlock leaves out: owners, rights, times and attributes of files.
    libc::SYS_fchmod, libc::SYS_fchmodat, FCHMODAT2, libc::SYS_fchown, libc::SYS_fchownat, libc::SYS_utimensat,
    libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, libc::SYS_removexattr, libc::SYS_lremovexattr,
    libc::SYS_fremovexattr, libc::SYS_open_by_handle_at,
    // Mounts.
    libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root, libc::SYS_chroot, libc::SYS_open_tree,
    libc::SYS_move_mount, libc::SYS_fsopen, libc::SYS_fsconfig, libc::SYS_fsmount, libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // Parts of the kernel that are large, or let one into it.
    libc::SYS_bpf, libc::SYS_perf_event_open, libc::SYS_userfaultfd, libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter, libc::SYS_io_uring_register, libc::SYS_keyctl, libc::SYS_add_key,
    libc::SYS_request_key, libc::SYS_init_module, libc::SYS_finit_module, libc::SYS_delete_module,
    libc::SYS_kexec_load, libc::SYS_kexec_file_load, libc::SYS_fanotify_init, libc::SYS_lookup_dcookie,
    // The machine.
    libc::SYS_reboot, libc::SYS_swapon, libc::SYS_swapoff, libc::SYS_acct, libc::SYS_quotactl,
    libc::SYS_quotactl_fd, libc::SYS_syslog, libc::SYS_vhangup, libc::SYS_sethostname, libc::SYS_setdomainname,
    libc::SYS_settimeofday, libc::SYS_clock_settime, libc::SYS_adjtimex, libc::SYS_clock_adjtime,
    #[cfg(target_arch = "x86_64")] libc::SYS_fork,
    #[cfg(target_arch = "x86_64")] libc::SYS_vfork,
    #[cfg(target_arch = "x86_64")] libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")] libc::SYS_chown,
    #[cfg(target_arch = "x86_64")] libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")] libc::SYS_utime,
    #[cfg(target_arch = "x86_64")] libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")] libc::SYS_futimesat,
    #[cfg(target_arch = "x86_64")] libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")] libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")] libc::SYS_modify_ldt,
];

/// The same number everywhere; not every version of `libc` has it.
const FCHMODAT2: c_long = 452;

/// What is unknown here, so that a C library does it in the older way, which the filter can see through.
const UNKNOWN: [c_long; 2] = [libc::SYS_clone3, libc::SYS_openat2];

/// The newest system call that was looked at for this list. Above it are those of later kernels, and those of x32.
const NEWEST: c_long = libc::SYS_mseal;

/// Stands for the id of the process that the filter is for, until there is one. No process has it.
const OWN: u32 = 0x6f77_6e21;

/// Says what the kernel lacks, if it does.
pub(super) fn check() -> Result<(), String> {
    const ACTION_AVAIL: c_ulong = 2;
    let action = libc::SECCOMP_RET_ERRNO;
    // SAFETY: it reads the number, and does nothing.
    let found = unsafe { libc::syscall(libc::SYS_seccomp, ACTION_AVAIL, 0, &raw const action) };
    match found {
        0 => Ok(()),
        _ => Err(format!(
            "seccomp with filters, which this kernel does not have ({})",
            io::Error::last_os_error()
        )),
    }
}

/// The filters, to be applied one after the other. `long`: Landlock keeps files from being truncated.
pub(super) fn filters(long: bool) -> Result<[BpfProgram; 2], String> {
    let make = || {
        let truncates = if long { Vec::new() } else { truncates()? };
        let forbidden = FORBIDDEN.iter().map(|call| (*call, Vec::new()));
        let forbidden = forbidden.chain(conditions()?).chain(truncates).collect();
        let unknown = UNKNOWN.iter().map(|call| (*call, Vec::new())).collect();
        Ok([compile(forbidden, libc::EPERM)?, newest(compile(unknown, libc::ENOSYS)?)])
    };
    make().map_err(|error: BackendError| format!("a filter for seccomp, which failed: {error}"))
}

/// One that keeps other programs from being run.
pub(super) fn exec() -> Result<BpfProgram, BackendError> {
    compile([libc::SYS_execve, libc::SYS_execveat].map(|call| (call, Vec::new())).into(), libc::EPERM)
}

/// What fails with some arguments only.
fn conditions() -> Result<Vec<(c_long, Vec<SeccompRule>)>, BackendError> {
    let flag = |flag: i32| (0, MaskedEq(u64::from(flag.cast_unsigned())), flag.cast_unsigned());
    let no_thread = (0, MaskedEq(libc::CLONE_THREAD as u64), 0);
    // Of namespaces, those that one may enter with a thread.
    let spaces = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWNET,
    ];
    let clone = [rule(&[no_thread])].into_iter().chain(spaces.map(|space| rule(&[flag(space)])));
    // The other ends of pairs of these could be any socket that has a name.
    let named = [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_SEQPACKET];
    let pairs = named.map(|kind| rule(&[(1, MaskedEq(0xf), kind.cast_unsigned())]));
    let others = || Ok(vec![rule(&[(0, Ne, OWN)])?]);
    let parent = libc::PR_SET_PDEATHSIG.cast_unsigned();
    Ok(vec![
        (libc::SYS_clone, clone.collect::<Result<_, _>>()?),
        (libc::SYS_socketpair, pairs.into_iter().collect::<Result<_, _>>()?),
        (libc::SYS_kill, others()?),
        (libc::SYS_tgkill, others()?),
        (libc::SYS_rt_sigqueueinfo, others()?),
        (libc::SYS_rt_tgsigqueueinfo, others()?),
        (libc::SYS_prlimit64, vec![rule(&[(0, Ne, 0), (0, Ne, OWN)])?]),
        // It dies with whoever has started it, and cannot change that.
        (libc::SYS_prctl, vec![rule(&[(0, Eq, parent)])?]),
        // Typing for others.
        (
            libc::SYS_ioctl,
            vec![rule(&[(1, Eq, libc::TIOCSTI as u32)])?, rule(&[(1, Eq, libc::TIOCLINUX as u32)])?],
        ),
    ])
}

/// What makes a file shorter, `/dev/null` included, whoever may write to it.
fn truncates() -> Result<Vec<(c_long, Vec<SeccompRule>)>, BackendError> {
    let flag = libc::O_TRUNC.cast_unsigned();
    let opens = |flags| Ok(vec![rule(&[(flags, MaskedEq(flag.into()), flag)])?]);
    Ok(vec![
        (libc::SYS_truncate, Vec::new()),
        (libc::SYS_openat, opens(2)?),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_open, opens(1)?),
    ])
}

/// Matches where all of these hold of the arguments' lower halves, which is what the kernel reads of them.
fn rule(all: &[(u8, SeccompCmpOp, u32)]) -> Result<SeccompRule, BackendError> {
    let condition = |(argument, operator, value): &(u8, SeccompCmpOp, u32)| {
        SeccompCondition::new(*argument, Dword, operator.clone(), u64::from(*value))
    };
    SeccompRule::new(all.iter().map(condition).collect::<Result<_, _>>()?)
}

/// What matches a rule fails with `error`, everything else goes on.
fn compile(rules: BTreeMap<c_long, Vec<SeccompRule>>, error: i32) -> Result<BpfProgram, BackendError> {
    let fails = SeccompAction::Errno(error.cast_unsigned());
    SeccompFilter::new(rules, SeccompAction::Allow, fails, std::env::consts::ARCH.try_into()?)?.try_into()
}

/// In front of a filter: calls that are newer than [`NEWEST`] are unknown. The crate's rules are for one number each.
fn newest(filter: BpfProgram) -> BpfProgram {
    let step = |code: u32, jf, k| sock_filter { code: code as u16, jt: 0, jf, k };
    // The number is the first field of what a filter sees.
    let number = step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0);
    let above = step(libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K, 1, NEWEST as u32);
    let unknown =
        step(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned());
    [number, above, unknown].into_iter().chain(filter).collect()
}

/// Says in the filter which process it is for: this one. Allocates nothing.
pub(super) fn own(filter: &mut BpfProgram) {
    let id = std::process::id();
    filter.iter_mut().filter(|step| step.k == OWN).for_each(|step| step.k = id);
}

/// From now on it holds for this thread, and for what it starts. Allocates nothing.
pub(super) fn apply(filter: &BpfProgram) -> io::Result<()> {
    apply_filter(filter).map_err(|error| match error {
        seccompiler::Error::Prctl(error) | seccompiler::Error::Seccomp(error) => error,
        _ => io::ErrorKind::InvalidInput.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_names_the_process_it_is_for_and_nothing_else_looks_like_it() {
        let [mut forbidden, unknown] = filters(false).unwrap();
        let places = |filter: &BpfProgram, k| filter.iter().filter(|step| step.k == k).count();
        assert_eq!((places(&forbidden, OWN), places(&unknown, OWN)), (5, 0));
        own(&mut forbidden);
        assert_eq!(places(&forbidden, OWN), 0);
        assert_eq!(places(&forbidden, std::process::id()), 5);
    }

    #[test]
    fn nothing_is_forbidden_twice_or_newer_than_the_newest() {
        let mut calls: Vec<c_long> = FORBIDDEN.iter().chain(&UNKNOWN).copied().collect();
        calls.extend(conditions().unwrap().iter().chain(&truncates().unwrap()).map(|(call, _)| call));
        assert!(calls.iter().all(|call| *call <= NEWEST));
        let before = calls.len();
        calls.sort_unstable();
        calls.dedup();
        assert_eq!(calls.len(), before);
    }
}
