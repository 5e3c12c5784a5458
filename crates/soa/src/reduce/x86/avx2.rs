//! 256 bits. There is no least or greatest of 64-bit integers, and no comparison of unsigned ones.

use core::arch::x86_64::*;
use core::arch::x86_64::{
    _mm256_loadu_si256 as load, _mm256_setzero_si256 as nowhere, _mm256_storeu_si256 as store,
    _mm256_xor_si256 as xor,
};

use crate::reduce::vector::{self, LoadFrom};
use crate::reduce::vectors::{floats, integers};

/// All bits of a lane, or none.
#[derive(Clone, Copy)]
pub struct Mask(__m256i);

impl From<__m256i> for Mask {
    #[inline(always)]
    fn from(mask: __m256i) -> Self {
        Self(mask)
    }
}

impl From<__m256> for Mask {
    #[inline(always)]
    fn from(mask: __m256) -> Self {
        // SAFETY: who has made the mask answers for the CPU.
        Self(unsafe { _mm256_castps_si256(mask) })
    }
}

impl From<__m256d> for Mask {
    #[inline(always)]
    fn from(mask: __m256d) -> Self {
        // SAFETY: who has made the mask answers for the CPU.
        Self(unsafe { _mm256_castpd_si256(mask) })
    }
}

impl vector::Mask for Mask {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: `self` answers for the CPU.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: `self` answers for the CPU.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        // SAFETY: `self` answers for the CPU.
        u64::from(unsafe { _mm256_movemask_epi8(self.0) } as u32)
    }
}

integers! {
    __m256i, halves U64;
    I8: [i8 as i8; 32], mask bits 1, splat _mm256_set1_epi8, add _mm256_add_epi8,
        min _mm256_min_epi8, max _mm256_max_epi8, equal _mm256_cmpeq_epi8, widen widen_8;
    I16: [i16 as i16; 16], mask bits 2, splat _mm256_set1_epi16, add _mm256_add_epi16,
        min _mm256_min_epi16, max _mm256_max_epi16, equal _mm256_cmpeq_epi16, widen widen_16;
    I32: [i32 as i32; 8], mask bits 4, splat _mm256_set1_epi32, add _mm256_add_epi32,
        min _mm256_min_epi32, max _mm256_max_epi32, equal _mm256_cmpeq_epi32, widen widen_32;
    I64: [i64 as i64; 4], mask bits 8, splat _mm256_set1_epi64x, add _mm256_add_epi64,
        min min_i64, max max_i64, equal _mm256_cmpeq_epi64, widen widen_32;
    U8: [u8 as i8; 32], mask bits 1, splat _mm256_set1_epi8, add _mm256_add_epi8,
        min _mm256_min_epu8, max _mm256_max_epu8, equal _mm256_cmpeq_epi8, widen widen_8;
    U16: [u16 as i16; 16], mask bits 2, splat _mm256_set1_epi16, add _mm256_add_epi16,
        min _mm256_min_epu16, max _mm256_max_epu16, equal _mm256_cmpeq_epi16, widen widen_16;
    U32: [u32 as i32; 8], mask bits 4, splat _mm256_set1_epi32, add _mm256_add_epi32,
        min _mm256_min_epu32, max _mm256_max_epu32, equal _mm256_cmpeq_epi32, widen widen_32;
    U64: [u64 as i64; 4], mask bits 8, splat _mm256_set1_epi64x, add _mm256_add_epi64,
        min min_u64, max max_u64, equal _mm256_cmpeq_epi64, widen widen_32;
}

floats! {
    F32(__m256): [f32; 8], mask bits 4, load _mm256_loadu_ps, store _mm256_storeu_ps, splat _mm256_set1_ps,
        add _mm256_add_ps, min _mm256_min_ps, max _mm256_max_ps,
        equal _mm256_cmp_ps::<_CMP_EQ_OQ>, unordered _mm256_cmp_ps::<_CMP_UNORD_Q>;
    F64(__m256d): [f64; 4], mask bits 8, load _mm256_loadu_pd, store _mm256_storeu_pd, splat _mm256_set1_pd,
        add _mm256_add_pd, min _mm256_min_pd, max _mm256_max_pd,
        equal _mm256_cmp_pd::<_CMP_EQ_OQ>, unordered _mm256_cmp_pd::<_CMP_UNORD_Q>;
}

impl LoadFrom<f32> for F64 {
    #[inline(always)]
    unsafe fn load_from(from: *const f32) -> Self {
        // SAFETY: the caller answers for four numbers and for the CPU.
        Self(unsafe { _mm256_cvtps_pd(_mm_loadu_ps(from)) })
    }
}

/// `one` where `mask` is set, else `other`.
///
/// # Safety
/// The CPU has the instructions, here and below.
#[inline(always)]
unsafe fn select(mask: __m256i, one: __m256i, other: __m256i) -> __m256i {
    // SAFETY: the caller answers for the CPU.
    unsafe { _mm256_blendv_epi8(other, one, mask) }
}

#[inline(always)]
unsafe fn min_i64(one: __m256i, other: __m256i) -> __m256i {
    // SAFETY: the caller answers for the CPU.
    unsafe { select(_mm256_cmpgt_epi64(one, other), other, one) }
}

#[inline(always)]
unsafe fn max_i64(one: __m256i, other: __m256i) -> __m256i {
    // SAFETY: the caller answers for the CPU.
    unsafe { select(_mm256_cmpgt_epi64(one, other), one, other) }
}

/// Where the unsigned number is greater: as signed ones, with the sign flipped.
#[inline(always)]
unsafe fn above_u64(one: __m256i, other: __m256i) -> __m256i {
    // SAFETY: the caller answers for the CPU.
    unsafe {
        let sign = _mm256_set1_epi64x(i64::MIN);
        _mm256_cmpgt_epi64(xor(one, sign), xor(other, sign))
    }
}

#[inline(always)]
unsafe fn min_u64(one: __m256i, other: __m256i) -> __m256i {
    // SAFETY: the caller answers for the CPU.
    unsafe { select(above_u64(one, other), other, one) }
}

#[inline(always)]
unsafe fn max_u64(one: __m256i, other: __m256i) -> __m256i {
    // SAFETY: the caller answers for the CPU.
    unsafe { select(above_u64(one, other), one, other) }
}

/// Sums of eight bytes.
#[inline(always)]
unsafe fn widen_8(bytes: __m256i) -> (__m256i, __m256i) {
    // SAFETY: the caller answers for the CPU.
    unsafe { (_mm256_sad_epu8(bytes, _mm256_setzero_si256()), _mm256_setzero_si256()) }
}

/// Sums of the low and of the high bytes of four numbers.
#[inline(always)]
unsafe fn widen_16(numbers: __m256i) -> (__m256i, __m256i) {
    // SAFETY: the caller answers for the CPU.
    unsafe {
        let low = _mm256_and_si256(numbers, _mm256_set1_epi16(0xff));
        let high = _mm256_srli_epi16::<8>(numbers);
        (widen_8(low).0, widen_8(high).0)
    }
}

/// Low and high 32 bits.
#[inline(always)]
unsafe fn widen_32(numbers: __m256i) -> (__m256i, __m256i) {
    // SAFETY: the caller answers for the CPU.
    unsafe {
        let low = _mm256_and_si256(numbers, _mm256_set1_epi64x(0xffff_ffff));
        (low, _mm256_srli_epi64::<32>(numbers))
    }
}
