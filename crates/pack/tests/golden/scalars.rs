//! Numbers, characters, texts, times and .NET's other values.

use super::Cases;
use upcall_pack::{
    BitArray, Complex, DateOnly, DateTime, DateTimeKind, DateTimeOffset, Decimal, Guid, Half, Lazy, Options,
    StringBuilder, Text, TimeOnly, TimeSpan, Uri, Utf16Char, Version,
};

/// Their lines.
pub fn add(first: &mut Cases, extra: &mut Cases) {
    let utf16 = |character| Utf16Char::from_char(character).unwrap();
    first.add("int? null", None::<i32>);
    first.add("int? 5", Some(5_i32));
    first.add("TimeSpan", TimeSpan::from_ticks(10));
    let new_year = DateTime::of(DateOnly::new(2024, 1, 1).unwrap(), TimeOnly::MIN, DateTimeKind::Unspecified);
    first.add("DateTimeOffset", DateTimeOffset::from_local(new_year, 540).unwrap());
    first.add("Half", Half::from_bits(0x3c00));
    first.add("char", utf16('あ'));
    first.add("Rune", '😀');
    first.add("Uri", Uri::from("http://a/"));
    first.add("Version", Version { build: 3, ..Version::new(1, 2) });
    first.add("BitArray", [true, false, true].into_iter().collect::<BitArray>());
    first.add("decimal", Decimal::new(15, 1).unwrap());
    first.add("DateOnly", DateOnly::new(2024, 1, 1).unwrap());
    first.add("StringBuilder", StringBuilder::from("ab"));
    first.add("Complex", Complex { real: 1.0, imaginary: 2.0 });
    first.add("Lazy<int>", Lazy(3_i32));
    nullable(extra);
    extra.add("Int128", 1_i128);
    extra.add("TimeOnly", TimeOnly::new(1, 2, 3).unwrap());
    extra.add("utf16 lone surrogate", vec![Utf16Char(0xd800)]);
    extra.add_as("uri utf16", Uri::from("http://a/"), Options::new().text(Text::Utf16));
    extra.add("Half[]", vec![Half::from_bits(0x3c00)]);
    extra.add("char[]", vec![utf16('a'), utf16('b')]);
    let date = DateOnly::new(2024, 1, 2).unwrap();
    extra.add("DateTime Local", DateTime::of(date, TimeOnly::new(3, 4, 5).unwrap(), DateTimeKind::Local));
    extra.add("nint", 1_isize);
}

fn nullable(extra: &mut Cases) {
    extra.add("bool?", Some(true));
    extra.add("DateTime?", DateTime::new(2, DateTimeKind::Unspecified));
    extra.add("DateTimeOffset?", DateTimeOffset::new(2, 0));
    extra.add("decimal?", Decimal::new(15, 1));
    extra.add("Guid?", Some(Guid::EMPTY));
    extra.add("long?", Some(1_i64));
    extra.add("Int128?", Some(1_i128));
}
