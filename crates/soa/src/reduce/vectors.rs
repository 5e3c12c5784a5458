//! Vector types from lists of instructions.
//!
//! Where the macros are used, `load`, `store`, `xor`, `nowhere` (for integers) and `Mask` are in scope.

/// Vectors of integers: name and register, number, lanes, and the instructions.
macro_rules! integers {
    ($register:ident, halves $half:ident; $(
        $vector:ident: [$number:ident as $raw:ident; $lanes:literal], mask bits $bits:literal,
        splat $splat:expr, add $add:expr, min $min:expr, max $max:expr, equal $equal:expr, widen $widen:expr;
    )*) => { $(
        #[doc = concat!("Of `", stringify!($number), "`.")]
        #[derive(Clone, Copy)]
        pub struct $vector($register);

        impl $crate::reduce::vector::Vector for $vector {
            type Item = $number;
            type Mask = Mask;
            const LANES: usize = $lanes;
            const MASK_BITS: usize = $bits;

            #[inline(always)]
            unsafe fn load(from: *const $number) -> Self {
                // SAFETY: the caller answers for the memory and the CPU.
                Self(unsafe { load(from.cast()) })
            }

            #[inline(always)]
            unsafe fn splat(value: $number) -> Self {
                // SAFETY: the caller answers for the CPU.
                Self(unsafe { $splat(value as $raw) })
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $number) {
                // SAFETY: the caller answers for the room, `self` for the CPU.
                unsafe { store(to.cast(), self.0) }
            }

            $crate::reduce::vectors::operations!($add, $min, $max, $equal);

            #[inline(always)]
            fn unordered(self, _: Self) -> Mask {
                // SAFETY: `self` answers for the CPU.
                Mask(unsafe { nowhere() })
            }
        }

        impl $crate::reduce::vector::Widen for $vector {
            type Half = $half;

            #[inline(always)]
            fn widen(self) -> ($half, $half) {
                // SAFETY: `self` answers for the CPU.
                let (first, second) = unsafe {
                    let sign = <Self as $crate::reduce::vector::Vector>::splat(
                        <$number as $crate::reduce::number::Integer>::SIGN,
                    );
                    $widen(xor(self.0, sign.0))
                };
                ($half(first), $half(second))
            }
        }
    )* };
}

/// Vectors of floats: the same.
macro_rules! floats {
    ($(
        $vector:ident($register:ident): [$number:ident; $lanes:literal], mask bits $bits:literal,
        load $load:expr, store $store:expr, splat $splat:expr,
        add $add:expr, min $min:expr, max $max:expr, equal $equal:expr, unordered $unordered:expr;
    )*) => { $(
        #[doc = concat!("Of `", stringify!($number), "`.")]
        #[derive(Clone, Copy)]
        pub struct $vector($register);

        impl $crate::reduce::vector::Vector for $vector {
            type Item = $number;
            type Mask = Mask;
            const LANES: usize = $lanes;
            const MASK_BITS: usize = $bits;

            #[inline(always)]
            unsafe fn load(from: *const $number) -> Self {
                // SAFETY: the caller answers for the memory and the CPU.
                Self(unsafe { $load(from) })
            }

            #[inline(always)]
            unsafe fn splat(value: $number) -> Self {
                // SAFETY: the caller answers for the CPU.
                Self(unsafe { $splat(value) })
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $number) {
                // SAFETY: the caller answers for the room, `self` for the CPU.
                unsafe { $store(to, self.0) }
            }

            $crate::reduce::vectors::operations!($add, $min, $max, $equal);

            #[inline(always)]
            fn unordered(self, other: Self) -> Mask {
                // SAFETY: `self` answers for the CPU.
                Mask::from(unsafe { $unordered(self.0, other.0) })
            }
        }

        impl $crate::reduce::vector::LoadFrom<$number> for $vector {
            #[inline(always)]
            unsafe fn load_from(from: *const $number) -> Self {
                // SAFETY: the contract is the same.
                unsafe { <Self as $crate::reduce::vector::Vector>::load(from) }
            }
        }
    )* };
}

/// What integers and floats have in common.
macro_rules! operations {
    ($add:expr, $min:expr, $max:expr, $equal:expr) => {
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: `self` answers for the CPU.
            Self(unsafe { $add(self.0, other.0) })
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: `self` answers for the CPU.
            Self(unsafe { $min(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: `self` answers for the CPU.
            Self(unsafe { $max(self.0, other.0) })
        }

        #[inline(always)]
        fn equal(self, other: Self) -> Mask {
            // SAFETY: `self` answers for the CPU.
            Mask::from(unsafe { $equal(self.0, other.0) })
        }
    };
}

pub(super) use {floats, integers, operations};
