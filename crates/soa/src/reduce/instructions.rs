//! Which instructions the kernels may use.

use std::env;
use std::sync::atomic::{AtomicU8, Ordering};

/// A set of instructions that kernels are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u8)]
pub enum Instructions {
    /// Whatever the compiler makes of plain loops.
    Portable = 1,
    /// 128 bits; every x86-64 has it.
    Sse2,
    /// 256 bits.
    Avx2,
    /// 512 bits: F, BW, DQ and VL.
    Avx512,
    /// 128 bits; every 64-bit ARM has it.
    Neon,
}

/// Instructions that this machine has.
#[derive(Clone, Copy, Debug)]
pub struct Present(Instructions);

/// What [`Present::best`] has found; zero before.
static BEST: AtomicU8 = AtomicU8::new(0);

impl Present {
    /// The best that this machine has, unless the environment names another.
    #[inline]
    pub fn best() -> Present {
        Present(match BEST.load(Ordering::Relaxed) {
            1 => Instructions::Portable,
            2 => Instructions::Sse2,
            3 => Instructions::Avx2,
            4 => Instructions::Avx512,
            5 => Instructions::Neon,
            _ => Present::choose(),
        })
    }

    /// Which they are.
    #[inline]
    pub fn which(self) -> Instructions {
        self.0
    }

    /// All that this machine has, the best last.
    pub fn all() -> impl DoubleEndedIterator<Item = Present> {
        Instructions::ALL.iter().copied().filter(|instructions| instructions.is_available()).map(Present)
    }

    #[cold]
    fn choose() -> Instructions {
        let wanted = env::var("UPCALL_SIMD").ok();
        let named = Present::all().find(|present| wanted.as_deref() == Some(present.0.name()));
        let chosen = named.or(Present::all().next_back()).map_or(Instructions::Portable, Present::which);
        BEST.store(chosen as u8, Ordering::Relaxed);
        chosen
    }
}

impl Instructions {
    /// All, the best last.
    pub const ALL: &[Instructions] = &[
        Instructions::Portable,
        Instructions::Neon,
        Instructions::Sse2,
        Instructions::Avx2,
        Instructions::Avx512,
    ];

    /// The one in use: the best that this machine has, unless the environment variable `UPCALL_SIMD` names
    /// another that it has (`portable`, `sse2`, `avx2`, `avx512`, `neon`). It is read once.
    #[inline]
    #[must_use]
    pub fn current() -> Instructions {
        Present::best().which()
    }

    /// The name that `UPCALL_SIMD` knows it by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Instructions::Portable => "portable",
            Instructions::Sse2 => "sse2",
            Instructions::Avx2 => "avx2",
            Instructions::Avx512 => "avx512",
            Instructions::Neon => "neon",
        }
    }

    /// Whether this machine has it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Instructions::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Sse2 => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => true,
            #[allow(unreachable_patterns, reason = "which are there depends on the machine")]
            _ => false,
        }
    }
}
