//! Java handlers in a virtual machine in this process: what goes well and what goes wrong.
#![cfg(feature = "java")]

mod java_support;

use java_support::{java, spec, with};
use upcall::Harness;
use upcall_abi::{
    ABI, CancelFrame, CombineFrame, CombineOpen, DescribeFrame, FlowFrame, FrameHead, OpenFrame, Rel, Status,
    kind,
};
use upcall_host::java::Java;
use upcall_host::{HandlerSpec, Host, Instance, JavaOptions, describe};

#[test]
fn the_probe_runs_and_a_second_start_is_the_same_runtime() {
    let java = java();
    java.probe().unwrap();
    assert_eq!(Java::start(&JavaOptions::default()).unwrap().runtime(), java.runtime());
}

#[test]
fn a_handler_emits_what_it_makes_of_each_object() {
    with("Shout", |mut harness| {
        harness.batch(&[(b"one", b"1"), (b"", b""), ("größe".as_bytes(), b"3")]).unwrap();
        let keys: Vec<_> =
            harness.emitted().iter().map(|e| String::from_utf8(e.key.clone()).unwrap()).collect();
        assert_eq!(keys, ["ONE", "", "GRÖSSE"]);
        assert_eq!(harness.emitted()[2].value, b"3");
    });
}

#[test]
fn an_exception_arrives_with_its_type_message_and_stack() {
    with("Shout", |mut harness| {
        let failed = harness.put(b"it", b"fail").unwrap_err();
        assert_eq!(failed.type_name, "java.lang.IllegalStateException");
        assert_eq!(failed.message, "will not shout it");
        assert!(failed.stack.contains("at upcall.tests.Shout.explode(Shout.java:"), "{}", failed.stack);
        assert_eq!((failed.done, failed.item), (0, Some(0)));
        harness.put(b"on", b"").unwrap();
    });
}

#[test]
fn a_null_pointer_is_an_error_on_every_thread_and_the_process_lives() {
    // Often enough to be compiled, where the check is a fault.
    let threads = [0, 1, 2, 3].map(|_| {
        std::thread::spawn(|| {
            with("Dereferences", |mut harness| {
                for _ in 0..5_000 {
                    let failed = harness.put(b"k", b"").unwrap_err();
                    assert_eq!(failed.type_name, "java.lang.NullPointerException");
                    // What is thrown often has no stack in the end, which is Java's own way.
                }
            });
        })
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn an_endless_recursion_is_an_error_and_the_handler_goes_on() {
    for _ in 0..3 {
        with("Overflows", |mut harness| {
            for _ in 0..10 {
                let failed = harness.put(b"deep", b"").unwrap_err();
                assert_eq!(failed.type_name, "java.lang.StackOverflowError");
                assert!(failed.stack.starts_with("at upcall.tests.Overflows.deeper("), "{}", failed.stack);
                harness.put(b"flat", b"").unwrap();
            }
            assert_eq!(harness.emitted().len(), 10);
        });
    }
}

#[test]
fn whatever_is_thrown_arrives_and_takes_back_what_was_emitted() {
    with("Throws", |mut harness| {
        let mut thrown = |what: &str| harness.put(b"k", what.as_bytes()).unwrap_err();
        let checked = thrown("checked");
        assert_eq!((&*checked.type_name, &*checked.message), ("java.lang.Exception", "checked"));
        assert!(
            checked.stack.contains("caused by java.lang.RuntimeException: its cause\nat upcall.tests.Throws")
        );
        let mute = thrown("mute");
        assert_eq!(mute.type_name, "upcall.tests.Mute");
        assert_eq!(mute.message, "its message cannot be read: java.lang.IllegalStateException");
        assert_eq!(thrown("error").type_name, "java.lang.AssertionError");
        assert_eq!(thrown("null").message, "");
        let long = thrown("long").message;
        assert!(long.len() > 1000 && long.chars().all(|letter| letter == 'ä'), "{}", long.len());
        assert_eq!(thrown("key").type_name, "java.lang.NullPointerException");
        assert_eq!(harness.emitted().len(), 0);
        harness.put(b"k", b"").unwrap();
        assert_eq!(harness.emitted()[0].value, b"before");
    });
}

#[test]
fn a_failure_on_the_seventh_object_keeps_what_the_six_before_it_emitted() {
    with("Shout", |mut harness| {
        let mut objects: Vec<(&[u8], &[u8])> = vec![(b"k", b"v"); 10];
        objects[6] = (b"bad", b"fail");
        let failed = harness.batch(&objects).unwrap_err();
        assert_eq!((failed.done, failed.item, harness.emitted().len()), (6, Some(6), 6));
    });
}

#[test]
fn a_batch_handler_that_fails_keeps_what_it_reported() {
    with("Pairs", |mut harness| {
        let failed = harness.batch(&[(b"a", b"1"), (b"b", b"2"), (b"c", b"3"), (b"d", b"fail")]).unwrap_err();
        assert_eq!((failed.done, failed.item, harness.emitted().len()), (2, None, 4));
        assert_eq!(failed.message, "will not pass on d");
        assert_eq!((&*harness.emitted()[2].key, &*harness.emitted()[3].value), (&b"b"[..], &b"2"[..]));
    });
}

#[test]
fn settings_log_pools_and_flush_reach_both_sides() {
    with("Life", |harness| {
        let mut harness = harness.setting("greeting", "good day");
        harness.put(b"k", b"v").unwrap();
        assert_eq!(harness.emitted()[0].key, b"k of /in by harness");
        assert_eq!(harness.emitted()[0].value, b"good day 1 0");
        harness.flush().unwrap();
        assert_eq!(harness.emitted()[1].value, 1u64.to_le_bytes());
        assert_eq!(harness.logged()[0], (3, "handler on worker 0 of 1".to_owned()));
        assert_eq!(harness.logged()[1], (4, "/in  [WATCH]".to_owned()));
        harness.close();
        assert_eq!(*harness.logged().last().unwrap(), (2, "closed after 1".to_owned()));
    });
    with("Life", |harness| {
        let failed = harness.setting("greeting", "fail").put(b"k", b"v").unwrap_err();
        assert_eq!(failed.message, "will not open");
    });
}

#[test]
fn a_handler_says_what_it_is_before_it_is_opened() {
    let java = java();
    let module = java.load(&spec("Life")).unwrap();
    java.worker(&mut || {
        let said = describe(&mut module.instantiate().unwrap()).unwrap();
        assert_eq!((said.kind, &*said.kind_name, &*said.form), (kind::FLOW, "FLOW", "object"));
        let [greeting, times] = &said.parameters[..] else { panic!("{said:?}") };
        assert_eq!((&*greeting.name, greeting.default.as_deref()), ("greeting", Some("hello")));
        assert_eq!((times.default.as_deref(), times.range.as_deref()), (None, Some("1..=9")));
    });
}

#[test]
fn what_a_handler_was_given_ends_with_its_call_and_on_its_thread() {
    with("Keeps", |mut harness| {
        harness.put(b"keep", b"value").unwrap();
        for what in [&b"object"[..], b"view", b"emitter"] {
            let failed = harness.put(what, b"").unwrap_err();
            assert!(failed.message.contains("after its call: it has ended"), "{}", failed.message);
        }
        let failed = harness.put(b"thread", b"value").unwrap_err();
        assert!(failed.message.contains("on another thread than its own"), "{}", failed.message);
        let failed = harness.put(b"beyond", b"123456789").unwrap_err();
        assert_eq!(failed.message, "read 8 bytes at 2 of a view of 9 bytes");
        assert_eq!(failed.type_name, "java.lang.IndexOutOfBoundsException");
        harness.put(b"text", b"").unwrap();
        assert_eq!(harness.emitted()[0].value, b"a view that has ended");
        harness.put(b"swap", b"me").unwrap();
        assert_eq!((&*harness.emitted()[1].key, &*harness.emitted()[1].value), (&b"me"[..], &b"swap"[..]));
    });
}

#[test]
fn pools_are_read_as_they_are_and_as_they_were() {
    with("Reads", |harness| {
        let kept: [(&[u8], &[u8]); 3] = [(b"1", b"Ada"), (b"12", b"Grace"), (b"1", b"Ada L.")];
        let mut harness = harness.reads("/kept", &kept).forgets("/kept", 1);
        let mut ask = |key: &str, what: &str| {
            harness
                .put(key.as_bytes(), what.as_bytes())
                .map(|()| String::from_utf8(harness.emitted().last().unwrap().value.clone()).unwrap())
        };
        assert_eq!(ask("1", "").unwrap(), "Ada L. 3");
        assert_eq!(ask("2", "").unwrap(), "nothing");
        assert_eq!(ask("1", "at 2").unwrap(), "Ada 1");
        assert_eq!(ask("1", "list").unwrap(), "1,12");
        assert_eq!(ask("2", "list").unwrap(), "");
        let failed = ask("1", "other").unwrap_err();
        assert_eq!(failed.type_name, "upcall.PoolNotDeclaredException");
        let said = "pool /in is not declared by this handler; it has /kept: add /in to its `read`";
        assert_eq!(failed.message, said);
        let failed = ask("1", "at 0").unwrap_err();
        assert_eq!(failed.type_name, "upcall.VersionNotKeptException");
    });
    with("Reads", |harness| {
        let failed = harness.setting("pool", "/nowhere").put(b"1", b"").unwrap_err();
        let said = "pool /nowhere is not declared by this handler; it has /in (watch), /out (emit): add /nowhere to its \
                    `to` or `read`";
        assert_eq!(failed.message, said);
    });
}

#[test]
fn a_condition_is_made_once_for_each_object() {
    with("Conditions", |mut harness| {
        harness.put(b"k", b"").unwrap();
        assert_eq!(harness.emitted()[0].value, 5u64.to_le_bytes());
        let failed = harness.put(b"twice", b"").unwrap_err();
        assert!(failed.message.starts_with("emit on condition twice for one object: "), "{}", failed.message);
        harness.put(b"taken back", b"").unwrap();
        assert_eq!(harness.emitted().len(), 2);
        assert_eq!(harness.emitted()[1].value, b"once more");
    });
    with("Conditions$InBatches", |mut harness| {
        let failed = harness.put(b"k", b"").unwrap_err();
        let said = "emit on condition for no object in particular: there is none that could fail; ";
        assert!(failed.message.starts_with(said), "{}", failed.message);
    });
}

/// A frame of a kind with room behind it, and what the handler answers to it.
fn answer(instance: &mut Instance, kind: u16, size: usize, abi: u16) -> (Status, String) {
    let (mut bytes, mut text) = ([0u64; 32], [0u8; 512]);
    let head: *mut FrameHead = bytes.as_mut_ptr().cast();
    // SAFETY: the bytes are aligned as a head is and more than any kind of frame has; zeroes are no items, pools and names.
    unsafe {
        head.write(FrameHead::new::<FrameHead>(kind));
        (*head).abi = abi;
        (*head).size = size as u32;
        (*head).error.text = Rel::new(text.as_mut_ptr() as u64, text.len() as u64);
        let status = instance.call(head);
        let (_, message, _) = (*head).error.read(0);
        (status, String::from_utf8_lossy(message).into_owned())
    }
}

#[test]
fn a_frame_of_another_abi_or_shorter_than_its_fields_is_refused_by_name_and_a_longer_one_is_taken() {
    let java = java();
    let module = java.load(&spec("Shout")).unwrap();
    java.worker(&mut || {
        let mut instance = module.instantiate().unwrap();
        for (name, kind, size) in [
            ("DESCRIBE", kind::DESCRIBE, size_of::<DescribeFrame>()),
            ("OPEN", kind::OPEN, size_of::<OpenFrame>()),
            ("PING", kind::PING, size_of::<FrameHead>()),
            ("CANCEL", kind::CANCEL, size_of::<CancelFrame>()),
            ("FLOW", kind::FLOW, size_of::<FlowFrame>()),
            ("FLUSH", kind::FLUSH, size_of::<FlowFrame>()),
            ("CLOSE", kind::CLOSE, size_of::<FrameHead>()),
        ] {
            let (status, why) = answer(&mut instance, kind, size, ABI + 1);
            assert_eq!(status, Status::FAILED, "{name}");
            assert!(why.starts_with("a frame of ABI 3 reached a handler of ABI 2"), "{name}: {why}");
            let (status, why) = answer(&mut instance, kind, size - 1, ABI);
            let short = format!("the {name} frame has {} bytes, and ABI 2 has at least {size}", size - 1);
            assert_eq!(status, Status::FAILED, "{name}");
            assert!(why.starts_with(&short), "{why}");
            // Without room for an error slot nothing is said.
            assert_eq!(answer(&mut instance, kind, 71, ABI), (Status::FAILED, String::new()), "{name}");
            let taken = match kind {
                kind::DESCRIBE => "the engine gives no room for the description",
                kind::OPEN => {
                    "it takes FLOW frames, and the engine calls with other frames: give it another handler"
                }
                _ => "",
            };
            let (status, why) = answer(&mut instance, kind, size + 8, ABI);
            assert_eq!((status == Status::OK, why.as_str()), (taken.is_empty(), taken), "{name}");
        }
        let (_, why) = answer(&mut instance, kind::COMBINE, 256, ABI);
        assert_eq!(why, "a COMBINE frame reached a handler that takes FLOW: give the engine another handler");
        for kind in [0, 8, u16::MAX] {
            let (status, why) = answer(&mut instance, kind, 256, ABI);
            assert_eq!(status, Status::FAILED);
            assert!(why.starts_with(&format!("unknown frame kind {kind}: the engine is newer")), "{why}");
        }
    });
}

/// A frame with room for the text of an error, and what the handler answers to it.
fn tell<F>(instance: &mut Instance, frame: &mut F) -> (Status, String) {
    let mut text = [0u8; 512];
    let head = (&raw mut *frame).cast::<FrameHead>();
    // SAFETY: each frame begins with its head, and all it points to lives until the call returns.
    unsafe {
        (*head).error.text = Rel::new(text.as_mut_ptr() as u64, text.len() as u64);
        let status = instance.call(head);
        let (_, message, _) = (*head).error.read(0);
        (status, String::from_utf8_lossy(message).into_owned())
    }
}

#[test]
fn a_handler_that_combines_adds_the_first_array_to_the_second() {
    let java = java();
    let module = java.load(&HandlerSpec::new("sum", "java", java.sdk(), "upcall.probes.Combining")).unwrap();
    java.worker(&mut || {
        let mut instance = module.instantiate().unwrap();
        let said = describe(&mut instance).unwrap();
        assert_eq!(
            (&*said.kind_name, said.commutative, said.takes.unwrap().name),
            ("COMBINE", true, "f64".into())
        );
        let mut open_for = |element: &str, element_size| {
            let size = size_of::<CombineOpen>() as u32;
            let added = CombineOpen { size, element_size, element: Rel::of(element.as_bytes()) };
            let mut open = OpenFrame::new(kind::COMBINE, "sum", std::ptr::null(), &added);
            tell(&mut instance, &mut open)
        };
        let wrong = "the engine combines i32 of 4 bytes, and the handler f64 of 8: change one of them";
        assert_eq!(open_for("i32", 4), (Status::FAILED, wrong.to_owned()));
        assert_eq!(open_for("f64", 8), (Status::OK, String::new()));
        for len in [0, 1, 7, 16, 1003, 3] {
            let from: Vec<f64> = (0..len).map(f64::from).collect();
            let mut into = vec![0.5; from.len()];
            assert_eq!(
                tell(&mut instance, &mut CombineFrame::new(&from, &mut into)),
                (Status::OK, String::new())
            );
            assert!(into.iter().zip(&from).all(|(into, from)| *into == from + 0.5), "{len}");
        }
    });
}

#[test]
fn arrays_of_every_number_are_combined() {
    fn minimum<T: upcall_abi::Blit + PartialEq + std::fmt::Debug + Copy>(
        class: &str,
        from: [T; 3],
        into: [T; 3],
    ) {
        let module = java().load(&spec(&format!("Least${class}"))).unwrap();
        java().worker(&mut || {
            let mut instance = module.instantiate().unwrap();
            let added = CombineOpen::new::<T>();
            let mut open = OpenFrame::new(kind::COMBINE, "least", std::ptr::null(), &added);
            assert_eq!(tell(&mut instance, &mut open), (Status::OK, String::new()));
            let mut combined = into;
            let mut frame = CombineFrame::new(&from, &mut combined);
            assert_eq!(tell(&mut instance, &mut frame), (Status::OK, String::new()));
            assert_eq!(combined, [from[0], into[1], from[2]], "{class}");
        });
    }
    minimum("Longs", [-1i64, 5, 3], [1, 2, i64::MAX]);
    minimum("Longs", [1u64, 5, 3], [2, 2, 4]);
    minimum("Ints", [-1i32, 5, 3], [1, 2, i32::MAX]);
    minimum("Shorts", [-1i16, 5, 3], [1, 2, i16::MAX]);
    minimum("Bytes", [-1i8, 5, 3], [1, 2, i8::MAX]);
    minimum("Floats", [-1f32, 5.0, 3.5], [1.0, 2.0, f32::INFINITY]);
}

#[test]
fn a_thread_that_nobody_has_attached_may_call_too() {
    let java = java();
    let module = java.load(&spec("Shout")).unwrap();
    let mut harness = Harness::of(module.instantiate().unwrap()).emits(&["/out"]);
    harness.put(b"k", b"v").unwrap();
    assert_eq!(harness.emitted()[0].key, b"K");
    assert_eq!(harness.put(b"k", b"fail").unwrap_err().type_name, "java.lang.IllegalStateException");
}
