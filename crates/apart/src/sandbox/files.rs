//! Files, by Landlock: everything can be read, nothing written. Where the kernel's Landlock knows of network, signals and
//! sockets, those end at the sandbox's border too; the filter of system calls does not depend on it.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
};
use landlock::{RulesetError, Scope, path_beneath_rules};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

/// What is needed: the first version there was, of Linux 5.13.
const OLDEST: ABI = ABI::V1;

/// The first that keeps a file from being truncated, of Linux 6.2. Before it the filter of calls does.
const TRUNCATES: ABI = ABI::V3;

/// The newest whose restrictions are known; those of later versions than the kernel's are left out.
const NEWEST: ABI = ABI::V9;

/// Where one may write all the same.
const WRITABLE: [&str; 1] = ["/dev/null"];

/// The rules, for [`enter`], or what the kernel lacks.
pub(super) fn rules() -> Result<OwnedFd, String> {
    if version() < OLDEST as i32 {
        let why = "this kernel was built without it, or its `lsm=` does not name landlock";
        return Err(format!("Landlock, which Linux has had since 5.13 ({why})"));
    }
    let made = make().map_err(|error| format!("Landlock, which failed: {error}"))?;
    made.ok_or_else(|| "Landlock, which this kernel has turned off".to_owned())
}

/// Whether they keep a file from being truncated.
pub(super) fn keep_length() -> bool {
    version() >= TRUNCATES as i32
}

fn make() -> Result<Option<OwnedFd>, RulesetError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(OLDEST))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(["/"], AccessFs::from_read(OLDEST)))?
        .add_rules(path_beneath_rules(WRITABLE, AccessFs::WriteFile | AccessFs::Truncate))?;
    Ok(ruleset.into())
}

/// The version of the kernel's Landlock; 0 or less where there is none.
fn version() -> i32 {
    const VERSION: u32 = 1;
    let none = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag and no rules it answers a number, and does nothing.
    unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0usize, VERSION) as i32 }
}

/// From now on the rules hold for this thread, and for what it starts. The crate's own way takes the rules and frees them,
/// which a child between fork and exec must not.
pub(super) fn enter(rules: &OwnedFd) -> io::Result<()> {
    // SAFETY: a system call that takes numbers only.
    match unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
