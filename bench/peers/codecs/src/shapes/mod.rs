//! The shapes of the public Rust serialization benchmark (github.com/djkoloski/rust_serialization_benchmark, MIT):
//! its types and its generators, with its seeds and sizes.

pub mod generate;
pub mod log;
pub mod mesh;
pub mod minecraft;
pub mod mk48;

/// Types that every codec knows.
macro_rules! owned {
    ($($item:item)*) => {$(
        #[derive(Clone, Debug, PartialEq)]
        #[derive(bincode::Encode, bincode::Decode)]
        #[derive(bitcode::Encode, bitcode::Decode)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[derive(speedy::Writable, speedy::Readable)]
        #[derive(upcall_pack::Pack)]
        #[pack(crate = upcall_pack)]
        $item
    )*};
}

/// The same types with borrowed text, for the codecs that can read it.
macro_rules! borrowed {
    ($($item:item)*) => {$(
        #[derive(Debug, PartialEq)]
        #[derive(bincode::BorrowDecode)]
        #[derive(bitcode::Encode, bitcode::Decode)]
        #[derive(serde::Deserialize)]
        #[derive(speedy::Readable)]
        #[derive(upcall_pack::Pack)]
        #[pack(crate = upcall_pack)]
        $item
    )*};
}

use {borrowed, owned};

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_those_of_the_public_benchmark() {
        // What bitcode 0.6.9 makes of them there, as its README says.
        assert_eq!(bitcode::encode(&super::log::value()).len(), 703_710);
        assert_eq!(bitcode::encode(&super::mesh::value()).len(), 6_000_006);
        assert_eq!(bitcode::encode(&super::minecraft::value()).len(), 327_688);
        assert_eq!(bitcode::encode(&super::mk48::value()).len(), 971_318);
    }
}
