//! What an engine knows of an event loop. A table's functions are told which handler is meant, but `load` is not: each event
//! loop has a table of its own.

use super::instance;
use super::program::{Post, Program, lock};
use std::ffi::c_void;
use std::sync::{Arc, Mutex};
use upcall_abi::{ABI, Entry, GuestTable, HandlerName, Refusal, Status, refusal};

/// Event loops that may have flows at a time: one for each worker thread of Node's that has any.
const PROGRAMS: usize = 64;

static TAKEN: [Mutex<Option<Arc<Program>>>; PROGRAMS] = [const { Mutex::new(None) }; PROGRAMS];

static TABLES: [GuestTable; PROGRAMS] = {
    macro_rules! tables {
        ($($tens:literal)*) => {[$(
            table::<{ $tens * 8 }>(), table::<{ $tens * 8 + 1 }>(), table::<{ $tens * 8 + 2 }>(), table::<{ $tens * 8 + 3 }>(),
            table::<{ $tens * 8 + 4 }>(), table::<{ $tens * 8 + 5 }>(), table::<{ $tens * 8 + 6 }>(), table::<{ $tens * 8 + 7 }>(),
        )*]};
    }
    tables!(0 1 2 3 4 5 6 7)
};

const fn table<const SLOT: usize>() -> GuestTable {
    GuestTable {
        abi: ABI,
        reserved: 0,
        size: size_of::<GuestTable>() as u32,
        start: None,
        attach: None,
        detach: None,
        load: load::<SLOT>,
        create,
        unload,
    }
}

/// A place for a program, which `make` makes.
pub(super) fn take(make: impl FnOnce(usize) -> Arc<Program>) -> Result<Arc<Program>, String> {
    for (slot, place) in TAKEN.iter().enumerate() {
        let mut place = lock(place);
        if place.is_none() {
            return Ok(place.insert(make(slot)).clone());
        }
    }
    Err(format!("{PROGRAMS} threads of this program have flows already: let one of them end"))
}

pub(super) fn give_back(slot: usize) {
    *lock(&TAKEN[slot]) = None;
}

pub(super) fn of(slot: usize) -> *const GuestTable {
    &raw const TABLES[slot]
}

/// A handler of a program, by the number that JavaScript knows it by.
struct Module {
    program: Arc<Program>,
    number: u32,
}

/// For the engine, which gives it back by the table's `unload`.
pub(super) fn module(program: &Arc<Program>, number: u32) -> *mut c_void {
    Box::into_raw(Box::new(Module { program: program.clone(), number })).cast()
}

unsafe extern "C" fn load<const SLOT: usize>(
    name: *const HandlerName,
    place: *mut *mut c_void,
    refusal: *mut Refusal,
) -> Status {
    // SAFETY: the engine's name, of text in UTF-8, valid until we return.
    let [file, class] = unsafe {
        [(*name).file, (*name).class].map(|text| String::from_utf8_lossy(text.get(0)).into_owned())
    };
    let program = lock(&TAKEN[SLOT]).clone();
    let loaded = match &program {
        Some(program) => program.ask(|question| Post::Load { question, file, class }),
        None => Err((refusal::RUNTIME_FAILED, super::program::ENDED.to_owned())),
    };
    // SAFETY: the engine's places for both.
    unsafe {
        match (loaded, program) {
            (Ok(number), Some(program)) => {
                place.write(module(&program, number));
                Status::OK
            }
            (Err((kind, why)), _) => (*refusal).write(kind, &why),
            (Ok(_), None) => Status::FAILED,
        }
    }
}

unsafe extern "C" fn create(module: *mut c_void, entry: *mut Entry, refusal: *mut Refusal) -> Status {
    // SAFETY: a module of `module`, which the engine has not given back.
    let Module { program, number } = unsafe { &*module.cast() };
    // SAFETY: the engine's places.
    unsafe {
        match instance::make(program, *number) {
            Ok(made) => {
                entry.write(made);
                Status::OK
            }
            Err((kind, why)) => (*refusal).write(kind, &why),
        }
    }
}

unsafe extern "C" fn unload(module: *mut c_void) {
    // SAFETY: made by `module`, and given back once.
    let Module { program, number } = *unsafe { Box::from_raw(module.cast::<Module>()) };
    program.post(Post::Unload { module: number });
}
