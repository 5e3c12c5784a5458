//! A handler that combines arrays, and tells of itself when it fails; `Combines.cs` and `combines.py` do the same.

use upcall::{Combine, Failure};

/// Adds. Where it is given a number that is none, it says how often it has been called.
#[derive(Default)]
pub struct Adds {
    calls: u64,
}

impl Combine for Adds {
    type Element = f64;

    const COMMUTATIVE: bool = true;

    fn combine(&mut self, from: &[f64], into: &mut [f64]) -> Result<(), Failure> {
        self.calls += 1;
        if from.iter().chain(&*into).any(|number| number.is_nan()) {
            return Err(Failure::new(format!("after {} calls", self.calls)));
        }
        into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
        Ok(())
    }
}

/// The first of both: what is combined in another order than that of the ranks shows.
pub fn first(from: &[u32], into: &mut [u32]) -> Result<(), Failure> {
    into.copy_from_slice(from);
    Ok(())
}
