//! The records of `cargo xtask bench mpi`, as C# and Python have them: packers are made from this.

/// A record as `bench/src/mpi/rank.rs` has it.
#[derive(upcall::Pack)]
pub struct Record {
    pub id: u64,
    pub name: String,
    pub celsius: f64,
}

/// All of them, as one object.
#[derive(upcall::Pack)]
pub struct Records {
    pub all: Vec<Record>,
}
