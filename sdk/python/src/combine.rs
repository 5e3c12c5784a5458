//! Handlers that combine two arrays: both are shown in the engine's own memory, for the length of a call.

use crate::body::{Body, Failed};
use crate::context;
use crate::failure;
use crate::number::Number;
use crate::py::{self, Kind, Outcome, Raised, Ref};
use crate::support;
use crate::view::{Memory, Views};
use upcall_abi::{BatchFrame, CombineFrame, CombineOpen, DescribeWriter, FrameHead, OpenFrame, base};

/// The body for a handler with `combine`.
pub fn body(handler: &Ref) -> Outcome<Box<dyn Body>> {
    let told = support::call(c"combines", &[handler])?;
    let (element, commutative) = (py::item(&told, 0)?, py::item(&told, 1)?);
    let Some(element) = Number::named(element.text()?) else {
        // `_support` knows the same names.
        return Err(py::raise(Kind::Type, "the element is no number type"));
    };
    let commutative = commutative.as_ptr() != py::none().as_ptr();
    let method = handler.get(c"combine")?;
    let (array, views) = Default::default();
    Ok(Box::new(CombineBody { method, element, commutative, array, agreed: false, views }))
}

struct CombineBody {
    method: Ref,
    element: Number,
    commutative: bool,
    /// Makes a numpy array of a view, where numpy is there.
    array: Option<Ref>,
    /// Whether OPEN has agreed on the elements' type: without it an array is not known to be one of them.
    agreed: bool,
    views: Views,
}

impl Body for CombineBody {
    fn batch(&self) -> BatchFrame {
        BatchFrame::COMBINE
    }

    fn describe(&self, describe: &mut DescribeWriter<'_>) {
        describe.takes(self.element.name(), Some(self.element.size()));
        if self.commutative {
            describe.commutative();
        }
    }

    fn open(&mut self, frame: &OpenFrame) -> Outcome<Ref> {
        // SAFETY: for handlers of this kind the engine adds this struct, which is there during OPEN.
        let Some(added) = (unsafe { CombineOpen::of(frame) }) else {
            let message = "OPEN has no element type: build engine and handler with the same version";
            return Err(py::raise(Kind::Runtime, message));
        };
        // SAFETY: as above, for the name.
        let name = unsafe { added.element.get(frame.head.base[base::BATCH]) };
        let (name, size) = (String::from_utf8_lossy(name), added.element_size as usize);
        let (own, bytes) = (self.element.name(), self.element.size());
        if (&*name, size) != (own, bytes) {
            let message = format!(
                "the engine combines {name} of {size} bytes, and the handler {own} of {bytes}: change one of them"
            );
            return Err(py::raise(Kind::Type, message));
        }
        let array = support::call(c"array_of_elements", &[&py::text(own.as_bytes())?])?;
        self.array = Some(array).filter(|array| array.as_ptr() != py::none().as_ptr());
        self.agreed = true;
        context::of(frame, &[])
    }

    unsafe fn run(&mut self, frame: *mut FrameHead) -> Result<(), Failed> {
        let frame = frame.cast::<CombineFrame>();
        // SAFETY: the caller's promise.
        let (count, lengths) = unsafe { ((*frame).count, [(*frame).from.len, (*frame).into.len]) };
        let bytes = count.checked_mul(self.element.size() as u64);
        if !self.agreed || lengths.map(Some) != [bytes; 2] {
            return Err(Failed::whole(failure::take(misfit(self.agreed, self.element.name(), count))));
        }
        // SAFETY: the engine's arrays are `count` elements of the type that OPEN agreed on, aligned and apart; the
        // views of them end below, before the frame.
        let (source, into) = unsafe {
            let at = |base: usize, offset| (*frame).head.base[base] + offset;
            let source = at(base::BATCH, (*frame).from.offset) as *const u8;
            let into = at(base::OUTPUT, (*frame).into.offset) as *mut u8;
            let count = (*frame).count as usize;
            (Memory::source(source, count, self.element), Memory::into(into, count, self.element))
        };
        // The exception is described at once: its frames hold what is ended next.
        let called = self.call(source, into).map_err(failure::take);
        let ended = self.views.end().map_err(failure::take);
        called.and(ended).map_err(Failed::whole)
    }

    unsafe fn flush(&mut self, _: *mut FrameHead) -> Result<(), Failed> {
        // It holds nothing back.
        Ok(())
    }

    fn interrupted(&mut self) {
        // What was kept fails as what was interrupted does.
        let _ = self.views.end().map_err(failure::forget);
    }
}

impl CombineBody {
    fn call(&self, source: Memory, into: Memory) -> Outcome<()> {
        let shown = |memory| {
            // SAFETY: `run` describes them as the engine does, and ends the views.
            let view = unsafe { self.views.of(memory)? };
            match &self.array {
                Some(array) => array.call(&[&view]),
                None => Ok(view),
            }
        };
        let (source, into) = (shown(source)?, shown(into)?);
        self.method.call(&[&source, &into]).map(drop)
    }
}

/// Why a frame's arrays cannot be combined.
#[cold]
fn misfit(agreed: bool, name: &str, count: u64) -> Raised {
    let message = match agreed {
        false => "the handler was called before OPEN, which agrees on the elements' type".to_owned(),
        true => {
            format!("the frame's arrays are not {count} elements of {name} each: the engine breaks the rules")
        }
    };
    py::raise(Kind::Runtime, message)
}
