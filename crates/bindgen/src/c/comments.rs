//! Comments as documentation.

/// The paragraphs of a Doxygen comment, without comment signs and with its commands in words.
pub fn docs(comment: &str) -> String {
    let mut lines: Vec<String> = comment.lines().map(|line| command(bare(line))).collect();
    while lines.first().is_some_and(String::is_empty) {
        lines.remove(0);
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.dedup_by(|later, earlier| later.is_empty() && earlier.is_empty());
    lines.join("\n")
}

/// A line without its comment signs.
fn bare(line: &str) -> &str {
    let line = line.trim();
    let line = line.strip_suffix("*/").unwrap_or(line);
    let signs = ["/**<", "/*!<", "///<", "//!<", "/**", "/*!", "/*", "///", "//!", "//", "*"];
    let line = signs.iter().find_map(|sign| line.strip_prefix(sign)).unwrap_or(line);
    let line = line.trim_end().trim_end_matches('*').trim_end();
    line.strip_prefix(' ').unwrap_or(line)
}

/// A line that begins with a Doxygen command, in words.
fn command(line: &str) -> String {
    let Some((name, rest)) = line
        .trim_start()
        .strip_prefix(['\\', '@'])
        .map(|command| command.split_once(char::is_whitespace).unwrap_or((command, "")))
    else {
        return line.to_owned();
    };
    let rest = rest.trim_start();
    match name.split('[').next().unwrap_or(name) {
        "brief" | "short" | "details" | "remark" | "remarks" => rest.to_owned(),
        "param" | "retval" => match rest.split_once(char::is_whitespace) {
            Some((name, text)) => format!("`{name}`: {}", text.trim_start()),
            None => format!("`{rest}`"),
        },
        "return" | "returns" | "result" => format!("Returns: {rest}"),
        "note" => format!("Note: {rest}"),
        "warning" => format!("Warning: {rest}"),
        "see" | "sa" => format!("See {rest}"),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::docs;

    #[test]
    fn signs_go_and_commands_become_words() {
        let comment = "/**\n * \\brief Adds two numbers.\n *\n *\n * More * text.\n * @param[in] a the first\n \
                       * @return the sum\n **/";
        assert_eq!(docs(comment), "Adds two numbers.\n\nMore * text.\n`a`: the first\nReturns: the sum");
        assert_eq!(
            docs("/// One.\n///   indented\n/// @unknown command"),
            "One.\n  indented\n@unknown command"
        );
        assert_eq!(docs("/**< behind a field */"), "behind a field");
        assert_eq!(docs(""), "");
    }
}
