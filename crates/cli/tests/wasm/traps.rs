//! Handlers that end their instance.

use crate::plain::Done;
use std::hint::black_box;
use upcall::{Batch, BatchHandler, Emit, Failure, Handler, Object, Open};

/// Emits, and then does what the value says. Counts what it has seen, which a trap forgets.
#[derive(Default)]
pub struct Traps {
    seen: u64,
}

impl Handler for Traps {
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Done {
        self.seen += 1;
        emit.put(object.key(), object.value());
        what(object.value())?;
        emit.put(b"seen", self.seen.to_string().as_bytes());
        Ok(())
    }
}

/// The same in batches, of which it reports each item.
pub struct InBatches;

impl BatchHandler for InBatches {
    fn on_batch(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Done {
        for index in 0..batch.len() {
            let object = batch.get(index);
            emit.put(object.key(), object.value());
            what(object.value())?;
            batch.done(index + 1, emit);
        }
        Ok(())
    }
}

fn what(value: &[u8]) -> Done {
    match value {
        b"fail" => return Err(Failure::new("not this one")),
        b"panic" => panic!("will not pass this on"),
        b"unreachable" => std::process::abort(),
        // SAFETY: there is none: it is to trap.
        b"bounds" => unsafe {
            black_box(black_box(0xffff_fff0 as *const u64).read_volatile());
        },
        b"overflow" => {
            black_box(deeper(0));
        }
        b"hang" => loop {
            black_box(());
        },
        b"eat" => {
            let mut eaten = Vec::new();
            loop {
                eaten.push(black_box(vec![1u8; 1 << 20]));
            }
        }
        _ => {}
    }
    Ok(())
}

#[allow(unconditional_recursion, reason = "it is to overflow the stack")]
fn deeper(depth: u64) -> u64 {
    let here = black_box([depth; 64]);
    deeper(here[3] + 1) + here[7]
}

/// Emits what it was told when it was opened, and traps as [`Traps`] does.
#[derive(Default)]
pub struct Settled {
    told: String,
}

impl Handler for Settled {
    fn open(&mut self, open: &Open<'_>) -> Done {
        let colour = open.setting("colour").unwrap_or("none");
        self.told = format!("{} {colour} {}", open.name(), open.pools().len());
        open.log().info(&format!("opened with {colour}"));
        Ok(())
    }

    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Done {
        what(object.value())?;
        emit.put(object.key(), self.told.as_bytes());
        Ok(())
    }
}

/// Panics when it is made.
pub fn unmakable() -> Traps {
    panic!("no handler today")
}
