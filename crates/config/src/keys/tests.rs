use super::*;
use crate::Config;
use std::path::Path;

/// A whole file with these lines of a key in it, below the head of its section.
fn file(key: &Key, lines: &str) -> String {
    let pools = ["/lines", "/words", "/counts"];
    let of_handler = [
        ("name", "name = \"count\""),
        ("on", "on = \"/lines\""),
        ("python", "python = \"count.py\""),
        ("class", "class = \"Counter\""),
    ];
    let has = |name: &str| lines.lines().any(|line| line.split(" =").next() == Some(name));
    let isolated = OF_ISOLATION.contains(&key.name) && key.section == Section::Handler;
    let mut text = String::new();
    if matches!(key.section, Section::Handler | Section::Warm) {
        text += "[[handler]]\n";
        for (name, line) in of_handler {
            let other_guest = name == "python" && GUESTS.iter().any(|guest| has(guest.name));
            if !has(name) && !other_guest {
                text += &format!("{line}\n");
            }
        }
        if isolated && !has("isolation") {
            text += "isolation = \"process\"\n";
        }
        text += &format!("{lines}\n");
    } else {
        text += &key.section.head().map_or(String::new(), |head| format!("{head}\n"));
        text += &format!("{lines}\n");
    }
    for pool in pools.map(|pool| format!("[pool.\"{pool}\"]\n")) {
        if !text.contains(&pool) {
            text += &pool;
        }
    }
    text
}

fn read(key: &Key, lines: &str) -> Config {
    let text = file(key, lines);
    Config::parse(&text, "flow.toml").unwrap_or_else(|error| panic!("{}\n{error}\n{text}", key.path()))
}

#[test]
fn the_example_of_every_key_can_be_read() {
    for key in KEYS.iter() {
        assert!(key.example.contains(key.name), "the example of {} does not show it", key.path());
        read(key, key.example);
    }
}

#[test]
fn a_key_written_with_its_default_changes_nothing() {
    for key in KEYS.iter() {
        let LeftOut::Value(value) = key.left_out else { continue };
        let written = match key.section {
            Section::Credit | Section::DeadLetters => {
                format!("{}= {{ {} = {value} }}", key.section.prefix().replace('.', " "), key.name)
            }
            _ => format!("{} = {value}", key.name),
        };
        assert_eq!(read(key, &written), read(key, ""), "{written}");
    }
}

#[test]
fn every_word_of_the_table_is_one_that_the_parser_tells_from_the_others() {
    for key in KEYS.iter() {
        let Takes::Word(words) = key.takes else { continue };
        let flows = words.iter().map(|(word, _)| read(key, &format!("{} = \"{word}\"", key.name)));
        let flows: Vec<Config> = flows.collect();
        let differ = (0..flows.len()).all(|one| !flows[..one].contains(&flows[one]));
        assert!(differ, "two words of {} mean the same", key.path());
    }
}

#[test]
fn a_number_beyond_the_range_of_its_row_is_refused_and_its_ends_are_read() {
    for key in KEYS.iter() {
        let Takes::Count { least, most, .. } = key.takes else { continue };
        let write = |number: u64| match key.section {
            Section::Credit | Section::DeadLetters => {
                format!("{}= {{ {} = {number} }}", key.section.prefix().replace('.', " "), key.name)
            }
            Section::Type => format!("type = {{ blittable = \"A\", {} = {number} }}", key.name),
            _ => format!("{} = {number}", key.name),
        };
        read(key, &write(most));
        for wrong in [least.checked_sub(1), most.checked_add(1)].into_iter().flatten() {
            let error = Config::parse(&file(key, &write(wrong)), "flow.toml").expect_err(&key.path());
            let what = key.section.what();
            assert!(
                error.to_string().contains(&format!("`{}` of {what} must be a number", key.name)),
                "{error}"
            );
        }
    }
}

#[test]
fn no_two_rows_are_the_same_key_and_each_doc_is_one_line() {
    for (index, key) in KEYS.iter().enumerate() {
        assert!(!KEYS[..index].iter().any(|other| other.path() == key.path()), "{}", key.path());
        assert!(key.doc.len() < 90 && !key.doc.ends_with('.'), "{}: {}", key.path(), key.doc);
        assert!(key.more.is_empty() || key.more.ends_with('.'), "{}", key.path());
    }
}

/// The chapter of the book between its two marks.
#[test]
fn the_reference_in_the_documentation_is_what_the_table_says() {
    const MARKS: [&str; 2] =
        ["<!-- the keys: made from the table of crates/config/src/keys -->\n", "<!-- end of the keys -->"];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/flow.md");
    let chapter = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = chapter.split_once(MARKS[0]).expect("docs/flow.md has the first mark");
    let (there, after) = rest.split_once(MARKS[1]).expect("docs/flow.md has the second mark");
    let made = format!("\n{}\n", markdown());
    if std::env::var_os("UPCALL_WRITE").is_some() {
        std::fs::write(&path, [before, MARKS[0], &made, MARKS[1], after].concat()).unwrap();
    } else {
        let help = "docs/flow.md is older than the table of keys: run this test with UPCALL_WRITE=1";
        assert!(there == made, "{help}");
    }
}

#[test]
fn no_key_that_is_a_line_in_brackets_is_said_to_be_above_them() {
    for key in Section::Flow.keys() {
        let above = explain(key).contains("above the first line in brackets");
        assert_eq!(above, !key.example.starts_with('['), "{}", explain(key));
    }
}

#[test]
fn a_key_is_found_by_its_path_its_name_or_its_section() {
    let paths = |asked: &str| match find(asked) {
        Ok(keys) => keys.into_iter().map(Key::path).collect::<Vec<_>>(),
        Err(near) => panic!("{asked}: {near:?}"),
    };
    assert_eq!(paths("handler.retry"), ["handler.retry"]);
    assert_eq!(paths("retry"), ["handler.retry"]);
    assert_eq!(paths("on.retry"), ["handler.retry"]);
    assert_eq!(paths("name"), ["name", "handler.name"]);
    assert_eq!(paths("batch"), ["batch", "handler.batch"]);
    assert_eq!(paths("size"), ["pool.type.size"]);
    assert_eq!(paths("pool.\"/lines\".keep"), ["pool.keep"]);
    assert_eq!(paths("[[handler]]")[..3], ["handler", "handler.name", "handler.on"]);
    assert_eq!(paths("[pool.\"/lines\"]")[..2], ["pool", "pool.kind"]);
    assert_eq!(find("handler.retyr").unwrap_err().as_deref(), Some("handler.retry"));
    assert_eq!(find("wokers").unwrap_err().as_deref(), Some("workers"));
    assert_eq!(find("compression").unwrap_err(), None);
    assert_eq!(find("").unwrap_err(), None);
}
