//! A C# compiler that stays: what the runtime has once compiled of it serves every later compilation.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};

use anyhow::{Context, Result, ensure};

use crate::command::shown;
use crate::setup::dotnet;
use crate::workspace::Workspace;

/// Names the socket to every csc-lite that is started.
pub const VARIABLE: &str = "UPCALL_CSC_SERVER";

/// The server, which ends with this value, or with this process however that ends.
pub struct Server {
    process: Child,
    /// The server reads it until it is closed.
    input: Option<ChildStdin>,
    socket: PathBuf,
}

impl Server {
    /// Starts it where csc-lite is the compiler; that of an SDK is compiled already.
    pub fn start(ws: &Workspace) -> Result<Option<Server>> {
        let compiler = dotnet::find(ws)?;
        if !compiler.csc.ends_with("csc-lite.dll") {
            return Ok(None);
        }
        // The path of a socket is at most 107 bytes long.
        let socket = env::temp_dir().join(format!("upcall-csc-{}", std::process::id()));
        let _ = fs::remove_file(&socket);
        let mut command = ws.command(&compiler.dotnet);
        command.arg("exec").arg(&compiler.csc).arg("-server").arg(&socket);
        let why = format!("starting `{}`", shown(&command));
        let process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context(why.clone())?;
        let mut server = Server { process, input: None, socket };
        server.input = server.process.stdin.take();
        let output = server.process.stdout.take().context("the server's output was not piped")?;
        // It says so when it listens.
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).context(why.clone())?;
        ensure!(line.trim() == "ready", "{why}: it does not listen");
        Ok(Some(server))
    }

    /// Its socket.
    pub fn socket(&self) -> &PathBuf {
        &self.socket
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.process.wait();
        let _ = fs::remove_file(&self.socket);
    }
}
