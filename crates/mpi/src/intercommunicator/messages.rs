//! Messages from one rank to another of the other group: what a communicator has, with the other group's ranks.

use super::Intercommunicator;
use crate::error::Error;
use crate::object::Object;
use crate::owned::Owned;
use crate::persistent::Persistent;
use crate::point::{Message, Source, Tag};
use crate::request::{Lent, Request, Sending};
use crate::status::Status;
use upcall_abi::Blit;

/// The same call of the communicator inside.
macro_rules! of_the_communicator {
    ($(
        $(#[$doc:meta])*
        fn $name:ident$(<$type:ident: $bound:ident $(+ $more:tt)* $(, $other:ident: $other_bound:ident)?>)?(
            $($parameter:ident: $of:ty),* $(,)?
        ) -> $result:ty;
    )*) => {
        impl Intercommunicator {
            $(
                $(#[$doc])*
                pub fn $name$(<$type: $bound $(+ $more)* $(, $other: $other_bound)?>)?(
                    &self,
                    $($parameter: $of),*
                ) -> $result {
                    self.comm.$name($($parameter),*)
                }
            )*
        }
    };
}

of_the_communicator! {
    /// As [`Communicator::send`](crate::Communicator::send), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn send<T: Blit>(data: &[T], to: usize, tag: i32) -> Result<(), Error>;

    /// As [`Communicator::send_synchronous`](crate::Communicator::send_synchronous), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn send_synchronous<T: Blit>(data: &[T], to: usize, tag: i32) -> Result<(), Error>;

    /// As [`Communicator::send_ready`](crate::Communicator::send_ready), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn send_ready<T: Blit>(data: &[T], to: usize, tag: i32) -> Result<(), Error>;

    /// As [`Communicator::receive_into`](crate::Communicator::receive_into), from the other group.
    ///
    /// # Errors
    /// As there.
    fn receive_into<T: Blit>(
        into: &mut [T],
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Status, Error>;

    /// As [`Communicator::receive`](crate::Communicator::receive), from the other group.
    ///
    /// # Errors
    /// As there.
    fn receive<T: Blit>(from: impl Into<Source>, tag: impl Into<Tag>) -> Result<(Vec<T>, Status), Error>;

    /// As [`Communicator::matched`](crate::Communicator::matched), from the other group.
    ///
    /// # Errors
    /// As there.
    fn matched(from: impl Into<Source>, tag: impl Into<Tag>) -> Result<Message<'_>, Error>;

    /// As [`Communicator::try_matched`](crate::Communicator::try_matched), from the other group.
    ///
    /// # Errors
    /// As there.
    fn try_matched(from: impl Into<Source>, tag: impl Into<Tag>) -> Result<Option<Message<'_>>, Error>;

    /// As [`Communicator::probe`](crate::Communicator::probe), of the other group.
    ///
    /// # Errors
    /// As there.
    fn probe(from: impl Into<Source>, tag: impl Into<Tag>) -> Result<Status, Error>;

    /// As [`Communicator::try_probe`](crate::Communicator::try_probe), of the other group.
    ///
    /// # Errors
    /// As there.
    fn try_probe(from: impl Into<Source>, tag: impl Into<Tag>) -> Result<Option<Status>, Error>;

    /// As [`Communicator::send_receive`](crate::Communicator::send_receive), with ranks of the other group.
    ///
    /// # Errors
    /// As there.
    fn send_receive<T: Blit, R: Blit>(
        data: &[T],
        to: usize,
        tag: i32,
        into: &mut [R],
        from: impl Into<Source>,
        from_tag: impl Into<Tag>,
    ) -> Result<Status, Error>;

    /// As [`Communicator::start_send`](crate::Communicator::start_send), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn start_send<B: Owned>(data: B, to: usize, tag: i32) -> Result<Request<B>, Error>;

    /// As [`Communicator::start_send_synchronous`](crate::Communicator::start_send_synchronous), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn start_send_synchronous<B: Owned>(data: B, to: usize, tag: i32) -> Result<Request<B>, Error>;

    /// As [`Communicator::start_receive`](crate::Communicator::start_receive), from the other group.
    ///
    /// # Errors
    /// As there.
    fn start_receive<B: Owned>(
        into: B,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Request<B>, Error>;

    /// As [`Communicator::start_send_lent`](crate::Communicator::start_send_lent), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn start_send_lent<K: Send + 'static>(
        data: Lent<K>,
        to: usize,
        tag: i32,
        how: Sending,
    ) -> Result<Request<Lent<K>>, Error>;

    /// As [`Communicator::start_receive_lent`](crate::Communicator::start_receive_lent), from the other group.
    ///
    /// # Errors
    /// As there.
    fn start_receive_lent<K: Send + 'static>(
        into: Lent<K>,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Request<Lent<K>>, Error>;

    /// As [`Communicator::send_object`](crate::Communicator::send_object), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn send_object<T: Object>(value: &T, to: usize, tag: i32) -> Result<(), Error>;

    /// As [`Communicator::receive_object`](crate::Communicator::receive_object), from the other group.
    ///
    /// # Errors
    /// As there.
    fn receive_object<T: Object>(
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<(T, Status), Error>;

    /// As [`Communicator::send_buffered`](crate::Communicator::send_buffered), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn send_buffered<T: Blit>(data: &[T], to: usize, tag: i32) -> Result<(), Error>;

    /// As [`Communicator::start_send_ready`](crate::Communicator::start_send_ready), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn start_send_ready<B: Owned>(data: B, to: usize, tag: i32) -> Result<Request<B>, Error>;

    /// As [`Communicator::start_send_object`](crate::Communicator::start_send_object), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn start_send_object<T: Object>(value: &T, to: usize, tag: i32) -> Result<Request<Vec<u8>>, Error>;

    /// As [`Communicator::start_receive_any_size`](crate::Communicator::start_receive_any_size), from the other group.
    ///
    /// # Errors
    /// As there.
    fn start_receive_any_size<T: Blit + Send>(from: impl Into<Source>, tag: impl Into<Tag>) -> Result<Request<Vec<T>>, Error>;

    /// As [`Communicator::start_receive_object`](crate::Communicator::start_receive_object), from the other group.
    ///
    /// # Errors
    /// As there.
    fn start_receive_object<T: Object + Send + 'static>(from: impl Into<Source>, tag: impl Into<Tag>) -> Result<Request<T>, Error>;

    /// As [`Communicator::send_init`](crate::Communicator::send_init), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn send_init<T: Blit + Send>(data: Vec<T>, to: usize, tag: i32) -> Result<Persistent<T>, Error>;

    /// As [`Communicator::send_synchronous_init`](crate::Communicator::send_synchronous_init), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn send_synchronous_init<T: Blit + Send>(data: Vec<T>, to: usize, tag: i32) -> Result<Persistent<T>, Error>;

    /// As [`Communicator::send_buffered_init`](crate::Communicator::send_buffered_init), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn send_buffered_init<T: Blit + Send>(data: Vec<T>, to: usize, tag: i32) -> Result<Persistent<T>, Error>;

    /// As [`Communicator::send_ready_init`](crate::Communicator::send_ready_init), to a rank of the other group.
    ///
    /// # Errors
    /// As there.
    fn send_ready_init<T: Blit + Send>(data: Vec<T>, to: usize, tag: i32) -> Result<Persistent<T>, Error>;

    /// As [`Communicator::receive_init`](crate::Communicator::receive_init), from the other group.
    ///
    /// # Errors
    /// As there.
    fn receive_init<T: Blit + Send>(into: Vec<T>, from: impl Into<Source>, tag: impl Into<Tag>) -> Result<Persistent<T>, Error>;
}
