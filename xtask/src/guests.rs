//! What programs in other languages have of message passing is what programs in Rust have: each public method of `crates/mpi` is
//! declared by each guest, under the same word in its own case or under what `crates/ffi/guests.txt` says, with the reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::{Workspace, files_below};

const TABLE: &str = "crates/ffi/guests.txt";
/// What makes methods of the names that follow.
const MACROS: [&str; 2] = ["accesses! {", "of_the_communicator! {"];

/// A guest's declarations, without case and underscores.
struct Guest {
    name: &'static str,
    words: BTreeSet<String>,
}

impl Guest {
    /// In C a type's words come before a method's.
    fn has(&self, word: &str) -> bool {
        let word = plain(word);
        if self.name == "C" {
            return self.words.iter().any(|declared| declared.ends_with(&word));
        }
        self.words.contains(&word)
    }
}

fn plain(word: &str) -> String {
    word.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase).collect()
}

/// The words of a line, of letters, digits and underscores.
fn words(line: &str) -> impl DoubleEndedIterator<Item = &str> {
    line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|word| !word.is_empty())
}

/// A line without what stands between angle brackets.
fn without_parameters(line: &str) -> String {
    let mut depth = 0;
    let mut kept = String::new();
    for letter in line.chars() {
        match letter {
            '<' => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => kept.push(letter),
            _ => {}
        }
    }
    kept
}

/// What a public member or type of C# or Java is called.
fn member(line: &str) -> Option<String> {
    let line = line.strip_prefix("    ").unwrap_or(line);
    let declared = without_parameters(line.strip_prefix("public ")?);
    // A tuple has its parenthesis behind a space.
    let call = |at: &usize| *at > 0 && !declared[..*at].ends_with([' ', '(']);
    let call = declared.match_indices('(').map(|(at, _)| at).find(call).unwrap_or(declared.len());
    let end = declared.find(['{', ';', '=']).unwrap_or(declared.len()).min(call);
    let head = declared[..end].split(" extends ").next()?.split(" : ").next()?;
    Some(words(head.split(" implements ").next()?).next_back()?.to_owned())
}

/// What a member of a class, or an exported one, is called in TypeScript.
fn script(line: &str) -> Option<String> {
    let declared = match line.strip_prefix("export ") {
        Some(exported) => exported,
        None => line.strip_prefix("  ").filter(|line| !line.starts_with([' ', '/', '*', '}']))?,
    };
    if let Some(name) = ["get", "set"]
        .into_iter()
        .find(|name| declared.strip_prefix(name).is_some_and(|behind| behind.starts_with(['(', '<'])))
    {
        return Some(name.to_owned());
    }
    let modifiers = ["static", "get", "set", "readonly", "async", "const", "function", "class"];
    words(declared).find(|word| !modifiers.contains(word)).map(str::to_owned)
}

/// What a function or an attribute is called in Python, or what a module exports.
fn python(line: &str) -> Option<String> {
    let trimmed = line.trim_start();
    let declared = trimmed.strip_prefix("def ").or_else(|| {
        let attribute = line.strip_prefix("    ").filter(|line| !line.starts_with(' '))?;
        attribute.contains([':', ',']).then_some(attribute)
    })?;
    words(declared).next().map(str::to_owned)
}

/// The function of the library that a line of the header declares.
fn header(line: &str) -> Option<String> {
    let end = line.find("upcall_")? + line[line.find("upcall_")?..].find('(')?;
    words(&line[..end]).next_back()?.strip_prefix("upcall_").map(str::to_owned)
}

fn declared(files: &[PathBuf], of: impl Fn(&str) -> Option<String>) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).unwrap();
        all.extend(text.lines().filter_map(&of).map(|word| plain(&word)));
    }
    all
}

fn guests(root: &Path) -> [Guest; 5] {
    let below = |folder: &str, ending: &str| files_below(&root.join(folder), ending).unwrap();
    let ours = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("_mpi_") || ["mpi.py", "_upcall.pyi"].contains(&name.as_str())
    };
    let mut ts = below("sdk/node/src/mpi", "ts");
    ts.retain(|file| !file.ends_with("native.ts"));
    let mut py = below("sdk/python/upcall", "py");
    py.extend(below("sdk/python/upcall", "pyi"));
    py.retain(ours);
    [
        Guest { name: "C", words: declared(&[root.join("sdk/c/upcall.h")], header) },
        Guest { name: "C#", words: declared(&below("sdk/csharp/Upcall/Mpi", "cs"), member) },
        Guest { name: "Java", words: declared(&below("sdk/java/src/upcall/mpi", "java"), member) },
        Guest { name: "Node", words: declared(&ts, script) },
        Guest { name: "Python", words: declared(&py, python) },
    ]
}

/// The public methods of types, each with its type, and those that macros make, with `!`.
fn methods(root: &Path) -> BTreeSet<(String, String)> {
    let mut all = BTreeSet::new();
    for file in files_below(&root.join("crates/mpi/src"), "rs").unwrap() {
        let mut of = String::new();
        for line in fs::read_to_string(file).unwrap().lines() {
            if let Some(rest) = line.strip_prefix("unsafe ").unwrap_or(line).strip_prefix("impl") {
                let made = without_parameters(&rest.replace("->", ""));
                of = if made.contains(" for ") {
                    String::new()
                } else {
                    words(&made).next().unwrap().to_owned()
                };
            } else if MACROS.contains(&line) {
                "!".clone_into(&mut of);
            } else if line == "}" {
                of.clear();
            }
            if of == "!" {
                let names = line.strip_prefix("    ").filter(|line| !line.starts_with([' ', '/', ')', '#']));
                let names =
                    names.and_then(|names| without_parameters(names).split('(').next().map(str::to_owned));
                let names = names.unwrap_or_default();
                all.extend(
                    words(&names).filter(|word| *word != "fn").map(|word| (of.clone(), word.to_owned())),
                );
            } else if let Some(rest) = line.strip_prefix("    pub ").filter(|_| !of.is_empty()) {
                let mut rest = words(rest).skip_while(|word| ["const", "unsafe"].contains(word));
                if rest.next() == Some("fn") {
                    all.insert((of.clone(), rest.next().unwrap().to_owned()));
                }
            }
        }
    }
    all
}

struct Row {
    method: String,
    cells: Vec<String>,
}

impl Row {
    /// What `*` stands for, where the row is about this method.
    fn about<'m>(&self, method: &'m str) -> Option<&'m str> {
        match self.method.split_once('*') {
            None => (self.method == method).then_some(""),
            Some((before, behind)) => {
                let middle = method.strip_prefix(before)?.strip_suffix(behind)?;
                (!middle.is_empty()).then_some(middle)
            }
        }
    }
}

/// The types that guests have otherwise, and the rows.
fn table(root: &Path) -> (BTreeSet<String>, Vec<Row>) {
    let text = fs::read_to_string(root.join(TABLE)).unwrap();
    let (mut types, mut rows) = (BTreeSet::new(), Vec::new());
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(named) = line.strip_prefix("types:") {
            types.extend(named.split_whitespace().map(str::to_owned));
            continue;
        }
        let mut cells: Vec<String> = line.split('|').map(|cell| cell.trim().to_owned()).collect();
        assert!(cells.len() == 7 && cells.iter().all(|cell| !cell.is_empty()), "{TABLE}: {line}");
        rows.push(Row { method: cells.remove(0), cells });
    }
    (types, rows)
}

#[test]
fn guests_have_every_method_of_the_rust_api() {
    let ws = Workspace::find().unwrap();
    let (types, rows) = table(&ws.root);
    let methods = methods(&ws.root);
    let (mut missing, mut used) = (Vec::new(), BTreeSet::new());
    let of_types: BTreeSet<&str> = methods.iter().map(|(of, _)| of.as_str()).collect();
    assert!(methods.len() > 300 && methods.contains(&("!".to_owned(), "read_ordered_into".to_owned())));
    for guest in types.iter().filter(|name| !of_types.contains(name.as_str())) {
        missing.push(format!("{TABLE}: there is no type {guest}"));
    }
    let names: BTreeSet<&str> =
        methods.iter().filter(|(of, _)| !types.contains(of)).map(|(_, method)| method.as_str()).collect();
    for (place, guest) in guests(&ws.root).iter().enumerate() {
        assert!(guest.words.len() > 200, "{} has {} words", guest.name, guest.words.len());
        for method in &names {
            let exact = rows.iter().position(|row| row.method == *method);
            let row = exact.or_else(|| rows.iter().position(|row| row.about(method).is_some()));
            let Some(row) = row else {
                if !guest.has(method) {
                    missing.push(format!("{} lacks {method}", guest.name));
                }
                continue;
            };
            used.insert(row);
            let (cell, middle) = (&rows[row].cells[place], rows[row].about(method).unwrap_or_default());
            let is_there = match cell.as_str() {
                "-" => true,
                "=" => guest.has(method),
                word => guest.has(&word.replace('*', middle)) || exact.is_none() && guest.has(method),
            };
            if !is_there {
                missing.push(format!("{} lacks {method}, which {TABLE} calls {cell}", guest.name));
            }
        }
    }
    let unused = (0..rows.len()).filter(|row| !used.contains(row));
    missing.extend(unused.map(|row| format!("{TABLE}: no method is {}", rows[row].method)));
    assert!(missing.is_empty(), "add what guests lack, or say why in {TABLE}:\n{}", missing.join("\n"));
}
