use crate::prelude::*;
use crate::{Error, Sink};
use core::mem::MaybeUninit;

/// A window that is written over and over, to learn how many bytes a value takes.
#[derive(Debug, Default)]
pub(crate) struct Measure(Vec<u8>);

impl Measure {
    /// What most values fit into at once.
    const WINDOW: usize = 4096;
}

impl Sink for Measure {
    unsafe fn window(&mut self, at_least: usize) -> Result<&mut [MaybeUninit<u8>], Error> {
        self.0.reserve(at_least.max(Measure::WINDOW));
        Ok(self.0.spare_capacity_mut())
    }

    unsafe fn advance(&mut self, _count: usize) {}
}
