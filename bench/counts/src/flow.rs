//! A put that crosses two handlers in Rust through two pools: whoever puts, the worker, and everything in between.
//!
//! The worker is held in a handler while all objects are put, so that it always finds as many at once.

use crate::callgrind::Counted;
use anyhow::Result;
use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::sync::Mutex;
use std::time::Duration;
use upcall::{Emit, Object};
use upcall_flow::{Flow, OnSpec, Pool};

const PUTS: usize = 4096;

/// A handler waits here until it is released: both ends sleep in the kernel, where nothing is counted.
struct Gate {
    entered: (PipeReader, Mutex<PipeWriter>),
    go: (Mutex<PipeReader>, PipeWriter),
}

impl Gate {
    fn new() -> Result<Gate> {
        let ((entered, tell), (wait, go)) = (pipe()?, pipe()?);
        Ok(Gate { entered: (entered, Mutex::new(tell)), go: (Mutex::new(wait), go) })
    }

    /// In the handler.
    fn wait(&self) {
        let told = self.entered.1.lock().map(|mut tell| tell.write_all(&[0]));
        let let_go = self.go.0.lock().map(|mut wait| wait.read_exact(&mut [0]));
        assert!(matches!((told, let_go), (Ok(Ok(())), Ok(Ok(())))), "the pipes live as long as the program");
    }
}

pub fn count() -> Result<()> {
    let gate: &'static Gate = Box::leak(Box::new(Gate::new()?));
    let keys: Vec<String> = (0..PUTS).map(|number| format!("key-{number:06}")).collect();
    let flow = Flow::builder()
        .workers(1)
        // The held worker would make the engine let in fewer objects.
        .delay(Duration::ZERO)
        .pool(Pool::trigger("/gate"))
        .pool(Pool::trigger("/a"))
        .pool(Pool::trigger("/b"))
        .handler(OnSpec::new("gate", "/gate"), || {
            |_: Object<'_>, _: &mut Emit<'_>| {
                gate.wait();
                Ok(())
            }
        })
        .handler(OnSpec::new("first", "/a").to("/b"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                emit.put(object.key(), object.value());
                Ok(())
            }
        })
        .handler(OnSpec::new("second", "/b"), || {
            |object: Object<'_>, _: &mut Emit<'_>| {
                std::hint::black_box(object.value());
                Ok(())
            }
        })
        .start()?;
    let (held, pool) = (flow.pool("/gate")?, flow.pool("/a")?);
    let counted = Counted::new("flow, a put through two pools", PUTS);
    let round = |counts: bool| -> Result<()> {
        held.put_and_forget(b"one", b"")?;
        (&gate.entered.0).read_exact(&mut [0])?;
        if counts {
            counted.begin();
        }
        for key in &keys {
            pool.put_and_forget(key.as_bytes(), [7; 64])?;
        }
        (&gate.go.1).write_all(&[0])?;
        flow.settle()?;
        if counts {
            counted.end();
        }
        Ok(())
    };
    for counts in [false, false, true] {
        round(counts)?;
    }
    Ok(flow.stop()?)
}
