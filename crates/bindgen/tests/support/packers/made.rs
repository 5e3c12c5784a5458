//! Values that Rust's packer writes, of all kinds and sizes, the same in every run.

use super::Golden;
use super::fixture::types::{Iu, Log, Person, Ua, Ub, Vt};
use super::fixture::{Checked, Encoded, Everything, Held, Inner, Level, Nested, Pair};
use std::fmt::Write as _;
use upcall_pack::{
    BigInteger, DateOnly, DateTime, DateTimeKind, DateTimeOffset, Decimal, Guid, Half, Options, Pack, Text,
    TimeOnly, TimeSpan, Utf16Char,
};

/// How many of each type.
const EACH: u32 = 40;

/// Lines like those of `golden.txt`.
pub fn made() -> Vec<Golden> {
    let mut source = Source(0x2545_F491_4F6C_DD1D);
    let mut lines = Vec::new();
    for number in 0..EACH {
        lines.push(line("Everything", number, &everything(&mut source)));
        lines.push(line("Log", number, &log(&mut source)));
        let encoded = encoded(&mut source);
        // All that options can say, of the same text.
        for text in 0..3 {
            lines.push(line("Encoded", 3 * number + text, &encoded));
        }
    }
    for number in 0..6 {
        let mut inner =
            || Inner { value: source.next() as i16, part: source.float() as f32, last: source.next() as u8 };
        let nested = Nested { value: 7, first: inner(), second: inner(), last: source.float() };
        lines.push(line("Nested", number, &nested));
        lines.push(line("Checked", number, &Checked { number: number as u8, flag: number % 2 == 0 }));
    }
    lines.push(line("Held", 0, &held(b"\x03\0\0\0\x01\0\x02\0\x03\0")));
    // The bits of negative zero and of the one NaN that all languages make.
    let floats = [-0.0, f32::INFINITY, f32::from_bits(0x7FC0_0000)];
    lines.push(line("Log", EACH, &Log { fs: Some(floats.to_vec()), ..log(&mut source) }));
    let wide = vec![-0.0, f64::NEG_INFINITY, f64::from_bits(0x7FF8 << 48)];
    let sorted = [(String::new(), wide)].into_iter().collect();
    lines.push(line("Everything", EACH, &Everything { sorted, ..everything(&mut source) }));
    lines
}

fn line<T: Pack>(ty: &str, number: u32, value: &T) -> Golden {
    let (text, form) = match number % 3 {
        0 => (Text::Utf8, ""),
        1 => (Text::Utf8WithoutLength, " utf8-without-length"),
        _ => (Text::Utf16, " utf16"),
    };
    let bytes = Options::new().text(text).to_vec(value).expect("it can be packed");
    let hex = bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02X}");
        hex
    });
    let name = format!("made by Rust {number}{form}");
    Golden { ty: ty.into(), name, written: hex.clone(), hex }
}

/// Random numbers (xorshift).
struct Source(u64);

impl Source {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 16) % limit
    }

    fn float(&mut self) -> f64 {
        // No NaN: some languages do not keep which one it is.
        f64::from(self.next() as i32) / 64.0
    }

    fn list<T>(&mut self, longest: u64, mut one: impl FnMut(&mut Source) -> T) -> Vec<T> {
        (0..self.below(longest)).map(|_| one(self)).collect()
    }

    fn perhaps<T>(&mut self, one: impl FnOnce(&mut Source) -> T) -> Option<T> {
        (self.below(3) > 0).then(|| one(self))
    }

    fn text(&mut self) -> String {
        const LETTERS: [char; 8] = ['a', 'Z', ' ', '\0', 'é', 'あ', '😀', '\u{fffd}'];
        let letters = if self.below(2) == 0 { 3 } else { LETTERS.len() as u64 };
        self.list(40, |source| LETTERS[source.below(letters) as usize]).into_iter().collect()
    }

    fn person(&mut self) -> Person {
        Person { age: self.next() as i32, name: self.perhaps(Source::text) }
    }
}

fn everything(source: &mut Source) -> Everything {
    let level = |source: &mut Source| [Level::Low, Level::None, Level::High][source.below(3) as usize];
    Everything {
        i8: source.next() as i8,
        u16: source.next() as u16,
        u128: u128::from(source.next()) << 64 | u128::from(source.next()),
        size: source.next() as usize,
        three: [source.next() as u16, 0, u16::MAX],
        two: [source.perhaps(Source::text), source.perhaps(Source::text)],
        bytes: source.list(70, |source| source.next() as u8),
        wide: source.list(9, |source| source.next() as i64),
        halves: source.list(9, |source| half(source.next() as u16)),
        sorted: source.list(4, |source| (source.text(), source.list(5, Source::float))).into_iter().collect(),
        levels: source.list(4, level).into_iter().collect(),
        queue: source.list(4, Source::person).into(),
        shape: match source.below(2) {
            0 => Iu::Ua(Ua { x: source.next() as i32 }),
            _ => Iu::Ub(Ub { y: source.perhaps(Source::text) }),
        },
        pair: Pair { one: source.text(), other: source.perhaps(Source::text) },
        numbers: source.perhaps(|source| Pair { one: source.next() as i32, other: source.perhaps(|_| -1) }),
        nested: source.list(4, |source| {
            source.perhaps(|source| Vt {
                a: source.next() as i32,
                b: source.next() as i64,
                s: source.perhaps(Source::text),
            })
        }),
        big: source.list(5, |source| BigInteger::from((source.next() as i128) << source.below(60))),
        digits: source.list(5, decimal),
        guids: source.list(5, |source| source.perhaps(guid)),
        moments: source.list(5, moments),
        letters: source.list(5, |source| {
            let letter = ['a', 'あ', '😀', char::MAX][source.below(4) as usize];
            (letter, Utf16Char(source.next() as u16))
        }),
        class: source.below(2) == 0,
        pack: source.below(2) == 0,
    }
}

fn held(items: &[u8]) -> Held<'_> {
    Held {
        boxed: "boxed".into(),
        counted: "counted".into(),
        shared: Some("あ".into()),
        borrowed: "borrowed",
        either: "either".into(),
        boxes: [-1, 2].into(),
        counts: [3, -4].into(),
        shares: ["one".into(), "".into()].into(),
        bytes: &[5, 6],
        numbers: vec![7, i64::MIN].into(),
        items: upcall_pack::from_slice(items).expect("three numbers"),
        person: Person { age: 8, name: None }.into(),
        wide: "wide".into(),
    }
}

fn encoded(source: &mut Source) -> Encoded {
    Encoded {
        narrow: source.text(),
        words: source.list(4, |source| source.perhaps(Source::text)),
        names: source.list(3, |source| (source.text(), source.text())).into_iter().collect(),
        wide: source.text(),
        any: source.text(),
    }
}

fn guid(source: &mut Source) -> Guid {
    Guid::from_u128(u128::from(source.next()) << 64 | u128::from(source.next()))
}

/// Not NaN: some languages do not keep which one it is.
fn half(bits: u16) -> Half {
    Half::from_bits(if bits & 0x7C00 == 0x7C00 { bits & 0xFC00 } else { bits })
}

fn decimal(source: &mut Source) -> Decimal {
    let scale = source.below(29) as u32;
    let mantissa = i128::from(source.next()) << source.below(32);
    let sign = if source.below(2) == 0 { 1 } else { -1 };
    Decimal::new(sign * mantissa, scale).expect("it is below 96 bits")
}

fn moments(source: &mut Source) -> (DateTimeOffset, TimeSpan, TimeOnly, DateOnly) {
    let minutes = source.below(1681) as i16 - 840;
    // One day from either end, so that no time zone leads out of the range.
    let ticks = 1 << 50 | source.below(1 << 60) as i64;
    let time = source.below(864_000_000_000) as i64;
    (
        DateTimeOffset::new(ticks, minutes).expect("it is in range"),
        TimeSpan::from_ticks(source.next() as i64),
        TimeOnly::from_ticks(time).expect("it is in range"),
        DateOnly::from_day_number(source.below(3_652_059) as u32).expect("it is in range"),
    )
}

fn log(source: &mut Source) -> Log {
    const LAST: u64 = DateTime::MAX_TICKS as u64;
    Log {
        addr: source.next() as u32,
        identity: source.perhaps(Source::text),
        code: source.next() as u16,
        size: source.next(),
        opt: source.perhaps(|source| source.next() as i32),
        opt2: source.perhaps(Source::text),
        fs: source.perhaps(|source| source.list(20, |source| source.float() as f32)),
        ps: source.perhaps(|source| source.list(5, |source| source.perhaps(Source::person))),
        d: source.perhaps(|source| {
            source.list(2, |source| (source.text(), source.next() as i32)).into_iter().collect()
        }),
        tu: (source.next() as i32, source.perhaps(Source::text)),
        dt: DateTime::new(source.below(LAST) as i64, DateTimeKind::Utc).expect("it is in range"),
        g: guid(source),
        m: decimal(source),
    }
}
