//! What the derive makes of structs and enums.

use upcall_derive::Soa;

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
enum Shape {
    Circle(f32),
    Rect { w: f32, h: f32 },
    Text(String, u8),
    Empty,
}

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
struct Thing {
    name: String,
    #[soa(flatten)]
    place: Point,
    #[soa(flatten)]
    shape: Shape,
    r#type: (),
}

/// No `Debug`, no `Clone`, no `PartialEq`: nothing needs them.
#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Bare {
    nothing: std::cell::Cell<u8>,
    opaque: Box<dyn Fn() -> u8>,
}

#[derive(Debug, PartialEq, Clone, Soa)]
#[soa(crate = upcall_soa)]
struct Pair<A, B: Clone, const N: usize>
where
    A: PartialEq,
{
    a: A,
    b: [B; N],
}

#[test]
fn columns_are_slices_and_rows_are_references() {
    let mut points = PointSoaVec::new();
    points.push(Point { x: 1.0, y: 2.0 });
    points.push(Point { x: 3.0, y: 4.0 });
    assert_eq!(points.x(), [1.0, 3.0]);
    points.y_mut()[0] = 5.0;
    *points.row_mut(1).x = 7.0;
    let PointColumnsMut { x, y } = points.columns_mut();
    x[0] += y[0];
    assert_eq!(points.to_vec(), [Point { x: 6.0, y: 5.0 }, Point { x: 7.0, y: 4.0 }]);
    assert_eq!(format!("{points:?}"), "[Point { x: 6.0, y: 5.0 }, Point { x: 7.0, y: 4.0 }]");
    let boxed: PointSoa = points.clone().into();
    assert_eq!(boxed.as_slice().split(1).1.columns().x, [7.0]);
    assert_eq!(boxed.into_vec(), points);
}

#[test]
fn nested_structs_and_enums_are_flattened() {
    let things: Vec<Thing> = vec![
        Thing { name: "a".into(), place: Point { x: 1.0, y: 2.0 }, shape: Shape::Circle(3.0), r#type: () },
        Thing {
            name: "b".into(),
            place: Point { x: 4.0, y: 5.0 },
            shape: Shape::Text("t".into(), 6),
            r#type: (),
        },
        Thing { name: "c".into(), place: Point { x: 7.0, y: 8.0 }, shape: Shape::Empty, r#type: () },
        Thing {
            name: "d".into(),
            place: Point { x: 0.0, y: 0.0 },
            shape: Shape::Rect { w: 1.0, h: 2.0 },
            r#type: (),
        },
    ];
    let mut columns = ThingSoaVec::from(things.clone());
    assert_eq!(columns.place().x(), [1.0, 4.0, 7.0, 0.0]);
    assert_eq!(columns.shape().tags(), [ShapeTag::Circle, ShapeTag::Text, ShapeTag::Empty, ShapeTag::Rect]);
    assert_eq!(columns.r#type(), [(); 4]);
    assert_eq!(columns.type_mut().len(), 4);
    assert_eq!(columns.to_vec(), things);
    assert_eq!(columns.clone(), columns);
    assert_eq!(format!("{columns:?}"), format!("{things:?}"));

    columns.place_mut().x_mut()[0] = 9.0;
    if let ShapeRefMut::Text(text, number) = columns.shape_mut().row_mut(1) {
        text.push('!');
        *number += 1;
    }
    assert_eq!(columns.row(1).shape, ShapeRef::Text(&"t!".to_owned(), &7));
    assert_ne!(columns.to_vec(), things);
    drop(columns.shape_mut().replace(3, Shape::Text("x".into(), 0)));
    columns.sort_by(|a, b| a.name.cmp(b.name).reverse());
    assert_eq!(columns.row(0).shape, ShapeRef::Text(&"x".to_owned(), &0));
    columns.retain(|thing| !matches!(thing.shape, ShapeRef::Empty));
    assert_eq!(columns.len(), 3);
    assert_eq!(Vec::from(columns)[2].place.x, 9.0);
}

#[test]
fn nothing_is_asked_of_elements() {
    let mut bare = BareSoaVec::new();
    bare.push(Bare { nothing: 1.into(), opaque: Box::new(|| 7) });
    bare.nothing()[0].set(3);
    let Bare { nothing, opaque } = bare.pop().unwrap();
    assert_eq!((nothing.get(), opaque()), (3, 7));
}

#[test]
fn types_and_numbers_may_be_parameters() {
    let mut pairs: PairSoaVec<String, u16, 3> =
        (0..5).map(|i| Pair { a: i.to_string(), b: [i; 3] }).collect();
    assert_eq!(pairs.b()[2], [2; 3]);
    pairs.swap(0, 4);
    assert_eq!(pairs.clone(), pairs);
    assert_eq!(pairs.row(0).a, "4");
}

macro_rules! wide {
    ($($field:ident)*) => {
        #[derive(Clone, Debug, PartialEq, Soa)]
        #[soa(crate = upcall_soa)]
        struct Wide { $($field: u8),* }

        #[test]
        fn a_struct_may_have_more_fields_than_a_tuple_has_places() {
            let mut number = 0;
            let wide = Wide { $($field: { number += 1; number }),* };
            let mut rows = WideSoaVec::from([wide.clone(), wide.clone()]);
            rows.insert(1, wide.clone());
            assert_eq!(rows.to_vec(), [wide.clone(), wide.clone(), wide]);
            let starts = [$(rows.$field().as_ptr() as usize % 64),*];
            assert!(starts.iter().all(|start| *start == 0));
        }
    };
}
wide!(a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd ee ff gg hh ii jj kk ll mm);

#[test]
fn spans_are_the_columns_own_memory() {
    mod inner {
        #[derive(upcall_derive::Soa)]
        #[soa(crate = upcall_soa, spans)]
        pub(super) struct Place {
            pub(super) x: f32,
            pub(super) cell: [u16; 2],
        }
    }

    #[derive(Soa)]
    #[soa(crate = upcall_soa, spans)]
    struct Body {
        id: u64,
        #[soa(flatten)]
        place: inner::Place,
    }

    let body = |id| Body { id, place: inner::Place { x: 0.5, cell: [1, 2] } };
    let mut bodies: BodySoaVec = (0..9).map(body).collect();
    let BodySpans { id, place } = bodies.spans();
    assert_eq!((id.len, place.x.len, place.cell.len), (9, 9, 9));
    // SAFETY: these are the columns, which nobody else uses meanwhile.
    unsafe { *id.data.add(3) = 77 };
    assert_eq!(bodies.id()[3], 77);
    assert_eq!(bodies.place().cell().as_ptr(), place.cell.data.cast_const());
}

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
#[repr(i16)]
enum Message<A: Clone, const N: usize> {
    Nothing = -7,
    One(A) = 300,
    Many { r#in: [A; N], len: usize },
}

#[test]
fn an_enum_may_have_parameters_and_numbers_of_its_own() {
    let messages: Vec<Message<String, 2>> = vec![
        Message::One("a".into()),
        Message::Nothing,
        Message::Many { r#in: ["b".into(), "c".into()], len: 2 },
    ];
    let mut rows: MessageSoaVec<String, 2> = messages.clone().into();
    assert_eq!(rows.tags().iter().map(|tag| *tag as i16).collect::<Vec<_>>(), [300, -7, 301]);
    assert_eq!(format!("{rows:?}"), format!("{messages:?}").replace("r#in", "in"));
    if let MessageRefMut::Many { r#in, .. } = rows.row_mut(2) {
        r#in[0].push('!');
    }
    assert_ne!(rows.to_vec(), messages);
    assert_eq!(rows.swap_remove(0), messages[0]);
    assert_eq!(rows.row(0), MessageRef::Many { r#in: &["b!".into(), "c".into()], len: &2 });
}

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
struct Node<T>
where
    Self: Sized,
{
    next: Option<Box<Self>>,
    value: T,
}

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
enum Tree {
    Leaf(u32),
    Fork { both: [Box<Self>; Self::BRANCHES] },
}

impl Tree {
    const BRANCHES: usize = 2;
}

#[test]
fn a_field_may_say_self() {
    let last = Node { next: None, value: 2 };
    let nodes: NodeSoaVec<i32> = vec![Node { next: Some(Box::new(last.clone())), value: 1 }].into();
    assert_eq!(nodes.next(), [Some(Box::new(last))]);
    let trees = vec![Tree::Fork { both: [Box::new(Tree::Leaf(1)), Box::new(Tree::Leaf(2))] }, Tree::Leaf(3)];
    assert_eq!(TreeSoaVec::from(trees.clone()).to_vec(), trees);
}
