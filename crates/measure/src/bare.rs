//! What a call into .NET costs before anything of ours runs, and single calls of C# handlers beside it.

use crate::combine::Adder;
use crate::probes::{Files, Probe, combining};
use crate::{Driven, Guest, Objects, VALUES};
use serde::Serialize;
use std::ffi::c_void;
use std::ptr;
use upcall_abi::{Entry, FrameHead, Instance, Status};
use upcall_host::{Error, ErrorKind, Host, Module};

/// How often each is measured; the least counts.
const TURNS: usize = 8;

/// Single calls into C#, in nanoseconds. They take turns, so that what slows the machine slows all of them.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Bare {
    /// A static `[UnmanagedCallersOnly]` method with an entry's signature that does nothing, called in the same loop.
    pub nanos: f64,
    /// A handler that does nothing with its object.
    pub empty: f64,
    /// A handler that looks at key and value.
    pub reading: f64,
    /// A handler that adds one `f64` to another.
    pub combining: f64,
}

/// Measures C#, whose runtime is `clr`.
pub(crate) fn bare(clr: &dyn Host, files: &Files) -> Result<Bare, Error> {
    let load = |probe: Probe| probe.load(Guest::Csharp, clr, files);
    let modules = Modules {
        bare: files.load(clr, &files.csharp, "Upcall.Probes.Bare")?,
        empty: load(Probe::Empty)?,
        reading: load(Probe::Reading)?,
        combining: combining(Guest::Csharp, clr, files)?,
    };
    let mut outcome = Err(Error::new(ErrorKind::RuntimeFailed, "measure a bare call: no worker ran"));
    clr.worker(&mut || outcome = modules.measure());
    outcome
}

struct Modules {
    bare: Box<dyn Module>,
    empty: Box<dyn Module>,
    reading: Box<dyn Module>,
    combining: Box<dyn Module>,
}

impl Modules {
    fn measure(&self) -> Result<Bare, Error> {
        let one = Objects::alike(1, VALUES[0]);
        let call = method(Driven::open(self.bare.instantiate()?)?, &one)?;
        let mut bare = Driven::open(instance(call))?;
        let mut empty = Driven::open(self.empty.instantiate()?)?;
        let mut reading = Driven::open(self.reading.instantiate()?)?;
        let mut combining = Adder::open(self.combining.instantiate()?)?;
        let mut least = [f64::INFINITY; 4];
        for _ in 0..TURNS {
            let turn = [bare.nanos(&one)?, empty.nanos(&one)?, reading.nanos(&one)?, combining.nanos(1)?];
            for (least, nanos) in least.iter_mut().zip(turn) {
                *least = least.min(nanos);
            }
        }
        let [nanos, empty, reading, combining] = least;
        Ok(Bare { nanos, empty, reading, combining })
    }
}

type Call = unsafe extern "C" fn(*mut c_void, *mut FrameHead) -> Status;

/// The method whose address the handler `Bare` emits.
fn method(mut emits: Driven, one: &Objects) -> Result<Call, Error> {
    emits.checked(one)?;
    // The value is the first word after a record's head.
    let address = ptr::with_exposed_provenance::<c_void>(emits.emitted()[2] as usize);
    // SAFETY: the address of a static method with this signature, of an assembly that is never unloaded.
    Ok(unsafe { std::mem::transmute::<*const c_void, Call>(address) })
}

/// The method as an instance, which answers every frame with `OK` and does nothing.
fn instance(call: Call) -> Instance {
    // SAFETY: it looks at neither state nor frame, and may be called from every thread.
    unsafe { Instance::new(Entry { call, state: ptr::null_mut(), release: None }) }
}
