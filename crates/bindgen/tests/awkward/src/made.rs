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
