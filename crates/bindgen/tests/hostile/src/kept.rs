//! Callbacks that are kept, and called from wherever.

use crate::Point;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::Duration;
use upcall::abi::{Slice, Str};

pub type Heard = extern "C" fn(context: *mut c_void, value: i32) -> i32;
pub type Told = extern "C" fn(context: *mut c_void, text: Str);
pub type Seen = extern "C" fn(context: *mut c_void, values: Slice<f32>) -> i32;
pub type Noted = extern "C" fn(context: *mut c_void, values: Slice<f32>);
pub type Bare = extern "C" fn(value: i32) -> i32;
#[derive(Clone, Copy)]
struct Kept(Heard, usize);
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());
static BARE: Mutex<Vec<Bare>> = Mutex::new(Vec::new());
static STOP: AtomicBool = AtomicBool::new(false);
static THREADS: Mutex<Vec<thread::JoinHandle<()>>> = Mutex::new(Vec::new());
static CALLS: AtomicUsize = AtomicUsize::new(0);
#[upcall::export]
pub fn calls() -> u64 {
    CALLS.load(SeqCst) as u64
}
/// Keeps.
#[unsafe(no_mangle)]
pub extern "C" fn keep(heard: Heard, context: *mut c_void) {
    KEPT.lock().unwrap().push(Kept(heard, context as usize));
}
/// Calls the last kept one.
#[unsafe(no_mangle)]
pub extern "C" fn call_kept(value: i32) -> i32 {
    let k = *KEPT.lock().unwrap().last().unwrap();
    (k.0)(k.1 as *mut c_void, value)
}
/// Calls the last kept one, from another thread.
#[unsafe(no_mangle)]
pub extern "C" fn call_kept_elsewhere(value: i32) -> i32 {
    thread::spawn(move || call_kept(value)).join().unwrap()
}
/// Forgets all.
#[unsafe(no_mangle)]
pub extern "C" fn forget() {
    KEPT.lock().unwrap().clear();
    BARE.lock().unwrap().clear();
}
#[unsafe(no_mangle)]
pub extern "C" fn keep_bare(bare: Bare) {
    BARE.lock().unwrap().push(bare);
}
#[unsafe(no_mangle)]
pub extern "C" fn call_bare(value: i32) -> i32 {
    let b = *BARE.lock().unwrap().last().unwrap();
    b(value)
}
#[unsafe(no_mangle)]
pub extern "C" fn apply_bare(bare: Bare, value: i32) -> i32 {
    bare(value)
}
/// Threads that call the last kept one again and again.
#[unsafe(no_mangle)]
pub extern "C" fn start(threads: i32, pause_micros: u64) {
    STOP.store(false, SeqCst);
    let k = *KEPT.lock().unwrap().last().unwrap();
    for _ in 0..threads {
        THREADS.lock().unwrap().push(thread::spawn(move || {
            while !STOP.load(SeqCst) {
                (k.0)(k.1 as *mut c_void, 1);
                CALLS.fetch_add(1, SeqCst);
                if pause_micros > 0 {
                    thread::sleep(Duration::from_micros(pause_micros));
                }
            }
        }));
    }
}
/// Ends and joins them.
#[unsafe(no_mangle)]
pub extern "C" fn stop() -> i32 {
    STOP.store(true, SeqCst);
    let all: Vec<_> = std::mem::take(&mut *THREADS.lock().unwrap());
    let n = all.len();
    for t in all {
        t.join().unwrap();
    }
    n as i32
}
/// Tells from another thread; the text is gone afterwards.
#[unsafe(no_mangle)]
pub extern "C" fn tell_elsewhere(told: Told, context: *mut c_void) {
    let c = context as usize;
    thread::spawn(move || {
        let text = String::from("hello from a thread that ends at once");
        told(c as *mut c_void, unsafe {
            std::mem::transmute::<(*const u8, usize), Str>((text.as_ptr(), text.len()))
        });
        let mut text = text.into_bytes();
        text.fill(b'#');
        drop(text);
    })
    .join()
    .unwrap();
}
/// Gives a view that is gone afterwards.
#[unsafe(no_mangle)]
pub extern "C" fn show(seen: Seen, context: *mut c_void) -> i32 {
    let mut values = vec![1.5f32; 1000];
    let got = seen(context, unsafe {
        std::mem::transmute::<(*const f32, usize), Slice<f32>>((values.as_ptr(), values.len()))
    });
    values.fill(-1.0);
    got
}
#[unsafe(no_mangle)]
pub extern "C" fn note_elsewhere(noted: Noted, context: *mut c_void) {
    let c = context as usize;
    thread::spawn(move || {
        let mut values = vec![1.5f32; 1000];
        noted(c as *mut c_void, unsafe {
            std::mem::transmute::<(*const f32, usize), Slice<f32>>((values.as_ptr(), values.len()))
        });
        values.fill(-1.0);
    })
    .join()
    .unwrap();
}

/// A struct that is made elsewhere.
pub type Made = extern "C" fn(context: *mut c_void) -> Point;
/// An address that is known elsewhere.
pub type Found = extern "C" fn(context: *mut c_void) -> *const c_void;

#[unsafe(no_mangle)]
pub extern "C" fn ask_point(made: Made, context: *mut c_void) -> f64 {
    made(context).y
}

#[unsafe(no_mangle)]
pub extern "C" fn ask_address(found: Found, context: *mut c_void) -> bool {
    found(context).is_null()
}

/// Calls so many times from another thread, with so many numbers each, before this returns.
#[unsafe(no_mangle)]
pub extern "C" fn flood(noted: Noted, context: *mut c_void, calls: u32, len: usize) {
    let c = context as usize;
    thread::spawn(move || {
        let values = vec![1.5f32; len];
        for _ in 0..calls {
            noted(c as *mut c_void, unsafe {
                std::mem::transmute::<(*const f32, usize), Slice<f32>>((values.as_ptr(), values.len()))
            });
        }
    })
    .join()
    .unwrap();
}
