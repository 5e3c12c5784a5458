/// C# text with its indentation.
#[derive(Default)]
pub(super) struct Text {
    out: String,
    depth: usize,
}

impl Text {
    /// One line, or several with their own indentation.
    pub fn line(&mut self, lines: impl AsRef<str>) {
        for line in lines.as_ref().lines() {
            if !line.is_empty() && !line.starts_with('#') {
                (0..self.depth).for_each(|_| self.out.push_str("    "));
            }
            self.out.push_str(line);
            self.out.push('\n');
        }
    }

    /// An empty line, except at the start of a block or after another empty line.
    pub fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("{\n") && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// A line and the start of its block.
    pub fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.line("{");
        self.depth += 1;
    }

    /// The end of a block.
    pub fn close(&mut self) {
        self.depth -= 1;
        while self.out.ends_with("\n\n") {
            self.out.pop();
        }
        self.line("}");
    }

    /// Documentation: the first paragraph is the summary, the others are remarks.
    pub fn docs(&mut self, text: &str) {
        self.line(docs(text));
    }

    /// The attribute of what is deprecated.
    pub fn obsolete(&mut self, deprecated: &Option<String>) {
        self.line(obsolete(deprecated.as_deref()));
    }

    /// All of it.
    pub fn finish(self) -> String {
        self.out
    }
}

/// Lines of documentation: the first paragraph is the summary, the others are remarks.
pub(super) fn docs(docs: &str) -> String {
    let docs = escape(docs.trim());
    let (summary, remarks) = docs.split_once("\n\n").unwrap_or((&docs, ""));
    let block = |tag: &str, text: &str| {
        let lines: Vec<&str> = text.trim_matches('\n').lines().map(str::trim_end).collect();
        match lines[..] {
            _ if text.trim().is_empty() => String::new(),
            [line] => format!("/// <{tag}>{}</{tag}>\n", line.trim()),
            _ => {
                let lines = lines.iter().map(|line| format!("/// {line}").trim_end().to_owned() + "\n");
                format!("/// <{tag}>\n{}/// </{tag}>\n", lines.collect::<String>())
            }
        }
    };
    block("summary", summary) + &block("remarks", remarks)
}

/// The attribute of what is deprecated.
pub(super) fn obsolete(deprecated: Option<&str>) -> String {
    match deprecated {
        None => String::new(),
        Some("") => "[Obsolete]\n".into(),
        Some(why) => format!("[Obsolete({})]\n", quoted(why)),
    }
}

/// XML allows no other control characters than these two.
fn escape(docs: &str) -> String {
    let docs: String =
        docs.chars().filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\t')).collect();
    docs.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A string literal.
pub(super) fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            // U+0085, U+2028 and U+2029 end lines too.
            letter if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => {
                literal.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => literal.push(letter),
        }
    }
    literal.push('"');
    literal
}
