//! What macros make, and what is there for one target or another.

macro_rules! make {
    ($($name:ident: $ty:ty => $body:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(value: $ty) -> $ty {
            let body: fn($ty) -> $ty = $body;
            body(value)
        }
    )*};
}

make! {
    made_twice: u32 => |value| value.wrapping_mul(2);
    made_root: f64 => |value| value.sqrt();
}

/// One on Windows.
#[cfg(windows)]
#[unsafe(no_mangle)]
pub extern "C" fn on_windows() -> u32 {
    1
}

/// One on everything but Windows.
#[cfg(not(windows))]
#[unsafe(no_mangle)]
pub extern "C" fn elsewhere() -> u32 {
    1
}

macro_rules! record {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $ty:ty),* }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name {
            $(pub $field: $ty,)*
            sum: u32,
        }
    };
}

record! {
    /// A macro made it, with a private field.
    Made { left: u8, right: u16 }
}

#[unsafe(no_mangle)]
pub extern "C" fn made_sum(mut made: Made) -> Made {
    made.sum += u32::from(made.left) + u32::from(made.right);
    made
}

/// Its shim is in the expansion too, and is not a function of its own.
#[upcall::export]
fn made_beside(value: u32) -> u32 {
    value + 1
}

#[cfg(feature = "extra")]
#[unsafe(no_mangle)]
pub extern "C" fn extra() -> bool {
    true
}

#[cfg(feature = "never")]
#[unsafe(no_mangle)]
pub extern "C" fn never() -> bool {
    true
}

macro_rules! module {
    ($name:ident, $record:ident) => {
        /// A macro made the module.
        pub mod $name {
            pub const ROOM: usize = 2 + 1;

            /// In a module that a macro made.
            #[repr(C)]
            pub struct $record {
                pub first: u8,
                pub rest: [u16; ROOM],
            }

            #[unsafe(no_mangle)]
            pub extern "C" fn within_first(within: &$record) -> u8 {
                within.first
            }

            pub mod deeper {
                #[repr(C)]
                pub struct Deeper {
                    pub within: super::$record,
                    pub fixed: crate::generics::Fixed<u8, { super::ROOM }>,
                }

                #[unsafe(no_mangle)]
                pub extern "C" fn deeper_used(deeper: &Deeper) -> u8 {
                    deeper.fixed.used
                }
            }
        }
    };
}

module!(within, Within);

/// Its constants come from a macro.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Grade(u32);

macro_rules! grades {
    ($ty:ident: $($name:ident = $value:expr),*) => {
        impl $ty {
            $(pub const $name: $ty = $ty($value);)*
        }
    };
}

grades!(Grade: LOW = 1, HIGH = 1 << 4);

#[unsafe(no_mangle)]
pub extern "C" fn grade_of(grade: Grade) -> Grade {
    grade
}

pub struct Tally {
    sum: i64,
}

macro_rules! exported {
    ($ty:ident, $function:ident) => {
        #[upcall::export]
        impl $ty {
            pub fn new() -> $ty {
                $ty { sum: 0 }
            }

            /// Adds, unless it is negative.
            pub fn add(&mut self, value: i64) -> Result<i64, String> {
                if value < 0 {
                    return Err("negative".to_owned());
                }
                self.sum += value;
                Ok(self.sum)
            }

            #[upcall::export(skip)]
            pub fn skipped(&self) {}
        }

        /// How long a text is.
        #[upcall::export(name = "made_length")]
        pub fn $function(text: &str) -> u64 {
            text.len() as u64
        }
    };
}

exported!(Tally, length);
