//! What a Python handler is told of a read that an engine refuses.
#![cfg(feature = "python")]

use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::ptr;
use upcall_abi::{
    Chained, FlowFrame, FlowOpen, Instance, Item, OpenFrame, PoolEntry, PoolServices, Query, Rel, Status,
    access, kind, missing,
};
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{HandlerSpec, Host};

/// Refuses to read a key, for the reason that its version says.
unsafe extern "C" fn refuses(_: *mut c_void, query: *const Query, found: *mut Item) -> Status {
    // SAFETY: a driver passes both.
    unsafe { found.write(Item { tag: (*query).at, ..Item::ABSENT }) };
    Status::FAILED
}

unsafe extern "C" fn lists_nothing(_: *mut c_void, _: *const Query, _: *mut Rel<Rel<u8>>) -> Status {
    Status::FAILED
}

/// What the handler fails with when its read is refused for this reason.
fn said(instance: &mut Instance, why: u64) -> String {
    let value = why.to_string();
    let items = [Item { key: Rel::of(b"k"), value: Rel::of(value.as_bytes()), version: 1, ..Item::ABSENT }];
    let mut text = [0u8; 4096];
    let mut called = Chained::new(FlowFrame::new(kind::FLOW));
    called.frame.items = Rel::of(&items);
    called.frame.head.error.text = Rel::new(text.as_mut_ptr() as u64, text.len() as u64);
    // SAFETY: the frame and what it points to live until the call returns.
    unsafe {
        assert_eq!(instance.call(called.start()), Status::FAILED);
        let (of, message, _) = called.frame.head.error.read(0);
        format!("{}: {}", String::from_utf8_lossy(of), String::from_utf8_lossy(message))
    }
}

#[test]
fn a_read_that_is_refused_says_why() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let home = Some(std::env::var_os("UPCALL_HOME").map_or(root, PathBuf::from));
    let python = Python::start(&PythonOptions { interpreter: None, home }).unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/handlers.py");
    let spec = HandlerSpec::new("reads", "python", file, "ReadsAt");
    let module = python.load(&spec).unwrap_or_else(|error| panic!("{error}"));
    python.worker(&mut || {
        let mut instance = module.instantiate().unwrap();
        let pool = |id, path: &str, access| PoolEntry {
            path: Rel::of(path.as_bytes()),
            value_type: Rel::EMPTY,
            value_size: 0,
            id,
            access,
            reserved: 0,
        };
        let pools = [pool(0, "/in", access::WATCH), pool(1, "/kept", access::READ)];
        let senders = [Rel::of(b"input")];
        let services = PoolServices {
            size: size_of::<PoolServices>() as u32,
            reserved: 0,
            context: ptr::null_mut(),
            read: refuses,
            list: lists_nothing,
        };
        let added = FlowOpen {
            size: size_of::<FlowOpen>() as u32,
            reserved: 0,
            pools: Rel::of(&pools),
            senders: Rel::of(&senders),
            pool_services: &services,
        };
        let mut open = OpenFrame::new(kind::FLOW, "handler", ptr::null(), &added);
        // SAFETY: the frame and what it points to live until the call returns, the services until the end.
        assert_eq!(unsafe { instance.call((&raw mut open).cast()) }, Status::OK);
        for (why, expected) in [
            (
                missing::COMPACTED,
                "ValueError: read k as it was: that is no longer kept; raise `keep` of the pool",
            ),
            (
                missing::UNKNOWN_AS_OF,
                "RuntimeError: read k as it was: this engine does not know how; run it with one as new as the handler",
            ),
            (
                missing::NO_ROOM,
                "RuntimeError: read k: the handler's memory has no room for it; raise its `memory`, or read less in one call",
            ),
            (
                missing::NOT_DECLARED,
                "ValueError: read a pool that this handler does not declare; it has /kept: add the pool to its `read`",
            ),
        ] {
            assert_eq!(said(&mut instance, why), expected);
        }
    });
}
