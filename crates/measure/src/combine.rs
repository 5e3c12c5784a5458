//! Two arrays of `f64` added, guest by guest, beside a plain loop.

use crate::driven::{close, failed};
use crate::handlers::add;
use crate::nanos;
use serde::Serialize;
use std::hint::black_box;
use upcall_abi::{CombineFrame, CombineOpen, OpenFrame, Rel, Status, kind};
use upcall_host::{Error, ErrorKind, Instance};

/// Elements of the arrays that are measured.
pub const ELEMENTS: [usize; 4] = [1, 1 << 10, 16 << 10, 256 << 10];

/// What adding two arrays costs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Combining {
    /// Elements of each array.
    pub elements: usize,
    /// Nanoseconds a call.
    pub nanos: f64,
}

/// The plain loop, behind a function pointer.
pub(crate) fn plain() -> Vec<Combining> {
    let add = black_box(add as fn(&[f64], &mut [f64]));
    ELEMENTS
        .map(|elements| {
            let (from, mut into) = (vec![1.0; elements], vec![0.0; elements]);
            Combining { elements, nanos: nanos(|| add(black_box(&from), black_box(&mut into))) }
        })
        .to_vec()
}

/// What an instance that adds costs.
pub(crate) fn costs(instance: Instance) -> Result<Vec<Combining>, Error> {
    let mut adder = Adder::open(instance)?;
    let cost = |elements| {
        adder.check(elements)?;
        Ok(Combining { elements, nanos: adder.nanos(elements)? })
    };
    ELEMENTS.into_iter().map(cost).collect()
}

/// An open instance, on its worker's thread.
pub(crate) struct Adder {
    instance: Instance,
    frame: CombineFrame,
}

impl Adder {
    pub(crate) fn open(mut instance: Instance) -> Result<Adder, Error> {
        let added = CombineOpen::new::<f64>();
        let mut open = OpenFrame::new(kind::COMBINE, "measured", std::ptr::null(), &added);
        // SAFETY: the frame and all it points to live until the call returns.
        unsafe { instance.ask(&mut open) }.map_err(failed)?;
        Ok(Adder { instance, frame: CombineFrame::new::<f64>(&[], &mut []) })
    }

    fn over(&mut self, from: &[f64], into: &mut [f64]) {
        let bytes = size_of_val(from) as u64;
        self.frame.from = Rel::new(from.as_ptr() as u64, bytes);
        self.frame.into = Rel::new(into.as_mut_ptr() as u64, bytes);
        self.frame.count = from.len() as u64;
    }

    #[inline]
    fn call(&mut self, from: &[f64], into: &mut [f64]) -> Status {
        self.over(from, into);
        // SAFETY: both arrays live until the call returns.
        unsafe { self.instance.call((&raw mut self.frame).cast()) }
    }

    fn combine(&mut self, from: &[f64], into: &mut [f64]) -> Result<(), Error> {
        self.over(from, into);
        // SAFETY: as above.
        unsafe { self.instance.ask(&mut self.frame) }.map_err(failed)
    }

    /// An error unless it adds.
    fn check(&mut self, elements: usize) -> Result<(), Error> {
        let (from, mut into) = (vec![1.0; elements], vec![0.0; elements]);
        self.combine(&from, &mut into)?;
        match into.iter().all(|element| *element == 1.0) {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::RuntimeFailed, "measure a handler: it does not add")),
        }
    }

    /// Nanoseconds that a call with arrays of so many elements takes; an error when it failed.
    pub(crate) fn nanos(&mut self, elements: usize) -> Result<f64, Error> {
        let (from, mut into) = (vec![1.0; elements], vec![0.0; elements]);
        self.combine(&from, &mut into)?;
        let mut well = true;
        let nanos = nanos(|| well &= self.call(&from, &mut into) == Status::OK);
        if !well {
            self.combine(&from, &mut into)?;
        }
        Ok(nanos)
    }
}

impl Drop for Adder {
    fn drop(&mut self) {
        close(&mut self.instance);
    }
}
