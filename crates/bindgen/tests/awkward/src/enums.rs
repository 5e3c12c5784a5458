//! Enums with negative and computed discriminants, flags, and enums that carry data.

use crate::layouts::Point;

pub const MASK: i32 = 1 << 3;

#[repr(i8)]
#[derive(Clone, Copy)]
pub enum Signed {
    Below = -1,
    Zero,
    Above,
}

#[repr(u8)]
#[derive(Clone, Copy)]
pub enum Computed {
    First = 1 << 1,
    Masked = MASK as u8,
    After,
    Other = Signed::Above as u8 + 100,
}

/// Its integer is the C compiler's choice.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Plain {
    Minus = -1,
    Plus = 1,
}

bitflags::bitflags! {
    /// Read, write, or both.
    #[repr(transparent)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Access: u16 {
        const READ = 1;
        /// The second bit.
        const WRITE = 1 << 1;
        const BOTH = Self::READ.bits() | Self::WRITE.bits();
    }
}

/// A tag, then a union.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Shape {
    Nothing,
    Circle(Point, f32),
    Box { low: Point, high: Point },
}

/// A union of structs that begin with the tag.
#[repr(u8)]
#[derive(Clone, Copy)]
pub enum Event {
    Quit = 3,
    Key(u32),
    Move { x: i16, y: i16 } = 9,
}

#[unsafe(no_mangle)]
pub extern "C" fn signed_flip(value: Signed) -> Signed {
    match value {
        Signed::Below => Signed::Above,
        Signed::Zero => Signed::Zero,
        Signed::Above => Signed::Below,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn computed_of(value: Computed) -> u8 {
    value as u8
}

#[unsafe(no_mangle)]
pub extern "C" fn plain_flip(value: Plain) -> Plain {
    match value {
        Plain::Minus => Plain::Plus,
        Plain::Plus => Plain::Minus,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn access_flip(access: Access) -> Access {
    access.complement()
}

/// The height, 0 for nothing.
#[unsafe(no_mangle)]
pub extern "C" fn shape_height(shape: &Shape) -> f32 {
    match shape {
        Shape::Nothing => 0.0,
        Shape::Circle(_, radius) => radius * 2.0,
        Shape::Box { low, high } => high.y - low.y,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn event_next(event: Event) -> Event {
    match event {
        Event::Quit => Event::Key(7),
        Event::Key(key) => Event::Move { x: key as i16, y: -1 },
        Event::Move { .. } => Event::Quit,
    }
}

/// Names that are keywords elsewhere, and a number beyond `i64`.
#[repr(u64)]
#[derive(Clone, Copy)]
pub enum Vast {
    None = 0,
    Class = 1 << 40,
    Most = u64::MAX,
}

/// Both: a tag of its own width, then a union.
#[repr(C, u8)]
#[derive(Clone, Copy)]
pub enum Tagged {
    Small(u8) = 1,
    Large(u64) = 200,
}

/// A set of flags that no macro wrote.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Hand(pub u8);

impl Hand {
    pub const LEFT: Hand = Hand(1);
    pub const RIGHT: Self = Self(1 << 1);
}

#[unsafe(no_mangle)]
pub extern "C" fn vast_next(value: Vast) -> Vast {
    match value {
        Vast::None => Vast::Class,
        Vast::Class => Vast::Most,
        Vast::Most => Vast::None,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn tagged_grow(value: Tagged) -> Tagged {
    match value {
        Tagged::Small(small) => Tagged::Large(u64::from(small)),
        Tagged::Large(large) => Tagged::Small(large as u8),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn hand_other(hand: Hand) -> Hand {
    Hand(hand.0 ^ 3)
}
