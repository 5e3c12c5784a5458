//! The measured handlers as a module: what they cost in WebAssembly beside the same code in the program.

#[path = "../src/handlers.rs"]
mod handlers;

use handlers::*;

upcall::handlers! {
    "Empty" => empty,
    "Reading" => Reading::default(),
    "Emitting" => Emitting::default(),
    "BatchReading" => upcall::batch(BatchReading::default()),
    "Combining" => upcall::combine(|from: &[f64], into: &mut [f64]| {
        add(from, into);
        Ok(())
    }),
}
