//! A `SoaVec` does what a `Vec` does, whatever is done to it.

mod counted;

use counted::{Counted, live};
use proptest::prelude::*;
use upcall_derive::Soa;
use upcall_soa::COLUMN_ALIGN;

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
enum Kind {
    Plain(u64),
    Owned { one: Counted, two: Counted },
    None,
}

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
struct Inner {
    wide: [u64; 3],
    counted: Counted,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(128))]
struct Wide(u8);

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
struct Item {
    small: u8,
    nothing: (),
    counted: Counted,
    #[soa(flatten)]
    inner: Inner,
    wide: Wide,
    #[soa(flatten)]
    kind: Kind,
}

fn item(number: u32) -> Item {
    let counted = |add| Counted::new(number.wrapping_mul(31).wrapping_add(add));
    Item {
        small: number as u8,
        nothing: (),
        counted: counted(0),
        inner: Inner { wide: [u64::from(number); 3], counted: counted(1) },
        wide: Wide(number as u8),
        kind: match number % 3 {
            0 => Kind::Plain(u64::from(number)),
            1 => Kind::Owned { one: counted(2), two: counted(3) },
            _ => Kind::None,
        },
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Push(u32),
    Pop,
    Insert(usize, u32),
    Remove(usize),
    SwapRemove(usize),
    Replace(usize, u32),
    Swap(usize, usize),
    Truncate(usize),
    Clear,
    Reserve(usize),
    Shrink,
    Retain(u8),
    RetainMut(u8),
    Drain { start: usize, len: usize, front: usize, back: usize },
    SortByKey,
    SortBy,
    SplitOff(usize),
    Extend(Vec<u32>),
    ExtendFromSelf,
    Boxed,
    AndBack,
    Clone,
    TakeSome { front: usize, back: usize },
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let at = || 0usize..64;
    prop_oneof![
        4 => any::<u32>().prop_map(Push),
        2 => Just(Pop),
        2 => (at(), any::<u32>()).prop_map(|(at, number)| Insert(at, number)),
        2 => at().prop_map(Remove),
        1 => at().prop_map(SwapRemove),
        1 => (at(), any::<u32>()).prop_map(|(at, number)| Replace(at, number)),
        1 => (at(), at()).prop_map(|(a, b)| Swap(a, b)),
        1 => at().prop_map(Truncate),
        1 => Just(Clear),
        1 => (0usize..100).prop_map(Reserve),
        1 => Just(Shrink),
        1 => (1u8..5).prop_map(Retain),
        1 => (1u8..5).prop_map(RetainMut),
        2 => (at(), at(), at(), at()).prop_map(|(start, len, front, back)| Drain { start, len, front, back }),
        1 => Just(SortByKey),
        1 => Just(SortBy),
        1 => at().prop_map(SplitOff),
        2 => prop::collection::vec(any::<u32>(), 0..40).prop_map(Extend),
        1 => Just(ExtendFromSelf),
        1 => Just(Boxed),
        1 => Just(AndBack),
        1 => Just(Clone),
        1 => (0usize..6, 0usize..6).prop_map(|(front, back)| TakeSome { front, back }),
    ]
}

/// Does the same to both, and compares what they give.
fn apply(operation: Operation, rows: &mut ItemSoaVec, model: &mut Vec<Item>) {
    let len = model.len();
    let at = |index: usize| if len == 0 { None } else { Some(index % len) };
    match operation {
        Operation::Push(number) => {
            rows.push(item(number));
            model.push(item(number));
        }
        Operation::Pop => assert_eq!(rows.pop(), model.pop()),
        Operation::Insert(index, number) => {
            rows.insert(index % (len + 1), item(number));
            model.insert(index % (len + 1), item(number));
        }
        Operation::Remove(index) => {
            if let Some(index) = at(index) {
                assert_eq!(rows.remove(index), model.remove(index));
            }
        }
        Operation::SwapRemove(index) => {
            if let Some(index) = at(index) {
                assert_eq!(rows.swap_remove(index), model.swap_remove(index));
            }
        }
        Operation::Replace(index, number) => {
            if let Some(index) = at(index) {
                let old = std::mem::replace(&mut model[index], item(number));
                assert_eq!(rows.replace(index, item(number)), old);
            }
        }
        Operation::Swap(a, b) => {
            if let (Some(a), Some(b)) = (at(a), at(b)) {
                rows.swap(a, b);
                model.swap(a, b);
            }
        }
        Operation::Truncate(to) => {
            rows.truncate(to);
            model.truncate(to);
        }
        Operation::Clear => {
            rows.clear();
            model.clear();
        }
        Operation::Reserve(more) => {
            rows.reserve(more);
            assert!(rows.capacity() >= len + more);
        }
        Operation::Shrink => {
            rows.shrink_to_fit();
            assert_eq!(rows.capacity(), len);
        }
        Operation::Retain(by) => {
            rows.retain(|row| row.small % by != 0);
            model.retain(|row| row.small % by != 0);
        }
        Operation::RetainMut(by) => {
            rows.retain_mut(|row| {
                *row.small = row.small.wrapping_add(1);
                *row.small % by != 0
            });
            model.retain_mut(|row| {
                row.small = row.small.wrapping_add(1);
                row.small % by != 0
            });
        }
        Operation::Drain { start, len: some, front, back } => {
            let start = start % (len + 1);
            let range = start..start + some % (len - start + 1);
            let (mut ours, mut theirs) = (rows.drain(range.clone()), model.drain(range));
            for _ in 0..front % 8 {
                assert_eq!(ours.len(), theirs.len());
                assert_eq!(ours.next(), theirs.next());
            }
            for _ in 0..back % 8 {
                assert_eq!(ours.next_back(), theirs.next_back());
            }
        }
        Operation::SortByKey => {
            rows.sort_by_key(|row| *row.small);
            model.sort_by_key(|row| row.small);
        }
        Operation::SortBy => {
            rows.sort_by(|a, b| b.inner.counted.0.cmp(&a.inner.counted.0));
            model.sort_by_key(|item| std::cmp::Reverse(item.inner.counted.0.clone()));
        }
        Operation::SplitOff(index) => {
            let (mut ours, mut theirs) =
                (rows.split_off(index % (len + 1)), model.split_off(index % (len + 1)));
            assert_eq!(ours.to_vec(), theirs);
            ours.append(rows);
            theirs.append(model);
            (*rows, *model) = (ours, theirs);
        }
        Operation::Extend(numbers) => {
            rows.extend(numbers.iter().copied().map(item));
            model.extend(numbers.iter().copied().map(item));
        }
        Operation::ExtendFromSelf => {
            if len < 200 {
                let copy = rows.clone();
                rows.extend_from_rows(&copy.slice(len / 3..len / 2));
                model.extend_from_within(len / 3..len / 2);
            }
        }
        Operation::Boxed => *rows = std::mem::take(rows).into_boxed().into_vec(),
        Operation::AndBack => *rows = Vec::from(std::mem::take(rows)).into(),
        Operation::Clone => *rows = rows.clone(),
        Operation::TakeSome { front, back } => {
            let (mut ours, mut theirs) = (rows.clone().into_iter(), model.clone().into_iter());
            for _ in 0..front {
                assert_eq!(ours.next(), theirs.next());
            }
            for _ in 0..back {
                assert_eq!(ours.next_back(), theirs.next_back());
            }
            assert_eq!(ours.len(), theirs.len());
        }
    }
}

fn compare(rows: &mut ItemSoaVec, model: &mut [Item]) {
    assert_eq!(rows.len(), model.len());
    assert_eq!(rows.to_vec(), model);
    assert_eq!(format!("{rows:?}"), format!("{model:?}"));
    assert!(rows.iter().map(|row| row.inner.wide).eq(model.iter().map(|row| &row.inner.wide)));
    assert!(rows.iter().rev().map(|row| row.small).eq(model.iter().rev().map(|row| &row.small)));
    assert!(rows.chunks(3).map(|chunk| chunk.to_vec()).eq(model.chunks(3)));
    assert!(rows.chunks(5).rev().map(|chunk| chunk.to_vec()).eq(model.chunks(5).rev()));
    assert!(rows.chunks_mut(4).rev().map(|chunk| chunk.to_vec()).eq(model.chunks_mut(4).rev()));
    for (ours, theirs) in rows.iter_mut().zip(model) {
        *ours.small ^= 5;
        theirs.small ^= 5;
    }
    aligned(rows);
}

fn aligned(rows: &ItemSoaVec) {
    let starts = [
        rows.small().as_ptr().addr(),
        rows.nothing().as_ptr().addr(),
        rows.counted().as_ptr().addr(),
        rows.inner().wide().as_ptr().addr(),
        rows.inner().counted().as_ptr().addr(),
        rows.wide().as_ptr().addr() / 2,
        rows.kind().tags().as_ptr().addr(),
    ];
    assert!(starts.iter().all(|start| start % COLUMN_ALIGN == 0), "{starts:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 400 }))]

    #[test]
    fn any_sequence_of_operations_does_what_a_vec_does(
        operations in prop::collection::vec(operation(), 1..if cfg!(miri) { 20 } else { 60 }),
    ) {
        let before = live();
        let (mut rows, mut model) = (ItemSoaVec::new(), Vec::new());
        for operation in operations {
            apply(operation, &mut rows, &mut model);
            compare(&mut rows, &mut model);
            // Both own the same, and nothing else is left over.
            let owned: usize = model.iter().map(|row| if let Kind::Owned { .. } = row.kind { 4 } else { 2 }).sum();
            prop_assert_eq!(live() - before, 2 * owned);
        }
        drop((rows, model));
        prop_assert_eq!(live(), before);
    }
}
