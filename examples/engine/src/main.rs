//! An engine in a page: it reduces the rows of a table to one, by an operation written in Rust, C# or Python.
//!
//! `cargo run --release` in this folder, after `cargo xtask build`.

use std::error::Error;
use std::sync::Arc;
use upcall::abi::{CombineFrame, CombineOpen, FrameHead, OpenFrame, kind};
use upcall_host::clr::{Clr, ClrOptions};
use upcall_host::native::Native;
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{HandlerSpec, Host, Module, describe};

fn main() -> Result<(), Box<dyn Error>> {
    let rows: Vec<Vec<f64>> = (1..=1000).map(|row| (0..4).map(|column| f64::from(row * column % 997)).collect()).collect();
    let python = Python::start(&PythonOptions::default())?;
    let clr = Clr::start(&ClrOptions::default())?;
    let guests: [(Arc<dyn Host>, &str, &str); 3] = [
        (Arc::new(Native), "build/libengine.so", "peaks"),
        (Arc::new(clr), "build/engine.dll", "Peaks"),
        (Arc::new(python), "peaks.py", "Peaks"),
    ];
    for (host, file, class) in guests {
        let module = host.load(&HandlerSpec::new("peaks", host.guest(), file, class))?;
        let mut outcome = Err("the runtime ran nothing".into());
        // Instances are made and called on a thread that the runtime knows.
        host.worker(&mut || outcome = reduce(&*module, &rows));
        println!("{:<8}{:?}", host.guest(), outcome?);
    }
    Ok(())
}

/// The rows combined into one, a row per upcall.
fn reduce(module: &dyn Module, rows: &[Vec<f64>]) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut instance = module.instantiate()?;
    describe(&mut instance)?.check_kind("this engine", kind::COMBINE)?;
    let added = CombineOpen::new::<f64>();
    let mut open = OpenFrame::new(kind::COMBINE, "peaks", std::ptr::null(), &added);
    // SAFETY: the frame, and what it points to, live until the call returns.
    unsafe { instance.ask(&mut open)? };
    let Some((first, rest)) = rows.split_first() else { return Ok(Vec::new()) };
    let mut into = first.clone();
    for row in rest {
        let mut frame = CombineFrame::new(row, &mut into);
        // SAFETY: as above; both arrays are the handler's meanwhile.
        unsafe { instance.ask(&mut frame)? };
    }
    let mut close = FrameHead::new::<FrameHead>(kind::CLOSE);
    // SAFETY: as above.
    unsafe { instance.ask(&mut close)? };
    Ok(into)
}
