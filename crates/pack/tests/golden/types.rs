//! The types behind the golden bytes, as C# declares them in `types.cs.txt` and `types-extra.cs.txt`.

use std::collections::HashMap;
use upcall_pack::with::BitPack;
use upcall_pack::{DateOnly, DateTime, DateTimeOffset, Decimal, Guid, Pack, Range, Ref, TimeSpan};

/// A class of two members.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Person {
    /// Years.
    pub age: i32,
    /// What they are called.
    pub name: Option<String>,
}

/// A class with a member of nearly every kind.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Log {
    /// An IPv4 address.
    pub addr: u32,
    /// Who asked.
    pub identity: Option<String>,
    /// A status.
    pub code: u16,
    /// Bytes sent.
    pub size: u64,
    /// A nullable number.
    pub opt: Option<i32>,
    /// A nullable string.
    pub opt2: Option<String>,
    /// A nullable array.
    pub fs: Option<Vec<f32>>,
    /// A nullable list of nullable objects.
    pub ps: Option<Vec<Option<Person>>>,
    /// A nullable dictionary.
    pub d: Option<HashMap<String, i32>>,
    /// A tuple with a managed item.
    pub tu: (i32, Option<String>),
    /// A time.
    pub dt: DateTime,
    /// An id.
    pub g: Guid,
    /// A price.
    pub m: Decimal,
}

/// An unmanaged struct with padding in its middle and at its end.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[pack(crate = upcall_pack, raw)]
pub struct Um {
    /// At 0.
    pub a: u8,
    /// At 4.
    pub b: i32,
    /// At 8.
    pub c: i16,
}

/// Three floats, as `System.Numerics` has them.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, raw)]
pub struct Vector3 {
    /// To the right.
    pub x: f32,
    /// Upwards.
    pub y: f32,
    /// Towards the viewer.
    pub z: f32,
}

/// Six floats, as `System.Numerics` has them.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, raw)]
pub struct Matrix3x2 {
    /// Row 1, column 1.
    pub m11: f32,
    /// Row 1, column 2.
    pub m12: f32,
    /// Row 2, column 1.
    pub m21: f32,
    /// Row 2, column 2.
    pub m22: f32,
    /// Row 3, column 1.
    pub m31: f32,
    /// Row 3, column 2.
    pub m32: f32,
}

/// An enum over a byte.
#[repr(u8)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[pack(crate = upcall_pack)]
pub enum E8 {
    /// The first.
    #[default]
    A = 1,
    /// The second.
    B = 2,
}

/// A struct with a managed member.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, struct)]
pub struct Ms {
    /// Unmanaged.
    pub a: i32,
    /// Managed.
    pub b: Option<String>,
}

/// The union's first class.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Ua {
    /// A number.
    pub x: i32,
}

/// The union's second class.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Ub {
    /// A text.
    pub y: Option<String>,
}

/// A class without members.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Emp {}

/// Three bytes.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[pack(crate = upcall_pack, raw)]
pub struct B3 {
    /// At 0.
    pub a: u8,
    /// At 1.
    pub b: u8,
    /// At 2.
    pub c: u8,
}

/// `DateTime` between two primitives.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, raw)]
pub struct Sd {
    /// Before it.
    pub a: u8,
    /// It.
    pub t: DateTime,
    /// Behind it.
    pub c: i32,
}

/// `TimeSpan` between two primitives.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, raw)]
pub struct Sts {
    /// Before it.
    pub a: u8,
    /// It.
    pub t: TimeSpan,
    /// Behind it.
    pub c: i32,
}

/// A tuple between two primitives.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, raw)]
pub struct Svt {
    /// Before it.
    pub a: u8,
    /// It.
    pub t: (u8, i32),
    /// Behind it.
    pub c: u8,
}

/// `DateTimeOffset` between two primitives.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, raw)]
pub struct Sdto {
    /// Before it.
    pub a: u8,
    /// It.
    pub t: DateTimeOffset,
    /// Behind it.
    pub c: i32,
}

/// `Guid` between two primitives.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, raw)]
pub struct Sg {
    /// Before it.
    pub a: u8,
    /// It.
    pub t: Guid,
    /// Behind it.
    pub c: i32,
}

/// A nullable number between two primitives.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, raw)]
pub struct Sn {
    /// Before it.
    pub a: u8,
    /// It.
    pub t: Option<i32>,
    /// Behind it.
    pub c: u8,
}

/// `DateOnly` between two primitives.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, raw)]
pub struct Sdo {
    /// Before it.
    pub a: u8,
    /// It.
    pub t: DateOnly,
    /// Behind it.
    pub c: i32,
}

/// `Int128` behind a byte.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, raw)]
pub struct Si {
    /// Before it.
    pub a: u8,
    /// It.
    pub t: i128,
}

/// `decimal` between two primitives.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, raw)]
pub struct Sdec {
    /// Before it.
    pub a: u8,
    /// It.
    pub t: Decimal,
    /// Behind it.
    pub c: i32,
}

/// A struct without padding.
#[repr(C, packed(1))]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[pack(crate = upcall_pack, raw)]
pub struct Pk {
    /// At 0.
    pub a: u8,
    /// At 1.
    pub b: i32,
    /// At 5.
    pub c: i16,
}

/// A struct that C# declares packable though it is unmanaged.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[pack(crate = upcall_pack, raw)]
pub struct Ums {
    /// At 0.
    pub a: u8,
    /// At 4.
    pub b: i32,
}

/// A class that inherits a member: the base class's come first.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Der {
    /// The base class's.
    pub x: i32,
    /// Its own.
    pub y: i32,
}

/// A class with a private member that travels and a public one that does not.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Inc {
    /// It travels.
    #[pack(include)]
    pub z: i32,
    /// It stays.
    #[pack(ignore)]
    pub q: i32,
}

/// A class whose booleans travel as bits.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Bp {
    /// The bits.
    #[pack(with = BitPack)]
    pub b: Option<Vec<bool>>,
}

/// A class with a string of each encoding.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct TwoTexts {
    /// UTF-16 whatever the options say.
    #[pack(utf16)]
    pub s: Option<String>,
    /// As the options say.
    pub t: Option<String>,
}

/// A record: a class.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Rec {
    /// The first.
    pub a: i32,
    /// The second.
    pub b: String,
}

/// A record struct: unmanaged.
#[repr(C)]
#[derive(Pack, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[pack(crate = upcall_pack, raw)]
pub struct Recs {
    /// The first.
    pub a: i32,
    /// The second.
    pub b: i32,
}

/// A record struct with a managed member.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, struct)]
pub struct Recm {
    /// The first.
    pub a: i32,
    /// The second.
    pub b: String,
}

/// A class with a range.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
pub struct Rg {
    /// The range.
    pub r: Range,
}

/// A class that older and newer versions read.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, version_tolerant)]
pub struct Vt {
    /// Slot 0.
    #[pack(order = 0)]
    pub a: i32,
    /// Slot 1.
    #[pack(order = 1)]
    pub b: i64,
    /// Slot 3; nothing is in slot 2.
    #[pack(order = 3)]
    pub s: Option<String>,
}

/// A version-tolerant class whose first slot is longer than a byte says.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, version_tolerant)]
pub struct VtLong {
    /// Slot 0.
    #[pack(order = 0)]
    pub a: Option<Vec<u8>>,
    /// Slot 1.
    #[pack(order = 1)]
    pub b: i32,
}

/// A version-tolerant class of unmanaged members with a hole between them.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, version_tolerant)]
pub struct VtU {
    /// Slot 0.
    #[pack(order = 0)]
    pub a: i32,
    /// Slot 2.
    #[pack(order = 2)]
    pub b: i64,
}

/// A version-tolerant struct.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, version_tolerant, struct)]
pub struct VtS {
    /// Slot 0.
    #[pack(order = 0)]
    pub a: i32,
    /// Slot 1.
    #[pack(order = 1)]
    pub s: Option<String>,
}

/// A version-tolerant class of one slot, as long as a test wants it.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, version_tolerant)]
pub struct Vt200 {
    /// Slot 0.
    #[pack(order = 0)]
    pub s: Option<Vec<u8>>,
}

/// A union of two classes.
#[derive(Pack, Clone, Debug, PartialEq)]
#[pack(crate = upcall_pack, union)]
pub enum Iu {
    /// Tag 0.
    #[pack(tag = 0)]
    Ua(Ua),
    /// Tag 300.
    #[pack(tag = 300)]
    Ub(Ub),
}

/// A union with the last tag of one byte and the first of three.
#[derive(Pack, Clone, Debug, PartialEq)]
#[pack(crate = upcall_pack, union)]
pub enum IuWide {
    /// The last tag of one byte.
    #[pack(tag = 249)]
    U249(Emp),
    /// The first tag of three bytes.
    #[pack(tag = 250)]
    U250(Emp),
}

/// A class that refers to others of its kind, in circles too.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack, circular)]
pub struct Node {
    /// The one above.
    #[pack(order = 0)]
    pub parent: Option<Ref<Node>>,
    /// Those below.
    #[pack(order = 1)]
    pub kids: Option<Vec<Ref<Node>>>,
}
