//! Asks a service COUNT times, IN_FLIGHT requests at a time, and keeps the answers: what a program without a flow does.
//!
//! `upcall-bench-later URL COUNT IN_FLIGHT`. `cargo xtask bench later` runs it.

use std::collections::HashMap;
use std::env;

use anyhow::{Context, Result, bail, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [url, count, in_flight] = &arguments[..] else {
        bail!("usage: upcall-bench-later URL COUNT IN_FLIGHT")
    };
    let (count, in_flight) = (count.parse().context("COUNT")?, in_flight.parse().context("IN_FLIGHT")?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let answers = runtime.block_on(ask(url, count, in_flight))?;
    ensure!(answers.len() == count, "{} of {count} answers came", answers.len());
    Ok(())
}

async fn ask(url: &str, count: usize, in_flight: usize) -> Result<HashMap<String, String>> {
    let client = reqwest::Client::new();
    let request = |key: usize| {
        let client = &client;
        async move {
            let answer = client.get(format!("{url}/{key}")).send().await?.error_for_status()?;
            anyhow::Ok((key.to_string(), answer.text().await?))
        }
    };
    stream::iter(1..=count).map(request).buffer_unordered(in_flight).try_collect().await
}
