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

/// The stack that a thread has unless somebody asks for another. The types have twenty members, and without
/// optimisation each of them costs some of it.
fn on_a_small_stack(body: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(body).unwrap().join().unwrap();
}

fn both_ways<T: for<'a> Unpack<'a> + Pack + PartialEq + std::fmt::Debug>(mut fits: T, too_deep: T) {
    let bytes = to_vec(&fits).unwrap();
    assert!(from_slice::<T>(&bytes).unwrap() == fits);
    overwrite(&mut fits, &bytes).unwrap();
    assert!(to_vec(&fits).unwrap() == bytes);

    let refused = |error: Error| assert_eq!(error.kind(), ErrorKind::DepthExceeded);
    refused(to_vec(&too_deep).unwrap_err());
    let bytes = Options::new().depth(2000).to_vec(&too_deep).unwrap();
    refused(from_slice::<T>(&bytes).unwrap_err());
    refused(overwrite(&mut fits, &bytes).unwrap_err());
}

const MOST: usize = Options::DEPTH as usize;

#[test]
fn objects_inside_one_another_down_to_the_limit_fit_a_small_stack() {
    on_a_small_stack(|| both_ways(Class::of(MOST), Class::of(MOST + 1)));
    on_a_small_stack(|| both_ways(Managed::of(MOST), Managed::of(MOST + 1)));
    on_a_small_stack(|| both_ways(Tolerant::of(MOST), Tolerant::of(MOST + 1)));
}

#[test]
fn unions_inside_one_another_down_to_the_limit_fit_a_small_stack() {
    let negations = |depth: usize| {
        let mut value = Expression::List(Box::default());
        for _ in 1..depth {
            value = Expression::Negation(Negation { of: vec![value] });
        }
        value
    };
    on_a_small_stack(move || both_ways(negations(MOST), negations(MOST + 1)));
}

#[test]
fn references_that_lead_on_down_to_the_limit_fit_a_small_stack() {
    let chain = |length: usize| {
        let mut arena = Arena::new();
        let mut root = arena.add(Node::default());
        for _ in 1..length {
            root = arena.add(Node { next: Some(root), ..Node::default() });
        }
        Graph { arena, root }
    };
    on_a_small_stack(move || {
        let bytes = to_vec(&chain(MOST)).unwrap();
        let read: Graph<Ref<Node>> = from_slice(&bytes).unwrap();
        assert!(to_vec(&read).unwrap() == bytes);
        assert_eq!(to_vec(&chain(MOST + 1)).unwrap_err().kind(), ErrorKind::DepthExceeded);
        let bytes = Options::new().depth(2000).to_vec(&chain(MOST + 1)).unwrap();
        let error = from_slice::<Graph<Ref<Node>>>(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthExceeded);
        assert!(error.to_string().len() < 2000, "{error}");
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
