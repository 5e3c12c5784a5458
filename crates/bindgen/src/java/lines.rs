use std::fmt;

/// Java text with its indentation.
#[derive(Default)]
pub(super) struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// A line that opens a block.
    pub fn open(&mut self, line: impl AsRef<str>) {
        self.line(format!("{} {{", line.as_ref()));
        self.depth += 1;
    }

    pub fn close(&mut self) {
        self.close_with("}");
    }

    /// The end of a block and the rest of its line (`} finally {` opens another one).
    pub fn close_with(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
        if line.ends_with('{') {
            self.depth += 1;
        }
    }

    /// An empty line, unless a block has just begun.
    pub fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("{\n") && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Javadoc of these paragraphs and tags.
    pub fn docs(&mut self, docs: &Docs) {
        docs.to_string().lines().for_each(|line| self.line(line));
    }

    pub fn finish(self) -> String {
        self.text
    }
}

/// A Javadoc comment.
#[derive(Default)]
pub(super) struct Docs {
    paragraphs: Vec<String>,
    tags: Vec<String>,
    deprecated: bool,
}

impl Docs {
    /// From the source's paragraphs and the text of `#[deprecated]`.
    pub fn new(docs: &str, deprecated: Option<&str>) -> Docs {
        let mut new = Docs { deprecated: deprecated.is_some(), ..Docs::default() };
        let paragraphs = docs.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
        new.paragraphs = paragraphs.map(escape).collect();
        if let Some(why) = deprecated {
            new.tags.push(format!("@deprecated {}", escape(why).replace('\n', " ")).trim_end().to_owned());
        }
        new
    }

    /// One more paragraph of Javadoc, written as it is.
    pub fn note(mut self, note: impl Into<String>) -> Docs {
        self.paragraphs.push(note.into());
        self
    }

    /// One more `@` tag with what there is to say, if anything.
    pub fn said(self, tag: &str, said: &[Option<&str>]) -> Docs {
        let said: Vec<&str> = said.iter().flatten().copied().collect();
        if said.is_empty() { self } else { self.tag(format!("{tag} {}", said.join("; "))) }
    }

    /// One more `@` tag, written as it is.
    pub fn tag(mut self, tag: impl Into<String>) -> Docs {
        self.tags.push(tag.into());
        self
    }
}

/// The comment and the annotation; nothing without docs.
impl fmt::Display for Docs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<String> = Vec::new();
        for (index, paragraph) in self.paragraphs.iter().enumerate() {
            let mark = if index == 0 { "" } else { "<p>" };
            if index > 0 {
                lines.push(String::new());
            }
            lines.extend(format!("{mark}{paragraph}").lines().map(|line| line.trim_end().to_owned()));
        }
        if !self.tags.is_empty() && !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(self.tags.iter().cloned());
        match lines.as_slice() {
            [] => {}
            [only] => writeln!(f, "/** {only} */")?,
            _ => {
                let lines = lines.iter().map(|line| format!(" * {line}").trim_end().to_owned() + "\n");
                write!(f, "/**\n{} */\n", lines.collect::<String>())?;
            }
        }
        if self.deprecated { writeln!(f, "@Deprecated") } else { Ok(()) }
    }
}

/// Text that neither ends the comment nor is taken for a tag, an entity or a Unicode escape.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '@' => escaped.push_str("&#64;"),
            '\\' => escaped.push_str("&#92;"),
            '/' if escaped.ends_with('*') => escaped.push_str("&#47;"),
            '\r' => {}
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A Java string literal in ASCII.
pub(super) fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(b'"') => literal.push_str("\\\""),
            Ok(b'\\') => literal.push_str("\\\\"),
            Ok(b'\n') => literal.push_str("\\n"),
            Ok(byte @ b' '..=b'~') => literal.push(byte.into()),
            // A Unicode escape of a line end would end the line.
            Ok(byte @ 0..b' ') => literal.push_str(&format!("\\{byte:03o}")),
            _ => literal.push_str(&format!("\\u{unit:04x}")),
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_cannot_be_left() {
        let mut lines = Lines::default();
        lines.docs(&Docs::new("a */ b \\u002a/ <b> @x\n\nmore", Some("use\n`y`")));
        let text = lines.finish();
        assert_eq!(text.matches("*/").count(), 1, "{text}");
        assert!(
            !text.contains('\\')
                && text.contains(" * <p>more")
                && text.contains("@deprecated use `y`\n")
                && text.contains("@Deprecated"),
            "{text}"
        );
    }

    #[test]
    fn literals_are_ascii() {
        assert_eq!(literal("a\"\r😀"), "\"a\\\"\\015\\ud83d\\ude00\"");
    }
}
