use super::form::{Decode, Encode, Owned, Shape, no_memory};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use upcall_abi::{OpenRecord, Writer};
use upcall_pack::{Error, ErrorKind, Pack, Sink, Unpack};

/// The form of values that are packed: MemoryPack's wire format.
///
/// They are read in place, so a `T` may borrow its text from the engine's memory, and written straight
/// into the output. It only names the form: it has no values.
///
/// What a handler emits is named once for all calls, so it borrows nothing; a value that does is emitted as
/// `emit.of::<Packed<Order>>().put(key, &order)`.
///
/// ```
/// use upcall::{Emit, Failure, Object, Packed, TypedHandler, pack::Pack};
///
/// #[derive(Pack)]
/// struct Order<'a> {
///     customer: &'a str,
///     cents: u64,
/// }
///
/// struct Thanks;
///
/// impl TypedHandler for Thanks {
///     type In<'a> = Packed<Order<'a>>;
///     type Out = Packed<String>;
///
///     fn on_value(
///         &mut self,
///         object: Object<'_>,
///         order: Order<'_>,
///         emit: &mut Emit<'_, Self::Out>,
///     ) -> Result<(), Failure> {
///         emit.put(object.key(), &format!("{}: {} cents", order.customer, order.cents));
///         Ok(())
///     }
/// }
///
/// let mut harness = upcall::Harness::new(upcall::typed(Thanks)).emits(&["/letters"]);
/// harness.put_value::<Packed<Order>>(b"1", &Order { customer: "Ada", cents: 1250 }).unwrap();
/// let letter: String = harness.emitted()[0].unpack().unwrap();
/// assert_eq!(letter, "Ada: 1250 cents");
/// ```
pub struct Packed<T: ?Sized>(PhantomData<fn(&T)>, std::convert::Infallible);

impl<T: ?Sized> Packed<T> {
    /// The type's own name, without path and parameters: what a pool declares.
    fn named(size: Option<usize>) -> Shape {
        let name = std::any::type_name::<T>();
        let name = name.split_once('<').map_or(name, |(name, _)| name);
        Shape { name: name.rsplit_once("::").map_or(name, |(_, name)| name), size }
    }
}

impl<T: Pack + for<'a> Unpack<'a>> Owned for Packed<T> {
    type Value = T;

    fn own(bytes: &[u8]) -> Result<T, String> {
        upcall_pack::from_slice(bytes).map_err(|error| error.to_string())
    }
}

impl<'a, T: Unpack<'a>> Decode<'a> for Packed<T> {
    type View = T;
    type Copied = ();

    fn shape() -> Shape {
        Packed::<T>::named(T::FORM.layout().map(|layout| layout.size))
    }

    #[inline]
    fn decode(bytes: &'a [u8], _: &'a mut MaybeUninit<()>) -> Result<T, String> {
        upcall_pack::from_slice(bytes).map_err(|error| error.to_string())
    }
}

impl<T: Pack + ?Sized> Encode for Packed<T> {
    type Value = T;

    #[inline(never)]
    fn shape() -> Shape {
        Packed::<T>::named(T::FORM.layout().map(|layout| layout.size))
    }

    #[inline]
    fn encode(value: &T, key: &[u8], pool: u32, item: u32, writer: &mut Writer) -> Result<(), String> {
        let mut sink = OutputSink(writer.open(pool, item));
        let mut packer = upcall_pack::Writer::new(&mut sink);
        value.pack(&mut packer).map_err(|error| refused::<T>(&error))?;
        let len = packer.finish();
        sink.0.finish(key).ok_or_else(|| no_memory(len))
    }
}

#[cold]
fn refused<T: ?Sized>(error: &Error) -> String {
    format!("emit a {}: {error}", Packed::<T>::named(None).name)
}

/// The output as a sink of pack's.
struct OutputSink<'w>(OpenRecord<'w>);

impl Sink for OutputSink<'_> {
    unsafe fn window(&mut self, at_least: usize) -> Result<&mut [MaybeUninit<u8>], Error> {
        let written = self.0.len();
        let full = || Error::new(ErrorKind::Full, written, "the flow gives no more memory");
        self.0.room(at_least).ok_or_else(full)
    }

    unsafe fn advance(&mut self, count: usize) {
        // SAFETY: the caller's promise, which is the same.
        unsafe { self.0.advance(count) };
    }
}
