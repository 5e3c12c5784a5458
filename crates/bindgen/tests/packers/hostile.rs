//! Types that hold themselves in all ways, and others for values that are rarely made.

use std::collections::HashMap;
use upcall_pack::{Array2, Array3, Pack};

#[derive(Pack)]
pub struct Tree {
    pub kids: Vec<Tree>,
}

#[derive(Pack)]
pub struct Pile {
    pub kids: Option<Box<[Option<Box<Pile>>; 500000]>>,
}

#[derive(Pack)]
pub struct Board {
    pub squares: Array2<Option<Box<Board>>>,
}

#[derive(Pack)]
pub struct Folder {
    pub entries: HashMap<u8, Box<Folder>>,
}

#[derive(Pack)]
pub struct Room {
    pub cells: Array3<u8>,
}

/// One object in two cases.
#[derive(Pack)]
#[pack(union)]
pub enum Either {
    One(Leaf),
    Other(Leaf),
}

#[derive(Pack)]
pub struct Leaf {
    pub number: i32,
}

#[derive(Pack)]
#[pack(struct)]
pub struct Named {
    pub name: String,
    pub all: Vec<Option<String>>,
}

#[derive(Pack)]
pub struct Holder {
    pub number: i32,
    pub named: Named,
    pub two: [Named; 2],
}

/// What is long is not written out.
#[derive(Pack)]
pub struct Long {
    pub flags: [bool; 70000],
    pub pairs: [(u8, bool); 2],
    pub names: [String; 70000],
}
