//! How fast memory can be read at all by one thread: the best of several loops that do nothing else.

use std::arch::x86_64::*;

use crate::turns;

pub fn all(bytes: usize) {
    let memory: Vec<u64> = (0..bytes as u64 / 8).collect();
    let mut ways = vec![turns::way("read, 128 bits", &memory[..], |memory| {
        // SAFETY: SSE2 is everywhere; the memory has as many vectors.
        unsafe { narrow(memory) }
    })];
    if is_x86_feature_detected!("avx512f") {
        ways.push(turns::way("read, 512 bits", &memory[..], |memory| {
            // SAFETY: the instructions are there.
            unsafe { wide::<1>(memory) }
        }));
        ways.push(turns::way("read, 512 bits, 4 streams", &memory[..], |memory| {
            // SAFETY: the instructions are there.
            unsafe { wide::<4>(memory) }
        }));
    }
    if is_x86_feature_detected!("avx2") {
        ways.push(turns::way("read, 256 bits", &memory[..], |memory| {
            // SAFETY: the instructions are there.
            unsafe { middle(memory) }
        }));
    }
    turns::print("read", "u64", memory.len(), ways);
}

/// # Safety
/// None: SSE2 is everywhere.
unsafe fn narrow(memory: &[u64]) -> __m128i {
    // SAFETY: a chunk has four vectors.
    unsafe {
        let mut all = [_mm_setzero_si128(); 4];
        for chunk in memory.chunks_exact(8) {
            for (k, all) in all.iter_mut().enumerate() {
                *all = _mm_or_si128(*all, _mm_loadu_si128(chunk.as_ptr().add(2 * k).cast()));
            }
        }
        _mm_or_si128(_mm_or_si128(all[0], all[1]), _mm_or_si128(all[2], all[3]))
    }
}

/// # Safety
/// The CPU has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn middle(memory: &[u64]) -> __m256i {
    // SAFETY: a chunk has four vectors.
    unsafe {
        let mut all = [_mm256_setzero_si256(); 4];
        for chunk in memory.chunks_exact(16) {
            for (k, all) in all.iter_mut().enumerate() {
                *all = _mm256_or_si256(*all, _mm256_loadu_si256(chunk.as_ptr().add(4 * k).cast()));
            }
        }
        _mm256_or_si256(_mm256_or_si256(all[0], all[1]), _mm256_or_si256(all[2], all[3]))
    }
}

/// `STREAMS` parts of the memory side by side.
///
/// # Safety
/// The CPU has AVX-512.
#[target_feature(enable = "avx512f")]
unsafe fn wide<const STREAMS: usize>(memory: &[u64]) -> __m512i {
    let part = memory.len() / STREAMS / 32 * 32;
    // SAFETY: each step reads four vectors of each part.
    unsafe {
        let mut all = [_mm512_setzero_si512(); 4];
        for at in (0..part).step_by(32) {
            for stream in 0..STREAMS {
                for (k, all) in all.iter_mut().enumerate() {
                    let from = memory.as_ptr().add(stream * part + at + 8 * k);
                    *all = _mm512_or_si512(*all, _mm512_loadu_si512(from.cast()));
                }
            }
        }
        _mm512_or_si512(_mm512_or_si512(all[0], all[1]), _mm512_or_si512(all[2], all[3]))
    }
}
