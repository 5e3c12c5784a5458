//! A server in a process of its own, which does not outlive this one however it ends.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Error};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{self, Command, Stdio};

use anyhow::{Context, Result, ensure};
use hyper_util::rt::TokioIo;
use tokio::net::UnixStream;
use tonic::transport::Endpoint;

use crate::Client;

/// What a server prints once it listens.
pub const READY: &str = "ready";

/// A server that is killed when this is dropped.
pub struct Child {
    process: process::Child,
    socket: String,
}

impl Child {
    /// Starts a server, whose last argument is the name of its socket, and waits until it listens.
    pub fn start(mut command: Command) -> Result<Child> {
        let socket = format!("upcall-bench-grpc-{}", process::id());
        command.arg(&socket).stdin(Stdio::null()).stdout(Stdio::piped());
        let parent = process::id();
        // SAFETY: between fork and exec only `prctl` and `getppid` are called, which are async-signal-safe.
        unsafe { command.pre_exec(move || die_with(parent)) };
        let process = command.spawn().with_context(|| format!("running {command:?}"))?;
        let mut child = Child { process, socket };
        let output = child.process.stdout.take().context("the server's output is no pipe")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).context("reading what the server says")?;
        ensure!(line.trim_end() == READY, "the server said {line:?}, not {READY:?}");
        Ok(child)
    }

    /// A connection to it.
    pub async fn connect(&self) -> Result<Client> {
        let path = path(&self.socket);
        let connector = tower::service_fn(move |_| {
            let path = path.clone();
            async { Ok::<_, Error>(TokioIo::new(UnixStream::connect(path).await?)) }
        });
        // The address is not used, but must be one.
        let endpoint = Endpoint::from_static("http://localhost");
        Ok(Client::new(endpoint.connect_with_connector(connector).await?))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It may have ended already, which is what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The path of a socket in the abstract namespace, where nothing is left behind by whoever is killed.
pub fn path(socket: &str) -> PathBuf {
    PathBuf::from(OsString::from_vec([b"\0", socket.as_bytes()].concat()))
}

/// Lets the kernel kill this process when the thread that started it ends: the parent's first, which ends last.
fn die_with(parent: u32) -> Result<(), Error> {
    // SAFETY: this option takes a signal, and touches no memory.
    if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong) } != 0 {
        return Err(Error::last_os_error());
    }
    // A parent that was gone before would not be noticed.
    if std::os::unix::process::parent_id() != parent {
        return Err(Error::from_raw_os_error(libc::ESRCH));
    }
    Ok(())
}
