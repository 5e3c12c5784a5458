use core::fmt;

/// Why some bytes are not a value of a raw type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Bytes from the start of the raw value.
    pub at: usize,
    /// What was found there.
    pub found: i128,
    /// What would be right: `a bool is 0 or 1`.
    pub rule: &'static str,
}

impl Invalid {
    /// `found`, where `rule` allows something else.
    #[must_use]
    pub const fn new(found: i128, rule: &'static str) -> Invalid {
        Invalid { at: 0, found, rule }
    }

    /// The same inside a value that begins `offset` bytes earlier.
    #[must_use]
    pub const fn within(self, offset: usize) -> Invalid {
        Invalid { at: self.at + offset, ..self }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {}, but {}", self.found, self.rule)
    }
}
