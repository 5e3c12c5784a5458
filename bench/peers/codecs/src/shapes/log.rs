//! `log`: 10,000 lines of a web server's log. Half of the bytes are text.

use super::generate::{Generate, list, source, word};
use super::{borrowed, owned};
use rand::Rng;

owned! {
    #[derive(Copy)]
    #[repr(C)]
    #[pack(raw)]
    pub struct Address {
        pub x0: u8,
        pub x1: u8,
        pub x2: u8,
        pub x3: u8,
    }

    pub struct Log {
        pub address: Address,
        pub identity: String,
        pub userid: String,
        pub date: String,
        pub request: String,
        pub code: u16,
        pub size: u64,
    }

    pub struct Logs {
        pub logs: Vec<Log>,
    }
}

borrowed! {
    pub struct BorrowedLog<'a> {
        pub address: Address,
        pub identity: &'a str,
        pub userid: &'a str,
        pub date: &'a str,
        pub request: &'a str,
        pub code: u16,
        pub size: u64,
    }

    pub struct BorrowedLogs<'a> {
        #[serde(borrow)]
        pub logs: Vec<BorrowedLog<'a>>,
    }
}

/// The shape's value.
pub fn value() -> Logs {
    Logs { logs: list(&mut source(), 10_000..10_001) }
}

impl Generate for Address {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        let [x0, x1, x2, x3] = std::array::from_fn(|_| rng.gen_range(0..=255));
        Address { x0, x1, x2, x3 }
    }
}

const USERS: [&str; 9] = ["-", "alice", "bob", "carmen", "david", "eric", "frank", "george", "harry"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const ZONES: [&str; 25] = [
    "-1200", "-1100", "-1000", "-0900", "-0800", "-0700", "-0600", "-0500", "-0400", "-0300", "-0200",
    "-0100", "+0000", "+0100", "+0200", "+0300", "+0400", "+0500", "+0600", "+0700", "+0800", "+0900",
    "+1000", "+1100", "+1200",
];
const CODES: [u16; 63] = [
    100, 101, 102, 103, 200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 306,
    307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418,
    421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511,
];
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "UPDATE", "DELETE"];
const ROUTES: [&str; 7] = [
    "/favicon.ico", "/css/index.css", "/css/font-awsome.min.css", "/img/logo-full.svg", "/img/splash.jpg",
    "/api/login", "/api/logout",
];
const PROTOCOLS: [&str; 4] = ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"];

impl Generate for Log {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        let date = format!(
            "{}/{}/{}:{}:{}:{} {}",
            rng.gen_range(1..=28),
            word(rng, &MONTHS),
            rng.gen_range(1970..=2021),
            rng.gen_range(0..24),
            rng.gen_range(0..60),
            rng.gen_range(0..60),
            word(rng, &ZONES),
        );
        let request = format!("{} {} {}", word(rng, &METHODS), word(rng, &ROUTES), word(rng, &PROTOCOLS));
        Log {
            address: Address::generate(rng),
            identity: "-".into(),
            userid: word(rng, &USERS),
            date,
            request,
            code: CODES[rng.gen_range(0..CODES.len())],
            size: rng.gen_range(0..100_000_000),
        }
    }
}

/// `log` with borrowed text.
pub struct Borrowing;

impl crate::codecs::Borrowing for Borrowing {
    type Owned = Logs;
    type Borrowed<'a> = BorrowedLogs<'a>;
}
