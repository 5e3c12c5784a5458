//! One type that holds it for each that golden bytes are of and no declared type holds alone.

use super::types::*;
use std::collections::{HashMap, HashSet};
use upcall_pack::{
    Array2, Array3, BitArray, Complex, DateOnly, DateTime, DateTimeOffset, Decimal, Guid, Half, KeyValue,
    Lazy, Lookup, Pack, PriorityQueue, Ref, Stack, StringBuilder, TimeOnly, TimeSpan, Tuple, Uri, Utf16Char,
    Version,
};

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W1(pub Option<Person>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W2(pub Vec<Option<Person>>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W3(pub Vec<Um>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W4(pub Vec<Vector3>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W5(pub Vec<E8>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W6(pub Vec<bool>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W7(pub Vec<Option<String>>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W8(pub Option<i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W9(pub Option<Ms>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W10(pub Vec<Option<i32>>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W11(pub Option<Iu>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W12(pub KeyValue<i32, i64>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W13(pub (u8, i32));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W14(pub Tuple<(i32, String)>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W15(pub HashMap<i32, i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W16(pub Array2<i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W17(pub HashSet<i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W18(pub Vec<i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W19(pub TimeSpan);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W20(pub DateTimeOffset);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W21(pub Half);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W22(pub Utf16Char);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W23(pub char);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W24(pub Uri);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W25(pub Version);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W26(pub BitArray);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W27(pub Decimal);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W28(pub DateOnly);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W29(pub StringBuilder);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W30(pub Complex);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W31(pub Lazy<i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W32(pub (u8, i16, i64));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W33(pub (u8, i32, i16, i64, u8));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W34(pub (bool, f64, bool));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W35(pub (u8, Um));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W36(pub (u8, Um, i32));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W37(pub (u8, (u8, i32)));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W38(pub (u8, Option<i32>));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W39(pub (u8, Decimal));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W40(pub (u8, Guid));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W41(pub (i32, DateTime));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W42(pub (u8, B3, u8));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W43(pub (i32, E8, Utf16Char));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W44(pub KeyValue<u8, i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W45(pub HashMap<u8, i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W46(pub HashMap<u8, (u8, i32)>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W47(pub Option<Um>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W48(pub Option<bool>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W49(pub Option<DateTime>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W50(pub Option<DateTimeOffset>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W51(pub Option<Decimal>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W52(pub Option<Guid>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W53(pub Option<i64>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W54(pub Option<i128>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W55(pub i128);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W56(pub (u8, i128));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W57(pub Option<(i32, String)>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W58(pub Array2<Option<String>>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W59(pub Array3<i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W60(pub Option<Array2<i32>>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W61(pub Vec<Option<Vec<i32>>>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W62(pub Stack<i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W63(pub PriorityQueue<u8, i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W64(pub PriorityQueue<String, i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W65(pub Option<Vec<i32>>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W66(pub Lookup<String, i32>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W67(pub TimeOnly);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W68(pub (u8, u8));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W69(pub (u8, u8, u8));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W70(pub (i32, i32, i32));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W71(pub (u8, i16));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W72(pub (B3, u8));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W73(pub (B3, i16));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W74(pub (u8, Vector3));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W75(pub (B3, B3));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W76(pub (Vector3, Vector3));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W77(pub (i32, Vector3));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W78(pub (bool, Option<bool>));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W79(pub Vec<Ref<Node>>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W80(pub Vec<Ref<Node>>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W81(pub Vec<Half>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W82(pub Vec<Utf16Char>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W83(pub DateTime);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W84(pub Option<HashMap<String, i32>>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W85(pub Option<Tuple<(i32, String)>>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W86(pub Tuple<(i32, i32, i32, i32, i32, i32, i32, i32)>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W87(pub (i32, i32, i32, i32, i32, i32, i32, i32));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W88(pub (i32, i32, i32, i32, i32, i32, i32, String));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W89(pub (u8,));

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W90(pub HashSet<Um>);

#[derive(Pack)]
#[pack(crate = upcall_pack)]
pub struct W91(pub isize);
