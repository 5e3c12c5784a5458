//! Functions that take functions.

use crate::layouts::Point;
use std::ffi::c_void;

/// A callback with a context behind its arguments.
pub type Visit = extern "C" fn(value: i32, context: *mut c_void) -> bool;

/// A callback that takes a callback.
pub type Outer = extern "C" fn(inner: extern "C" fn(i32) -> i32, value: i32) -> i32;

/// Calls until `visit` says false; how often it was called.
#[unsafe(no_mangle)]
pub extern "C" fn visit(count: i32, visit: Visit, context: *mut c_void) -> i32 {
    (0..count).position(|value| !visit(value, context)).map_or(count, |at| at as i32 + 1)
}

/// -1 without a callback.
#[unsafe(no_mangle)]
pub extern "C" fn maybe_call(callback: Option<extern "C" fn(Point) -> f32>, point: Point) -> f32 {
    callback.map_or(-1.0, |callback| callback(point))
}

extern "C" fn double(value: i32) -> i32 {
    value.wrapping_mul(2)
}

#[unsafe(no_mangle)]
pub extern "C" fn call_outer(outer: Outer, value: i32) -> i32 {
    outer(double, value)
}

#[unsafe(no_mangle)]
pub extern "C" fn doubler() -> extern "C" fn(i32) -> i32 {
    double
}

/// Calls once, from another thread; false if that thread failed.
#[unsafe(no_mangle)]
pub extern "C" fn call_elsewhere(callback: extern "C" fn(i32), value: i32) -> bool {
    std::thread::spawn(move || callback(value)).join().is_ok()
}

/// A table of functions, one of which may be missing.
#[repr(C)]
pub struct Table {
    pub first: extern "C" fn(i32) -> i32,
    pub second: Option<extern "C" fn(point: &Point, context: *mut c_void) -> i32>,
    pub context: *mut c_void,
}

#[unsafe(no_mangle)]
pub extern "C" fn table_call(table: &Table, value: i32) -> i32 {
    let point = Point { x: value as f32, y: 0.0 };
    (table.first)(value) + table.second.map_or(0, |second| second(&point, table.context))
}

/// Holds a function that takes it by value, as does what it returns.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Step {
    pub next: extern "C" fn(Step) -> Stage,
    pub count: u32,
}

/// Holds what holds a function that returns it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Stage {
    pub step: Step,
    pub done: bool,
}

extern "C" fn count_down(step: Step) -> Stage {
    Stage { step: Step { count: step.count.saturating_sub(1), ..step }, done: step.count <= 1 }
}

#[unsafe(no_mangle)]
pub extern "C" fn step_from(count: u32) -> Step {
    Step { next: count_down, count }
}

/// How many steps there are until the end.
#[unsafe(no_mangle)]
pub extern "C" fn step_all(mut step: Step) -> u32 {
    for steps in 1.. {
        let stage = (step.next)(step);
        if stage.done {
            return steps;
        }
        step = stage.step;
    }
    0
}
