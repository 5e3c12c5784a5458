use std::borrow::Cow;
use std::collections::BinaryHeap;
use upcall_pack::Pack;

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Reference<'a> {
    number: &'a u8,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Mutable<'a> {
    text: &'a mut str,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Number<'a> {
    number: Cow<'a, u32>,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Strings<'a> {
    texts: Vec<&'a String>,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Heap {
    numbers: BinaryHeap<u8>,
}

fn main() {}
