//! Reductions of slices, by the vector instructions that `UPCALL_SIMD` names.

use crate::callgrind::counted;
use std::hint::black_box;
use upcall::soa::reduce::{self, Instructions};

/// Elements that are reduced in one call; a count is of the whole call.
const LEN: usize = 10_000;

pub fn count() {
    let by = Instructions::current().name();
    let floats: Vec<f32> = (0..LEN).map(|index| (index % 1000) as f32).collect();
    let integers: Vec<i32> = (0..LEN as i32).collect();
    counted(&format!("soa {by}, sum of 10,000 f32"), 1, || _ = black_box(reduce::sum(black_box(&floats))));
    counted(&format!("soa {by}, max of 10,000 f32"), 1, || _ = black_box(reduce::max(black_box(&floats))));
    counted(&format!("soa {by}, contains in 10,000 i32"), 1, || {
        black_box(reduce::contains(black_box(&integers), -1));
    });
}
