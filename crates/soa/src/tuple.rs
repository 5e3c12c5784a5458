use crate::columns::{Columns, DropRows, Visit};

/// Calls `$of` for the tuples of 1 to 16 lists. The derive nests tuples for structs with more fields.
#[doc(hidden)]
#[macro_export]
macro_rules! every_size {
    ($of:ident) => {
        $crate::every_size!($of; A 0 | B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15);
    };
    ($of:ident; $($list:ident $index:tt),+ | $next:ident $at:tt $(, $rest:ident $place:tt)*) => {
        $of!($($list $index),+);
        $crate::every_size!($of; $($list $index),+, $next $at | $($rest $place),*);
    };
    ($of:ident; $($list:ident $index:tt),+ |) => {
        $of!($($list $index),+);
    };
}

const fn greatest(numbers: &[usize]) -> usize {
    let (mut greatest, mut at) = (0, 0);
    while at < numbers.len() {
        if numbers[at] > greatest {
            greatest = numbers[at];
        }
        at += 1;
    }
    greatest
}

macro_rules! tuples {
    ($($list:ident $index:tt),+) => {
        // SAFETY: each list does with its own columns what is asked, in the tuple's order.
        unsafe impl<$($list: Columns),+> Columns for ($($list,)+) {
            type Row = ($($list::Row,)+);
            type Elements = ($($list::Elements,)+);
            type Pointers = ($($list::Pointers,)+);
            type Ref<'a> = ($($list::Ref<'a>,)+);
            type RefMut<'a> = ($($list::RefMut<'a>,)+);
            type Slices<'a> = ($($list::Slices<'a>,)+);
            type SlicesMut<'a> = ($($list::SlicesMut<'a>,)+);

            const ROW: usize = 0 $(+ $list::ROW)+;
            const ALIGN: usize = greatest(&[$($list::ALIGN),+]);
            const NEEDS_DROP: bool = $($list::NEEDS_DROP)||+;

            #[inline]
            fn dangling() -> Self::Pointers {
                ($($list::dangling(),)+)
            }

            #[inline]
            unsafe fn map(at: Self::Pointers, visit: &mut impl Visit) -> Self::Pointers {
                // SAFETY: the caller's promise, for each list.
                unsafe { ($($list::map(at.$index, visit),)+) }
            }

            #[inline]
            unsafe fn write(at: Self::Pointers, index: usize, row: Self::Row) {
                // SAFETY: the caller's promise, for each list.
                unsafe { $($list::write(at.$index, index, row.$index);)+ }
            }

            #[inline]
            unsafe fn read(at: Self::Pointers, index: usize) -> Self::Row {
                // SAFETY: the caller's promise, for each list.
                unsafe { ($($list::read(at.$index, index),)+) }
            }

            #[inline]
            unsafe fn drop(at: Self::Pointers, from: usize, len: usize) {
                // SAFETY: the caller's promise, for each list. A tuple's parts are all dropped, come what may.
                drop(unsafe { ($(DropRows::<$list>::new(at.$index, from, len),)+) });
            }

            #[inline]
            unsafe fn get<'a>(at: Self::Pointers, index: usize) -> Self::Ref<'a> {
                // SAFETY: the caller's promise, for each list.
                unsafe { ($($list::get(at.$index, index),)+) }
            }

            #[inline]
            unsafe fn get_mut<'a>(at: Self::Pointers, index: usize) -> Self::RefMut<'a> {
                // SAFETY: the caller's promise, for each list.
                unsafe { ($($list::get_mut(at.$index, index),)+) }
            }

            #[inline]
            unsafe fn slices<'a>(at: Self::Pointers, len: usize) -> Self::Slices<'a> {
                // SAFETY: the caller's promise, for each list.
                unsafe { ($($list::slices(at.$index, len),)+) }
            }

            #[inline]
            unsafe fn slices_mut<'a>(at: Self::Pointers, len: usize) -> Self::SlicesMut<'a> {
                // SAFETY: the caller's promise, for each list.
                unsafe { ($($list::slices_mut(at.$index, len),)+) }
            }
        }
    };
}
crate::every_size!(tuples);
