//! 128 bits. There are instructions for the least and the greatest of unsigned bytes and signed 16 bits; all
//! others are compared and selected.
#![allow(unused_unsafe, reason = "every x86-64 has these instructions, so most of them are safe here")]

use core::arch::x86_64::*;
use core::arch::x86_64::{
    _mm_loadu_si128 as load, _mm_setzero_si128 as nowhere, _mm_storeu_si128 as store, _mm_xor_si128 as xor,
};

use crate::reduce::vector::{self, LoadFrom};
use crate::reduce::vectors::{floats, integers};

/// All bits of a lane, or none.
#[derive(Clone, Copy)]
pub struct Mask(__m128i);

impl From<__m128i> for Mask {
    #[inline(always)]
    fn from(mask: __m128i) -> Self {
        Self(mask)
    }
}

impl From<__m128> for Mask {
    #[inline(always)]
    fn from(mask: __m128) -> Self {
        // SAFETY: every x86-64 has SSE2; this goes for all of this file.
        Self(unsafe { _mm_castps_si128(mask) })
    }
}

impl From<__m128d> for Mask {
    #[inline(always)]
    fn from(mask: __m128d) -> Self {
        // SAFETY: SSE2 is there.
        Self(unsafe { _mm_castpd_si128(mask) })
    }
}

impl vector::Mask for Mask {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: SSE2 is there.
        Self(unsafe { _mm_and_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: SSE2 is there.
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        // SAFETY: SSE2 is there.
        u64::from(unsafe { _mm_movemask_epi8(self.0) } as u32)
    }
}

integers! {
    __m128i, halves U64;
    I8: [i8 as i8; 16], mask bits 1, splat _mm_set1_epi8, add _mm_add_epi8,
        min min_i8, max max_i8, equal _mm_cmpeq_epi8, widen widen_8;
    I16: [i16 as i16; 8], mask bits 2, splat _mm_set1_epi16, add _mm_add_epi16,
        min _mm_min_epi16, max _mm_max_epi16, equal _mm_cmpeq_epi16, widen widen_16;
    I32: [i32 as i32; 4], mask bits 4, splat _mm_set1_epi32, add _mm_add_epi32,
        min min_i32, max max_i32, equal _mm_cmpeq_epi32, widen widen_32;
    I64: [i64 as i64; 2], mask bits 8, splat _mm_set1_epi64x, add _mm_add_epi64,
        min min_i64, max max_i64, equal equal_64, widen widen_32;
    U8: [u8 as i8; 16], mask bits 1, splat _mm_set1_epi8, add _mm_add_epi8,
        min _mm_min_epu8, max _mm_max_epu8, equal _mm_cmpeq_epi8, widen widen_8;
    U16: [u16 as i16; 8], mask bits 2, splat _mm_set1_epi16, add _mm_add_epi16,
        min min_u16, max max_u16, equal _mm_cmpeq_epi16, widen widen_16;
    U32: [u32 as i32; 4], mask bits 4, splat _mm_set1_epi32, add _mm_add_epi32,
        min min_u32, max max_u32, equal _mm_cmpeq_epi32, widen widen_32;
    U64: [u64 as i64; 2], mask bits 8, splat _mm_set1_epi64x, add _mm_add_epi64,
        min min_u64, max max_u64, equal equal_64, widen widen_32;
}

floats! {
    F32(__m128): [f32; 4], mask bits 4, load _mm_loadu_ps, store _mm_storeu_ps, splat _mm_set1_ps,
        add _mm_add_ps, min _mm_min_ps, max _mm_max_ps, equal _mm_cmpeq_ps, unordered _mm_cmpunord_ps;
    F64(__m128d): [f64; 2], mask bits 8, load _mm_loadu_pd, store _mm_storeu_pd, splat _mm_set1_pd,
        add _mm_add_pd, min _mm_min_pd, max _mm_max_pd, equal _mm_cmpeq_pd, unordered _mm_cmpunord_pd;
}

impl LoadFrom<f32> for F64 {
    #[inline(always)]
    unsafe fn load_from(from: *const f32) -> Self {
        // SAFETY: the caller answers for two numbers; SSE2 is there.
        Self(unsafe { _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64(from.cast()))) })
    }
}

/// The lesser and the greater by a comparison, of numbers whose sign is flipped first where they have none.
macro_rules! by_comparison {
    ($($min:ident, $max:ident: $above:ident($flip:expr);)*) => { $(
        #[inline(always)]
        unsafe fn $min(one: __m128i, other: __m128i) -> __m128i {
            // SAFETY: SSE2 is there.
            unsafe { select($above(xor(one, $flip), xor(other, $flip)), other, one) }
        }

        #[inline(always)]
        unsafe fn $max(one: __m128i, other: __m128i) -> __m128i {
            // SAFETY: SSE2 is there.
            unsafe { select($above(xor(one, $flip), xor(other, $flip)), one, other) }
        }
    )* };
}

by_comparison! {
    min_i8, max_i8: _mm_cmpgt_epi8(_mm_setzero_si128());
    min_u16, max_u16: _mm_cmpgt_epi16(_mm_set1_epi16(i16::MIN));
    min_i32, max_i32: _mm_cmpgt_epi32(_mm_setzero_si128());
    min_u32, max_u32: _mm_cmpgt_epi32(_mm_set1_epi32(i32::MIN));
}

/// 64 bits, for which there is no comparison: one after the other is as quick as an emulated one.
macro_rules! one_by_one {
    ($($name:ident: $number:ident, $operation:ident;)*) => { $(
        #[inline(always)]
        unsafe fn $name(one: __m128i, other: __m128i) -> __m128i {
            let mut numbers = [[0 as $number; 2]; 2];
            // SAFETY: there is room for two numbers each, which are read back.
            unsafe {
                store(numbers[0].as_mut_ptr().cast(), one);
                store(numbers[1].as_mut_ptr().cast(), other);
                let [[a, b], [c, d]] = numbers;
                load([a.$operation(c), b.$operation(d)].as_ptr().cast())
            }
        }
    )* };
}

one_by_one! {
    min_i64: i64, min;
    max_i64: i64, max;
    min_u64: u64, min;
    max_u64: u64, max;
}

/// `one` where `mask` is set, else `other`.
#[inline(always)]
unsafe fn select(mask: __m128i, one: __m128i, other: __m128i) -> __m128i {
    // SAFETY: SSE2 is there.
    unsafe { _mm_or_si128(_mm_and_si128(mask, one), _mm_andnot_si128(mask, other)) }
}

/// Both halves are equal.
#[inline(always)]
unsafe fn equal_64(one: __m128i, other: __m128i) -> __m128i {
    // SAFETY: SSE2 is there.
    unsafe {
        let halves = _mm_cmpeq_epi32(one, other);
        _mm_and_si128(halves, _mm_shuffle_epi32::<0b10_11_00_01>(halves))
    }
}

/// Sums of eight bytes.
#[inline(always)]
unsafe fn widen_8(bytes: __m128i) -> (__m128i, __m128i) {
    // SAFETY: SSE2 is there.
    unsafe { (_mm_sad_epu8(bytes, _mm_setzero_si128()), _mm_setzero_si128()) }
}

/// Sums of the low and of the high bytes of four numbers.
#[inline(always)]
unsafe fn widen_16(numbers: __m128i) -> (__m128i, __m128i) {
    // SAFETY: SSE2 is there.
    unsafe {
        let low = _mm_and_si128(numbers, _mm_set1_epi16(0xff));
        let high = _mm_srli_epi16::<8>(numbers);
        (widen_8(low).0, widen_8(high).0)
    }
}

/// Low and high 32 bits.
#[inline(always)]
unsafe fn widen_32(numbers: __m128i) -> (__m128i, __m128i) {
    // SAFETY: SSE2 is there.
    unsafe {
        let low = _mm_and_si128(numbers, _mm_set1_epi64x(0xffff_ffff));
        (low, _mm_srli_epi64::<32>(numbers))
    }
}
