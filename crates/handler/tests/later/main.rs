//! Handlers that answer later, in the harness.

#![cfg(feature = "async")]

mod driver;
mod ends;
mod items;

use std::time::Duration;
use upcall::{Emit, Failure, Object};

type Done = Result<(), Failure>;

/// Some milliseconds.
fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Never answers.
async fn hangs(_: Object<'_>, _: &mut Emit<'_>) -> Done {
    std::future::pending().await
}
