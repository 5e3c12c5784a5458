//! When a handler ends, and what is left of the engine then. The engine is one that takes away all that it has
//! lent, as soon as it may.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::rc::Rc;
use upcall::abi::{
    FlowFrame, FlowOpen, FrameHead, HandlerName, Instance, Item, OpenFrame, Refusal, Rel, Services, Status,
    kind, refusal,
};
use upcall::{Emit, Failure, Handler, Log, Object, Open};

/// An open instance, and services that are freed once CLOSE has returned.
struct Engine {
    instance: Instance,
    services: Option<Rc<Services>>,
    logged: Rc<RefCell<Vec<String>>>,
}

impl Engine {
    fn open(handler: impl Handler) -> Engine {
        let logged = Rc::<RefCell<Vec<String>>>::default();
        let context = Rc::as_ptr(&logged).cast_mut().cast();
        let services = Rc::new(Services { size: size_of::<Services>() as u32, reserved: 0, context, log });
        let added = FlowOpen {
            size: size_of::<FlowOpen>() as u32,
            reserved: 0,
            pools: Rel::EMPTY,
            senders: Rel::EMPTY,
            pool_services: std::ptr::null(),
        };
        let mut frame = OpenFrame::new(kind::FLOW, "handler", Rc::as_ptr(&services), &added);
        let mut instance = upcall::instance(handler);
        // SAFETY: the frame is whole; the services live until `close`.
        assert_eq!(unsafe { instance.call((&raw mut frame).cast()) }, Status::OK);
        Engine { instance, services: Some(services), logged }
    }

    /// The answer to CLOSE, and what it says.
    fn close(&mut self) -> (Status, String) {
        let mut text = [0u8; 256];
        let mut frame = FrameHead::new::<FrameHead>(kind::CLOSE);
        frame.error.text = Rel::new(text.as_mut_ptr() as u64, text.len() as u64);
        // SAFETY: a whole frame of its kind.
        let status = unsafe { self.instance.call(&mut frame) };
        self.services = None;
        // SAFETY: the text is here.
        let (_, message, _) = unsafe { frame.error.read(0) };
        (status, String::from_utf8(message.to_vec()).unwrap())
    }

    fn run(&mut self, kind: u16) -> Status {
        let items = [Item::ABSENT];
        let mut frame = FlowFrame { items: Rel::of(&items), ..FlowFrame::new(kind) };
        // SAFETY: the frame is whole, and its item lives as long.
        unsafe { self.instance.call((&raw mut frame).cast()) }
    }

    fn logged(&self) -> Vec<String> {
        self.logged.borrow().clone()
    }
}

unsafe extern "C" fn log(context: *mut c_void, _: u32, text: *const u8, len: u64) {
    // SAFETY: the context is the engine's list; the text is the handler's.
    let (list, text) =
        unsafe { (&*context.cast::<RefCell<Vec<String>>>(), std::slice::from_raw_parts(text, len as usize)) };
    list.borrow_mut().push(String::from_utf8_lossy(text).into_owned());
}

/// Logs when it is dropped.
#[derive(Default)]
struct Last {
    log: Option<Log>,
    left: Rc<Left>,
}

/// What it leaves behind.
#[derive(Default)]
struct Left {
    log: Cell<Option<Log>>,
    dropped: Cell<u32>,
}

impl Last {
    fn open() -> (Engine, Rc<Left>) {
        let left = Rc::<Left>::default();
        (Engine::open(Last { log: None, left: left.clone() }), left)
    }
}

impl Handler for Last {
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.log = Some(open.log());
        self.left.log.set(Some(open.log()));
        Ok(())
    }

    fn on_object(&mut self, _: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        Ok(())
    }
}

impl Drop for Last {
    fn drop(&mut self) {
        self.left.dropped.set(self.left.dropped.get() + 1);
        self.log.take().unwrap().info("last words");
    }
}

#[test]
fn close_drops_the_handler_while_the_engine_still_listens() {
    let (mut engine, left) = Last::open();
    assert_eq!(engine.close(), (Status::OK, String::new()));
    assert_eq!((left.dropped.get(), engine.logged()), (1, vec!["last words".to_owned()]));
    drop(engine);
    assert_eq!(left.dropped.get(), 1);
}

#[test]
fn a_handler_that_is_released_without_close_is_dropped_and_not_heard() {
    let (mut engine, left) = Last::open();
    engine.services = None;
    drop(engine);
    assert_eq!(left.dropped.get(), 1);
}

#[test]
fn a_log_that_outlives_its_engine_says_nothing() {
    let (mut engine, left) = Last::open();
    let log = left.log.take().unwrap();
    log.info("before");
    engine.close();
    log.clone().info("after");
    assert_eq!(engine.logged(), ["before", "last words"]);
    drop(engine);
    log.info("long after");
}

#[test]
fn a_handler_is_not_called_after_close() {
    let (mut engine, _) = Last::open();
    assert_eq!(engine.run(kind::FLOW), Status::OK);
    engine.close();
    assert_eq!(engine.run(kind::FLOW), Status::FAILED);
    assert_eq!(engine.run(kind::FLUSH), Status::FAILED);
    assert_eq!(engine.close(), (Status::OK, String::new()), "there is nothing left to end");
}

#[test]
fn a_destructor_that_panics_fails_close() {
    struct Fragile;
    impl Handler for Fragile {
        fn on_object(&mut self, _: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
            Ok(())
        }
    }
    impl Drop for Fragile {
        fn drop(&mut self) {
            panic!("broken");
        }
    }
    assert_eq!(Engine::open(Fragile).close(), (Status::FAILED, "broken".to_owned()));
    // Without CLOSE nobody is left to be told.
    drop(Engine::open(Fragile));
}

/// A panic's payload whose own destructor panics, with another of its kind.
struct Bomb(u32);

impl Drop for Bomb {
    fn drop(&mut self) {
        std::panic::panic_any(Bomb(self.0 + 1));
    }
}

#[test]
fn a_panic_whose_payload_panics_when_dropped_is_a_failure_like_any_other() {
    fn explodes(_: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        std::panic::panic_any(Bomb(0))
    }
    let mut engine = Engine::open(explodes);
    assert_eq!(engine.run(kind::FLOW), Status::FAILED);
    assert_eq!(engine.run(kind::FLOW), Status::FAILED);

    struct Explodes;
    impl Handler for Explodes {
        fn on_object(&mut self, _: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
            Ok(())
        }
    }
    impl Drop for Explodes {
        fn drop(&mut self) {
            std::panic::panic_any(Bomb(0));
        }
    }
    assert_eq!(Engine::open(Explodes).close().0, Status::FAILED);
    drop(Engine::open(Explodes));
}

/// What a library exports, made by a constructor whose panic's payload panics when dropped.
mod library {
    upcall::handlers! {
        "explodes" => {
            std::panic::panic_any(super::Bomb(0));
            #[expect(unreachable_code, reason = "it says the type")]
            super::Last::default()
        }
    }
}

#[test]
fn a_constructor_that_panics_with_such_a_payload_makes_no_handler() {
    let mut room = [0u8; 256];
    let (mut refusal, mut module, table) =
        (Refusal::over(&mut room), std::ptr::null_mut(), &library::UPCALL_GUEST);
    let mut name = HandlerName {
        size: size_of::<HandlerName>() as u32,
        reserved: 0,
        file: Rel::EMPTY,
        class: Rel::of(b"implodes"),
    };
    let mut entry = std::mem::MaybeUninit::uninit();
    // SAFETY: the name, the places and the refusal live until the calls return; the text is read after them.
    unsafe {
        assert_eq!((table.load)(&name, &mut module, &mut refusal), Status::FAILED);
        assert_eq!(
            (refusal.kind, refusal.read()),
            (refusal::HANDLER_MISSING, &b"it exports no such handler\nexplodes"[..])
        );
        name.class = Rel::of(b"explodes");
        assert_eq!((table.load)(&name, &mut module, &mut refusal), Status::OK);
        assert_eq!((table.create)(module, entry.as_mut_ptr(), &mut refusal), Status::FAILED);
        let why = b"its constructor panicked: a panic whose payload is not text";
        assert_eq!((refusal.kind, refusal.read()), (refusal::CONSTRUCTOR_FAILED, &why[..]));
        (table.unload)(module);
    }
}
