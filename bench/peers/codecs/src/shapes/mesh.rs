//! `mesh`: 125,000 triangles, 6 MB of floats; and `vectors`: 10,000 of their corners, 120 kB.

use super::generate::{Generate, list, source};
use super::owned;
use rand::Rng;
use upcall_pack::Items;

owned! {
    #[derive(Copy)]
    #[repr(C)]
    #[pack(raw)]
    pub struct Vector3 {
        pub x: f32,
        pub y: f32,
        pub z: f32,
    }

    #[derive(Copy)]
    #[repr(C)]
    #[pack(raw)]
    pub struct Triangle {
        pub v0: Vector3,
        pub v1: Vector3,
        pub v2: Vector3,
        pub normal: Vector3,
    }

    pub struct Mesh {
        pub triangles: Vec<Triangle>,
    }
}

/// `mesh` with the triangles where they lie: the format aligns nothing, so they are loaded one by one.
#[derive(upcall_pack::Pack)]
#[pack(crate = upcall_pack)]
pub struct BorrowedMesh<'a> {
    pub triangles: Items<'a, Triangle>,
}

/// The shape's value.
pub fn value() -> Mesh {
    Mesh { triangles: list(&mut source(), 125_000..125_001) }
}

/// 120 kB of three-float vectors.
pub fn vectors() -> Vec<Vector3> {
    list(&mut source(), 10_000..10_001)
}

impl Generate for Vector3 {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        Vector3 { x: rng.r#gen(), y: rng.r#gen(), z: rng.r#gen() }
    }
}

impl Generate for Triangle {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        let [v0, v1, v2, normal] = Generate::generate(rng);
        Triangle { v0, v1, v2, normal }
    }
}
