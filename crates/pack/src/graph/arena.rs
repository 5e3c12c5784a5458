use super::Circular;
use crate::prelude::*;
use core::any::{Any, TypeId};
use core::marker::PhantomData;
use core::{fmt, hash, ops};

/// A reference to a `T` in an [`Arena`].
pub struct Ref<T> {
    index: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Ref<T> {
    pub(super) fn new(index: usize) -> Ref<T> {
        Ref { index: index as u32, of: PhantomData }
    }

    /// Where it is among the arena's objects of its type, in the order in which they were added or read.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// Owns the objects of a [`Graph`](super::Graph), of all types.
#[derive(Default)]
pub struct Arena {
    /// A few types at most, so they are searched one after another.
    pools: Vec<(TypeId, Box<dyn Any + Send + Sync>)>,
}

/// The objects of one type. One that is still being read is `None`.
type Pool<T> = Vec<Option<T>>;

impl Arena {
    /// An arena without objects.
    #[must_use]
    pub fn new() -> Arena {
        Arena::default()
    }

    /// Adds an object.
    ///
    /// # Panics
    /// When there are more than `u32::MAX` of its type.
    pub fn add<T: Circular>(&mut self, object: T) -> Ref<T> {
        let pool = self.pool_mut::<T>();
        assert!(pool.len() < u32::MAX as usize, "an arena holds at most u32::MAX objects of a type");
        pool.push(Some(object));
        Ref::new(pool.len() - 1)
    }

    /// The object. A reference from another arena finds none, or the wrong one.
    #[must_use]
    pub fn get<T: Circular>(&self, object: Ref<T>) -> Option<&T> {
        self.pool::<T>()?.get(object.index())?.as_ref()
    }

    /// The object. A reference from another arena finds none, or the wrong one.
    pub fn get_mut<T: Circular>(&mut self, object: Ref<T>) -> Option<&mut T> {
        self.pool_mut::<T>().get_mut(object.index())?.as_mut()
    }

    /// The objects of one type, in the order in which they were added or read.
    pub fn iter<T: Circular>(&self) -> impl Iterator<Item = (Ref<T>, &T)> {
        let objects = self.pool::<T>().into_iter().flatten().enumerate();
        objects.filter_map(|(index, object)| Some((Ref::new(index), object.as_ref()?)))
    }

    fn place<T: Circular>(&self) -> Option<usize> {
        self.pools.iter().position(|(of, _)| *of == TypeId::of::<T>())
    }

    fn pool<T: Circular>(&self) -> Option<&Pool<T>> {
        self.pools[self.place::<T>()?].1.downcast_ref()
    }

    pub(super) fn pool_mut<T: Circular>(&mut self) -> &mut Pool<T> {
        let place = self.place::<T>().unwrap_or_else(|| {
            self.pools.push((TypeId::of::<T>(), Box::new(Pool::<T>::new())));
            self.pools.len() - 1
        });
        self.pools[place].1.downcast_mut().expect("the pool at a type's place is of that type")
    }
}

impl<T: Circular> ops::Index<Ref<T>> for Arena {
    type Output = T;

    fn index(&self, object: Ref<T>) -> &T {
        self.get(object).expect("the reference is from this arena")
    }
}

impl<T: Circular> ops::IndexMut<Ref<T>> for Arena {
    fn index_mut(&mut self, object: Ref<T>) -> &mut T {
        self.get_mut(object).expect("the reference is from this arena")
    }
}

impl fmt::Debug for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena").field("types", &self.pools.len()).finish_non_exhaustive()
    }
}

impl<T> Clone for Ref<T> {
    fn clone(&self) -> Ref<T> {
        *self
    }
}

impl<T> Copy for Ref<T> {}

impl<T> PartialEq for Ref<T> {
    fn eq(&self, other: &Ref<T>) -> bool {
        self.index == other.index
    }
}

impl<T> Eq for Ref<T> {}

impl<T> hash::Hash for Ref<T> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<T> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ref({})", self.index)
    }
}
