//! Tuples, which the CLR lays out in an order of its own, and pairs, which it does not.

use super::Cases;
use super::objects::guid;
use super::types::*;
use std::collections::HashMap;
use upcall_pack::{DateTime, DateTimeKind, Decimal, KeyValue, Tuple, Utf16Char};

/// Their lines.
pub fn add(first: &mut Cases, extra: &mut Cases) {
    first.add("KVP<int,long>", KeyValue { key: 1_i32, value: 2_i64 });
    first.add("VT<byte,int>", (1_u8, 2_i32));
    first.add("Tuple<int,string>", Tuple((1_i32, Some("a".to_owned()))));
    primitives(extra);
    structs(extra);
    managed(extra);
}

fn primitives(extra: &mut Cases) {
    extra.add("VT<byte,int>", (1_u8, 2_i32));
    extra.add("VT<byte,short,long>", (1_u8, 2_i16, 3_i64));
    extra.add("VT<byte,int,short,long,byte>", (1_u8, 2_i32, 3_i16, 4_i64, 5_u8));
    extra.add("VT<bool,double,bool>", (true, 1_f64, true));
    extra.add("VT<int,E8,char>", (1_i32, E8::B, Utf16Char::from_char('A').unwrap()));
    extra.add("VT<byte,byte>", (1_u8, 2_u8));
    extra.add("VT<byte,byte,byte>", (1_u8, 2_u8, 3_u8));
    extra.add("VT<int,int,int>", (1_i32, 2_i32, 3_i32));
    extra.add("VT<byte,short>", (1_u8, 2_i16));
    extra.add("VT1", (9_u8,));
    extra.add("VT8", (1_i32, 2_i32, 3_i32, 4_i32, 5_i32, 6_i32, 7_i32, 8_i32));
    extra.add("KVP<byte,int>", KeyValue { key: 1_u8, value: 2_i32 });
}

fn structs(extra: &mut Cases) {
    let vector = |x, y, z| Vector3 { x, y, z };
    let b3 = |a, b, c| B3 { a, b, c };
    let um = Um { a: 2, b: 3, c: 4 };
    let second = DateTime::new(2, DateTimeKind::Unspecified).unwrap();
    extra.add("VT<byte,Um>", (1_u8, um));
    extra.add("VT<byte,Um,int>", (1_u8, um, 5_i32));
    extra.add("VT<byte,(byte,int)>", (1_u8, (2_u8, 3_i32)));
    extra.add("VT<byte,int?>", (1_u8, Some(2_i32)));
    extra.add("VT<byte,decimal>", (1_u8, Decimal::new(15, 1).unwrap()));
    extra.add("VT<byte,Guid>", (1_u8, guid()));
    extra.add("VT<int,DateTime>", (1_i32, second));
    extra.add("VT<byte,B3,byte>", (1_u8, b3(2, 3, 4), 5_u8));
    extra.add("VT<byte,Int128>", (1_u8, 2_i128));
    extra.add("VT<B3,byte>", (b3(1, 2, 3), 4_u8));
    extra.add("VT<B3,short>", (b3(1, 2, 3), 4_i16));
    extra.add("VT<byte,B12>", (9_u8, vector(1.0, 2.0, 3.0)));
    extra.add("VT<B3,B3>", (b3(1, 2, 3), b3(4, 5, 6)));
    extra.add("VT<Vector3,Vector3>", (vector(1.0, 2.0, 3.0), vector(4.0, 5.0, 6.0)));
    extra.add("VT<int,Vector3>", (7_i32, vector(1.0, 2.0, 3.0)));
    extra.add("VT<bool,bool?>", (true, Some(true)));
    extra.add("Dict<byte,(byte,int)>", HashMap::from([(1_u8, (2_u8, 3_i32))]));
}

fn managed(extra: &mut Cases) {
    let text = || "a".to_owned();
    extra.add("(int,string)?", Some((1_i32, text())));
    extra.add("(int,string)? null", None::<(i32, String)>);
    extra.add("VT8s", (1_i32, 2_i32, 3_i32, 4_i32, 5_i32, 6_i32, 7_i32, text()));
    extra.add("Tuple null", None::<Tuple<(i32, String)>>);
    extra.add("Tuple 8", Tuple((1_i32, 2_i32, 3_i32, 4_i32, 5_i32, 6_i32, 7_i32, 8_i32)));
}
