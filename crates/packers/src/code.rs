/// Text of a language with braces. Blocks are indented by them, so that what writes a line need not know how deep it is.
pub(crate) struct Code {
    text: String,
    depth: usize,
    indent: &'static str,
}

impl Code {
    /// An empty one.
    pub fn new(indent: &'static str) -> Code {
        Code { text: String::new(), depth: 0, indent }
    }

    /// Lines, whose own indentation does not count. An empty one is left out at the start and the end of a block, and
    /// after another.
    pub fn add(&mut self, lines: impl AsRef<str>) {
        for line in lines.as_ref().lines().map(str::trim) {
            let comment = line.starts_with(['/', '*']);
            if line.is_empty() {
                if !self.text.is_empty() && !self.text.ends_with("{\n") && !self.text.ends_with("\n\n") {
                    self.text.push('\n');
                }
                continue;
            }
            if line.starts_with('}') {
                self.depth -= 1;
                while self.text.ends_with("\n\n") {
                    self.text.pop();
                }
            }
            self.indented(if line.starts_with('*') { " " } else { "" });
            self.text.push_str(line);
            self.text.push('\n');
            if line.ends_with('{') && !comment {
                self.depth += 1;
            }
        }
    }

    /// Lines with an indentation of their own.
    pub fn add_as_it_is(&mut self, lines: &str) {
        for line in lines.lines() {
            if !line.is_empty() && !line.starts_with('#') {
                self.indented("");
            }
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    /// All of it.
    pub fn finish(self) -> String {
        self.text
    }

    fn indented(&mut self, more: &str) {
        self.text.extend(std::iter::repeat_n(self.indent, self.depth));
        self.text.push_str(more);
    }
}

/// A template with values in place of the words behind a `$`. A word alone on its line stands for whole lines, or none. What
/// a value holds is left as it is.
#[must_use]
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut parts = template.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let word = part.len() - part.trim_start_matches(|letter: char| letter.is_ascii_lowercase()).len();
        let (word, rest) = part.split_at(word);
        let Some((_, value)) = values.iter().find(|(name, _)| *name == word) else {
            text.extend(["$", part]);
            continue;
        };
        let before = text.trim_end_matches(' ');
        let alone = (before.is_empty() || before.ends_with('\n')) && rest.starts_with('\n');
        let whole = alone && (value.is_empty() || value.ends_with('\n'));
        text.extend([*value, if whole { &rest[1..] } else { rest }]);
    }
    text
}

/// A template in which the lines between `$each` and `$end` stand once for each row. Behind `$each` are the names of the
/// columns, and behind a colon the rows: `$each name size: u8 1, u16 2`.
#[must_use]
pub fn repeated(template: &str) -> String {
    let mut blocks = template.split("$each ");
    let mut text = blocks.next().unwrap_or_default().to_owned();
    for block in blocks {
        let (head, rest) = block.split_once('\n').unwrap_or_default();
        let (names, rows) = head.split_once(": ").unwrap_or_default();
        let (lines, rest) = rest.split_once("$end\n").unwrap_or_default();
        for row in rows.split(", ") {
            let values: Vec<_> = names.split(' ').zip(row.split(' ')).collect();
            text.push_str(&fill(lines, &values));
        }
        text.push_str(rest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_indented_by_their_braces_and_comments_are_not_blocks() {
        let mut code = Code::new("  ");
        code.add("class A {\n\n// if {\nvoid b()\n{\nreturn;\n}\n\n}");
        code.add_as_it_is("a\n  b");
        assert_eq!(code.finish(), "class A {\n  // if {\n  void b()\n  {\n    return;\n  }\n}\na\n  b\n");
    }

    #[test]
    fn a_word_alone_on_its_line_stands_for_lines_or_none_and_values_are_not_templates() {
        let values = [("name", "$lines"), ("lines", "one\ntwo\n"), ("none", "")];
        let filled = fill("a $name$none b\n  $lines\n  $none\n$other {$\"c\"}", &values);
        assert_eq!(filled, "a $lines b\n  one\ntwo\n  $other {$\"c\"}");
    }

    #[test]
    fn lines_between_each_and_end_stand_once_for_each_row() {
        let template = "{\n$each name size: u8 1, u16 2\n$name($size);\n$end\n}\n$each a: b\n$a$c\n$end\n";
        assert_eq!(repeated(template), "{\nu8(1);\nu16(2);\n}\nb$c\n");
    }
}
