//! C# handlers in a CLR in this process: what goes well and what goes wrong.
#![cfg(feature = "clr")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use upcall::Harness;
use upcall_abi::{
    ABI, CancelFrame, CombineFrame, CombineOpen, DescribeFrame, FlowFrame, FrameHead, OpenFrame, Rel,
    Services, Status, kind,
};
use upcall_host::clr::{Clr, ClrOptions};
use upcall_host::{ErrorKind, HandlerSpec, Host, Instance, ValueShape, describe};

fn home() -> PathBuf {
    let named = std::env::var_os("UPCALL_HOME").map(PathBuf::from);
    named.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into())
}

fn built(name: &str) -> PathBuf {
    let file = home().join("build").join(name);
    assert!(file.is_file(), "there is no {}: run cargo xtask build", file.display());
    file
}

fn clr() -> Clr {
    built("Upcall.dll");
    Clr::start(&ClrOptions { home: Some(home()), ..ClrOptions::default() }).unwrap()
}

fn spec(class: &str) -> HandlerSpec {
    HandlerSpec::new("test", "csharp", built("tests/Upcall.Tests.dll"), format!("Upcall.Tests.{class}"))
}

/// The frame of a kind, with room for a newer engine's fields behind its own, and for the text of an error.
struct Frame {
    bytes: [u64; 32],
    text: [u8; 512],
}

impl Frame {
    fn new(kind: u16, size: usize) -> Box<Frame> {
        let mut frame = Box::new(Frame { bytes: [0; 32], text: [0; 512] });
        let text = Rel::new(frame.text.as_mut_ptr() as u64, frame.text.len() as u64);
        let head = frame.head();
        *head = FrameHead::new::<FrameHead>(kind);
        (head.size, head.error.text) = (size as u32, text);
        frame
    }

    fn head(&mut self) -> &mut FrameHead {
        // SAFETY: the bytes are aligned as the head is, and any bytes are one.
        unsafe { &mut *self.bytes.as_mut_ptr().cast() }
    }

    /// What the handler answers, and why.
    fn answer(&mut self, instance: &mut Instance) -> (Status, String) {
        self.head().error.clear();
        // SAFETY: the frame has more bytes than any kind of frame; zeroes in them are no items, pools and names.
        let status = unsafe { instance.call(self.head()) };
        // SAFETY: the text lives as long as `self`.
        let (_, message, _) = unsafe { self.head().error.read(0) };
        (status, String::from_utf8_lossy(message).into_owned())
    }
}

/// Runs `test` with a handler on a worker's thread.
fn with(class: &str, test: impl FnOnce(Harness) + Send + 'static) {
    let spec = spec(class);
    let worker = move || {
        let (clr, mut test) = (clr(), Some(test));
        let module = clr.load(&spec).unwrap();
        clr.worker(&mut || {
            let instance = module.instantiate().unwrap();
            test.take().unwrap()(Harness::of(instance).emits(&["/out"]));
        });
    };
    std::thread::spawn(worker).join().unwrap();
}

fn refusal(spec: &HandlerSpec) -> (ErrorKind, String) {
    let error = clr().load(spec).err().expect("it must be refused");
    (error.kind(), error.to_string())
}

#[test]
fn the_probe_runs_and_a_second_start_is_the_same_runtime() {
    let clr = clr();
    clr.probe().unwrap();
    let elsewhere = ClrOptions { dotnet_root: Some("/nowhere".into()), home: None };
    assert_eq!(Clr::start(&elsewhere).unwrap().runtime(), clr.runtime());
}

#[test]
fn a_handler_emits_what_it_makes_of_each_object() {
    with("Shout", |mut harness| {
        harness.batch(&[(b"one", b"1"), (b"", b""), ("größe".as_bytes(), b"3")]).unwrap();
        let keys: Vec<_> =
            harness.emitted().iter().map(|e| String::from_utf8(e.key.clone()).unwrap()).collect();
        assert_eq!(keys, ["ONE", "", "GRÖßE"]);
        assert_eq!(harness.emitted()[2].value, b"3");
    });
}

#[test]
fn an_exception_arrives_with_its_type_message_and_stack() {
    with("Shout", |mut harness| {
        let failed = harness.put(b"it", b"fail").unwrap_err();
        assert_eq!(failed.type_name, "System.InvalidOperationException");
        assert_eq!(failed.message, "will not shout it");
        assert!(failed.stack.contains("Upcall.Tests.Shout.Explode"), "{}", failed.stack);
        assert_eq!((failed.done, failed.item), (0, Some(0)));
        harness.put(b"on", b"").unwrap();
    });
}

#[test]
fn a_null_reference_on_a_rust_thread_is_an_error_and_the_process_lives() {
    for _ in 0..20 {
        with("Dereferences", |mut harness| {
            for _ in 0..5 {
                let failed = harness.put(b"k", b"").unwrap_err();
                assert_eq!(failed.type_name, "System.NullReferenceException");
                assert!(failed.stack.contains("Upcall.Tests.Dereferences.Length"), "{}", failed.stack);
            }
        });
    }
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
    with("Batches", |mut harness| {
        let failed = harness.batch(&[(b"a", b"done"), (b"b", b""), (b"c", b"fail")]).unwrap_err();
        assert_eq!((failed.done, failed.item, harness.emitted().len()), (1, None, 1));
        assert_eq!(failed.type_name, "System.FormatException");
    });
}

#[test]
fn one_object_may_emit_100_megabytes() {
    with("Floods", |mut harness| {
        harness.put(b"k", b"").unwrap();
        assert_eq!(harness.emitted().len(), 100);
        for (number, emitted) in (0u8..).zip(harness.emitted()) {
            assert_eq!((emitted.key.as_slice(), emitted.value.len()), (&b"k"[..], 1 << 20));
            assert!(emitted.value.iter().all(|byte| *byte == number));
        }
    });
}

#[test]
fn a_pool_that_is_not_declared_is_named() {
    with("Strays", |mut harness| {
        let failed = harness.put(b"k", b"v").unwrap_err();
        assert!(
            failed.message.contains("pool /nowhere is not declared by this handler"),
            "{}",
            failed.message
        );
        assert!(failed.message.contains("/out (emit)"), "{}", failed.message);
    });
}

#[test]
fn settings_log_and_flush_reach_both_sides() {
    with("Talks", |harness| {
        let mut harness = harness.setting("mood", "sunny");
        harness.put(b"k", b"v").unwrap();
        harness.flush().unwrap();
        assert_eq!(harness.logged()[0], (3, "handler sunny none 2".to_owned()));
        assert_eq!(harness.logged()[1], (2, "harness /in k=v v1".to_owned()));
        assert_eq!(harness.emitted()[0].value, 42u64.to_le_bytes());
    });
}

#[test]
fn a_frame_of_another_abi_or_shorter_than_its_fields_is_refused_by_name_and_a_longer_one_is_taken() {
    let clr = clr();
    let module = clr.load(&spec("Shout")).unwrap();
    clr.worker(&mut || {
        let mut instance = module.instantiate().unwrap();
        let kinds = [
            ("DESCRIBE", kind::DESCRIBE, size_of::<DescribeFrame>()),
            ("OPEN", kind::OPEN, size_of::<OpenFrame>()),
            ("PING", kind::PING, size_of::<FrameHead>()),
            ("CANCEL", kind::CANCEL, size_of::<CancelFrame>()),
            ("FLOW", kind::FLOW, size_of::<FlowFrame>()),
            ("FLUSH", kind::FLUSH, size_of::<FlowFrame>()),
            ("CLOSE", kind::CLOSE, size_of::<FrameHead>()),
        ];
        for (name, kind, size) in kinds {
            let mut frame = Frame::new(kind, size);
            frame.head().abi = ABI + 1;
            let (status, why) = frame.answer(&mut instance);
            assert_eq!(status, Status::FAILED, "{name}");
            assert!(why.starts_with("a frame of ABI 3 reached a handler of ABI 2"), "{name}: {why}");

            let (status, why) = Frame::new(kind, size - 1).answer(&mut instance);
            assert_eq!(status, Status::FAILED, "{name}");
            let short = format!("the {name} frame has {} bytes, and ABI 2 has at least {size}", size - 1);
            assert!(why.starts_with(&short), "{why}");
            // Without room for an error slot nothing is said.
            assert_eq!(Frame::new(kind, 71).answer(&mut instance), (Status::FAILED, String::new()), "{name}");

            // Without room for an answer, and of zeroes that name no kind, two of them are read and fail for that reason.
            let taken = match kind {
                kind::DESCRIBE => "the engine gives no room for the description",
                kind::OPEN => {
                    "it takes FLOW frames, and the engine calls with other frames: give it another handler"
                }
                _ => "",
            };
            let (status, why) = Frame::new(kind, size + 8).answer(&mut instance);
            assert_eq!((status == Status::OK, why.as_str()), (taken.is_empty(), taken), "{name}");
        }
        let (status, why) = Frame::new(kind::COMBINE, 256).answer(&mut instance);
        assert_eq!(status, Status::FAILED);
        let other = "a COMBINE frame reached a handler that takes FLOW: give the engine another handler";
        assert_eq!(why, other);
        for kind in [0, 8, u16::MAX] {
            let (status, why) = Frame::new(kind, 256).answer(&mut instance);
            assert_eq!(status, Status::FAILED);
            assert!(why.starts_with(&format!("unknown frame kind {kind}: the engine is newer")), "{why}");
        }
    });
}

#[test]
fn a_handler_says_what_it_is_before_it_is_opened() {
    let clr = clr();
    let probe = |class: &str| HandlerSpec::new("test", "csharp", clr.sdk(), format!("Upcall.Probes.{class}"));
    let modules = [probe("Reading"), probe("BatchReading"), probe("Combining"), spec("Spells")]
        .map(|spec| clr.load(&spec).unwrap());
    clr.worker(&mut || {
        let said = modules.each_ref().map(|module| describe(&mut module.instantiate().unwrap()).unwrap());
        let [object, batch, combine, typed] = &said;
        assert_eq!((object.kind, &*object.kind_name, &*object.form), (kind::FLOW, "FLOW", "object"));
        assert_eq!((batch.kind, &*batch.form, batch.takes.is_none()), (kind::FLOW, "batch", true));
        let f64s = ValueShape { name: "f64".into(), size: Some(8) };
        assert_eq!((combine.kind, &*combine.kind_name, &*combine.form), (kind::COMBINE, "COMBINE", ""));
        assert_eq!((&combine.takes, combine.commutative), (&Some(f64s.clone()), true));
        assert_eq!(
            (&typed.takes, &typed.gives),
            (&Some(f64s), &vec![ValueShape { name: "text".into(), size: None }])
        );
        let parameter = &typed.parameters[0];
        assert_eq!((&*parameter.name, &*parameter.of), ("every", "u64"));
        assert_eq!(
            (parameter.default.as_deref(), parameter.range.as_deref()),
            (Some("10"), Some("1..=1000"))
        );
        let defaults = typed.parameters.iter().map(|parameter| parameter.default.as_deref());
        assert_eq!(defaults.collect::<Vec<_>>(), [Some("10"), None, Some("")]);
    });
}

/// Opens an instance for elements of a type.
fn open_for(instance: &mut Instance, element: &str, element_size: u32) -> (Status, String) {
    unsafe extern "C" fn log(_: *mut std::ffi::c_void, _: u32, _: *const u8, _: u64) {}
    let services =
        Services { size: size_of::<Services>() as u32, reserved: 0, context: std::ptr::null_mut(), log };
    let added = CombineOpen {
        size: size_of::<CombineOpen>() as u32,
        element_size,
        element: Rel::of(element.as_bytes()),
    };
    let mut open = OpenFrame::new(kind::COMBINE, "sum", &services, &added);
    let mut text = [0u8; 512];
    open.head.error.text = Rel::new(text.as_mut_ptr() as u64, text.len() as u64);
    // SAFETY: the frame and all it points to live until the call returns, and the probe keeps nothing.
    let status = unsafe { instance.call((&raw mut open).cast()) };
    // SAFETY: the text lives until the end of this function.
    let (_, message, _) = unsafe { open.head.error.read(0) };
    (status, String::from_utf8_lossy(message).into_owned())
}

#[test]
fn a_handler_that_combines_adds_the_first_array_to_the_second() {
    let clr = clr();
    let spec = HandlerSpec::new("sum", "csharp", clr.sdk(), "Upcall.Probes.Combining");
    let module = clr.load(&spec).unwrap();
    clr.worker(&mut || {
        let mut instance = module.instantiate().unwrap();
        let wrong = "the engine combines i32 of 4 bytes, and the handler f64 of 8: change one of them";
        assert_eq!(open_for(&mut instance, "i32", 4), (Status::FAILED, wrong.to_owned()));
        assert_eq!(open_for(&mut instance, "f64", 8), (Status::OK, String::new()));
        for len in [0, 1, 7, 16, 1003] {
            let from: Vec<f64> = (0..len).map(f64::from).collect();
            let mut into = vec![0.5; from.len()];
            let mut frame = Frame::new(kind::COMBINE, size_of::<CombineFrame>());
            let combine: *mut CombineFrame = (&raw mut *frame.head()).cast();
            // SAFETY: the frame has room for it, and the arrays live as long as it.
            unsafe {
                (*combine).head.base = [8, 0, 0, 0];
                // Relative to the first base.
                (*combine).from = Rel::new(from.as_ptr() as u64 - 8, 8 * from.len() as u64);
                (*combine).into = Rel::new(into.as_mut_ptr() as u64, 8 * into.len() as u64);
                (*combine).count = from.len() as u64;
            }
            assert_eq!(frame.answer(&mut instance), (Status::OK, String::new()));
            assert!(into.iter().zip(&from).all(|(into, from)| *into == from + 0.5), "{len}");
        }
        let (status, why) = Frame::new(kind::FLOW, 256).answer(&mut instance);
        let other = "a FLOW frame reached a handler that takes COMBINE: give the engine another handler";
        assert_eq!((status, &*why), (Status::FAILED, other));
        assert_eq!(Frame::new(kind::CLOSE, 80).answer(&mut instance).0, Status::OK);
        let (status, why) = Frame::new(kind::COMBINE, 120).answer(&mut instance);
        assert_eq!((status, &*why), (Status::FAILED, "the handler was called after CLOSE, which ends it"));
    });
}

#[test]
fn a_constructor_that_throws_is_an_error_of_the_instance() {
    let module = clr().load(&spec("ConstructorThrows")).unwrap();
    clr().worker(&mut || {
        let error = module.instantiate().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConstructorFailed);
        let message = error.to_string();
        let text = "its constructor failed: System.NotSupportedException: no such luck\n";
        assert!(message.contains(text), "{message}");
        assert!(message.contains("ConstructorThrows..ctor"), "{message}");
    });
}

#[test]
fn a_constructor_that_wants_parameters_is_refused() {
    let (kind, message) = refusal(&spec("NeedsParameters"));
    assert_eq!(kind, ErrorKind::ConstructorFailed);
    assert!(message.contains("it has no constructor without parameters"), "{message}");
}

#[test]
fn a_missing_class_is_refused_with_those_that_are_there_and_the_nearest() {
    let (kind, message) = refusal(&spec("Shuot"));
    assert_eq!(kind, ErrorKind::HandlerMissing);
    assert!(message.contains("there is no such class; it holds "), "{message}");
    assert!(message.contains("Upcall.Tests.Floods"), "{message}");
    assert!(message.ends_with("did you mean Upcall.Tests.Shout?"), "{message}");
}

#[test]
fn a_class_that_is_no_handler_is_refused() {
    let (kind, message) = refusal(&spec("NoHandler"));
    assert_eq!(kind, ErrorKind::HandlerMissing);
    assert!(message.contains("implement IObjectHandler or IBatchHandler"), "{message}");
}

#[test]
fn a_missing_file_is_refused() {
    let (kind, message) = refusal(&HandlerSpec { file: "/nowhere/x.dll".into(), ..spec("Shout") });
    assert_eq!(kind, ErrorKind::FileMissing);
    assert!(message.contains("from /nowhere/x.dll: there is no such file"), "{message}");
}

#[test]
fn a_dll_that_is_not_dotnet_is_refused() {
    let file = std::env::temp_dir().join(format!("upcall-not-dotnet-{}.dll", std::process::id()));
    std::fs::copy(std::env::current_exe().unwrap(), &file).unwrap();
    let (kind, message) = refusal(&HandlerSpec { file: file.clone(), ..spec("Shout") });
    std::fs::remove_file(file).unwrap();
    assert_eq!(kind, ErrorKind::FileInvalid);
    assert!(message.contains("it is not a .NET assembly"), "{message}");
}

/// Writes an empty assembly of another ABI.
fn write_assembly(name: &'static str, file: &Path) {
    let path = file.to_str().unwrap().to_owned();
    with("WritesAssembly", move |mut harness| harness.put(name.as_bytes(), path.as_bytes()).unwrap());
}

#[test]
fn a_handler_of_another_abi_is_refused() {
    let file = std::env::temp_dir().join(format!("upcall-other-abi-{}.dll", std::process::id()));
    write_assembly("OtherAbi", &file);
    let (kind, message) = refusal(&HandlerSpec { file: file.clone(), ..spec("Shout") });
    std::fs::remove_file(file).unwrap();
    assert_eq!(kind, ErrorKind::AbiMismatch);
    assert!(message.contains("built for ABI 3, this is ABI 2"), "{message}");
}

#[test]
fn what_a_handler_needs_is_found_beside_it() {
    let folder = std::env::temp_dir().join(format!("upcall-beside-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let handlers = folder.join("Upcall.Tests.dll");
    std::fs::copy(built("tests/Upcall.Tests.dll"), &handlers).unwrap();
    write_assembly("Beside", &folder.join("Beside.dll"));
    let module = clr().load(&HandlerSpec { file: handlers, ..spec("LoadsAssembly") }).unwrap();
    clr().worker(&mut || {
        let instance = module.instantiate().unwrap();
        let mut harness = Harness::of(instance).emits(&["/out"]);
        harness.put(b"Beside", b"").unwrap();
        assert_eq!(harness.emitted()[0].key, b"Beside");
        let failed = harness.put(b"Elsewhere", b"").unwrap_err();
        assert_eq!(failed.type_name, "System.IO.FileNotFoundException");
    });
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_signal_handler_that_was_installed_after_the_start_is_kept() {
    static SEEN: AtomicUsize = AtomicUsize::new(0);
    extern "C" fn seen(_: libc::c_int) {
        SEEN.fetch_add(1, Ordering::SeqCst);
    }
    let clr = clr();
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler only adds to an atomic number.
        unsafe { libc::signal(signal, seen as *const () as libc::sighandler_t) };
    }
    // Opening the console installs signal handlers of .NET's own.
    with("Talks", |mut harness| harness.flush().unwrap());
    clr.worker(&mut || {
        // SAFETY: a signal to this thread, whose handler is above.
        unsafe {
            libc::raise(libc::SIGINT);
            libc::raise(libc::SIGTERM);
        }
    });
    // .NET's console hands a signal on from a thread of its own.
    while SEEN.load(Ordering::SeqCst) < 2 {
        std::thread::yield_now();
    }
}
