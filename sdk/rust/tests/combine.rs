//! Handlers that combine two arrays, through their entry as an engine calls it.

use upcall::abi::{CombineFrame, CombineOpen, FrameHead, Instance, OpenFrame, Rel, Status, base, kind};
use upcall::{Combine, Context, Describe, Failure};

/// Distance of the engine's batch and of its output from their addresses, so that a forgotten base is a wild one.
const BASES: [u64; 2] = [0x5000, 0x9000];

struct Engine {
    instance: Instance,
}

impl Engine {
    /// Opens a handler for elements of this type.
    fn open(instance: Instance, element: &str, element_size: u32) -> Result<Engine, String> {
        let mut instance = instance;
        let element = Rel::of(element.as_bytes());
        let added = CombineOpen { size: size_of::<CombineOpen>() as u32, element_size, element };
        let mut text = [0u8; 512];
        let mut frame = OpenFrame::new(kind::COMBINE, "sum", std::ptr::null(), &added);
        frame.head.error.text = Rel::new(text.as_mut_ptr() as u64, text.len() as u64);
        // SAFETY: the frame and all that it points to live until the call returns.
        answer(unsafe { instance.call((&raw mut frame).cast()) }, &frame.head).map(|()| Engine { instance })
    }

    fn combine<T>(&mut self, from: &[T], into: &mut [T]) -> Result<(), String> {
        let mut text = [0u8; 512];
        let bytes = size_of_val(from) as u64;
        let mut head = FrameHead::new::<CombineFrame>(kind::COMBINE);
        (head.base[base::BATCH], head.base[base::OUTPUT]) = (BASES[0], BASES[1]);
        head.error.text = Rel::new(text.as_mut_ptr() as u64 - BASES[1], text.len() as u64);
        let mut frame = CombineFrame {
            head,
            from: Rel::new((from.as_ptr() as u64).wrapping_sub(BASES[0]), bytes),
            into: Rel::new((into.as_mut_ptr() as u64).wrapping_sub(BASES[1]), bytes),
            count: from.len() as u64,
        };
        // SAFETY: as above, for the arrays too.
        answer(unsafe { self.instance.call((&raw mut frame).cast()) }, &frame.head)
    }
}

fn answer(status: Status, head: &FrameHead) -> Result<(), String> {
    if status == Status::OK {
        return Ok(());
    }
    // SAFETY: the text lives in the caller.
    let (_, message, _) = unsafe { head.error.read(head.base[base::OUTPUT]) };
    Err(String::from_utf8(message.to_vec()).unwrap())
}

fn sum() -> Instance {
    upcall::instance(upcall::combine(|from: &[f64], into: &mut [f64]| {
        into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
        Ok(())
    }))
}

#[test]
fn two_arrays_become_one() {
    let mut engine = Engine::open(sum(), "f64", 8).unwrap();
    let (from, mut into) = (vec![1.0, 2.0, 3.0], vec![10.0, 20.0, 30.0]);
    engine.combine(&from, &mut into).unwrap();
    assert_eq!(into, [11.0, 22.0, 33.0]);
    engine.combine::<f64>(&[], &mut []).unwrap();
}

#[test]
fn elements_of_another_type_are_refused_when_it_is_opened() {
    let refused = Engine::open(sum(), "f32", 4).map(drop).unwrap_err();
    assert_eq!(refused, "the engine combines f32 of 4 bytes, and the handler f64 of 8: change one of them");
    assert!(Engine::open(sum(), "f64", 16).is_err());
}

#[test]
fn an_engine_of_another_kind_is_refused_when_it_opens_the_handler() {
    let added = CombineOpen::new::<f64>();
    let mut text = [0u8; 512];
    let mut frame = OpenFrame::new(kind::FLOW, "sum", std::ptr::null(), &added);
    frame.head.error.text = Rel::new(text.as_mut_ptr() as u64, text.len() as u64);
    // SAFETY: the frame and all that it points to live until the call returns.
    let status = unsafe { sum().call((&raw mut frame).cast()) };
    let refused = "it takes COMBINE frames, and the engine calls with FLOW frames: give it another handler";
    assert_eq!(answer(status, &frame.head).unwrap_err(), refused);
}

#[test]
fn arrays_are_not_touched_before_open_has_agreed_on_their_elements() {
    let mut engine = Engine { instance: sum() };
    let mut into = [0.0f32; 4];
    let refused = engine.combine(&[1.0f32; 4], &mut into).unwrap_err();
    assert_eq!(refused, "the handler was called before OPEN, which agrees on the elements' type");
    // An OPEN that was refused agrees on nothing.
    let added = CombineOpen::new::<f32>();
    let mut frame = OpenFrame::new(kind::COMBINE, "sum", std::ptr::null(), &added);
    // SAFETY: the frame and all that it points to live until the call returns.
    assert_eq!(unsafe { engine.instance.call((&raw mut frame).cast()) }, Status::FAILED);
    assert!(engine.combine(&[1.0f32; 4], &mut into).is_err());
    assert_eq!(into, [0.0; 4]);
}

#[test]
fn arrays_of_other_lengths_than_their_count_are_refused() {
    let mut engine = Engine::open(sum(), "f64", 8).unwrap();
    let refused = engine.combine(&[1.0f32; 4], &mut [0.0f32; 4]).unwrap_err();
    assert_eq!(
        refused,
        "the frame's arrays are not 4 elements of f64 each, aligned: the engine breaks the rules"
    );
}

#[test]
fn a_failure_and_a_panic_fail_the_call_and_not_the_next() {
    struct Picky;
    impl Combine for Picky {
        type Element = u64;
        const COMMUTATIVE: bool = true;

        fn describe(&self, describe: &mut Describe<'_>) {
            describe.parameter("limit", "u64", None, None);
        }

        fn open(&mut self, context: &Context<'_>) -> Result<(), Failure> {
            assert_eq!(context.name(), "sum");
            Ok(())
        }

        fn combine(&mut self, from: &[u64], into: &mut [u64]) -> Result<(), Failure> {
            match from[0] {
                0 => Err(Failure::new("nothing to add")),
                1 => panic!("one is odd"),
                _ => {
                    into[0] += from[0];
                    Ok(())
                }
            }
        }
    }
    let mut engine = Engine::open(upcall::instance(upcall::combine(Picky)), "u64", 8).unwrap();
    let mut into = [5u64];
    assert_eq!(engine.combine(&[0], &mut into).unwrap_err(), "nothing to add");
    assert_eq!(engine.combine(&[1], &mut into).unwrap_err(), "one is odd");
    engine.combine(&[2], &mut into).unwrap();
    assert_eq!(into, [7]);
}
