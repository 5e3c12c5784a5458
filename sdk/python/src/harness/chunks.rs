use crate::py::{self, Outcome, Ref};
use upcall_abi::{FlowFrame, FrameHead, Item, Output, Record, Records, Rel, Status};

/// A flow frame and, behind it, the chunks that its output is written into.
#[repr(C)]
pub struct Running {
    /// What the driver is given.
    pub frame: FlowFrame,
    chunks: Vec<(Box<[u64]>, u64)>,
}

/// Small, so that tests meet more than one chunk.
const CHUNK: u64 = 4096;

impl Running {
    /// A frame, boxed as its output refers to its address.
    pub fn new(head: FrameHead, items: &[Item], values: Rel<u8>, stride: u64) -> Box<Running> {
        let out = Output { at: 0, end: 0, chunk: 0, reserved: 0, grow: Some(grow) };
        let frame = FlowFrame { head, items: Rel::of(items), values, stride, out, done: 0, reserved: 0 };
        let mut running = Box::new(Running { frame, chunks: Vec::new() });
        // SAFETY: `frame` is the start of a Running.
        unsafe { grow((&raw mut *running).cast(), CHUNK) };
        running
    }

    /// What was emitted: a list of (pool id, key, value, item).
    pub fn records(&self) -> Outcome<Ref> {
        let mut all = Vec::new();
        let out = &self.frame.out;
        for (index, (chunk, used)) in self.chunks.iter().enumerate().take(out.chunk as usize + 1) {
            let start = chunk.as_ptr() as u64;
            let used = if index == out.chunk as usize { out.at - start } else { *used };
            // SAFETY: the driver wrote `used` bytes of the chunk.
            let bytes = unsafe { std::slice::from_raw_parts(chunk.as_ptr().cast::<u8>(), used as usize) };
            for record in Records::new(bytes) {
                let whole = |_| py::raise(py::Kind::Runtime, "the driver wrote a record that does not fit");
                let (Record { pool, item, .. }, key, value) = record.map_err(whole)?;
                let (pool, item) = (py::int(pool.into())?, py::int(item.into())?);
                all.push(py::tuple(&[&pool, &py::bytes(key)?, &py::bytes(value)?, &item])?);
            }
        }
        py::list(all.len(), |index| Ok(all[index].clone()))
    }
}

unsafe extern "C" fn grow(frame: *mut FrameHead, need: u64) -> Status {
    // SAFETY: `frame` is the start of the Running that `new` made.
    let running = unsafe { &mut *frame.cast::<Running>() };
    let out = &mut running.frame.out;
    if let Some((chunk, used)) = running.chunks.get_mut(out.chunk as usize) {
        *used = out.at - chunk.as_ptr() as u64;
        running.chunks.truncate(out.chunk as usize + 1);
    }
    let chunk = vec![0u64; need.max(CHUNK).div_ceil(8) as usize].into_boxed_slice();
    out.at = chunk.as_ptr() as u64;
    out.end = out.at + chunk.len() as u64 * 8;
    out.chunk = running.chunks.len() as u32;
    running.chunks.push((chunk, 0));
    Status::OK
}
