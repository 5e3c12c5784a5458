//! Vectors for x86-64: 128, 256 and 512 bits.

pub mod avx2;
pub mod avx512;
pub mod sse2;
