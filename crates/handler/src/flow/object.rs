use super::form::text;
use super::open::Names;
use super::typed::undecodable;
use super::{Decode, Emit, PoolId};
use crate::Failure;
use std::cell::Cell;
use std::mem::MaybeUninit;
use upcall_abi::{Blit, FlowFrame, Item, Mark, Rel, base};

/// One object: a view that ends with the call, or where it is answered later with its future.
#[derive(Clone, Copy)]
pub struct Object<'a> {
    item: &'a Item,
    base: u64,
    names: &'a Names,
}

impl<'a> Object<'a> {
    /// The key: UTF-8 bytes.
    #[inline]
    #[must_use]
    pub fn key(&self) -> &'a [u8] {
        // SAFETY: `Batch::new`'s promise.
        unsafe { self.item.key.get(self.base) }
    }

    /// The key as text.
    ///
    /// # Panics
    /// When the engine has put a key that is not UTF-8, which a flow refuses.
    #[must_use]
    pub fn key_str(&self) -> &'a str {
        std::str::from_utf8(self.key()).expect("the engine checks keys when they are put")
    }

    /// A hash of the key, which the flow has made already: for tables of the handler's own. Equal keys have equal ones
    /// until the flow ends; the next flow hashes differently.
    #[inline]
    #[must_use]
    pub fn key_hash(&self) -> u64 {
        self.item.tag
    }

    /// The value.
    #[inline]
    #[must_use]
    pub fn value(&self) -> &'a [u8] {
        // SAFETY: `Batch::new`'s promise.
        unsafe { self.item.value.get(self.base) }
    }

    /// The value as text.
    ///
    /// # Errors
    /// It is not UTF-8.
    pub fn text(&self) -> Result<&'a str, Failure> {
        text(self.value()).map_err(|why| undecodable(*self, <str as Decode>::shape().name, &why))
    }

    /// The value as a blittable `T`, copied; a failure when it has not the size of one.
    ///
    /// # Errors
    /// It has not the size of one.
    #[inline]
    pub fn value_as<T: Blit>(&self) -> Result<T, Failure> {
        let decoded = <T as Decode>::decode(self.value(), &mut MaybeUninit::uninit()).copied();
        decoded.map_err(|why| undecodable(*self, T::NAME, &why))
    }

    /// The value as a packed `T`, which may borrow from it.
    ///
    /// # Errors
    /// It is not a packed `T`.
    #[cfg(feature = "pack")]
    pub fn unpack<T: upcall_pack::Unpack<'a>>(&self) -> Result<T, Failure> {
        upcall_pack::from_slice(self.value()).map_err(|error| {
            undecodable(*self, <super::Packed<T> as Decode>::shape().name, &error.to_string())
        })
    }

    /// Strictly increasing per key, unique per pool; 0 for the sample of a flow file's `warm`.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.item.version
    }

    /// Nanoseconds since the Unix epoch, never backward within a pool.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.item.time
    }

    /// The pool it was put into.
    #[must_use]
    pub fn pool(&self) -> PoolId {
        PoolId(self.item.pool)
    }

    /// The path of the pool it was put into.
    #[must_use]
    pub fn pool_path(&self) -> &'a str {
        self.names.pools.iter().find(|pool| pool.id == self.pool()).map_or("?", |pool| &pool.path)
    }

    /// Who put it: `input` for whoever puts from outside, or the name of a handler.
    #[must_use]
    pub fn sender_name(&self) -> &'a str {
        self.names.senders.get(self.item.sender as usize).map_or("?", |name| name)
    }

    /// Who put it: an index into [`crate::Open::senders`].
    #[must_use]
    pub fn sender(&self) -> u32 {
        self.item.sender
    }
}

impl std::fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} v{} ({} bytes)", self.key_str(), self.version(), self.value().len())
    }
}

/// The objects of one call.
pub struct Batch<'a> {
    items: &'a [Item],
    base: u64,
    names: &'a Names,
    values: Rel<u8>,
    stride: u64,
    /// Whether the values were gathered for this batch.
    gathered: Cell<bool>,
    frame: *mut FlowFrame,
    pub(crate) mark: Mark,
}

impl<'a> Batch<'a> {
    /// # Safety
    /// `frame` must be a valid flow frame for `'a`, and `done` and `progress` of it used by this batch alone.
    pub(crate) unsafe fn new(frame: *mut FlowFrame, names: &'a Names, mark: Mark) -> Batch<'a> {
        // SAFETY: the caller's promise.
        unsafe {
            let base = (*frame).head.base[base::BATCH];
            Batch {
                items: (*frame).items.get(base),
                base,
                names,
                values: (*frame).values,
                stride: (*frame).stride,
                gathered: Cell::new(false),
                frame,
                mark,
            }
        }
    }

    /// How many objects there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none (an engine sends no such batch).
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The object at `index`.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    pub fn get(&self, index: usize) -> Object<'a> {
        Object { item: &self.items[index], base: self.base, names: self.names }
    }

    /// The objects, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Object<'a>> + use<'a> {
        let (base, names) = (self.base, self.names);
        self.items.iter().map(move |item| Object { item, base, names })
    }

    /// All values side by side, and the bytes of each, when the pool's type is blittable and the handler
    /// watches no other pool. They are gathered when they are first asked for.
    ///
    /// # Panics
    /// When a value has another size than its pool's type, which a flow refuses.
    pub fn values(&self) -> Option<(&'a [u8], usize)> {
        if self.stride > 0 {
            // SAFETY: `new`'s promise; the engine describes `values` as it describes the items.
            return Some((unsafe { self.values.get(self.base) }, self.stride as usize));
        }
        let size = self.names.column_size()?;
        let bytes = size * self.len();
        let column = self.names.column.get();
        if !self.gathered.replace(true) {
            // SAFETY: one batch at a time uses the column, on its instance's thread; what an earlier one has
            // given out ended with its call, and this one has given out nothing yet.
            let column = unsafe { &mut *column };
            column.resize(bytes.div_ceil(8), 0);
            let place = column.as_mut_ptr().cast::<u8>();
            for (index, object) in self.iter().enumerate() {
                let value = object.value();
                assert!(value.len() == size, "a value of {} bytes in a pool of {size}", value.len());
                // SAFETY: there is room for `size` bytes of each.
                unsafe { place.add(index * size).copy_from_nonoverlapping(value.as_ptr(), size) };
            }
        }
        // SAFETY: filled above, and not touched before the next batch, whose call begins when `'a` has ended.
        Some((unsafe { std::slice::from_raw_parts((*column).as_ptr().cast(), bytes) }, size))
    }

    /// All values as one slice, when the pool's declared type has the size of `T` and the handler watches no other
    /// pool.
    pub fn values_as<T: Blit>(&self) -> Option<&'a [T]> {
        let (bytes, stride) = self.values()?;
        let start = bytes.as_ptr().cast::<T>();
        let fits = stride == size_of::<T>() && stride * self.len() <= bytes.len() && start.is_aligned();
        // SAFETY: so many values lie there, aligned; any bytes are a `T`.
        fits.then(|| unsafe { std::slice::from_raw_parts(start, self.len()) })
    }

    /// Reports that the first `count` objects are done: what was emitted so far is kept whatever follows.
    #[inline]
    pub fn done(&mut self, count: usize, emit: &mut Emit<'_>) {
        self.mark = emit.mark();
        // SAFETY: `new`'s promise.
        unsafe { FlowFrame::report(self.frame, count.min(self.items.len()) as u32) };
    }

    /// The object at `index` is done, and so are all before it.
    #[inline]
    pub(crate) fn finish(&mut self, index: usize, emit: &mut Emit<'_>) {
        self.mark = emit.mark();
        // SAFETY: `new`'s promise.
        unsafe { FlowFrame::finish(self.frame, (index + 1) as u32) };
    }

    /// Tells the emitter which object is being handled.
    #[inline]
    pub(crate) fn begin(&mut self, index: usize, emit: &mut Emit<'_>) {
        emit.begin(index as u32);
    }
}
