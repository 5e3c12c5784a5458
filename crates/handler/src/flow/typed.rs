use super::form::Shape;
use super::{Batch, Decode, Drive, Emit, Encode, Object, Open};
use crate::{Describe, Failure};
use std::mem::MaybeUninit;
use upcall_abi::access;

/// A handler that takes values of one type and emits values of one type, instead of bytes.
///
/// It is exported and tested as `upcall::typed(handler)`. A value that is not of the type fails the object;
/// a pool that declares another type fails OPEN, and so stops the flow before its first object.
///
/// ```
/// use upcall::{Blit, Emit, Failure, Object, TypedHandler};
///
/// #[derive(Blit, Clone, Copy)]
/// #[repr(C)]
/// struct Reading {
///     sensor: u64,
///     celsius: f64,
/// }
///
/// struct Fahrenheit;
///
/// impl TypedHandler for Fahrenheit {
///     type In<'a> = Reading;
///     type Out = f64;
///
///     fn on_value(
///         &mut self,
///         object: Object<'_>,
///         reading: &Reading,
///         emit: &mut Emit<'_, f64>,
///     ) -> Result<(), Failure> {
///         emit.put(object.key(), &(reading.celsius * 1.8 + 32.0));
///         Ok(())
///     }
/// }
///
/// upcall::handlers! { "fahrenheit" => upcall::typed(Fahrenheit) }
///
/// let mut harness = upcall::Harness::new(upcall::typed(Fahrenheit)).emits(&["/fahrenheit"]);
/// harness.put_value::<Reading>(b"roof", &Reading { sensor: 7, celsius: 20.0 }).unwrap();
/// assert_eq!(harness.emitted()[0].value_as::<f64>(), Some(68.0));
/// ```
pub trait TypedHandler: 'static {
    /// What it takes; see [`Decode`].
    type In<'a>: Decode<'a> + ?Sized;
    /// What it emits; see [`Encode`].
    type Out: Encode + ?Sized;

    /// As [`crate::Handler::describe`].
    fn describe(&self, describe: &mut Describe<'_>) {
        let _ = describe;
    }

    /// As [`crate::Handler::open`].
    ///
    /// # Errors
    /// The flow does not start.
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        let _ = open;
        Ok(())
    }

    /// Handles one object, whose value is `value`. What it emits is kept if it returns `Ok`.
    ///
    /// # Errors
    /// The object fails: it is tried again and then buried, as its flow says.
    fn on_value<'a>(
        &mut self,
        object: Object<'a>,
        value: <Self::In<'a> as Decode<'a>>::View,
        emit: &mut Emit<'_, Self::Out>,
    ) -> Result<(), Failure>;

    /// As [`crate::Handler::flush`].
    ///
    /// # Errors
    /// As [`crate::Handler::flush`].
    fn flush(&mut self, emit: &mut Emit<'_, Self::Out>) -> Result<(), Failure> {
        let _ = emit;
        Ok(())
    }
}

/// Wraps a [`TypedHandler`] for [`crate::handlers!`], [`crate::instance`] and [`crate::Harness`]; one that answers later for
/// `later`.
pub fn typed<H>(handler: H) -> Typed<H> {
    Typed(handler)
}

/// What [`typed`] returns.
#[derive(Debug)]
pub struct Typed<H>(pub(crate) H);

impl<H: TypedHandler> Drive for Typed<H> {
    fn describe(&self, describe: &mut Describe<'_>) {
        say(describe, <H::In<'_> as Decode<'_>>::shape(), H::Out::shape());
        self.0.describe(describe);
    }

    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        agree(open, <H::In<'_> as Decode<'_>>::shape(), H::Out::shape)?;
        self.0.open(open)
    }

    #[inline]
    fn run(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        for index in 0..batch.len() {
            batch.begin(index, emit);
            let object = batch.get(index);
            let mut copied = MaybeUninit::uninit();
            let decoded = <H::In<'_> as Decode<'_>>::decode(object.value(), &mut copied);
            let value =
                decoded.map_err(|why| undecodable(object, <H::In<'_> as Decode<'_>>::shape().name, &why))?;
            self.0.on_value(object, value, emit.of())?;
            emit.check()?;
            batch.finish(index, emit);
        }
        Ok(())
    }

    fn flush(&mut self, emit: &mut Emit<'_>) -> Result<(), Failure> {
        self.0.flush(emit.of())
    }
}

/// Says of a handler which type it takes and which it gives.
pub(crate) fn say(describe: &mut Describe<'_>, takes: Shape, gives: Shape) {
    takes.said(|name, size| describe.writer.takes(name, size));
    gives.said(|name, size| describe.writer.gives(name, size));
}

/// Compares what a handler takes and gives with what its pools declare.
pub(crate) fn agree(open: &Open<'_>, takes: Shape, gives: fn() -> Shape) -> Result<(), Failure> {
    let pools = open.pools();
    let watched = pools.iter().filter(|pool| pool.access & access::WATCH != 0);
    let wrong = watched.filter_map(|pool| takes.disagrees(pool, "takes"));
    let first = pools.iter().find(|pool| pool.access & access::EMIT != 0);
    let emits = first.and_then(|pool| gives().disagrees(pool, "emits"));
    if let Some(wrong) = wrong.chain(emits).next() {
        return Err(Failure::new(wrong));
    }
    if let Some(pool) = first {
        open.names.agreed.keep(pool.id, gives);
    }
    Ok(())
}

#[cold]
pub(crate) fn undecodable(object: Object<'_>, name: &str, why: &str) -> Failure {
    let key = String::from_utf8_lossy(object.key());
    Failure::new(format!("read the value of {key} as {name}: {why}"))
}
