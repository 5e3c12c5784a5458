use crate::columns::{Column, Columns, Visit};
use crate::same::{CloneColumns, EqColumns, ToValue};
use std::marker::PhantomData;
use std::mem::{MaybeUninit, forget, needs_drop};
use std::ptr::NonNull;

/// An enum that is kept as a column of tags and a column of payloads. `#[derive(Soa)]` writes it.
///
/// # Safety
/// - `split` and `join` are each other's inverse: a payload is initialised for the tag that came with it.
/// - `Fields` owns, by its type, a value of each type that `Ref` and `RefMut` refer to.
/// - `row` and `row_mut` refer to no more of the payload than its tag says, and `row_mut` not to the tag.
pub unsafe trait Split: Sized + 'static {
    /// Which variant it is.
    type Tag: Copy + 'static;
    /// The variants' fields, one over the other.
    type Payload: 'static;
    /// The types of all variants' fields.
    type Fields: 'static;
    /// One value, read.
    type Ref<'a>;
    /// One value, written; its variant stays.
    type RefMut<'a>;

    /// Takes a value apart.
    fn split(self) -> (Self::Tag, MaybeUninit<Self::Payload>);
    /// Puts a value together.
    ///
    /// # Safety
    /// The payload is one that `split` gave with this tag, and is not used again.
    unsafe fn join(tag: Self::Tag, payload: MaybeUninit<Self::Payload>) -> Self;
    /// The fields of a variant.
    ///
    /// # Safety
    /// As for `join`, but that the payload is only borrowed.
    unsafe fn row<'a>(tag: Self::Tag, payload: &'a MaybeUninit<Self::Payload>) -> Self::Ref<'a>;
    /// The fields of a variant, to write.
    ///
    /// # Safety
    /// As for `join`, but that the payload is only borrowed.
    unsafe fn row_mut<'a>(tag: Self::Tag, payload: &'a mut MaybeUninit<Self::Payload>) -> Self::RefMut<'a>;
}

/// Two columns: the tags of an enum, and its payloads.
pub struct Tagged<E>(PhantomData<E>);

type Tags<E> = Column<<E as Split>::Tag>;
type Payloads<E> = Column<MaybeUninit<<E as Split>::Payload>>;
type Places<E> = <Tagged<E> as Columns>::Pointers;

// SAFETY: two columns, always in the same order; payloads are moved as bytes, with their tags.
unsafe impl<E: Split> Columns for Tagged<E> {
    type Row = E;
    type Elements = (E::Tag, E::Fields);
    type Pointers = (NonNull<E::Tag>, NonNull<MaybeUninit<E::Payload>>);
    type Ref<'a> = E::Ref<'a>;
    type RefMut<'a> = E::RefMut<'a>;
    type Slices<'a> = &'a [E::Tag];
    type SlicesMut<'a> = &'a [E::Tag];

    const ROW: usize = Tags::<E>::ROW + Payloads::<E>::ROW;
    const ALIGN: usize =
        if Tags::<E>::ALIGN > Payloads::<E>::ALIGN { Tags::<E>::ALIGN } else { Payloads::<E>::ALIGN };
    const NEEDS_DROP: bool = needs_drop::<E>();

    fn dangling() -> Self::Pointers {
        (Tags::<E>::dangling(), Payloads::<E>::dangling())
    }

    #[inline]
    unsafe fn map(at: Self::Pointers, visit: &mut impl Visit) -> Self::Pointers {
        // SAFETY: the caller's promise.
        unsafe { (visit.column(at.0), visit.column(at.1)) }
    }

    #[inline]
    unsafe fn write(at: Self::Pointers, index: usize, row: E) {
        let (tag, payload) = row.split();
        // SAFETY: the caller's promise.
        unsafe {
            at.0.add(index).write(tag);
            at.1.add(index).write(payload);
        }
    }

    #[inline]
    unsafe fn read(at: Self::Pointers, index: usize) -> E {
        // SAFETY: the caller's promise; tag and payload were written together.
        unsafe { E::join(at.0.add(index).read(), at.1.add(index).read()) }
    }

    unsafe fn drop(at: Self::Pointers, from: usize, len: usize) {
        /// Goes on with the rows after one whose `drop` has panicked.
        struct Rest<E: Split>(Places<E>, usize, usize);
        impl<E: Split> Rest<E> {
            fn next(&mut self) {
                self.1 += 1;
                // SAFETY: each row once.
                drop(unsafe { Tagged::<E>::read(self.0, self.1 - 1) });
            }
        }
        impl<E: Split> Drop for Rest<E> {
            fn drop(&mut self) {
                while self.1 < self.2 {
                    self.next();
                }
            }
        }
        if Self::NEEDS_DROP {
            let mut rest = Rest::<E>(at, from, from + len);
            while rest.1 < rest.2 {
                rest.next();
            }
        }
    }

    #[inline]
    unsafe fn get<'a>(at: Self::Pointers, index: usize) -> E::Ref<'a> {
        // SAFETY: the caller's promise; tag and payload were written together.
        unsafe { E::row(at.0.add(index).read(), at.1.add(index).as_ref()) }
    }

    #[inline]
    unsafe fn get_mut<'a>(at: Self::Pointers, index: usize) -> E::RefMut<'a> {
        // SAFETY: the caller's promise; tag and payload were written together.
        unsafe { E::row_mut(at.0.add(index).read(), at.1.add(index).as_mut()) }
    }

    #[inline]
    unsafe fn slices<'a>(at: Self::Pointers, len: usize) -> &'a [E::Tag] {
        // SAFETY: the caller's promise.
        unsafe { Tags::<E>::slices(at.0, len) }
    }

    #[inline]
    unsafe fn slices_mut<'a>(at: Self::Pointers, len: usize) -> &'a [E::Tag] {
        // SAFETY: the caller's promise. Tags are not to be written: they say what payloads are.
        unsafe { Tags::<E>::slices(at.0, len) }
    }
}

// SAFETY: each value is cloned to its place, and those that were are dropped if a later `clone` panics.
unsafe impl<E: Split> CloneColumns for Tagged<E>
where
    for<'a> E::Ref<'a>: ToValue<Value = E>,
{
    unsafe fn clone_row(at: Self::Pointers, index: usize) -> E {
        // SAFETY: the caller's promise.
        unsafe { Self::get(at, index) }.to_value()
    }

    unsafe fn clone_into(from: Self::Pointers, to: Self::Pointers, len: usize) {
        struct Cloned<E: Split>(Places<E>, usize);
        impl<E: Split> Drop for Cloned<E> {
            fn drop(&mut self) {
                // SAFETY: as many were written.
                unsafe { Tagged::<E>::drop(self.0, 0, self.1) }
            }
        }
        let mut cloned = Cloned::<E>(to, 0);
        while cloned.1 < len {
            // SAFETY: the caller's promise.
            unsafe { Self::write(to, cloned.1, Self::clone_row(from, cloned.1)) };
            cloned.1 += 1;
        }
        forget(cloned);
    }
}

impl<E: Split> EqColumns for Tagged<E>
where
    for<'a> E::Ref<'a>: PartialEq,
{
    unsafe fn eq(a: Self::Pointers, b: Self::Pointers, len: usize) -> bool {
        // SAFETY: the caller's promise.
        (0..len).all(|index| unsafe { Self::get(a, index) == Self::get(b, index) })
    }
}
