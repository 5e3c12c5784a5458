//! A library that keeps what it is told to call.

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How many callbacks are kept, and how many have been released.
static ALIVE: AtomicU64 = AtomicU64::new(0);
static RELEASED: AtomicU64 = AtomicU64::new(0);

/// A callback that is counted until it has been released: a program that sees none may end.
struct Counted<F>(F, Count);

struct Count;

impl<F> Counted<F> {
    fn new(callback: F) -> Arc<Counted<F>> {
        ALIVE.fetch_add(1, SeqCst);
        Arc::new(Counted(callback, Count))
    }
}

impl<F> Deref for Counted<F> {
    type Target = F;

    fn deref(&self) -> &F {
        &self.0
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, SeqCst);
        RELEASED.fetch_add(1, SeqCst);
    }
}

/// The one that is kept.
struct Slot<F>(Mutex<Option<Arc<Counted<F>>>>);

impl<F> Slot<F> {
    /// Keeps another one, or none: what was kept before is dropped without the lock, as it may call back.
    fn put(&self, callback: Option<F>) {
        let callback = callback.map(Counted::new);
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), callback);
        drop(before);
    }

    fn get(&self) -> Option<Arc<Counted<F>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// None of its numbers is zero.
#[derive(Clone, Copy, Debug, PartialEq, upcall::Enum)]
#[repr(u8)]
pub enum Color {
    /// 4.
    Red = 4,
    /// 9.
    Green = 9,
}

/// A place.
#[derive(Clone, Copy, upcall::Blit)]
#[repr(C)]
pub struct Pixel {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
}

type Listener = Box<dyn Fn(u64) + Send + Sync>;
type Rank = Box<dyn Fn(&str, &[f64]) -> f64 + Send + Sync>;
type Paint = Box<dyn Fn(&Pixel, bool) -> Color + Send + Sync>;

static LISTENER: Slot<Listener> = Slot(Mutex::new(None));
static RANK: Slot<Rank> = Slot(Mutex::new(None));
static PAINT: Slot<Paint> = Slot(Mutex::new(None));

/// Keeps a listener, in place of the one before.
#[upcall::export]
pub fn hear(listener: Box<dyn Fn(u64) + Send + Sync>) {
    LISTENER.put(Some(listener));
}

/// Calls the listener, on the caller's thread.
#[upcall::export]
pub fn fire(value: u64) {
    if let Some(listener) = LISTENER.get() {
        listener(value);
    }
}

/// Calls the listener with 0, 1 and so on from each of so many threads, and waits for none of them.
#[upcall::export]
pub fn fire_from_threads(threads: u32, calls: u64) {
    for _ in 0..threads {
        thread::spawn(move || (0..calls).for_each(fire));
    }
}

/// Calls the listener on a thread of its own, and waits for it.
#[upcall::export]
pub fn fire_and_wait(calls: u64) {
    let fired = thread::spawn(move || (0..calls).for_each(fire));
    // What the thread panics with has been said.
    let _ = fired.join();
}

/// Calls the listener until the program ends.
#[upcall::export]
pub fn fire_for_ever() {
    for _ in 0..2 {
        thread::spawn(|| {
            for value in 0.. {
                fire(value);
                thread::yield_now();
            }
        });
    }
}

/// Drops the listener, on the caller's thread.
#[upcall::export]
pub fn forget() {
    LISTENER.put(None);
}

/// Drops the listener on a thread of its own, and waits for that.
#[upcall::export]
pub fn forget_on_a_thread() {
    let forgotten = thread::spawn(forget);
    let _ = forgotten.join();
}

/// Replaces the listener, unless the text is empty.
#[upcall::export]
pub fn hear_as(listener: Box<dyn Fn(u64) + Send + Sync + 'static>, name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("a listener needs a name".into());
    }
    LISTENER.put(Some(listener));
    Ok(())
}

/// Calls `wake` once, on a thread of its own, after so many milliseconds, and forgets it.
#[upcall::export]
pub fn wake_after(milliseconds: u32, wake: Box<dyn Fn() + Send + Sync>) {
    let wake = Counted::new(wake);
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(milliseconds.into()));
        wake();
    });
}

/// Keeps what ranks a text with numbers.
#[upcall::export]
#[expect(clippy::type_complexity, reason = "the attribute goes by the look of a type, and sees no alias")]
pub fn rank_with(rank: Box<dyn Fn(&str, &[f64]) -> f64 + Send + Sync>) {
    RANK.put(Some(rank));
}

/// What it ranks them with, on a thread of its own; -1 if there is none.
#[upcall::export]
pub fn ranked(text: &str, numbers: &[f64]) -> f64 {
    let (text, numbers) = (text.to_owned(), numbers.to_vec());
    let ranked = thread::spawn(move || RANK.get().map_or(-1.0, |rank| rank(&text, &numbers)));
    ranked.join().unwrap_or(-2.0)
}

/// Forgets what ranks.
#[upcall::export]
pub fn forget_rank() {
    RANK.put(None);
}

/// Keeps what chooses colors.
#[upcall::export]
#[expect(clippy::type_complexity, reason = "the attribute goes by the look of a type, and sees no alias")]
pub fn paint_with(paint: Box<dyn Fn(&Pixel, bool) -> Color + Send + Sync>) {
    PAINT.put(Some(paint));
}

/// The number of the color that it chooses on a thread of its own, with which it is forgotten; 0 if there is none.
#[upcall::export]
pub fn painted(x: i32, y: i32, bright: bool) -> u8 {
    let painted = thread::spawn(move || PAINT.get().map_or(0, |paint| paint(&Pixel { x, y }, bright) as u8));
    let color = painted.join().unwrap_or(0);
    PAINT.put(None);
    color
}

/// How many callbacks are kept.
#[upcall::export]
pub fn alive() -> u64 {
    ALIVE.load(SeqCst)
}

/// How many have been forgotten.
#[upcall::export]
pub fn released() -> u64 {
    RELEASED.load(SeqCst)
}

/// What has listeners of its own.
pub struct Topic {
    listeners: Mutex<Vec<Arc<Counted<Told>>>>,
}

type Told = Box<dyn Fn(&str) + Send + Sync>;

#[upcall::export]
impl Topic {
    /// Without listeners.
    pub fn new() -> Topic {
        Topic { listeners: Mutex::default() }
    }

    /// Adds a listener, until the topic is released.
    pub fn subscribe(&self, told: Box<dyn Fn(&str) + Send + Sync>) {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(Counted::new(told));
    }

    /// Tells all of them, on a thread of its own, and waits for it.
    pub fn publish(&self, text: &str) {
        let listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner).clone();
        thread::scope(|scope| {
            let told = scope.spawn(|| listeners.iter().for_each(|told| told(text)));
            let _ = told.join();
        });
    }
}

impl Default for Topic {
    fn default() -> Topic {
        Topic::new()
    }
}
