//! How fast does pack write and read, beside other codecs and MemoryPack itself?
//!
//! `cargo xtask bench pack [TURNS [ROUNDS]]`. MemoryPack is measured where `UPCALL_MEMORYPACK` names its assembly;
//! only a run with it is written to `results/pack.json`.

use anyhow::Result;
use serde::Serialize;
use upcall_bench::arguments::Numbers;
use upcall_bench::codecs::targets::{self, Verdict, verdicts};
use upcall_bench::codecs::{Programs, Row, chart, table};
use upcall_bench::machine::Machine;
use upcall_bench::results::Results;

#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Case(Row),
    Target(Verdict),
}

fn main() -> Result<()> {
    let mut numbers = Numbers::of_this_program();
    let (turns, rounds) = (numbers.next("the turns", 5)?, numbers.next("the rounds in each", 5)?);
    let machine = Machine::here();
    let programs = Programs::find()?;
    let rows = programs.measure(turns, rounds)?;
    let verdicts = verdicts(&rows);
    println!("bytes, and microseconds of CPU at best:\n{}\n{}", table(&rows), targets::table(&verdicts));
    if !programs.have_memorypack() {
        println!("MemoryPack on .NET: SKIPPED, and its targets; no results are written");
        return Ok(());
    }
    println!("{}", chart(&rows, "log", "10,000 records of a log").write("pack")?.display());
    let results = Results {
        question: "How fast does pack write and read, beside other codecs and MemoryPack itself?".into(),
        command: "cargo xtask bench pack".into(),
        notes: vec![
            format!("Nanoseconds of the thread's CPU per call: the least of {turns} turns of {rounds} rounds of 8 ms, 30 ms in C#; all cases of a program in turns, and the two programs."),
            "Types, generators, seeds and sizes are those of github.com/djkoloski/rust_serialization_benchmark; the sizes that its codecs make are the same as there. `vectors` is 10,000 three-float vectors.".into(),
            "All write over one buffer that is large enough. What is read is dropped within the time. The allocator (glibc's) is told to keep its memory.".into(),
            "borrow: text is borrowed from the bytes, lists are owned; rkyv's is its checked access, which makes nothing. overwrite reads into the value of the call before.".into(),
            "bincode writes integers of fixed length, its faster way. prost: filling its messages is not in its times. rkyv is checked, as all the others are.".into(),
            "MemoryPack: no background collection; as hot code gets (TieredPGO=1, ReadyToRun=0), against which the targets are held, and compiled once (one tier, TieredCompilation=0). It reads the bytes that our pack wrote, and writes the same.".into(),
        ],
        machine,
        rows: rows.into_iter().map(Found::Case).chain(verdicts.into_iter().map(Found::Target)).collect(),
    };
    println!("{}", results.write("pack")?.display());
    Ok(())
}
