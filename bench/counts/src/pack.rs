//! Records of a log, as in the public Rust serialization benchmark, written and read.

use crate::callgrind::counted;
use anyhow::{Result, ensure};
use std::hint::black_box;
use upcall::pack::{self, Pack};

const RECORDS: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Pack)]
#[repr(C)]
#[pack(raw)]
struct Address {
    parts: [u8; 4],
}

#[derive(Debug, PartialEq, Pack)]
struct Record {
    address: Address,
    identity: String,
    userid: String,
    date: String,
    request: String,
    code: u16,
    size: u64,
}

#[derive(Debug, PartialEq, Pack)]
struct Borrowed<'a> {
    address: Address,
    identity: &'a str,
    userid: &'a str,
    date: &'a str,
    request: &'a str,
    code: u16,
    size: u64,
}

pub fn count() -> Result<()> {
    let records: Vec<Record> = (0..RECORDS as u32).map(record).collect();
    let bytes = pack::to_vec(&records)?;
    ensure!(pack::from_slice::<Vec<Record>>(&bytes)? == records, "what was written is not what is read");
    let mut buffer = Vec::with_capacity(bytes.len() * 2);
    counted("pack, a log's record written", RECORDS, || {
        buffer.clear();
        pack::append(black_box(&records), &mut buffer).expect("it was written before");
    });
    counted("pack, a log's record read", RECORDS, || {
        drop(black_box(pack::from_slice::<Vec<Record>>(black_box(&bytes))));
    });
    counted("pack, a log's record borrowed", RECORDS, || {
        drop(black_box(pack::from_slice::<Vec<Borrowed<'_>>>(black_box(&bytes))));
    });
    Ok(())
}

fn record(index: u32) -> Record {
    let pick = |of: &[&str]| of[index as usize % of.len()].to_owned();
    Record {
        address: Address { parts: index.wrapping_mul(2_654_435_761).to_le_bytes() },
        identity: "-".into(),
        userid: pick(&["-", "alice", "bob", "carmen", "david", "eric", "frank"]),
        date: format!("{}/Jan/{}:{}:{} +0000", index % 28 + 1, 1970 + index % 52, index % 24, index % 60),
        request: format!("GET {} HTTP/1.1", pick(&["/favicon.ico", "/css/index.css", "/api/login"])),
        code: 200 + (index % 9) as u16,
        size: u64::from(index) * 1000,
    }
}
