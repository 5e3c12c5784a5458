#![deny(warnings)]
#![allow(unexpected_cfgs)]
//! What is awkward to measure: private fields, generics, keywords, modules in files and in braces.

mod filed;

use std::ffi::CStr;
use std::num::NonZeroU16;

pub const I128_MIN: i128 = i128::MIN;
pub const U128_MAX: u128 = u128::MAX;
pub const MINUS: i8 = -3 + (1 << 1);
pub const PARTS: NonZeroU16 = NonZeroU16::new(0xff00).unwrap();
pub const NAN: f32 = f32::from_bits(0xffc0_1234);
pub const THIRD: f64 = 1.0 / 3.0;
pub const YES: bool = !false;
pub const LETTER: char = '\u{1f980}';
pub const EMPTY: &str = "";
pub const TEXT: &str = concat!("grün ", env!("CARGO_PKG_VERSION"), " \0 ", include_str!("../note.txt"));
pub const C_TEXT: &CStr = c"bytes \xff";
const LEN: usize = 3;

pub mod outer {
    pub mod inner {
        #[repr(C)]
        pub struct Hidden {
            first: u8,
            r#type: u32,
            pub(crate) rest: [u16; 2 * super::super::LEN],
        }

        #[repr(C, packed(2))]
        pub struct Tight(u8, u64, f32);

        #[repr(C, align(32))]
        pub struct Loose {
            only: i128,
            byte: u8,
        }
    } // the brace of `inner`

    #[repr(C)]
    pub struct Generic<T: Copy> {
        small: u8,
        value: T,
    }
}

#[repr(C)]
pub union Either {
    number: u64,
    bytes: [u8; 13],
}

#[repr(u16)]
#[derive(Clone, Copy)]
pub enum Level {
    Low = 1 << 3,
    High = BASE as u16,
}
const BASE: u8 = 200;

#[repr(C)]
pub enum Signed {
    Below = -1,
    Above = 5,
}

#[repr(C, u16)]
pub enum Shape<'a> {
    Nothing,
    Named(&'a u8, bool),
    Placed { r#match: char, owner: Option<Box<u64>>, level: Level } = 9,
}

#[repr(i8)]
pub enum Small {
    One(u8, u32) = -5,
    Two { inner: outer::inner::Hidden, end: Box<u8> },
}

#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Bits(u32);
impl Bits {
    pub const A: Bits = Bits(1);
    pub const TOP: Bits = Bits(1 << 31);
}

#[repr(C)]
pub struct Nothing;

#[no_mangle]
pub extern "C" fn generic_code_of_a_dependency(value: u32) -> usize {
    pieces::text(value).len()
}

#[cfg(run)]
fn main() {
    use outer::inner::*;
    use outer::Generic;
    use std::mem::{align_of, offset_of, size_of};
    fn line(numbers: &[usize]) {
        println!("{numbers:?}");
    }
    line(&[size_of::<Either>(), align_of::<Either>(), offset_of!(Either, number), offset_of!(Either, bytes)]);
    line(&[size_of::<Hidden>(), align_of::<Hidden>(), 0, 4, 8]);
    line(&[size_of::<Tight>(), align_of::<Tight>(), 0, 2, 10]);
    line(&[size_of::<Loose>(), align_of::<Loose>(), 0, 16]);
    line(&[size_of::<Generic<f64>>(), align_of::<Generic<f64>>(), 0, 8]);
    line(&[size_of::<Generic<Level>>(), align_of::<Generic<Level>>(), 0, 2]);
    let address = |whole: usize, part: usize| part - whole;
    let shape = Shape::Named(&1, true);
    let Shape::Named(a, b) = &shape else { unreachable!() };
    let whole = &raw const shape as usize;
    let mut row = vec![size_of::<Shape>(), align_of::<Shape>()];
    row.extend([address(whole, &raw const *a as usize), address(whole, &raw const *b as usize)]);
    let shape = Shape::Placed { r#match: 'x', owner: None, level: Level::Low };
    let Shape::Placed { r#match, owner, level } = &shape else { unreachable!() };
    let whole = &raw const shape as usize;
    row.extend([address(whole, &raw const *r#match as usize), address(whole, &raw const *owner as usize)]);
    row.push(address(whole, &raw const *level as usize));
    line(&row);
    let small = Small::One(1, 2);
    let Small::One(a, b) = &small else { unreachable!() };
    let whole = &raw const small as usize;
    let mut row = vec![size_of::<Small>(), align_of::<Small>()];
    row.extend([address(whole, &raw const *a as usize), address(whole, &raw const *b as usize)]);
    line(&row);
    line(&[size_of::<filed::Filed>(), align_of::<filed::Filed>(), 0, 8]);
}
