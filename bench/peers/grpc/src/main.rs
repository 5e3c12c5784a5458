//! What a handler in another process costs through gRPC, over a Unix socket.
//!
//! `upcall-bench-grpc [PYTHON]` starts servers in Rust (tonic) and Python (grpcio, where an interpreter that has it is
//! named), calls them with batches of several sizes, and prints one JSON object per line: who, items in a batch,
//! nanoseconds per round trip and per item, items per second with one call at a time and with eight. `cargo xtask bench
//! boundary` runs it.

mod child;
mod handler;
mod rounds;
mod server;

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use tokio::runtime::Builder;
use tonic::transport::Channel;

use child::Child;
use handler::generated::handler_client::HandlerClient;

/// Items in a batch.
const BATCHES: [usize; 4] = [1, 8, 64, 1024];
/// Calls that wait for an answer at the same time, where it is not one.
const CALLS: usize = 8;
/// The argument with which this program is the server in Rust, on one thread.
const SERVE: &str = "--serve";
/// The one with which it has a thread per core.
const SERVE_BY_THREADS: &str = "--serve-by-threads";

/// A connection to a handler.
type Client = HandlerClient<Channel>;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [flag, socket] if flag == SERVE => run(Builder::new_current_thread(), server::serve(socket)),
        [flag, socket] if flag == SERVE_BY_THREADS => run(Builder::new_multi_thread(), server::serve(socket)),
        [] => run(Builder::new_current_thread(), measure(None)),
        [python] => run(Builder::new_current_thread(), measure(Some(python))),
        _ => bail!("usage: upcall-bench-grpc [PYTHON]"),
    }
}

/// Lets `body` end on these threads. The client has one: with a thread per core it waits a third longer for one call, and
/// makes no more calls at a time. Of servers there are both, as either is faster for some calls.
fn run(mut threads: Builder, body: impl Future<Output = Result<()>>) -> Result<()> {
    threads.enable_io().build().context("starting tokio's runtime")?.block_on(body)
}

/// Measures the servers, one after the other.
async fn measure(python: Option<&str>) -> Result<()> {
    let mut servers = Vec::new();
    for (who, flag) in
        [("gRPC, Rust (tonic)", SERVE), ("gRPC, Rust (tonic), thread per core", SERVE_BY_THREADS)]
    {
        let mut command = Command::new(env::current_exe().context("finding this program")?);
        command.arg(flag);
        servers.push((who, command));
    }
    if let Some(python) = python {
        let mut command = Command::new(python);
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("server.py"));
        servers.push(("gRPC, Python (grpcio)", command));
    }
    for (who, command) in servers {
        let child = Child::start(command).with_context(|| format!("starting the server of {who}"))?;
        let client = child.connect().await.with_context(|| format!("connecting to {who}"))?;
        for items in BATCHES {
            let row = row(who, items, &client).await;
            println!("{}", row.with_context(|| format!("measuring {who} with {items} items a call"))?);
        }
    }
    Ok(())
}

/// What one server does with batches of one size.
async fn row(who: &str, items: usize, client: &Client) -> Result<serde_json::Value> {
    let batch = handler::batch(items);
    handler::check(client.clone(), &batch).await?;
    let alone = rounds::alone(client, &batch).await?;
    let calls_per_second = rounds::together(client, &batch, CALLS).await?;
    Ok(serde_json::json!({
        "who": who,
        "items": items,
        "round_trip": alone.nanos,
        "nanos": alone.nanos / items as f64,
        "per_second": alone.calls_per_second * items as f64,
        "per_second_of_8": calls_per_second * items as f64,
    }))
}
