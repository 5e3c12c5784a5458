//! 128 bits of 64-bit ARM.
#![allow(unused_unsafe, reason = "every 64-bit ARM has these instructions, so most of them are safe here")]

use core::arch::aarch64::veorq_u8 as xor;
use core::arch::aarch64::*;

use crate::reduce::vector::{self, LoadFrom};
use crate::reduce::vectors::{floats, integers};

/// All bits of a lane, or none.
#[derive(Clone, Copy)]
pub struct Mask(uint8x16_t);

impl From<uint8x16_t> for Mask {
    #[inline(always)]
    fn from(mask: uint8x16_t) -> Self {
        Self(mask)
    }
}

impl From<uint32x4_t> for Mask {
    #[inline(always)]
    fn from(mask: uint32x4_t) -> Self {
        // SAFETY: every 64-bit ARM has NEON; this goes for all of this file.
        Self(unsafe { vreinterpretq_u8_u32(mask) })
    }
}

impl From<uint64x2_t> for Mask {
    #[inline(always)]
    fn from(mask: uint64x2_t) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vreinterpretq_u8_u64(mask) })
    }
}

impl vector::Mask for Mask {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vandq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vorrq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        // Half of each byte: there is no instruction that gathers single bits.
        // SAFETY: NEON is there.
        unsafe { vget_lane_u64::<0>(vreinterpret_u64_u8(vshrn_n_u16::<4>(vreinterpretq_u16_u8(self.0)))) }
    }
}

#[inline(always)]
unsafe fn load(from: *const u8) -> uint8x16_t {
    // SAFETY: the caller answers for the memory.
    unsafe { vld1q_u8(from) }
}

#[inline(always)]
unsafe fn store(to: *mut u8, bytes: uint8x16_t) {
    // SAFETY: the caller answers for the room.
    unsafe { vst1q_u8(to, bytes) }
}

#[inline(always)]
unsafe fn nowhere() -> uint8x16_t {
    // SAFETY: NEON is there.
    unsafe { vdupq_n_u8(0) }
}

integers! {
    uint8x16_t, halves U64;
    I8: [i8 as i8; 16], mask bits 4,
        splat |value| vreinterpretq_u8_s8(vdupq_n_s8(value)), add s8::add,
        min s8::min, max s8::max, equal s8::equal, widen widen_8;
    I16: [i16 as i16; 8], mask bits 8,
        splat |value| vreinterpretq_u8_s16(vdupq_n_s16(value)), add s16::add,
        min s16::min, max s16::max, equal s16::equal, widen widen_16;
    I32: [i32 as i32; 4], mask bits 16,
        splat |value| vreinterpretq_u8_s32(vdupq_n_s32(value)), add s32::add,
        min s32::min, max s32::max, equal s32::equal, widen widen_32;
    I64: [i64 as i64; 2], mask bits 32,
        splat |value| vreinterpretq_u8_s64(vdupq_n_s64(value)), add s64::add,
        min s64::min, max s64::max, equal s64::equal, widen widen_32;
    U8: [u8 as u8; 16], mask bits 4,
        splat vdupq_n_u8, add u8::add,
        min u8::min, max u8::max, equal u8::equal, widen widen_8;
    U16: [u16 as u16; 8], mask bits 8,
        splat |value| vreinterpretq_u8_u16(vdupq_n_u16(value)), add u16::add,
        min u16::min, max u16::max, equal u16::equal, widen widen_16;
    U32: [u32 as u32; 4], mask bits 16,
        splat |value| vreinterpretq_u8_u32(vdupq_n_u32(value)), add u32::add,
        min u32::min, max u32::max, equal u32::equal, widen widen_32;
    U64: [u64 as u64; 2], mask bits 32,
        splat |value| vreinterpretq_u8_u64(vdupq_n_u64(value)), add u64::add,
        min u64::min, max u64::max, equal u64::equal, widen widen_32;
}

// `vminnmq` and `vmaxnmq` give NaN for a number and a signaling NaN; a comparison gives the number.
floats! {
    F32(float32x4_t): [f32; 4], mask bits 16, load vld1q_f32, store vst1q_f32, splat vdupq_n_f32,
        add vaddq_f32,
        min |one, other| vbslq_f32(vcltq_f32(one, other), one, other),
        max |one, other| vbslq_f32(vcgtq_f32(one, other), one, other),
        equal vceqq_f32,
        unordered |one, other| vmvnq_u32(vandq_u32(vceqq_f32(one, one), vceqq_f32(other, other)));
    F64(float64x2_t): [f64; 2], mask bits 32, load vld1q_f64, store vst1q_f64, splat vdupq_n_f64,
        add vaddq_f64,
        min |one, other| vbslq_f64(vcltq_f64(one, other), one, other),
        max |one, other| vbslq_f64(vcgtq_f64(one, other), one, other),
        equal vceqq_f64,
        unordered |one, other| not_64(vandq_u64(vceqq_f64(one, one), vceqq_f64(other, other)));
}

impl LoadFrom<f32> for F64 {
    #[inline(always)]
    unsafe fn load_from(from: *const f32) -> Self {
        // SAFETY: the caller answers for two numbers; NEON is there.
        Self(unsafe { vcvt_f64_f32(vld1_f32(from)) })
    }
}

#[inline(always)]
unsafe fn not_64(mask: uint64x2_t) -> uint64x2_t {
    // SAFETY: NEON is there.
    unsafe { vreinterpretq_u64_u8(vmvnq_u8(vreinterpretq_u8_u64(mask))) }
}

/// The instructions for one type on a register of bytes.
macro_rules! on_bytes {
    ($($name:ident: $to:expr, $from:expr, $from_mask:expr,
       $add:ident, $above:ident, $equal:ident;)*) => { $(
        mod $name {
            use super::*;

            #[inline(always)]
            pub unsafe fn add(one: uint8x16_t, other: uint8x16_t) -> uint8x16_t {
                // SAFETY: NEON is there.
                unsafe { $from($add($to(one), $to(other))) }
            }

            #[inline(always)]
            pub unsafe fn min(one: uint8x16_t, other: uint8x16_t) -> uint8x16_t {
                // SAFETY: NEON is there.
                unsafe { vbslq_u8(above(one, other), other, one) }
            }

            #[inline(always)]
            pub unsafe fn max(one: uint8x16_t, other: uint8x16_t) -> uint8x16_t {
                // SAFETY: NEON is there.
                unsafe { vbslq_u8(above(one, other), one, other) }
            }

            #[inline(always)]
            pub unsafe fn equal(one: uint8x16_t, other: uint8x16_t) -> uint8x16_t {
                // SAFETY: NEON is there.
                unsafe { $from_mask($equal($to(one), $to(other))) }
            }

            #[inline(always)]
            unsafe fn above(one: uint8x16_t, other: uint8x16_t) -> uint8x16_t {
                // SAFETY: NEON is there.
                unsafe { $from_mask($above($to(one), $to(other))) }
            }
        }
    )* };
}

on_bytes! {
    s8: vreinterpretq_s8_u8, vreinterpretq_u8_s8, |x| x,
        vaddq_s8, vcgtq_s8, vceqq_s8;
    s16: vreinterpretq_s16_u8, vreinterpretq_u8_s16, vreinterpretq_u8_u16,
        vaddq_s16, vcgtq_s16, vceqq_s16;
    s32: vreinterpretq_s32_u8, vreinterpretq_u8_s32, vreinterpretq_u8_u32,
        vaddq_s32, vcgtq_s32, vceqq_s32;
    s64: vreinterpretq_s64_u8, vreinterpretq_u8_s64, vreinterpretq_u8_u64,
        vaddq_s64, vcgtq_s64, vceqq_s64;
    u8: |x| x, |x| x, |x| x,
        vaddq_u8, vcgtq_u8, vceqq_u8;
    u16: vreinterpretq_u16_u8, vreinterpretq_u8_u16, vreinterpretq_u8_u16,
        vaddq_u16, vcgtq_u16, vceqq_u16;
    u32: vreinterpretq_u32_u8, vreinterpretq_u8_u32, vreinterpretq_u8_u32,
        vaddq_u32, vcgtq_u32, vceqq_u32;
    u64: vreinterpretq_u64_u8, vreinterpretq_u8_u64, vreinterpretq_u8_u64,
        vaddq_u64, vcgtq_u64, vceqq_u64;
}

/// Sums of eight bytes.
#[inline(always)]
unsafe fn widen_8(bytes: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
    // SAFETY: NEON is there.
    unsafe {
        let sums = vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(bytes)));
        (vreinterpretq_u8_u64(sums), vdupq_n_u8(0))
    }
}

/// Sums of the low and of the high bytes of four numbers.
#[inline(always)]
unsafe fn widen_16(numbers: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
    // SAFETY: NEON is there.
    unsafe {
        let low = vandq_u8(numbers, vreinterpretq_u8_u16(vdupq_n_u16(0xff)));
        let high = vreinterpretq_u8_u16(vshrq_n_u16::<8>(vreinterpretq_u16_u8(numbers)));
        (widen_8(low).0, widen_8(high).0)
    }
}

/// Low and high 32 bits.
#[inline(always)]
unsafe fn widen_32(numbers: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
    // SAFETY: NEON is there.
    unsafe {
        let low = vandq_u8(numbers, vreinterpretq_u8_u64(vdupq_n_u64(0xffff_ffff)));
        (low, vreinterpretq_u8_u64(vshrq_n_u64::<32>(vreinterpretq_u64_u8(numbers))))
    }
}
