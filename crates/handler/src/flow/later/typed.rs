use super::AsyncHandler;
use crate::flow::typed::{Typed, agree, say, undecodable};
use crate::flow::{Decode, Emit, Encode, Object, Open};
use crate::{Describe, Failure};
use std::mem::MaybeUninit;

/// A [`crate::TypedHandler`] that answers later, as an [`AsyncHandler`] does. It is exported and tested as
/// `upcall::later(upcall::typed(handler))`.
///
/// ```
/// use std::time::Duration;
/// use upcall::{AsyncTypedHandler, Emit, Failure, Harness, Object, later, typed};
///
/// struct Lengths;
///
/// impl AsyncTypedHandler for Lengths {
///     type In<'a> = str;
///     type Out = u64;
///
///     async fn on_value(
///         &self,
///         object: Object<'_>,
///         text: &str,
///         emit: &mut Emit<'_, u64>,
///     ) -> Result<(), Failure> {
///         tokio::time::sleep(Duration::from_millis(1)).await;
///         emit.put(object.key(), &(text.len() as u64));
///         Ok(())
///     }
/// }
///
/// upcall::handlers! { "lengths" => later(typed(Lengths)) }
///
/// let mut harness = Harness::new(later(typed(Lengths))).emits(&["/lengths"]).declares("/lengths", "u64", 8);
/// harness.put(b"1", b"In the beginning").unwrap();
/// assert_eq!(harness.emitted()[0].value_as::<u64>(), Some(16));
/// ```
pub trait AsyncTypedHandler: 'static {
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
    fn open(&mut self, open: &Open<'_>) -> impl Future<Output = Result<(), Failure>> {
        let _ = open;
        async { Ok(()) }
    }

    /// As [`AsyncHandler::on_object`], of an object whose value is `value`.
    ///
    /// # Errors
    /// The object fails: it is tried again and then buried, as its flow says.
    fn on_value<'a>(
        &self,
        object: Object<'a>,
        value: <Self::In<'a> as Decode<'a>>::View,
        emit: &mut Emit<'_, Self::Out>,
    ) -> impl Future<Output = Result<(), Failure>>;

    /// As [`crate::Handler::flush`].
    ///
    /// # Errors
    /// As [`crate::Handler::flush`].
    fn flush(&self, emit: &mut Emit<'_, Self::Out>) -> impl Future<Output = Result<(), Failure>> {
        let _ = emit;
        async { Ok(()) }
    }
}

impl<H: AsyncTypedHandler> AsyncHandler for Typed<H> {
    fn describe(&self, describe: &mut Describe<'_>) {
        say(describe, <H::In<'_> as Decode<'_>>::shape(), H::Out::shape());
        self.0.describe(describe);
    }

    async fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        agree(open, <H::In<'_> as Decode<'_>>::shape(), H::Out::shape)?;
        self.0.open(open).await
    }

    async fn on_object(&self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let mut copied = MaybeUninit::uninit();
        let decoded = <H::In<'_> as Decode<'_>>::decode(object.value(), &mut copied);
        let value =
            decoded.map_err(|why| undecodable(object, <H::In<'_> as Decode<'_>>::shape().name, &why))?;
        self.0.on_value(object, value, emit.of()).await
    }

    async fn flush(&self, emit: &mut Emit<'_>) -> Result<(), Failure> {
        self.0.flush(emit.of()).await
    }
}
