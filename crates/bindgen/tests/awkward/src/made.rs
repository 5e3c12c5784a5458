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

/// Its shim is in the expansion too, and is no function of its own.
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
