//! Names and docs that some language does not like.

use upcall_pack::{Array2, KeyValue, Lazy, Pack, Tuple, Version};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Ends */ /* --> """ ''' `x` ${x} \u000a \ %s {0}
///
/// "quoted"
#[derive(Pack)]
#[deprecated(note = "use \"more\"\n*/ now \\")]
pub struct Map {
    /// Ends */ """ \
    pub constructor: u8,
    /// "
    pub __proto__: u8,
    pub self_: u8,
    pub r: u8,
    pub w: u8,
    pub at: u8,
    pub value: u8,
    pub count: u8,
    pub slots: u8,
    pub list: Vec<u8>,
    pub dict: HashMap<String, Vec<u16>>,
    pub unpack: Option<Box<Map>>,
    pub write: i32,
    pub read: i32,
    pub r#type: String,
    pub r#if: String,
    pub from: String,
    pub None: bool,
    pub __private: bool,
    pub int: u32,
    pub str: String,
    pub tuple: (u8, u32),
    pub init: u8,
    pub name: u8,
    pub length: u8,
    pub prototype: u8,
    pub tag: u8,
    pub v0: u8,
    pub kind: u8,
    pub item: Item,
    pub Set: Set,
}

#[derive(Pack)]
pub struct Set(pub u8, pub Option<(String, u8)>);

#[derive(Pack)]
pub struct Uint8Array;

#[derive(Pack)]
#[pack(raw)]
#[repr(C)]
pub struct list {
    pub int: u8,
    pub float: f32,
    pub unpack: Option<u16>,
    pub nested: [(bool, Option<u8>); 2],
}

/// Called as C#'s own array of three.
#[derive(Pack)]
#[pack(raw)]
#[repr(C)]
pub struct PackArray3 {
    #[pack(include)]
    pub hidden: u8,
    pub bytes: [u8; 3],
}

/// Lists of it are called as the second list of another.
#[derive(Pack)]
pub struct SetArray_2 {
    pub one: Vec<Set>,
    pub two: Vec<inner::Set>,
    pub three: Vec<Option<SetArray_2>>,
}

#[derive(Pack)]
#[repr(u64)]
pub enum Object {
    name = 1,
    value = 2,
    None = 0xFFFF_FFFF_FFFF_FFFF,
    constructor = 3,
    mro,
}

#[derive(Pack)]
#[pack(union)]
pub enum Item {
    value(Box<Map>),
    kind(Set),
    class(Uint8Array),
}

#[derive(Pack)]
pub struct Buffer<'a, T> {
    pub of: &'a [T],
    pub keys: HashSet<list>,
    pub pairs: BTreeMap<Option<Version>, KeyValue<T, Lazy<Array2<Option<T>>>>>,
    pub tuple: Option<Tuple<(T, Vec<Option<(T, u8)>>)>>,
    pub fixed: Option<[Vec<T>; 2]>,
    pub numbers: [f64; 3],
    pub grid: Option<Array2<u8>>,
    pub deep: Vec<Option<Vec<Option<HashMap<String, Option<Vec<(u8, Option<String>)>>>>>>>,
}

#[derive(Pack)]
pub struct Buffers {
    pub one: Buffer<'static, String>,
    pub two: Buffer<'static, i64>,
    pub objects: Buffer<'static, Object>,
}

/// Members that are called as what their class has to call.
#[derive(Pack)]
pub struct Called {
    pub array: Vec<u8>,
    pub system: [Vec<u16>; 2],
    pub pack_text: String,
    pub pack_options: u8,
    pub pack_order: BTreeMap<String, u8>,
    pub pack_reader: u8,
    pub math: HashMap<String, Vec<String>>,
    pub uint8_array: String,
    pub other: Uint8Array,
    #[pack(utf16, include)]
    pub wide: String,
    #[pack(utf8)]
    pub narrow: Option<String>,
    #[pack(with = upcall_pack::with::BitPack)]
    pub bits: Vec<bool>,
    pub again: Twice,
    pub and: Thrice,
}

#[derive(Pack)]
#[pack(union)]
pub enum Twice {
    One(Uint8Array),
    List(Uint8Array),
    Again(Uint8Array),
}

#[derive(Pack)]
#[pack(union)]
pub enum Thrice {
    One(Uint8Array),
    Again(Uint8Array),
}

#[derive(Pack)]
#[pack(circular)]
pub struct Chain {
    #[pack(order = 4)]
    pub next: Option<upcall_pack::Ref<Chain>>,
    #[pack(order = 7)]
    pub item: Item,
}

pub mod inner {
    use upcall_pack::Pack;

    #[derive(Pack)]
    pub struct Set {
        pub other: super::Set,
    }
}
