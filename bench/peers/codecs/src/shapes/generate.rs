//! Random values, drawn in the order in which the public benchmark draws them: the same seed gives the same data.

use rand::Rng;
use rand_pcg::Lcg64Xsh32;
use std::ops::Range;

/// The generator of every shape, in its first state.
pub fn source() -> Lcg64Xsh32 {
    // The public benchmark's: "state and stream are first 20 digits of pi".
    Lcg64Xsh32::new(3141592653, 5897932384)
}

/// A value that can be drawn.
pub trait Generate {
    /// Draws one.
    fn generate<R: Rng>(rng: &mut R) -> Self;
}

impl Generate for () {
    fn generate<R: Rng>(_: &mut R) -> Self {}
}

impl Generate for bool {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        rng.gen_bool(0.5)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Generate for $number {
            fn generate<R: Rng>(rng: &mut R) -> Self {
                rng.r#gen()
            }
        }
    )*};
}

numbers!(u8, u32, f32, f64);

impl<A: Generate, B: Generate> Generate for (A, B) {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        (A::generate(rng), B::generate(rng))
    }
}

impl<A: Generate, B: Generate, C: Generate> Generate for (A, B, C) {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        (A::generate(rng), B::generate(rng), C::generate(rng))
    }
}

impl<T: Generate, const N: usize> Generate for [T; N] {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        std::array::from_fn(|_| T::generate(rng))
    }
}

impl<T: Generate> Generate for Option<T> {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        rng.gen_bool(0.5).then(|| T::generate(rng))
    }
}

/// A list whose length is drawn first, even where the range has only one.
pub fn list<R: Rng, T: Generate>(rng: &mut R, length: Range<usize>) -> Vec<T> {
    let length = rng.gen_range(length);
    (0..length).map(|_| T::generate(rng)).collect()
}

/// One of the words.
pub fn word<R: Rng>(rng: &mut R, words: &[&str]) -> String {
    words[rng.gen_range(0..words.len())].to_owned()
}
