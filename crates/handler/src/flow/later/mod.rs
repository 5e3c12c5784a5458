//! Handlers that answer later: a future for each object, many of them at a time.

mod body;
mod call;
mod executor;
mod running;
mod typed;

use super::{Emit, Object, Open};
use crate::body::{Body, IntoBody};
use crate::{Describe, Failure};
use executor::Executor;
pub use typed::AsyncTypedHandler;

/// A handler whose answer takes time that it spends waiting: for a service, a database, a timer. Each object is a future,
/// and as many of them are under way as the flow's `in_flight` says.
///
/// It is exported and tested as `upcall::later(handler)`. Each instance has a thread of its own, on which a current-thread
/// runtime of tokio runs everything that the handler does, so that whatever needs tokio works, and nothing has to be
/// `Send`. What blocks that thread holds up all of its objects.
///
/// Object and emissions are views of the engine's memory, across awaits too. They end with the future, which cannot give
/// them away: it is dropped before its object is answered. That happens also when the object has timed out, is cancelled
/// from outside, or the handler is closed; [`crate::Ended::reason`] tells destructors which.
///
/// ```
/// use std::{cell::Cell, time::Duration};
/// use upcall::{AsyncHandler, Emit, Failure, Object};
///
/// #[derive(Default)]
/// struct Patient {
///     answered: Cell<u64>,
/// }
///
/// impl AsyncHandler for Patient {
///     async fn on_object(&self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
///         tokio::time::sleep(Duration::from_millis(1)).await;
///         self.answered.set(self.answered.get() + 1);
///         emit.put(object.key(), object.value());
///         Ok(())
///     }
/// }
///
/// upcall::handlers! { "patient" => upcall::later(Patient::default()) }
///
/// let mut harness = upcall::Harness::new(upcall::later(Patient::default())).emits(&["/out"]);
/// harness.batch(&[(b"1", b"one"), (b"2", b"two")]).unwrap();
/// assert_eq!(harness.emitted().len(), 2);
/// ```
///
/// A task of its own outlives the object, and cannot have it:
///
/// ```compile_fail,E0521
/// # use upcall::{AsyncHandler, Emit, Failure, Object};
/// struct Leaks;
///
/// impl AsyncHandler for Leaks {
///     async fn on_object(&self, object: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
///         tokio::task::spawn_local(async move { println!("{object:?}") });
///         Ok(())
///     }
/// }
/// ```
pub trait AsyncHandler: 'static {
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

    /// Handles one object, beside others that are under way. What it emits is kept if it returns `Ok`.
    ///
    /// # Errors
    /// The object fails: it is tried again and then buried, as its flow says.
    fn on_object(&self, object: Object<'_>, emit: &mut Emit<'_>)
    -> impl Future<Output = Result<(), Failure>>;

    /// As [`crate::Handler::flush`]: no object is under way any more.
    ///
    /// # Errors
    /// As [`crate::Handler::flush`].
    fn flush(&self, emit: &mut Emit<'_>) -> impl Future<Output = Result<(), Failure>> {
        let _ = emit;
        async { Ok(()) }
    }
}

impl<F> AsyncHandler for F
where
    F: AsyncFn(Object<'_>, &mut Emit<'_>) -> Result<(), Failure> + 'static,
{
    async fn on_object(&self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        self(object, emit).await
    }
}

/// Wraps an [`AsyncHandler`] for [`crate::handlers!`], [`crate::instance`] and [`crate::Harness`]: one that is `Send`, or
/// what makes one, which is called on the instance's own thread, within its runtime.
///
/// ```
/// use std::rc::Rc;
/// use upcall::{AsyncHandler, Emit, Failure, Object, later};
///
/// #[derive(Default)]
/// struct Shared(Rc<()>);
///
/// impl AsyncHandler for Shared {
///     async fn on_object(&self, _: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
///         Ok(())
///     }
/// }
///
/// upcall::handlers! {
///     "shared" => later(Shared::default),
///     "closure" => later(async |object: Object<'_>, emit: &mut Emit<'_>| -> Result<(), Failure> {
///         emit.put(object.key(), b"");
///         Ok(())
///     }),
/// }
/// ```
///
/// # Panics
/// When the thread cannot be started, or the handler's constructor panics there.
pub fn later<L: IntoLater<M>, M>(handler: L) -> impl IntoBody {
    Later(handler.into_make())
}

/// What [`later`] takes. `M` only tells handlers and what makes them apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a handler that answers later",
    note = "use a type that implements `AsyncHandler` and is `Send`, or a closure that makes one: `later(|| handler)`",
    note = "an async closure names its types: `async |object: Object<'_>, emit: &mut Emit<'_>| -> Result<(), Failure>`"
)]
pub trait IntoLater<M> {
    #[doc(hidden)]
    type Handler: AsyncHandler;
    #[doc(hidden)]
    fn into_make(self) -> impl FnOnce() -> Self::Handler + Send + 'static;
}

#[doc(hidden)]
#[derive(Debug)]
pub struct Ready;

impl<H: AsyncHandler + Send> IntoLater<Ready> for H {
    type Handler = H;

    fn into_make(self) -> impl FnOnce() -> H + Send + 'static {
        move || self
    }
}

impl<F: FnOnce() -> H + Send + 'static, H: AsyncHandler> IntoLater<fn() -> H> for F {
    type Handler = H;

    #[allow(refining_impl_trait)]
    fn into_make(self) -> F {
        self
    }
}

/// Behind `impl IntoBody`.
struct Later<F>(F);

impl<F: FnOnce() -> H + Send + 'static, H: AsyncHandler> IntoBody for Later<F> {
    fn into_body(self) -> Box<dyn Body> {
        Box::new(body::LaterBody::new(Executor::start(self.0)))
    }
}
