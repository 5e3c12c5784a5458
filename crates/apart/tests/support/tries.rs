//! What a handler tries to do that a sandbox forbids, and what it may do: each answers how it went.

use std::ffi::CStr;
use std::io::{self, Write};
use std::net::TcpStream;
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::process::Command;

/// Tries `what`, with an argument. `None` where nobody knows how.
pub(crate) fn attempt(what: &str, with: &str) -> Option<String> {
    let outcome = match what {
        "fork" => fork(),
        "fork often" => return Some((0..100).filter(|_| fork().is_ok()).count().to_string()),
        "program" => Command::new("true").status().map(drop),
        "exec" => exec(),
        "write" => std::fs::write(with, "written"),
        "append" => std::fs::OpenOptions::new().append(true).open(with).map(drop),
        "truncate" => rustix::fs::open(with, rustix::fs::OFlags::TRUNC, rustix::fs::Mode::empty())
            .map(drop)
            .map_err(io::Error::from),
        "remove" => std::fs::remove_file(with),
        "rename" => std::fs::rename(with, format!("{with}.renamed")),
        "folder" => std::fs::create_dir(with),
        "rights" => {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(with, std::fs::Permissions::from_mode(0o777))
        }
        "read" => std::fs::read(with).map(drop),
        "null" => std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/null")
            .and_then(|mut null| null.write_all(b"nothing")),
        "connect" => TcpStream::connect(("127.0.0.1", with.parse().unwrap_or(0))).map(drop),
        "resolve" => std::net::UdpSocket::bind("127.0.0.1:0").map(drop),
        "unix" => UnixStream::connect(with).map(drop),
        "pair" => UnixStream::pair().map(drop),
        "datagrams" => UnixDatagram::pair().map(drop),
        "threads" => threads(),
        "kill" => kill(with.parse().unwrap_or(0)),
        "kill self" => kill(std::process::id().cast_signed()),
        "kill all" => kill(-1),
        "raise" => {
            // SAFETY: 0 is no signal: it only asks whether there could be one.
            result(unsafe { libc::raise(0) }.into())
        }
        "trace" => call(libc::SYS_ptrace, [libc::PTRACE_ATTACH.into(), with.parse().unwrap_or(0), 0, 0]),
        "outlive" => call(libc::SYS_prctl, [libc::PR_SET_PDEATHSIG.into(), 0, 0, 0]),
        "dies with us" => {
            let signal = rustix::process::parent_process_death_signal().ok().flatten();
            return Some(format!("{:?}", signal.map(rustix::process::Signal::as_raw)));
        }
        "mount" => mount(c"/tmp"),
        "unshare" => call(libc::SYS_unshare, [libc::CLONE_NEWNS.into(), 0, 0, 0]),
        "ring" => call(libc::SYS_io_uring_setup, [0, 0, 0, 0]),
        "newer" => call(libc::SYS_mseal + 1, [0; 4]),
        #[cfg(target_arch = "x86_64")]
        "x32" => call(0x4000_0000 + libc::SYS_getpid, [0; 4]),
        "privileges" => {
            let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
            let told = ["CapEff:", "NoNewPrivs:", "Seccomp:"];
            let said = status.lines().filter(|line| told.iter().any(|told| line.starts_with(told)));
            return Some(said.map(|line| line.replace('\t', "")).collect::<Vec<_>>().join(" "));
        }
        _ => return None,
    };
    Some(outcome.map_or_else(
        |error| error.raw_os_error().map_or_else(|| error.to_string(), name),
        |()| "done".to_owned(),
    ))
}

fn name(error: i32) -> String {
    let names = [
        (libc::EPERM, "EPERM"),
        (libc::EACCES, "EACCES"),
        (libc::ENOSYS, "ENOSYS"),
        (libc::ECONNREFUSED, "ECONNREFUSED"),
    ];
    names
        .iter()
        .find(|(known, _)| *known == error)
        .map_or_else(|| error.to_string(), |(_, name)| (*name).to_owned())
}

fn result(answer: i64) -> io::Result<()> {
    if answer < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// A system call that does no harm if it works.
fn call(number: i64, [a, b, c, d]: [i64; 4]) -> io::Result<()> {
    // SAFETY: as said of it.
    result(unsafe { libc::syscall(number, a, b, c, d) })
}

fn fork() -> io::Result<()> {
    // SAFETY: the child ends at once.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        // SAFETY: as above.
        0 => unsafe { libc::_exit(0) },
        child => {
            // SAFETY: our own child.
            result(unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) }.into())
        }
    }
}

/// Another program in place of this one; where there is none, it has another reason to fail.
fn exec() -> io::Result<()> {
    let nothing = [std::ptr::null()];
    // SAFETY: empty lists, of which the kernel reads the end only.
    result(unsafe { libc::execve(c"/nowhere".as_ptr(), nothing.as_ptr(), nothing.as_ptr()) }.into())
}

fn kill(whom: i32) -> io::Result<()> {
    // SAFETY: 0 is no signal: it only asks whether there could be one.
    result(unsafe { libc::kill(whom, 0) }.into())
}

fn mount(at: &CStr) -> io::Result<()> {
    // SAFETY: a mount without a source, which fails with another error where mounts are allowed.
    result(
        unsafe { libc::mount(c"nothing".as_ptr(), at.as_ptr(), c"nothing".as_ptr(), 0, std::ptr::null()) }
            .into(),
    )
}

fn threads() -> io::Result<()> {
    let sum: i32 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|number| scope.spawn(move || number)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(0)).sum()
    });
    if sum == 28 { Ok(()) } else { Err(io::Error::other("a thread did not run")) }
}
