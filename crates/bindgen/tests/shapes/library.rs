//! One function of each shape, compiled by rustc alone into the shared library that bindings are run against.

mod types;

use std::ffi::{c_long, c_void};
use std::marker::PhantomData;
use types::*;

/// How many buffers and failures were released, and how many counters.
pub static mut RELEASED: u32 = 0;
#[unsafe(no_mangle)]
pub static SCALE: f64 = 2.5;
#[unsafe(no_mangle)]
pub static mut LEVEL: i32 = 7;

unsafe extern "C" fn release<T>(data: *mut T, len: usize, capacity: usize) {
    unsafe {
        RELEASED += 1;
        drop(Vec::from_raw_parts(data, len, capacity));
    }
}

fn buffer<T>(vec: Vec<T>) -> Buffer<T> {
    let mut vec = std::mem::ManuallyDrop::new(vec);
    Buffer { data: vec.as_mut_ptr(), len: vec.len(), capacity: vec.capacity(), release: Some(release::<T>) }
}

fn failure(message: &str, code: i32) -> *mut Failure {
    Box::into_raw(Box::new(Failure { message: buffer(message.as_bytes().to_vec()), code }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn upcall_failure_release(failure: *mut Failure) {
    unsafe {
        let failure = Box::from_raw(failure);
        release(failure.message.data, failure.message.len, failure.message.capacity);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn released() -> u32 {
    unsafe { RELEASED }
}

#[unsafe(no_mangle)]
pub extern "C" fn add(a: i32, b: i32) -> i32 {
    a.wrapping_add(b)
}

#[unsafe(no_mangle)]
pub extern "C" fn widest(a: u64, b: i64, c: u8, d: c_long, r#in: usize) -> u64 {
    a ^ b as u64 ^ u64::from(c) ^ d as u64 ^ r#in as u64
}

#[unsafe(no_mangle)]
pub extern "C" fn negate(value: i128) -> i128 {
    value.wrapping_neg()
}

#[unsafe(no_mangle)]
pub extern "C" fn halve(value: f32) -> f64 {
    f64::from(value) / 2.0
}

#[unsafe(no_mangle)]
pub extern "C" fn not(value: bool) -> bool {
    !value
}

#[unsafe(no_mangle)]
pub extern "C" fn next_letter(value: char) -> char {
    char::from_u32(value as u32 + 1).unwrap_or('?')
}

#[unsafe(no_mangle)]
pub extern "C" fn flip(color: Color) -> Color {
    match color {
        Color::Red => Color::Green,
        Color::Green => Color::Red,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn widen(access: Access) -> Access {
    Access(access.0 | 4)
}

#[unsafe(no_mangle)]
pub extern "C" fn mirror_point(point: Point) -> Point {
    Point { x: point.y, y: point.x }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn move_point(point: *mut Point, by: Point) {
    unsafe {
        (*point).x += by.x;
        (*point).y += by.y;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn swap_packed(packed: Packed) -> Packed {
    Packed { small: packed.last as u8, wide: packed.wide.swap_bytes(), last: u16::from(packed.small) }
}

#[unsafe(no_mangle)]
pub extern "C" fn raise_aligned(aligned: Aligned) -> Aligned {
    Aligned { value: aligned.value + 1 }
}

#[unsafe(no_mangle)]
pub extern "C" fn echo_mixed(mixed: Mixed) -> Mixed {
    mixed
}

#[unsafe(no_mangle)]
pub extern "C" fn double_meters(meters: Meters) -> Meters {
    Meters(meters.0 * 2.0)
}

#[unsafe(no_mangle)]
pub extern "C" fn echo_number(number: Number) -> Number {
    number
}

#[unsafe(no_mangle)]
pub extern "C" fn grow(shape: Shape) -> Shape {
    match shape {
        Shape::Empty => Shape::Circle(1.0),
        Shape::Circle(radius) => Shape::Circle(radius * 2.0),
        Shape::Rect { corner, width } => Shape::Rect { corner, width: width + 1 },
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn echo_event(event: Event) -> Event {
    event
}

#[unsafe(no_mangle)]
pub extern "C" fn echo_bits(bits: Bitfields) -> Bitfields {
    bits
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn sum(values: Slice<f32>) -> f32 {
    if values.len == 0 {
        return 0.0;
    }
    unsafe { std::slice::from_raw_parts(values.data, values.len) }.iter().sum()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn scale(values: SliceMut<f32>, by: f32) {
    if values.len > 0 {
        unsafe { std::slice::from_raw_parts_mut(values.data, values.len) }
            .iter_mut()
            .for_each(|value| *value *= by);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn total_x(points: Slice<Point>) -> f32 {
    if points.len == 0 {
        return 0.0;
    }
    unsafe { std::slice::from_raw_parts(points.data, points.len) }.iter().map(|point| point.x).sum()
}

static PRIMES: [f32; 4] = [2.0, 3.0, 5.0, 7.0];

#[unsafe(no_mangle)]
pub extern "C" fn primes() -> Slice<f32> {
    Slice { data: PRIMES.as_ptr(), len: PRIMES.len(), of: PhantomData }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn count_letters(text: Str) -> usize {
    if text.len == 0 {
        return 0;
    }
    let bytes = unsafe { std::slice::from_raw_parts(text.data, text.len) };
    std::str::from_utf8(bytes).map_or(usize::MAX, |text| text.chars().count())
}

#[unsafe(no_mangle)]
pub extern "C" fn motto() -> Str {
    let text = "größer";
    Str { data: text.as_ptr(), len: text.len() }
}

#[unsafe(no_mangle)]
pub extern "C" fn squares(count: u32) -> Buffer<i32> {
    buffer((0..count as i32).map(|value| value * value).collect())
}

#[unsafe(no_mangle)]
pub extern "C" fn spell(number: i32) -> Text {
    buffer(format!("nº {number}").into_bytes())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn divide(a: i32, b: i32, failed: *mut *mut Failure) -> i32 {
    if b == 0 {
        unsafe { *failed = failure("cannot divide by zero, naïvely", 33) };
        return 0;
    }
    a / b
}

#[unsafe(no_mangle)]
pub extern "C" fn counter_new(start: i64) -> *mut Counter {
    Box::into_raw(Box::new(Counter { count: start }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn counter_add(counter: *mut Counter, by: i64) -> i64 {
    unsafe {
        (*counter).count += by;
        (*counter).count
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn counter_release(counter: *mut Counter) {
    unsafe {
        RELEASED += 1;
        drop(Box::from_raw(counter));
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fold(
    count: u32,
    step: unsafe extern "C" fn(i32, u32, *mut c_void) -> i32,
    context: *mut c_void,
) -> i32 {
    (0..count).fold(0, |sum, index| unsafe { step(sum, index, context) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn apply(
    function: Option<unsafe extern "C" fn(Point, *const u8) -> Point>,
    point: Point,
) -> Point {
    function.map_or(point, |function| unsafe { function(point, b"x".as_ptr()) })
}

struct Kept(unsafe extern "C" fn(i32, *mut c_void), *mut c_void);
unsafe impl Send for Kept {}
static KEPT: std::sync::Mutex<Option<Kept>> = std::sync::Mutex::new(None);

#[unsafe(no_mangle)]
pub extern "C" fn keep(notify: unsafe extern "C" fn(i32, *mut c_void), context: *mut c_void) {
    *KEPT.lock().unwrap() = Some(Kept(notify, context));
}

/// Calls what was kept from another thread and waits for it.
#[unsafe(no_mangle)]
pub extern "C" fn notify_from_thread(value: i32) {
    let kept = KEPT.lock().unwrap().as_ref().map(|kept| Kept(kept.0, kept.1));
    if let Some(kept) = kept {
        let call = move || {
            let kept = kept;
            unsafe { (kept.0)(value, kept.1) }
        };
        std::thread::spawn(call).join().unwrap();
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn first_letter(text: *const std::ffi::c_char) -> u8 {
    if text.is_null() { 0 } else { unsafe { *text as u8 } }
}

#[unsafe(no_mangle)]
pub extern "C" fn zero(_nothing: Nothing) -> u8 {
    9
}

/// As `fold`, from a thread of its own, which is waited for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fold_elsewhere(
    count: u32,
    step: unsafe extern "C" fn(i32, u32, *mut c_void) -> i32,
    context: *mut c_void,
) -> i32 {
    let context = context as usize;
    std::thread::spawn(move || unsafe { fold(count, step, context as *mut c_void) }).join().unwrap()
}

/// The same under another name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fold_aside(
    count: u32,
    step: unsafe extern "C" fn(i32, u32, *mut c_void) -> i32,
    context: *mut c_void,
) -> i32 {
    unsafe { fold_elsewhere(count, step, context) }
}
