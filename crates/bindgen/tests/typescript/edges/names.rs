//! Names that mean something to JavaScript.
#![allow(non_upper_case_globals, non_camel_case_types, non_snake_case, reason = "names of another language")]

#[unsafe(no_mangle)]
pub extern "C" fn constructor(prototype: i32, arguments: i32) -> i32 {
    prototype + arguments
}

#[unsafe(no_mangle)]
pub extern "C" fn prototype(constructor: i32, r#await: i32, default: i32) -> i32 {
    constructor + r#await + default
}

#[unsafe(no_mangle)]
pub extern "C" fn name(name: i32, length: i32, toString: i32) -> i32 {
    name + length + toString
}

#[unsafe(no_mangle)]
pub extern "C" fn length(eval: i32, this: i32, undefined: i32) -> i32 {
    eval + this + undefined
}

#[unsafe(no_mangle)]
pub extern "C" fn toString(__proto__: i32, valueOf: i32) -> i32 {
    __proto__ + valueOf
}

#[unsafe(no_mangle)]
pub extern "C" fn default(then: i32, hasOwnProperty: i32) -> i32 {
    then + hasOwnProperty
}

#[unsafe(no_mangle)]
pub extern "C" fn arguments(Array: i32, Promise: i32, Function: i32) -> i32 {
    Array + Promise + Function
}

#[unsafe(no_mangle)]
pub extern "C" fn r#await(process: i32, require: i32, globalThis: i32) -> i32 {
    process + require + globalThis
}

/// Apart, because a constant is a pattern where a parameter has its name.
pub mod constants {
    pub const hasOwnProperty: i32 = 1;
    pub const valueOf: i32 = 2;
    pub const then: &str = "three";
    pub const process: i32 = 4;
    pub const globalThis: i32 = 5;
    pub const Array: i32 = 6;
    pub const Map: i32 = 7;
    pub const Record: i32 = 9;
    pub const isPrototypeOf: i32 = 10;
    pub const exports: i32 = 8;
    pub const Out: i32 = 11;
    pub const textAt: i32 = 12;
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Named {
    pub constructor: i32,
    pub prototype: i32,
    pub name: i32,
    pub length: i32,
    pub toString: i32,
    pub default: i32,
    pub arguments: i32,
    pub r#await: i32,
    pub __proto__: i32,
    pub valueOf: i32,
    pub hasOwnProperty: i32,
    pub size: i32,
    pub align: i32,
    pub offsets: i32,
    pub elements: [i32; 2],
    pub then: Word,
}

#[repr(u8)]
#[derive(Clone, Copy)]
pub enum Word {
    constructor,
    prototype,
    name,
    length,
    toString,
    default,
    arguments,
    r#await,
    __proto__,
    valueOf,
}

#[repr(u8)]
#[derive(Clone, Copy)]
pub enum Holding {
    constructor(i32),
    prototype { constructor: i32, length: i32 },
    name(i32),
    length,
    toString(i32),
    default,
    arguments(i32),
    r#await,
    __proto__(i32),
}

#[unsafe(no_mangle)]
pub extern "C" fn echo_named(named: Named) -> Named {
    named
}

#[unsafe(no_mangle)]
pub extern "C" fn echo_holding(holding: Holding) -> Holding {
    holding
}

pub struct Thing(i32);

#[upcall::export]
impl Thing {
    pub fn new(constructor: i32) -> Thing {
        Thing(constructor)
    }

    pub fn constructor(&self, arguments: i32) -> i32 {
        self.0 + arguments
    }

    pub fn prototype(&self) -> i32 {
        self.0 + 1
    }

    pub fn name(&self) -> i32 {
        self.0 + 2
    }

    pub fn length(&self) -> i32 {
        self.0 + 3
    }

    pub fn toString(&self) -> i32 {
        self.0 + 4
    }

    pub fn default(start: i32) -> i32 {
        start + 5
    }

    pub fn arguments(&self) -> i32 {
        self.0 + 6
    }

    pub fn r#await(&self) -> i32 {
        self.0 + 7
    }

    pub fn caller(start: i32) -> i32 {
        start + 8
    }
}
