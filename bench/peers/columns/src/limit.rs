//! How fast one thread can read memory at all: loops that do nothing else, the best of which is the limit.

use crate::turns::{Way, way};

/// The ways to read these bytes; each is measured in turn with what is compared with them.
pub fn ways(memory: &[u8]) -> Vec<Way<'_>> {
    #[cfg(target_arch = "x86_64")]
    return x86::ways(memory);
    #[cfg(not(target_arch = "x86_64"))]
    vec![way("read", memory, |memory| {
        let words = memory.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default()));
        words.fold(0, |all, word| all | word)
    })]
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Way, way};
    use std::arch::x86_64::*;

    pub fn ways(memory: &[u8]) -> Vec<Way<'_>> {
        let mut ways = vec![
            // SAFETY: SSE2 is everywhere.
            way("read, 128 bits", memory, |memory| unsafe { narrow::<0>(memory) }),
            // SAFETY: the same.
            way("read, 128 bits, asked for ahead", memory, |memory| unsafe { narrow::<1024>(memory) }),
        ];
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the instructions are there, here and below.
            ways.push(way("read, 256 bits", memory, |memory| unsafe { middle::<0>(memory) }));
            ways.push(way("read, 256 bits, asked for ahead", memory, |memory| unsafe { middle::<1024>(memory) }));
        }
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: as above.
            ways.push(way("read, 512 bits", memory, |memory| unsafe { wide::<1, 0>(memory) }));
            ways.push(way("read, 512 bits, asked for ahead", memory, |memory| unsafe { wide::<1, 1024>(memory) }));
            ways.push(way("read, 512 bits, 4 streams", memory, |memory| unsafe { wide::<4, 0>(memory) }));
        }
        ways
    }

    /// A loop over blocks of four vectors in each of `STREAMS` parts of the memory side by side, each asked for
    /// `AHEAD` bytes before it is read, if that is not 0. At 1024 a loop that only adds is quickest (38 GB/s, and 36 at
    /// the 4096 that suits searches).
    macro_rules! read {
        ($memory:ident, $streams:expr, $ahead:expr, $vector:ty, $zero:ident, $or:ident, $load:ident) => {{
            let block = 4 * size_of::<$vector>();
            let part = $memory.len() / $streams / block * block;
            // SAFETY: each step reads four vectors of each part; a prefetch faults nowhere.
            unsafe {
                let mut all = [$zero(); 4];
                for at in (0..part).step_by(block) {
                    for stream in 0..$streams {
                        let from = $memory.as_ptr().add(stream * part + at);
                        if $ahead > 0 {
                            for line in (0..block).step_by(64) {
                                _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add($ahead + line).cast());
                            }
                        }
                        for (k, all) in all.iter_mut().enumerate() {
                            *all = $or(*all, $load(from.cast::<$vector>().add(k).cast()));
                        }
                    }
                }
                $or($or(all[0], all[1]), $or(all[2], all[3]))
            }
        }};
    }

    #[target_feature(enable = "sse2")]
    fn narrow<const AHEAD: usize>(memory: &[u8]) -> __m128i {
        read!(memory, 1, AHEAD, __m128i, _mm_setzero_si128, _mm_or_si128, _mm_loadu_si128)
    }

    #[target_feature(enable = "avx2")]
    fn middle<const AHEAD: usize>(memory: &[u8]) -> __m256i {
        read!(memory, 1, AHEAD, __m256i, _mm256_setzero_si256, _mm256_or_si256, _mm256_loadu_si256)
    }

    #[target_feature(enable = "avx512f")]
    fn wide<const STREAMS: usize, const AHEAD: usize>(memory: &[u8]) -> __m512i {
        read!(memory, STREAMS, AHEAD, __m512i, _mm512_setzero_si512, _mm512_or_si512, _mm512_loadu_si512)
    }
}
