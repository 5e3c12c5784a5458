use crate::prelude::*;
use crate::{Error, ErrorKind, Form, Pack, Reader, Unpack, Writer, header};
use core::fmt;
use core::ops::{Index, IndexMut};

/// A grid of two dimensions, C#'s `T[,]`.
pub type Array2<T> = ArrayN<T, 2>;
/// A grid of three dimensions, C#'s `T[,,]`.
pub type Array3<T> = ArrayN<T, 3>;
/// A grid of four dimensions, C#'s `T[,,,]`.
pub type Array4<T> = ArrayN<T, 4>;

/// A grid of `N` dimensions (two to four), its items contiguous, those of the last dimension next to each other.
///
/// It is a class in C#, so an `Option` of it may be null.
///
/// ```
/// use upcall_pack::Array2;
///
/// let mut grid = Array2::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
/// grid[[1, 0]] *= 10;
/// assert_eq!((grid[[0, 2]], grid.get([1, 0]), grid.get([2, 0])), (3, Some(&40), None));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ArrayN<T, const N: usize> {
    dims: [usize; N],
    items: Vec<T>,
}

impl<T, const N: usize> ArrayN<T, N> {
    /// From items in order. `None` unless there are as many as the dimensions multiply to.
    #[must_use]
    pub fn from_vec(dims: [usize; N], items: Vec<T>) -> Option<ArrayN<T, N>> {
        (total(dims) == Some(items.len())).then_some(ArrayN { dims, items })
    }

    /// The same item everywhere. `None` when there would be more than a `usize` can count.
    pub fn filled(dims: [usize; N], item: T) -> Option<ArrayN<T, N>>
    where
        T: Clone,
    {
        Some(ArrayN { dims, items: vec![item; total(dims)?] })
    }

    /// The length of each dimension.
    #[must_use]
    pub fn dims(&self) -> [usize; N] {
        self.dims
    }

    /// All items, those of the last dimension next to each other.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// All items, those of the last dimension next to each other.
    pub fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// All items, without the dimensions.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.items
    }

    /// The item at a place, if there is one.
    #[must_use]
    pub fn get(&self, place: [usize; N]) -> Option<&T> {
        self.offset(place).map(|offset| &self.items[offset])
    }

    /// The item at a place, if there is one.
    pub fn get_mut(&mut self, place: [usize; N]) -> Option<&mut T> {
        self.offset(place).map(|offset| &mut self.items[offset])
    }

    /// How many members the object has: the dimensions, and the items.
    ///
    /// ```compile_fail,E0080
    /// let _ = upcall_pack::to_vec(&upcall_pack::ArrayN::<u8, 1>::default());
    /// ```
    const MEMBERS: u8 = {
        assert!(N >= 2 && N <= 4, "a grid on the wire has two to four dimensions; a `Vec` has one");
        N as u8 + 1
    };

    fn offset(&self, place: [usize; N]) -> Option<usize> {
        let mut offset = 0;
        for (index, dim) in place.into_iter().zip(self.dims) {
            if index >= dim {
                return None;
            }
            offset = offset * dim + index;
        }
        Some(offset)
    }
}

/// How many items there are.
pub(crate) fn total<const N: usize>(dims: [usize; N]) -> Option<usize> {
    if dims.contains(&0) { Some(0) } else { dims.into_iter().try_fold(1, usize::checked_mul) }
}

impl<T, const N: usize> Default for ArrayN<T, N> {
    /// No items; each dimension is 0.
    fn default() -> ArrayN<T, N> {
        ArrayN { dims: [0; N], items: Vec::new() }
    }
}

impl<T, const N: usize> Index<[usize; N]> for ArrayN<T, N> {
    type Output = T;

    /// # Panics
    /// When there is no such place.
    fn index(&self, place: [usize; N]) -> &T {
        let dims = self.dims;
        self.get(place).unwrap_or_else(|| panic!("{place:?} lies outside the dimensions {dims:?}"))
    }
}

impl<T, const N: usize> IndexMut<[usize; N]> for ArrayN<T, N> {
    /// # Panics
    /// When there is no such place.
    fn index_mut(&mut self, place: [usize; N]) -> &mut T {
        let dims = self.dims;
        self.get_mut(place).unwrap_or_else(|| panic!("{place:?} lies outside the dimensions {dims:?}"))
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for ArrayN<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayN").field("dims", &self.dims).field("items", &self.items).finish()
    }
}

impl<T: Pack, const N: usize> Pack for ArrayN<T, N> {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = 1 + 4 * N + 4;

    fn describe(to: &mut crate::Describe) {
        to.counted("grid", N, T::describe);
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.u8(const { Self::MEMBERS })?;
        self.dims.into_iter().try_for_each(|dim| writer.count(dim))?;
        self.items.pack(writer)
    }
}

impl<'a, T: Unpack<'a>, const N: usize> Unpack<'a> for ArrayN<T, N> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut grid = ArrayN::default();
        grid.overwrite(reader)?;
        Ok(grid)
    }

    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        header::exactly(reader, const { Self::MEMBERS }, "ArrayN")?;
        let place = reader.position();
        let mut dims = [0; N];
        for dim in &mut dims {
            let length = reader.i32()?;
            *dim = usize::try_from(length).map_err(|_| {
                let message = format!("a dimension of {length} items");
                Error::new(ErrorKind::LengthInvalid, reader.position() - 4, message)
            })?;
        }
        let read = self.items.overwrite(reader);
        if total(dims) == Some(self.items.len()) {
            self.dims = dims;
            return read;
        }
        // The old items no longer match the dimensions.
        let count = self.items.len();
        *self = ArrayN::default();
        read?;
        let message = format!("{count} items in the dimensions {dims:?}");
        Err(Error::new(ErrorKind::LengthInvalid, place, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_dimension_lies_side_by_side() {
        let grid = Array3::from_vec([2, 3, 4], (0..24).collect()).unwrap();
        let mut expected = 0;
        for x in 0..2 {
            for y in 0..3 {
                for z in 0..4 {
                    assert_eq!(grid[[x, y, z]], expected);
                    expected += 1;
                }
            }
        }
        assert_eq!(grid.get([0, 3, 0]), None);
        assert_eq!(grid.get([0, 0, 4]), None);
    }

    #[test]
    fn dimensions_must_multiply_to_the_number_of_items() {
        assert!(Array2::from_vec([2, 2], vec![0; 5]).is_none());
        assert!(Array4::<u8>::from_vec([usize::MAX, usize::MAX, 2, 0], vec![]).is_some());
        assert!(Array2::<u8>::from_vec([usize::MAX, 2], vec![0; 2]).is_none(), "the product does not wrap");
        assert!(Array2::filled([1 << 40, 1 << 40], 0_u8).is_none());
    }
}
