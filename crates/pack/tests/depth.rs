//! Values inside one another: the limit, and that it is reached before a small stack is used up.

use upcall_pack::{
    Arena, Error, ErrorKind, Graph, Options, Pack, Ref, Unpack, from_slice, overwrite, to_vec,
};

macro_rules! list {
    ($name:ident $($option:tt)*) => {
        #[derive(Clone, Debug, Default, PartialEq, Pack)]
        #[pack($($option)* crate = upcall_pack)]
        struct $name {
            a: String,
            b: Option<Vec<u64>>,
            c: (u8, String),
            d: f64,
            next: Option<Box<$name>>,
            e: Option<String>,
            f: [String; 4],
            g: Vec<String>,
            h: Vec<String>,
            i: Option<u64>,
            j: Option<Vec<String>>,
            k: String,
            l: String,
            m: String,
            n: Vec<u32>,
            o: Vec<f64>,
            p: Vec<bool>,
            q: String,
            r: String,
            s: bool,
            t: char,
        }

        impl $name {
            fn of(length: usize) -> $name {
                let mut list = $name::default();
                for _ in 1..length {
                    list = $name { next: Some(Box::new(list)), ..$name::default() };
                }
                list
            }
        }
    };
}
list!(Class);
list!(Managed struct,);
list!(Tolerant version_tolerant,);

#[derive(Clone, Debug, PartialEq, Pack)]
#[pack(union, crate = upcall_pack)]
enum Expression {
    Negation(Negation),
    List(Box<Class>),
}

#[derive(Clone, Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct Negation {
    of: Vec<Expression>,
}

#[derive(Clone, Debug, Default, PartialEq, Pack)]
#[pack(circular, crate = upcall_pack)]
struct Node {
    name: String,
    next: Option<Ref<Node>>,
    others: Option<Vec<Ref<Node>>>,
}

fn on_a_stack_of(bytes: usize, body: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(bytes).spawn(body).unwrap().join().unwrap();
}

/// What a thread has unless somebody asks for another.
const SMALL: usize = 2 << 20;
/// What a thread has on macOS that does not ask for more: the least that the default limit is for.
const SMALLEST: usize = 512 << 10;
const LARGE: usize = 64 << 20;

/// Levels that fit a megabyte even without optimisation and under AddressSanitizer, where one of twenty
/// members takes 36 kB; without the latter it takes 5.
const FITS: usize = 20;
const TOO_DEEP: usize = Options::DEPTH as usize + 1;

fn both_ways<T>(value: fn(usize) -> T)
where
    T: for<'a> Unpack<'a> + Pack + PartialEq + std::fmt::Debug + 'static,
{
    on_a_stack_of(SMALL, move || {
        let mut fits = value(FITS);
        let options = Options::new().stack(SMALL / 2);
        let bytes = options.to_vec(&fits).unwrap();
        assert!(options.from_slice::<T>(&bytes).unwrap() == fits);
        options.overwrite(&mut fits, &bytes).unwrap();
        assert!(options.to_vec(&fits).unwrap() == bytes);
    });
    on_a_stack_of(LARGE, move || {
        let options = Options::new().stack(LARGE / 2);
        let bytes = options.depth(3 * Options::DEPTH).to_vec(&value(TOO_DEEP)).unwrap();
        refused(options.to_vec(&value(TOO_DEEP)));
        refused(options.from_slice::<T>(&bytes));
        on_a_stack_of(SMALLEST, move || {
            refused(to_vec(&value(TOO_DEEP)));
            refused(from_slice::<T>(&bytes));
            refused(overwrite(&mut value(TOO_DEEP), &bytes));
        });
    });
}

#[track_caller]
fn refused<T>(result: Result<T, Error>) {
    let error = result.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::DepthExceeded);
    assert!(error.to_string().len() < 2000, "{error}");
}

#[test]
fn objects_inside_one_another_never_overflow_a_stack() {
    both_ways(Class::of);
    both_ways(Managed::of);
    both_ways(Tolerant::of);
}

#[test]
fn unions_inside_one_another_never_overflow_a_stack() {
    both_ways(|depth| {
        let mut value = Expression::List(Box::default());
        for _ in 1..depth {
            value = Expression::Negation(Negation { of: vec![value] });
        }
        value
    });
}

#[test]
fn references_that_lead_on_never_overflow_a_stack() {
    let chain = |length: usize| {
        let mut arena = Arena::new();
        let mut root = arena.add(Node::default());
        for _ in 1..length {
            root = arena.add(Node { next: Some(root), ..Node::default() });
        }
        Graph { arena, root }
    };
    on_a_stack_of(LARGE, move || {
        let options = Options::new().stack(LARGE / 2);
        let bytes = options.to_vec(&chain(FITS)).unwrap();
        let read: Graph<Ref<Node>> = options.from_slice(&bytes).unwrap();
        assert!(options.to_vec(&read).unwrap() == bytes);
        let options = options.depth(2 * Options::DEPTH);
        let bytes = options.to_vec(&chain(TOO_DEEP)).unwrap();
        on_a_stack_of(SMALLEST, move || {
            refused(to_vec(&chain(TOO_DEEP)));
            refused(from_slice::<Graph<Ref<Node>>>(&bytes));
        });
    });
}

#[test]
fn the_limit_is_the_readers_and_the_writers_to_choose() {
    let two = to_vec(&Class::of(2)).unwrap();
    let error = Options::new().depth(1).from_slice::<Class>(&two).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthExceeded);
    assert!(Options::new().depth(2).from_slice::<Class>(&two).is_ok());
    assert!(Options::new().depth(1).to_vec(&Class::of(2)).is_err());
    assert!(Options::new().depth(0).to_vec(&Vec::<Class>::new()).is_ok());
}

/// A union may lie in itself without a class between.
#[derive(Clone, Debug, PartialEq, Pack)]
#[pack(union, crate = upcall_pack)]
enum Chain {
    Link(upcall_pack::Lazy<Option<Box<Chain>>>),
}

#[test]
fn a_union_of_unions_never_overflows_a_stack() {
    let hostile = [0, 1].repeat(2_000_000);
    on_a_stack_of(SMALLEST, move || refused(from_slice::<Chain>(&hostile)));
    let end = || Chain::Link(upcall_pack::Lazy(None));
    let nested =
        |count| (0..count).fold(end(), |inner, _| Chain::Link(upcall_pack::Lazy(Some(Box::new(inner)))));
    let options = Options::new().stack(SMALL / 2);
    let bytes = options.to_vec(&nested(50)).unwrap();
    assert_eq!(options.from_slice::<Chain>(&bytes).unwrap(), nested(50));
    refused(to_vec(&nested(TOO_DEEP)));
}

/// Small objects: as deep as the limit says, in debug builds too.
mod small {
    use upcall_pack::{Pack, Ref};

    #[derive(Clone, Debug, Default, PartialEq, Pack)]
    #[pack(crate = upcall_pack)]
    pub struct Link {
        pub number: i32,
        pub next: Option<Box<Link>>,
    }

    #[derive(Clone, Debug, Default, PartialEq, Pack)]
    #[pack(crate = upcall_pack)]
    pub struct Tree {
        pub kids: Vec<Tree>,
    }

    #[derive(Clone, Debug, Default, PartialEq, Pack)]
    #[pack(crate = upcall_pack, version_tolerant)]
    pub struct Tolerant {
        #[pack(order = 0)]
        pub next: Option<Box<Tolerant>>,
    }

    #[derive(Clone, Debug, PartialEq, Pack)]
    #[pack(union, crate = upcall_pack)]
    pub enum Either {
        Not(Not),
        Leaf(Tree),
    }

    #[derive(Clone, Debug, PartialEq, Pack)]
    #[pack(crate = upcall_pack)]
    pub struct Not {
        pub of: Vec<Either>,
    }

    #[derive(Clone, Debug, Default, PartialEq, Pack)]
    #[pack(circular, crate = upcall_pack)]
    pub struct Node {
        pub next: Option<Ref<Node>>,
    }
}

#[test]
fn small_objects_are_as_deep_in_one_another_as_the_limit_says_in_every_build() {
    use small::{Either, Link, Node, Not, Tolerant, Tree};
    // Miri and the address sanitizer have frames of their own.
    let levels = if cfg!(miri) { 100 } else { Options::DEPTH as usize };
    on_a_stack_of(16 << 20, move || {
        fn all_ways<T>(value: T)
        where
            T: for<'a> Unpack<'a> + Pack + Clone + PartialEq + std::fmt::Debug,
        {
            let bytes = to_vec(&value).unwrap();
            assert!(from_slice::<T>(&bytes).unwrap() == value);
            let mut over = value.clone();
            overwrite(&mut over, &bytes).unwrap();
            assert!(over == value);
        }
        all_ways((1..levels).fold(Link::default(), |link, _| Link { number: 1, next: Some(Box::new(link)) }));
        all_ways((1..levels).fold(Tree::default(), |tree, _| Tree { kids: vec![tree] }));
        all_ways((1..levels).fold(Tolerant::default(), |next, _| Tolerant { next: Some(Box::new(next)) }));
        let leaf = Either::Leaf(Tree::default());
        all_ways((2..levels / 2).fold(leaf, |leaf, _| Either::Not(Not { of: vec![leaf] })));
        let mut arena = Arena::new();
        let mut root = arena.add(Node::default());
        for _ in 1..levels {
            root = arena.add(Node { next: Some(root) });
        }
        let bytes = to_vec(&Graph { arena, root }).unwrap();
        assert!(to_vec(&from_slice::<Graph<Ref<Node>>>(&bytes).unwrap()).unwrap() == bytes);
    });
}

#[test]
fn a_limit_of_the_stack_that_was_chosen_holds() {
    let tree = (1..200).fold(small::Tree::default(), |tree, _| small::Tree { kids: vec![tree] });
    refused(Options::new().stack(4096).to_vec(&tree));
    assert!(to_vec(&tree).is_ok());
}
