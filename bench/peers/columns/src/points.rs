//! The greatest y of points of three floats: as an array of structs, and as columns.

// Both derives write items that nobody here uses.
#![allow(dead_code)]

use soa_derive::StructOfArray;
use soa_rs::{Soa, Soars};
use upcall_soa::reduce;

use crate::turns::{print, way};

#[derive(Clone, Copy, upcall_derive::Soa)]
#[soa(crate = upcall_soa)]
struct Point {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(StructOfArray)]
struct Derived {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Soars)]
struct Fields {
    x: f32,
    y: f32,
    z: f32,
}

pub fn all(elements: usize) {
    let y = |n: usize| (n * 7919 % 9973) as f32;
    let structs: Vec<Point> = (0..elements).map(|n| Point { x: 0.0, y: y(n), z: 1.0 }).collect();
    let mut derived = DerivedVec::new();
    let mut fields = Soa::<Fields>::new();
    for n in 0..elements {
        derived.push(Derived { x: 0.0, y: y(n), z: 1.0 });
        fields.push(Fields { x: 0.0, y: y(n), z: 1.0 });
    }
    let columns: PointSoaVec = structs.clone().into();
    print(
        "max of y",
        "f32",
        elements,
        vec![
            way("upcall", columns.y(), reduce::max),
            way("structs, f32::max", &structs[..], |v| v.iter().map(|point| point.y).reduce(f32::max)),
            way("structs, if", &structs[..], |v| {
                let mut most = v[0].y;
                for point in v {
                    if point.y > most {
                        most = point.y;
                    }
                }
                most
            }),
            way("soa_derive, f32::max", &derived.y[..], |v| v.iter().copied().reduce(f32::max)),
            way("soa-rs, f32::max", fields.y(), |v| v.iter().copied().reduce(f32::max)),
        ],
    );
}
