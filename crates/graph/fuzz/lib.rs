//! What the fuzz targets share with the tests of damaged files.

#[path = "../tests/files/forged.rs"]
pub mod forged;
