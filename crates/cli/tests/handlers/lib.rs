//! Handlers for the tests of the command; `Handlers.cs` and `handlers.py` say the same in C# and Python.

mod columns;
mod combines;
mod later;
mod plain;
mod shapes;

use plain::*;
use std::time::Duration;
use upcall::{Emit, Object};

upcall::handlers! {
    "Spread" => spread,
    "Raises" => raises,
    "Seventh" => Seventh::default(),
    "Strays" => strays,
    "BadKey" => bad_key,
    "Adds" => Adds::default(),
    "Floods" => floods,
    "Sizes" => sizes,
    "Measures" => measures,
    "Keys" => keys,
    "Counts" => Counts::default(),
    "Doubles" => doubles,
    "Slow" => slow,
    "Bombs" => bombs,
    "Ends" => ends,
    "Prints" => prints,
    "Lists" => Lists::default(),
    "Pairs" => pairs,
    "Shows" => upcall::typed(Shows),
    "Turns" => upcall::typed(Turns),
    "Wraps" => upcall::typed(Wraps),
    "Waits" => upcall::later(later::Waits::default),
    "Sums" => upcall::combine(combines::Adds::default()),
    "First" => upcall::combine(combines::first),
}

/// Starts process after process on the value `fork`.
fn bombs(object: Object<'_>, emit: &mut Emit<'_>) -> Done {
    for _ in 0..if object.value() == b"fork" { 1000 } else { 0 } {
        std::process::Command::new("sleep").arg("60").spawn()?;
    }
    emit.put(object.key(), object.value());
    Ok(())
}

/// Says that it has begun, takes its time, and emits.
fn slow(object: Object<'_>, emit: &mut Emit<'_>) -> Done {
    println!("busy");
    std::thread::sleep(Duration::from_millis(300));
    emit.put(object.key(), object.value());
    Ok(())
}

/// Prints each value.
fn prints(object: Object<'_>, _: &mut Emit<'_>) -> Done {
    println!("{}", String::from_utf8_lossy(object.value()));
    Ok(())
}

/// Emits, and then ends the process in the way that the value says.
fn ends(object: Object<'_>, emit: &mut Emit<'_>) -> Done {
    emit.put(object.key(), object.value());
    match object.value() {
        b"exit" => std::process::exit(0),
        b"abort" => std::process::abort(),
        b"hang" => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        b"overflow" => {
            std::hint::black_box(deeper(0));
            Ok(())
        }
        b"eat" => {
            let mut eaten = Vec::new();
            loop {
                eaten.push(std::hint::black_box(vec![1u8; 1 << 20]));
            }
        }
        _ => Ok(()),
    }
}

#[allow(unconditional_recursion, reason = "it is to overflow the stack")]
fn deeper(depth: u64) -> u64 {
    let here = std::hint::black_box([depth; 512]);
    deeper(here[3] + 1) + here[7]
}
