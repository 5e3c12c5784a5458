/// How strings are written. A reader accepts all three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Text {
    /// UTF-8 with the length in UTF-16 units, from which C# sizes its string. The default, as in MemoryPack.
    #[default]
    Utf8,
    /// UTF-8 with that length left out (-1): quicker to write, and C# counts for itself.
    Utf8WithoutLength,
    /// UTF-16: what C# reads quickest, twice the bytes for Latin text.
    Utf16,
}

/// How values are written and read.
///
/// ```
/// use upcall_pack::{Options, Text};
///
/// let bytes = Options::new().text(Text::Utf16).to_vec("ab")?;
/// assert_eq!(bytes, [2, 0, 0, 0, b'a', 0, b'b', 0]);
/// # Ok::<(), upcall_pack::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub(crate) text: Text,
    pub(crate) depth: u32,
    /// None if nobody said: see [`Options::STACK`].
    pub(crate) stack: Option<usize>,
}

impl Options {
    /// The most objects inside one another, by default.
    ///
    /// That is the original's limit when it writes; it has none when it reads. Objects of many members may reach
    /// the limit of [`Options::STACK`] first.
    pub const DEPTH: u32 = 1000;

    /// The most bytes of stack that they may take, by default: 256 KiB.
    ///
    /// Rust gives a thread 2 MiB, but others give less: Windows and Java 1 MiB, macOS 512 KiB, and musl 128 KiB,
    /// where a thread that reads what others wrote needs a lower limit. A thread with more allows a higher one.
    ///
    /// Frames of unoptimised builds are several times as large. So that they nest as deep as optimised ones, builds
    /// with debug assertions allow all that the thread has left, but for 128 KiB (on Linux, Android, macOS and
    /// Windows).
    pub const STACK: usize = 256 << 10;

    /// UTF-8, and at most [`Options::DEPTH`] objects inside one another, in at most [`Options::STACK`] bytes.
    #[must_use]
    pub const fn new() -> Options {
        Options { text: Text::Utf8, depth: Options::DEPTH, stack: None }
    }

    /// How strings are written.
    #[must_use]
    pub const fn text(self, text: Text) -> Options {
        Options { text, ..self }
    }

    /// How many objects may lie inside one another. A union counts in addition to the class in it.
    #[must_use]
    pub const fn depth(self, depth: u32) -> Options {
        Options { depth, ..self }
    }

    /// How many bytes of stack the objects inside one another may take. Taking more is an error and not a
    /// stack overflow, so this must be less than what is left of the thread's stack.
    #[must_use]
    pub const fn stack(self, bytes: usize) -> Options {
        Options { stack: Some(bytes), ..self }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}
