//! The least round trip of many, and the most calls per second.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::task::JoinSet;

use crate::Client;
use crate::handler::generated::Batch;

/// How long calls are counted at a time.
const WINDOW: Duration = Duration::from_millis(100);
/// Windows that warm up what grows or learns: buffers, flow control, Python's bytecode.
const COLD: usize = 2;
/// Windows that count.
const WINDOWS: usize = 6;

/// What calls came to that wait for each other.
pub struct Alone {
    /// Nanoseconds on the wall, of the fastest.
    pub nanos: f64,
    /// Calls per second, in the best window.
    pub calls_per_second: f64,
}

/// One call at a time.
pub async fn alone(client: &Client, batch: &Batch) -> Result<Alone> {
    let mut found = Alone { nanos: f64::INFINITY, calls_per_second: 0.0 };
    for window in 0..COLD + WINDOWS {
        let (start, mut calls, mut least) = (Instant::now(), 0, Duration::MAX);
        let mut client = client.clone();
        while start.elapsed() < WINDOW {
            least = least.min(call(&mut client, batch).await?);
            calls += 1;
        }
        if window >= COLD {
            found.nanos = found.nanos.min(least.as_secs_f64() * 1e9);
            found.calls_per_second = found.calls_per_second.max(rate(calls, start));
        }
    }
    Ok(found)
}

/// So many calls at a time: calls per second, in the best window.
pub async fn together(client: &Client, batch: &Batch, callers: usize) -> Result<f64> {
    let mut most = 0.0_f64;
    for window in 0..COLD + WINDOWS {
        let start = Instant::now();
        let mut tasks = JoinSet::new();
        for _ in 0..callers {
            let (mut client, batch) = (client.clone(), batch.clone());
            tasks.spawn(async move {
                let mut calls = 0;
                while start.elapsed() < WINDOW {
                    call(&mut client, &batch).await?;
                    calls += 1;
                }
                anyhow::Ok(calls)
            });
        }
        let mut calls = 0;
        while let Some(ended) = tasks.join_next().await {
            calls += ended.context("waiting for a caller")??;
        }
        if window >= COLD {
            most = most.max(rate(calls, start));
        }
    }
    Ok(most)
}

fn rate(calls: u32, start: Instant) -> f64 {
    f64::from(calls) / start.elapsed().as_secs_f64()
}

/// How long one call takes, with making its message, as an engine has items and no messages. Keys and values are shared
/// with the message, which costs less than copying them into it.
async fn call(client: &mut Client, batch: &Batch) -> Result<Duration> {
    let start = Instant::now();
    let answers = client.on_batch(batch.clone()).await?.into_inner();
    let took = start.elapsed();
    ensure!(
        answers.values.len() == batch.items.len(),
        "{} answers to {} items",
        answers.values.len(),
        batch.items.len()
    );
    Ok(took)
}
