//! The messages of `log`, as prost-build makes them from the public benchmark's schema.

use crate::shapes::log;
use prost::Message;

#[derive(Clone, PartialEq, Message)]
pub struct Address {
    #[prost(uint32, tag = "1")]
    pub x0: u32,
    #[prost(uint32, tag = "2")]
    pub x1: u32,
    #[prost(uint32, tag = "3")]
    pub x2: u32,
    #[prost(uint32, tag = "4")]
    pub x3: u32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Log {
    #[prost(message, optional, tag = "1")]
    pub address: Option<Address>,
    #[prost(string, tag = "2")]
    pub identity: String,
    #[prost(string, tag = "3")]
    pub userid: String,
    #[prost(string, tag = "4")]
    pub date: String,
    #[prost(string, tag = "5")]
    pub request: String,
    #[prost(uint32, tag = "6")]
    pub code: u32,
    #[prost(uint64, tag = "7")]
    pub size: u64,
}

#[derive(Clone, PartialEq, Message)]
pub struct Logs {
    #[prost(message, repeated, tag = "1")]
    pub logs: Vec<Log>,
}

impl From<&log::Logs> for Logs {
    fn from(value: &log::Logs) -> Self {
        Logs { logs: value.logs.iter().map(Log::from).collect() }
    }
}

impl From<&log::Log> for Log {
    fn from(value: &log::Log) -> Self {
        let log::Address { x0, x1, x2, x3 } = value.address;
        Log {
            address: Some(Address { x0: x0.into(), x1: x1.into(), x2: x2.into(), x3: x3.into() }),
            identity: value.identity.clone(),
            userid: value.userid.clone(),
            date: value.date.clone(),
            request: value.request.clone(),
            code: value.code.into(),
            size: value.size,
        }
    }
}
