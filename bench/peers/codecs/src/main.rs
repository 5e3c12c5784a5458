//! Upcall's pack and the other codecs, each shape written and read, in turn in one process.
//!
//! Prints a line for each: shape, operation, codec, numbers, between tabs. The numbers are bytes for the operation
//! `size`, else nanoseconds of CPU, one per round. `cargo xtask bench pack` builds, runs and reads it.
//!
//! `upcall-bench-codecs FOLDER ROUNDS [PART...]`: what pack makes of the shapes goes to FOLDER, for MemoryPack to read.
//! Only the cases whose shape, operation and codec name every part are measured.

mod codecs;
mod rounds;
mod shapes;
mod vectors;

use rounds::Cases;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("the first argument is a folder");
    let rounds = arguments.next().and_then(|rounds| rounds.parse().ok());
    let rounds = rounds.expect("the second argument is the number of rounds");
    rounds::keep_memory();

    let logs = shapes::log::value();
    let mesh = shapes::mesh::value();
    let players = shapes::minecraft::value();
    let updates = shapes::mk48::value();
    let vectors = shapes::mesh::vectors();

    let mut cases = Cases::new(folder.into(), arguments.collect());
    cases.begin("log");
    codecs::all(&mut cases, &logs);
    codecs::prost::add(&mut cases, &logs);
    codecs::all_borrowed::<shapes::log::Borrowing>(&mut cases, &logs);
    cases.begin("mesh");
    codecs::all(&mut cases, &mesh);
    codecs::prost::add(&mut cases, &mesh);
    codecs::upcall::borrow_as::<shapes::mesh::BorrowedMesh<'_>>(&mut cases, &mesh);
    cases.begin("minecraft");
    codecs::all(&mut cases, &players);
    codecs::prost::add(&mut cases, &players);
    codecs::all_borrowed::<shapes::minecraft::Borrowing>(&mut cases, &players);
    cases.begin("mk48");
    codecs::all(&mut cases, &updates);
    codecs::prost::add(&mut cases, &updates);
    cases.begin("vectors");
    vectors::all(&mut cases, &vectors);

    cases.measure(rounds);
}
