/// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
///
/// # Safety
/// ünïcödé 名前 😀 // /// ??/ \
#[doc = concat!("made ", "of */ parts \\")]
#[doc = include_str!("docs.md")]
#[deprecated(since = "1.0", note = "use \"more\"\n*/ now \\ \u{e9} </x> {0} \\u000a")]
#[unsafe(no_mangle)]
pub extern "C" fn documented(a: i32) {}

/// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
#[doc = include_str!("docs.md")]
#[repr(C)]
pub struct Documented {
    /// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
    #[doc = include_str!("docs.md")]
    pub field: u8,
    /// "
    pub quote: u8,
    /// \
    pub backslash: u8,
}

/// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
#[doc = include_str!("docs.md")]
#[repr(u8)]
pub enum Kinds {
    /// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
    #[doc = include_str!("docs.md")]
    First,
    /// "
    Second,
    /// \
    Third,
}

/// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
#[doc = include_str!("docs.md")]
#[repr(C)]
pub enum Shapes {
    /// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
    #[doc = include_str!("docs.md")]
    Circle(f32),
    /// "
    Square {
        /// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
        side: f32,
    },
}

/// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
#[doc = include_str!("docs.md")]
pub const CONSTANT: u8 = 1;

/// \
pub const TEXT: &str = "*/ \" \\ \u{2028} \u{0} ${x} {0} %s \u{202e} é 😀";

/// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
#[doc = include_str!("docs.md")]
#[unsafe(no_mangle)]
pub static VARIABLE: u32 = 1;

#[unsafe(no_mangle)]
pub extern "C" fn all_of(a: &Documented, b: Kinds, c: &Shapes) {}

pub struct Thing;

/// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
#[upcall::export]
impl Thing {
    /// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
    #[doc = include_str!("docs.md")]
    pub fn new() -> Thing {
        Thing
    }

    /// Ends */ /* --> <!-- </summary> <b>&amp; & """ ''' `x` ${x} {@link Foo} @param x \u000a \u002a/ \ %s {0}
    #[doc = include_str!("docs.md")]
    #[deprecated(note = "use \"more\"\n*/ now \\ \u{e9} </x> {0} \\u000a")]
    pub fn with(&self, text: &str) -> String {
        text.into()
    }
}

mod deep {
    #[cfg_attr(all(), repr(C))]
    #[cfg_attr(any(), repr(packed))]
    pub struct Inner {
        pub a: u8,
        pub b: u32,
    }
    pub use self::Inner as Other;
}
pub use deep::Other as Alias;
pub use deep::*;

#[cfg_attr(all(), unsafe(no_mangle))]
pub extern "C" fn alias(a: Alias, b: &Inner) -> Other {
    a
}

include!("more.rs");
