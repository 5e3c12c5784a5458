//! 512 bits. There is an instruction for everything, and masks have registers of their own.

use core::arch::x86_64::*;
use core::arch::x86_64::{_mm512_loadu_si512 as load, _mm512_storeu_si512 as store, _mm512_xor_si512 as xor};

use crate::reduce::vector::{self, LoadFrom};
use crate::reduce::vectors::{floats, integers};

/// One bit per lane.
#[derive(Clone, Copy)]
pub struct Mask(u64);

impl<T: Into<u64>> From<T> for Mask {
    #[inline(always)]
    fn from(mask: T) -> Self {
        Self(mask.into())
    }
}

impl vector::Mask for Mask {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self.0
    }
}

#[inline(always)]
const unsafe fn nowhere() -> u64 {
    0
}

integers! {
    __m512i, halves U64;
    I8: [i8 as i8; 64], mask bits 1, splat _mm512_set1_epi8, add _mm512_add_epi8,
        min _mm512_min_epi8, max _mm512_max_epi8, equal _mm512_cmpeq_epi8_mask, widen widen_8;
    I16: [i16 as i16; 32], mask bits 1, splat _mm512_set1_epi16, add _mm512_add_epi16,
        min _mm512_min_epi16, max _mm512_max_epi16, equal _mm512_cmpeq_epi16_mask, widen widen_16;
    I32: [i32 as i32; 16], mask bits 1, splat _mm512_set1_epi32, add _mm512_add_epi32,
        min _mm512_min_epi32, max _mm512_max_epi32, equal _mm512_cmpeq_epi32_mask, widen widen_32;
    I64: [i64 as i64; 8], mask bits 1, splat _mm512_set1_epi64, add _mm512_add_epi64,
        min _mm512_min_epi64, max _mm512_max_epi64, equal _mm512_cmpeq_epi64_mask, widen widen_32;
    U8: [u8 as i8; 64], mask bits 1, splat _mm512_set1_epi8, add _mm512_add_epi8,
        min _mm512_min_epu8, max _mm512_max_epu8, equal _mm512_cmpeq_epi8_mask, widen widen_8;
    U16: [u16 as i16; 32], mask bits 1, splat _mm512_set1_epi16, add _mm512_add_epi16,
        min _mm512_min_epu16, max _mm512_max_epu16, equal _mm512_cmpeq_epi16_mask, widen widen_16;
    U32: [u32 as i32; 16], mask bits 1, splat _mm512_set1_epi32, add _mm512_add_epi32,
        min _mm512_min_epu32, max _mm512_max_epu32, equal _mm512_cmpeq_epi32_mask, widen widen_32;
    U64: [u64 as i64; 8], mask bits 1, splat _mm512_set1_epi64, add _mm512_add_epi64,
        min _mm512_min_epu64, max _mm512_max_epu64, equal _mm512_cmpeq_epi64_mask, widen widen_32;
}

floats! {
    F32(__m512): [f32; 16], mask bits 1, load _mm512_loadu_ps, store _mm512_storeu_ps, splat _mm512_set1_ps,
        add _mm512_add_ps, min _mm512_min_ps, max _mm512_max_ps,
        equal _mm512_cmp_ps_mask::<_CMP_EQ_OQ>, unordered _mm512_cmp_ps_mask::<_CMP_UNORD_Q>;
    F64(__m512d): [f64; 8], mask bits 1, load _mm512_loadu_pd, store _mm512_storeu_pd, splat _mm512_set1_pd,
        add _mm512_add_pd, min _mm512_min_pd, max _mm512_max_pd,
        equal _mm512_cmp_pd_mask::<_CMP_EQ_OQ>, unordered _mm512_cmp_pd_mask::<_CMP_UNORD_Q>;
}

impl LoadFrom<f32> for F64 {
    #[inline(always)]
    unsafe fn load_from(from: *const f32) -> Self {
        // SAFETY: the caller answers for eight numbers and for the CPU.
        Self(unsafe { _mm512_cvtps_pd(_mm256_loadu_ps(from)) })
    }
}

/// Sums of eight bytes.
///
/// # Safety
/// The CPU has the instructions, here and below.
#[inline(always)]
unsafe fn widen_8(bytes: __m512i) -> (__m512i, __m512i) {
    // SAFETY: the caller answers for the CPU.
    unsafe { (_mm512_sad_epu8(bytes, _mm512_setzero_si512()), _mm512_setzero_si512()) }
}

/// Sums of the low and of the high bytes of four numbers.
#[inline(always)]
unsafe fn widen_16(numbers: __m512i) -> (__m512i, __m512i) {
    // SAFETY: the caller answers for the CPU.
    unsafe {
        let low = _mm512_and_si512(numbers, _mm512_set1_epi16(0xff));
        let high = _mm512_srli_epi16::<8>(numbers);
        (widen_8(low).0, widen_8(high).0)
    }
}

/// Low and high 32 bits.
#[inline(always)]
unsafe fn widen_32(numbers: __m512i) -> (__m512i, __m512i) {
    // SAFETY: the caller answers for the CPU.
    unsafe {
        let low = _mm512_and_si512(numbers, _mm512_set1_epi64(0xffff_ffff));
        (low, _mm512_srli_epi64::<32>(numbers))
    }
}
