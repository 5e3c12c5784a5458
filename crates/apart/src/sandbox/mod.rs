//! `sandbox = true`: what the kernel keeps a guest's process from doing.
//!
//! The rules are made before fork and entered between fork and exec, so that every thread of every runtime is inside, whatever
//! program is run, and a kernel that cannot do it is an error before there is a process. Three mechanisms, none of which can
//! be undone: no privileges and no way to new ones, a filter of system calls ([`calls`]), and Landlock for files ([`files`]).
//!
//! `exec` itself is still possible in there, as the guest's program has to be run. What is run that way is in the same
//! sandbox, and in the same process. [`guest::main`](crate::guest::main) forbids that too before it starts a runtime.

mod calls;
mod files;

use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};
use seccompiler::BpfProgram;
use std::io;
use std::os::fd::OwnedFd;

/// What a process is started with that may read all files, write none, and use neither the network nor other processes.
pub(crate) struct Sandbox {
    files: OwnedFd,
    calls: [BpfProgram; 2],
}

impl Sandbox {
    /// Makes the rules. The error says what the kernel lacks.
    pub(crate) fn new() -> Result<Sandbox, String> {
        let made = calls::check().and_then(|()| {
            Ok(Sandbox { files: files::rules()?, calls: calls::filters(files::keep_length())? })
        });
        made.map_err(|lacks| {
            format!("`sandbox` needs {lacks}; leave `sandbox` out to run the handler without")
        })
    }

    /// In the child, between fork and exec: from now on the rules hold. Allocates nothing.
    pub(crate) fn enter(&mut self) -> io::Result<()> {
        renounce()?;
        // The calls first, as that sets no-new-privileges, without which nobody may do the other.
        for filter in &mut self.calls {
            calls::own(filter);
            calls::apply(filter)?;
        }
        files::enter(&self.files)
    }
}

/// Of the privileges that we may have, as root has, it keeps none but to read all files. With others it could look into every
/// process, as far as the kernel's files in `/proc` go, which Landlock lets pass.
fn renounce() -> io::Result<()> {
    let kept = capabilities(None)?.permitted & CapabilitySet::DAC_READ_SEARCH;
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    Ok(set_capabilities(None, sets)?)
}

/// In the guest, before a runtime is started: no other program takes this one's place.
pub(crate) fn forbid_exec() -> io::Result<()> {
    calls::apply(&calls::exec().map_err(io::Error::other)?)
}
