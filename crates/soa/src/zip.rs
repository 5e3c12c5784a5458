/// Iterates over several columns, or other iterables, side by side; see [`zip`].
pub trait Zip {
    /// One element of each.
    type Item;
    /// Its elements side by side, to the end of the shortest.
    fn zip(self) -> impl Iterator<Item = Self::Item>;
}

/// The elements of 2 to 6 columns side by side, to the end of the shortest, each read or written as it comes.
///
/// ```
/// let (mass, mut energy) = ([2.0, 3.0], [0.0; 2]);
/// for (mass, speed, energy) in upcall_soa::zip((&mass, &[1.0, 10.0], &mut energy)) {
///     *energy = mass * speed * speed / 2.0;
/// }
/// assert_eq!(energy, [1.0, 150.0]);
/// ```
pub fn zip<Z: Zip>(columns: Z) -> impl Iterator<Item = Z::Item> {
    columns.zip()
}

macro_rules! zips {
    ($($first:ident $one:ident $(, $list:ident $name:ident)+;)*) => {$(
        impl<$first: IntoIterator $(, $list: IntoIterator)+> Zip for ($first, $($list),+) {
            type Item = ($first::Item, $($list::Item),+);

            #[inline]
            fn zip(self) -> impl Iterator<Item = Self::Item> {
                let ($one, $($name),+) = self;
                let zipped = $one.into_iter();
                $(let zipped = zipped.zip($name);)+
                zipped.map(zips!(@pattern $one; $($name)+))
            }
        }
    )*};
    (@pattern $one:ident; $a:ident) => { |($one, $a)| ($one, $a) };
    (@pattern $one:ident; $a:ident $b:ident) => { |(($one, $a), $b)| ($one, $a, $b) };
    (@pattern $one:ident; $a:ident $b:ident $c:ident) => { |((($one, $a), $b), $c)| ($one, $a, $b, $c) };
    (@pattern $one:ident; $a:ident $b:ident $c:ident $d:ident) => {
        |(((($one, $a), $b), $c), $d)| ($one, $a, $b, $c, $d)
    };
    (@pattern $one:ident; $a:ident $b:ident $c:ident $d:ident $e:ident) => {
        |((((($one, $a), $b), $c), $d), $e)| ($one, $a, $b, $c, $d, $e)
    };
}
zips! {
    A a, B b;
    A a, B b, C c;
    A a, B b, C c, D d;
    A a, B b, C c, D d, E e;
    A a, B b, C c, D d, E e, F f;
}
