//! Frames that the Python driver does not read: one of each kind, of another ABI and cut short.
#![cfg(feature = "python")]

use std::path::{Path, PathBuf};
use upcall_abi::{
    ABI, CombineFrame, DescribeFrame, FlowFrame, FrameHead, Instance, OpenFrame, Rel, Status, kind,
};
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{HandlerSpec, Host};

/// What the instance says to a frame whose head is all that it may look at, and that says so many bytes.
fn said(instance: &mut Instance, abi: u16, kind: u16, size: usize) -> Result<(), String> {
    let mut text = [0u8; 512];
    // Room for the largest frame; wild addresses where a driver that does not check would look.
    let mut place = [0xAAu8; size_of::<OpenFrame>() + size_of::<FlowFrame>()];
    let frame = place.as_mut_ptr().cast::<FrameHead>();
    let mut head = FrameHead::new::<FrameHead>(kind);
    (head.abi, head.size) = (abi, size as u32);
    head.error.text = Rel::new(text.as_mut_ptr() as u64, text.len() as u64);
    // SAFETY: there is room for the head; the driver is given a frame as long as it says.
    unsafe {
        frame.write_unaligned(head);
        let mut aligned = Box::new([0u64; 64]);
        aligned.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(place.as_ptr(), place.len());
        let frame = aligned.as_mut_ptr().cast::<FrameHead>();
        match instance.call(frame) {
            Status::OK => Ok(()),
            _ => Err(String::from_utf8_lossy((*frame).error.read(0).1).into_owned()),
        }
    }
}

#[test]
fn a_frame_of_each_kind_is_refused_when_it_is_short_or_of_another_abi() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let home = Some(std::env::var_os("UPCALL_HOME").map_or(root, PathBuf::from));
    let python = Python::start(&PythonOptions { interpreter: None, home }).unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/handlers.py");
    let spec = HandlerSpec::new("same", "python", file, "Same");
    let module = python.load(&spec).unwrap_or_else(|error| panic!("{error}"));
    python.worker(&mut || {
        let mut instance = module.instantiate().unwrap();
        for (name, kind, size) in [
            ("OPEN", kind::OPEN, size_of::<OpenFrame>()),
            ("FLOW", kind::FLOW, size_of::<FlowFrame>()),
            ("FLUSH", kind::FLUSH, size_of::<FlowFrame>()),
            ("CLOSE", kind::CLOSE, size_of::<FrameHead>()),
            ("PING", kind::PING, size_of::<FrameHead>()),
            ("DESCRIBE", kind::DESCRIBE, size_of::<DescribeFrame>()),
        ] {
            let short = said(&mut instance, ABI, kind, size - 8).unwrap_err();
            assert!(short.starts_with(&format!("the {name} frame has {} bytes", size - 8)), "{short}");
            let other = said(&mut instance, ABI + 1, kind, size).unwrap_err();
            assert!(other.contains(&format!("a frame of ABI {}", ABI + 1)), "{other}");
        }
        let unknown = said(&mut instance, ABI, 999, size_of::<FrameHead>()).unwrap_err();
        assert!(unknown.contains("unknown frame kind 999"), "{unknown}");
        let combine = said(&mut instance, ABI, kind::COMBINE, size_of::<CombineFrame>()).unwrap_err();
        assert!(combine.contains("a COMBINE frame reached a handler that takes FLOW"), "{combine}");
        assert_eq!(said(&mut instance, ABI, kind::PING, size_of::<FrameHead>()), Ok(()));
    });
}
