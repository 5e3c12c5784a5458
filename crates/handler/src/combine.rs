use crate::body::{Body, Failed, IntoBody, after_close};
use crate::driver::{answer, caught};
use crate::{Context, Describe, Failure};
use std::marker::PhantomData;
use upcall_abi::{BatchFrame, Blit, CombineFrame, CombineOpen, FrameHead, OpenFrame, Status, base};

/// A handler that combines two arrays into the second: the operation of a reduction.
///
/// It is exported as `upcall::combine(handler)`, and a closure is one:
///
/// ```
/// upcall::handlers! { "longest" => upcall::combine(|from: &[u32], into: &mut [u32]| {
///     for (into, from) in into.iter_mut().zip(from) {
///         *into = (*into).max(*from);
///     }
///     Ok(())
/// }) }
/// ```
///
/// It must be associative: an engine combines in any grouping.
pub trait Combine: 'static {
    /// An element of both arrays.
    type Element: Blit;

    /// Whether the order of the two does not matter. An engine that is told so combines what comes first.
    const COMMUTATIVE: bool = false;

    /// As [`crate::Handler::describe`].
    fn describe(&self, describe: &mut Describe<'_>) {
        let _ = describe;
    }

    /// Called once, before anything else.
    ///
    /// # Errors
    /// It fails the engine's start.
    fn open(&mut self, context: &Context<'_>) -> Result<(), Failure> {
        let _ = context;
        Ok(())
    }

    /// Combines `from` into `into`, element by element. Both have the same length.
    ///
    /// # Errors
    /// What `into` holds is lost then.
    fn combine(&mut self, from: &[Self::Element], into: &mut [Self::Element]) -> Result<(), Failure>;
}

/// Wraps a [`Combine`], or a closure over two slices, for [`crate::handlers!`] and [`crate::instance`].
pub fn combine<C: IntoCombine<T>, T>(handler: C) -> impl IntoBody {
    Combined(handler.into_combine())
}

/// What [`combine`] takes. `T` only tells closures and types apart.
pub trait IntoCombine<T> {
    #[doc(hidden)]
    type Combine: Combine;
    #[doc(hidden)]
    fn into_combine(self) -> Self::Combine;
}

impl<C: Combine> IntoCombine<()> for C {
    type Combine = C;

    fn into_combine(self) -> C {
        self
    }
}

impl<T: Blit, F: FnMut(&[T], &mut [T]) -> Result<(), Failure> + 'static> IntoCombine<(T,)> for F {
    type Combine = Closure<F, T>;

    fn into_combine(self) -> Closure<F, T> {
        Closure(self, PhantomData)
    }
}

/// A closure as a handler.
#[doc(hidden)]
pub struct Closure<F, T>(F, PhantomData<fn() -> T>);

impl<T: Blit, F: FnMut(&[T], &mut [T]) -> Result<(), Failure> + 'static> Combine for Closure<F, T> {
    type Element = T;

    #[inline]
    fn combine(&mut self, from: &[T], into: &mut [T]) -> Result<(), Failure> {
        (self.0)(from, into)
    }
}

/// Behind `impl IntoBody`.
struct Combined<C>(C);

impl<C: Combine> IntoBody for Combined<C> {
    fn into_body(self) -> Box<dyn Body> {
        Box::new(CombineBody { handler: Some(self.0), agreed: false })
    }
}

struct CombineBody<C> {
    /// `None` after CLOSE.
    handler: Option<C>,
    /// Whether OPEN has agreed on the elements' type: without it an array is not known to be one of them.
    agreed: bool,
}

impl<C: Combine> Body for CombineBody<C> {
    fn batch(&self) -> BatchFrame {
        BatchFrame::COMBINE
    }

    fn describe(&mut self, describe: &mut Describe<'_>) -> Result<(), Failure> {
        describe.writer.takes(C::Element::NAME, Some(size_of::<C::Element>()));
        if C::COMMUTATIVE {
            describe.writer.commutative();
        }
        if let Some(handler) = &self.handler {
            handler.describe(describe);
        }
        Ok(())
    }

    fn open(&mut self, context: &Context<'_>, frame: &OpenFrame) -> Result<(), Failure> {
        // SAFETY: for handlers of this kind the engine adds this struct, which is there during OPEN.
        let Some(added) = (unsafe { CombineOpen::of(frame) }) else {
            return Err(Failure::new(
                "OPEN has no element type: build engine and handler with the same version",
            ));
        };
        let (name, size) = (context.text(added.element), added.element_size as usize);
        if (name, size) != (C::Element::NAME, size_of::<C::Element>()) {
            return Err(Failure::new(format!(
                "the engine combines {name} of {size} bytes, and the handler {} of {}: change one of them",
                C::Element::NAME,
                size_of::<C::Element>()
            )));
        }
        match &mut self.handler {
            Some(handler) => handler.open(context)?,
            None => return Err(after_close()),
        }
        self.agreed = true;
        Ok(())
    }

    #[inline]
    unsafe fn run(&mut self, head: *mut FrameHead) -> Status {
        let frame = head.cast::<CombineFrame>();
        let outcome = caught(|| {
            let Some(handler) = &mut self.handler else { return Err(after_close()) };
            // SAFETY: the caller's promise.
            let (from, into, count) = unsafe {
                let at = |base: usize, offset| (*frame).head.base[base].wrapping_add(offset);
                let from = at(base::BATCH, (*frame).from.offset) as *const C::Element;
                let into = at(base::OUTPUT, (*frame).into.offset) as *mut C::Element;
                let bytes = (*frame).count.checked_mul(size_of::<C::Element>() as u64);
                let whole = bytes == Some((*frame).from.len) && bytes == Some((*frame).into.len);
                if !self.agreed || !whole || !from.is_aligned() || !into.is_aligned() {
                    return Err(misfit(self.agreed, C::Element::NAME, (*frame).count));
                }
                (from, into, (*frame).count as usize)
            };
            let (from, into): (&[C::Element], &mut [C::Element]) = match count {
                0 => (&[], &mut []),
                // SAFETY: the engine's arrays are so many elements of the type that OPEN agreed on, aligned, and apart.
                len => unsafe {
                    (std::slice::from_raw_parts(from, len), std::slice::from_raw_parts_mut(into, len))
                },
            };
            handler.combine(from, into)
        });
        // SAFETY: the caller's promise.
        unsafe { answer(head, outcome.map_err(Failed::whole)) }
    }

    unsafe fn flush(&mut self, _: *mut FrameHead) -> Status {
        // It holds nothing back.
        Status::OK
    }

    fn close(&mut self) {
        self.handler = None;
    }
}

/// Why a frame's arrays cannot be combined.
#[cold]
fn misfit(agreed: bool, name: &str, count: u64) -> Failure {
    Failure::new(match agreed {
        false => "the handler was called before OPEN, which agrees on the elements' type".to_owned(),
        true => format!(
            "the frame's arrays are not {count} elements of {name} each, aligned: the engine breaks the rules"
        ),
    })
}
