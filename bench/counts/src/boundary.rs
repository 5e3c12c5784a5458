//! Handlers in Rust through the SDK's driver: a call, and an item of a batch.

use crate::callgrind::counted;
use anyhow::Result;
use std::hint::black_box;
use upcall::{Emit, Failure, Handler, Object};
use upcall_host::in_process::module;
use upcall_host::{Host, Module};
use upcall_measure::{Driven, Objects};

/// Items in a batch.
pub const BATCH: usize = 1024;
const CALLS: usize = 1000;

pub fn count() -> Result<()> {
    both("rust, reading", &*module(Reading::default))?;
    both("rust, emitting", &*module(|| Emitting))
}

/// Of one handler: a call with one object, and an item of many.
fn both(name: &str, module: &dyn Module) -> Result<()> {
    let (one, many) = (Objects::alike(1, 64), Objects::alike(BATCH, 64));
    let mut driven = Driven::open(module.instantiate()?)?;
    counted(&format!("{name}, a call"), CALLS, || {
        for _ in 0..CALLS {
            black_box(driven.call(&one));
        }
    });
    counted(&format!("{name}, an item"), BATCH, || _ = black_box(driven.call(&many)));
    Ok(driven.checked(&many)?)
}

/// Of one handler that a runtime has loaded: an item of many.
pub fn item(name: &str, host: &dyn Host, module: &dyn Module) -> Result<()> {
    let mut outcome = Ok(());
    host.worker(&mut || {
        outcome = (|| {
            let many = Objects::alike(BATCH, 64);
            let mut driven = Driven::open(module.instantiate()?)?;
            counted(&format!("{name}, an item"), BATCH, || _ = black_box(driven.call(&many)));
            driven.checked(&many)
        })();
    });
    Ok(outcome?)
}

#[derive(Default)]
struct Reading(u64);

impl Handler for Reading {
    fn on_object(&mut self, object: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        let (key, value) = (object.key(), object.value());
        self.0 = black_box(self.0 + u64::from(key[0]) + u64::from(value[0]));
        Ok(())
    }
}

struct Emitting;

impl Handler for Emitting {
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        emit.put(object.key(), &object.value()[..16]);
        Ok(())
    }
}
