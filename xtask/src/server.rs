//! A compiler that stays: what its runtime has once compiled of it serves every later compilation.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::command::shown;

/// The server, which ends with this value, or with this process however that ends.
pub struct Server {
    process: Child,
    /// The server reads it until it is closed.
    input: Option<ChildStdin>,
    socket: PathBuf,
}

impl Server {
    /// Starts a program that listens at the socket named by its last argument, prints `ready` when it does, and ends with its
    /// input.
    pub fn start(command: &mut Command, socket: PathBuf) -> Result<Server> {
        let _ = fs::remove_file(&socket);
        command.arg(&socket);
        let why = format!("starting `{}`", shown(command));
        let process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context(why.clone())?;
        let mut server = Server { process, input: None, socket };
        server.input = server.process.stdin.take();
        let output = server.process.stdout.take().context("the server's output was not piped")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).context(why.clone())?;
        ensure!(line.trim() == "ready", "{why}: it does not listen");
        Ok(server)
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
