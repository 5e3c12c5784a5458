use crate::plan::Packed;

/// How a language spells what the source names, and comments and text.
pub struct Spelling<'a> {
    /// A type.
    pub type_name: &'a dyn Fn(&str) -> String,
    /// A member of a type.
    pub member: &'a dyn Fn(&str) -> String,
    /// A variant of an enum.
    pub variant: &'a dyn Fn(&str) -> String,
    /// A literal of text.
    pub literal: &'a dyn Fn(&str) -> String,
    /// A comment with its line end, and the mark of what is deprecated; nothing of nothing.
    pub comment: &'a dyn Fn(&Comment<'_>) -> String,
}

/// What is said about a type or a member.
#[derive(Clone, Copy, Default)]
pub struct Comment<'a> {
    /// Paragraphs.
    pub text: &'a str,
    /// The text of `#[deprecated]`, which may be empty.
    pub deprecated: Option<&'a str>,
    /// Parameters and what is said about them.
    pub params: &'a [(&'a str, &'a str)],
    /// What stands before each line.
    pub indent: &'a str,
}

impl Spelling<'_> {
    pub(crate) fn declared(&self, packed: &Packed) -> String {
        let deprecated = packed.deprecated.as_deref();
        (self.comment)(&Comment { text: &packed.docs, deprecated, ..Comment::default() })
    }

    pub(crate) fn docs(&self, text: &str, indent: &str) -> String {
        (self.comment)(&Comment { text, indent, ..Comment::default() })
    }
}
