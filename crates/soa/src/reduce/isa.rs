//! Which instructions the kernels may use.

use std::env;
use std::sync::atomic::{AtomicU8, Ordering};

/// A set of instructions that kernels are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u8)]
pub enum Isa {
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

/// What [`Isa::current`] has found; zero before.
static CURRENT: AtomicU8 = AtomicU8::new(0);

impl Isa {
    /// All, the best last.
    pub const ALL: [Isa; 5] = [Isa::Portable, Isa::Neon, Isa::Sse2, Isa::Avx2, Isa::Avx512];

    /// The one in use: the best that this machine has, unless the environment variable `UPCALL_SIMD` names
    /// another that it has (`portable`, `sse2`, `avx2`, `avx512`, `neon`). It is read once.
    #[inline]
    pub fn current() -> Isa {
        match CURRENT.load(Ordering::Relaxed) {
            1 => Isa::Portable,
            2 => Isa::Sse2,
            3 => Isa::Avx2,
            4 => Isa::Avx512,
            5 => Isa::Neon,
            _ => Isa::choose(),
        }
    }

    /// The name that `UPCALL_SIMD` knows it by.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            Isa::Sse2 => "sse2",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
            Isa::Neon => "neon",
        }
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            Isa::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Sse2 => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => true,
            #[allow(unreachable_patterns, reason = "which are there depends on the machine")]
            _ => false,
        }
    }

    #[cold]
    fn choose() -> Isa {
        let wanted = env::var("UPCALL_SIMD").ok();
        let has = |isa: &Isa| isa.is_available();
        let named = Isa::ALL.into_iter().find(|isa| wanted.as_deref() == Some(isa.name())).filter(has);
        let chosen = named.or(Isa::ALL.into_iter().rev().find(has)).unwrap_or(Isa::Portable);
        CURRENT.store(chosen as u8, Ordering::Relaxed);
        chosen
    }
}
