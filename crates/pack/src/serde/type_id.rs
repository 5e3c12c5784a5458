use core::any::TypeId;
use core::marker::PhantomData;
use core::mem;

/// What tells a type from others, whatever lifetimes it has.
pub(super) fn type_id<T: ?Sized>() -> TypeId {
    trait Typed {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }

    impl<T: ?Sized> Typed for PhantomData<T> {
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }

    let of = PhantomData::<T>;
    let erased: &dyn Typed = &of;
    // SAFETY: only the lifetimes in the type are made longer, and `id` looks at no value that could have ended: a
    // `PhantomData` holds none. The type that it asks about is the same after lifetimes are erased.
    unsafe { mem::transmute::<&dyn Typed, &(dyn Typed + 'static)>(erased) }.id()
}

/// Whether `whole` is the tuple of `count` items of `T`, and not an array or what else holds as many.
pub(super) fn is_tuple_of<T>(whole: TypeId, count: usize) -> bool {
    macro_rules! tuples {
        ($($count:literal ($($item:ident)+),)+) => {
            match count {
                $($count => whole == type_id::<($($item,)+)>(),)+
                _ => false,
            }
        };
    }
    tuples! {
        1 (T),
        2 (T T),
        3 (T T T),
        4 (T T T T),
        5 (T T T T T),
        6 (T T T T T T),
        7 (T T T T T T T),
        8 (T T T T T T T T),
        9 (T T T T T T T T T),
        10 (T T T T T T T T T T),
        11 (T T T T T T T T T T T),
        12 (T T T T T T T T T T T T),
        13 (T T T T T T T T T T T T T),
        14 (T T T T T T T T T T T T T T),
        15 (T T T T T T T T T T T T T T T),
        16 (T T T T T T T T T T T T T T T T),
    }
}
