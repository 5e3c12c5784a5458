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

/// Instructions that this machine has.
#[derive(Clone, Copy, Debug)]
pub struct Present(Isa);

/// What [`Present::best`] has found; zero before.
static BEST: AtomicU8 = AtomicU8::new(0);

impl Present {
    /// The best that this machine has, unless the environment names another.
    #[inline]
    pub fn best() -> Present {
        Present(match BEST.load(Ordering::Relaxed) {
            1 => Isa::Portable,
            2 => Isa::Sse2,
            3 => Isa::Avx2,
            4 => Isa::Avx512,
            5 => Isa::Neon,
            _ => Present::choose(),
        })
    }

    /// Which they are.
    #[inline]
    pub fn isa(self) -> Isa {
        self.0
    }

    /// All that this machine has, the best last.
    pub fn all() -> impl DoubleEndedIterator<Item = Present> {
        Isa::ALL.into_iter().filter(|isa| isa.is_available()).map(Present)
    }

    #[cold]
    fn choose() -> Isa {
        let wanted = env::var("UPCALL_SIMD").ok();
        let named = Present::all().find(|present| wanted.as_deref() == Some(present.0.name()));
        let chosen = named.or(Present::all().next_back()).map_or(Isa::Portable, Present::isa);
        BEST.store(chosen as u8, Ordering::Relaxed);
        chosen
    }
}

impl Isa {
    /// All, the best last.
    pub const ALL: [Isa; 5] = [Isa::Portable, Isa::Neon, Isa::Sse2, Isa::Avx2, Isa::Avx512];

    /// The one in use: the best that this machine has, unless the environment variable `UPCALL_SIMD` names
    /// another that it has (`portable`, `sse2`, `avx2`, `avx512`, `neon`). It is read once.
    #[inline]
    pub fn current() -> Isa {
        Present::best().isa()
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
}
