//! Handlers for the tests of WebAssembly: those of the library in `../handlers` that need nothing beside a flow, and some that
//! end their instance. `cargo xtask build --wasm` compiles it for wasm32-unknown-unknown.

#[path = "../handlers/plain.rs"]
mod plain;
#[path = "../handlers/shapes.rs"]
mod shapes;
mod traps;

use plain::*;

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
    "Lists" => Lists::default(),
    "Pairs" => pairs,
    "Shows" => upcall::typed(Shows),
    "Turns" => upcall::typed(Turns),
    "Wraps" => upcall::typed(Wraps),
    "Traps" => traps::Traps::default(),
    "TrapsInBatches" => upcall::batch(traps::InBatches),
    "Settled" => traps::Settled::default(),
    "Unmakable" => traps::unmakable(),
}
